"""Keeps text away from a fault of llama.cpp: many of its tokenizers match words with a recursive regular
expression, which overflows the stack, and ends the process, at a word of some ten thousand characters.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

LONGEST = 2000
"""Bytes of one kind (letters, digits, blanks, signs) in a row that are safe on the smallest stack in use, 1 MB."""

SAFE = frozenset(
    (
        "llama-bpe",
        "llama3",
        "llama-v3",
        "falcon3",
        "falcon-h1",
        "pixtral",
        "lfm2",
        "gpt-2",
        "phi-2",
        "mpt",
        "olmo",
        "jais",
        "qwen2",
        "qwen35",
        "deepseek-r1-qwen",
        "stablelm2",
        "gemma4",
        "kimi-k2",
        "starcoder",
        "refact",
        "command-r",
        "smollm",
        "codeshell",
        "exaone",
    )
)
"""Values of `tokenizer.ggml.pre` for which llama.cpp has a loop instead of the regular expression."""


def _kinds() -> NDArray[np.uint8]:
    table = np.full(256, 3, dtype=np.uint8)
    for kind, characters in enumerate((b" \t\n\v\f\r", b"0123456789")):
        table[list(characters)] = kind
    letters = [*range(ord("a"), ord("z") + 1), *range(ord("A"), ord("Z") + 1), *range(0x80, 0x100)]
    table[letters] = 2
    return table


_KIND = _kinds()


def cut_long_runs(text: bytes) -> list[bytes]:
    """The UTF-8 text in pieces of whole characters, none with a run of one kind longer than `LONGEST` bytes.

    Ordinary text comes back in one piece.
    """
    if len(text) <= LONGEST:
        return [text]
    kinds = _KIND[np.frombuffer(text, dtype=np.uint8)]
    borders = np.concatenate(([0], np.flatnonzero(kinds[1:] != kinds[:-1]) + 1, [len(text)]))
    long = np.flatnonzero(np.diff(borders) > LONGEST)
    cuts = [0]
    for run in long.tolist():
        end = int(borders[run + 1])
        at = int(borders[run]) + LONGEST
        while at < end:
            while text[at] & 0xC0 == 0x80:
                at -= 1
            cuts.append(at)
            at += LONGEST
    cuts.append(len(text))
    return [text[start:stop] for start, stop in pairwise(cuts)]
