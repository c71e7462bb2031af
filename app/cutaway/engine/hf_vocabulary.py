"""A Hugging Face `tokenizer.json` as a vocabulary, through `tokenizers`."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cutaway.engine.backend import LoadError
from cutaway.engine.pieces import Ids, Offsets, Pieces, make_pieces

_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>\Z")
_END_TEXTS = frozenset(
    (
        "<|im_end|>",
        "<|endoftext|>",
        "<|eot_id|>",
        "<|eom_id|>",
        "<|end|>",
        "<|end_of_text|>",
        "<end_of_turn>",
        "<turn|>",
        "</s>",
        "<|return|>",
        "<|call|>",
        "<｜end▁of▁sentence｜>",
        "<|END_OF_TURN_TOKEN|>",
    )
)


class HfVocabulary:
    """The vocabulary of a `tokenizer.json`; `settings` is `tokenizer_config.json`, where there is one.

    Its `eos_token_id` may list more end tokens.
    """

    def __init__(self, source: str, settings: Mapping[str, Any]) -> None:
        from tokenizers import Tokenizer

        self._model: Mapping[str, Any] = json.loads(source)
        self._tokenizer: Any = Tokenizer.from_str(source)
        self._lock = threading.Lock()
        self._made: Pieces | None = None
        self.kind = self._find_kind()
        self._added: dict[int, Any] = self._tokenizer.get_added_tokens_decoder()
        vocabulary = self._tokenizer.get_vocab(with_added_tokens=True)
        self.size = max(vocabulary.values(), default=-1) + 1
        self._unknown = self._named({"unk": (self._model.get("model") or {}).get("unk_token")}, "unk")
        before, after = self._frame()
        self.bos = self._named(settings, "bos_token", before)
        self.eos = self._named(settings, "eos_token", after)
        if self.kind == "wpm" and before >= 0 and after >= 0:
            self.bos, self.eos = before, after
        self.adds_bos = self._adds(settings, "add_bos_token", before == self.bos) and self.bos >= 0
        self.adds_eos = self._adds(settings, "add_eos_token", after == self.eos) and self.eos >= 0
        self._ends = self._read_ends(settings)

    def _frame(self) -> tuple[int, int]:
        """The tokens that the tokenizer itself puts before and behind a text, -1 for none."""
        plain = self._tokenizer.encode("a", add_special_tokens=False).ids
        framed = self._tokenizer.encode("a", add_special_tokens=True).ids
        if len(framed) <= len(plain):
            return -1, -1
        begins = framed[: len(plain)] != plain
        ends = framed[-len(plain) :] != plain if plain else len(framed) > 1
        return framed[0] if begins else -1, framed[-1] if ends else -1

    def _read_ends(self, settings: Mapping[str, Any]) -> frozenset[int]:
        named = settings.get("eos_token_id")
        listed = named if isinstance(named, list) else [named]
        known = [token for token, added in self._added.items() if added.content in _END_TEXTS]
        ends = [token for token in listed if isinstance(token, int) and not isinstance(token, bool)]
        return frozenset(token for token in (*known, *ends, self.eos) if token >= 0)

    def _find_kind(self) -> str:
        model = self._model.get("model") or {}
        kind = {"BPE": "bpe", "Unigram": "ugm", "WordPiece": "wpm", "WordLevel": "words"}.get(
            model.get("type") or "BPE", "other"
        )
        is_byte_level = any(step.get("type") == "ByteLevel" for step in _steps(self._model.get("decoder")))
        return "spm" if kind == "bpe" and not is_byte_level else kind

    def _named(self, settings: Mapping[str, Any], key: str, default: int = -1) -> int:
        if key not in settings:
            return default
        value = settings[key]
        text = value.get("content") if isinstance(value, dict) else value
        token = self._tokenizer.token_to_id(text) if isinstance(text, str) else None
        return -1 if token is None else int(token)

    @staticmethod
    def _adds(settings: Mapping[str, Any], key: str, seen: bool) -> bool:
        value = settings.get(key)
        return value if isinstance(value, bool) else seen

    def _encoding(self, text: str, special: bool) -> Any:
        """Whether control tokens are read as text is part of the tokenizer's state, hence the lock."""
        with self._lock:
            self._tokenizer.encode_special_tokens = not special
            return self._tokenizer.encode(text, add_special_tokens=False)

    def encode(self, text: str, *, special: bool) -> list[int]:
        return list(self._encoding(text, special).ids)

    def encode_bytes(self, text: bytes, *, special: bool) -> Ids:
        return np.array(self._encoding(text.decode("utf-8", "replace"), special).ids, dtype=np.int32)

    def offsets(self, text: str, *, special: bool) -> tuple[Offsets, Offsets] | None:
        pairs = np.array(self._encoding(text, special).offsets, dtype=np.int64).reshape(-1, 2)
        return pairs[:, 0].copy(), pairs[:, 1].copy()

    def piece(self, token: int) -> bytes:
        return self.pieces().bytes[token] if 0 <= token < self.size else b""

    def pieces(self) -> Pieces:
        with self._lock:
            if self._made is None:
                self._made = self._make_pieces()
        return self._made

    def _make_pieces(self) -> Pieces:
        texts = [""] * self.size
        for text, token in self._tokenizer.get_vocab(with_added_tokens=True).items():
            texts[token] = text
        read = _piece_reader(self._model, self.kind)
        return make_pieces(
            [
                self._added[token].content.encode("utf-8", "replace") if token in self._added else read(text)
                for token, text in enumerate(texts)
            ],
            [token in self._added and bool(self._added[token].special) for token in range(self.size)],
            [token == self._unknown for token in range(self.size)],
            [token in self._added and not self._added[token].special for token in range(self.size)],
        )

    def is_control(self, token: int) -> bool:
        return token in self._added and bool(self._added[token].special)

    def is_user_defined(self, token: int) -> bool:
        return token in self._added and not self._added[token].special

    def is_end(self, token: int) -> bool:
        return token in self._ends

    def added(self) -> Sequence[tuple[str, int, bool]]:
        return [(added.content, token, bool(added.special)) for token, added in sorted(self._added.items())]

    def close(self) -> None:
        """Nothing is held that must be given back."""


def open_hf_vocabulary(path: str | Path) -> HfVocabulary:
    """Read a `tokenizer.json` and what its folder says of its tokens. Raises LoadError with a sentence."""
    file = Path(path)
    try:
        source = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LoadError(f"The tokenizer file {file} cannot be read: {error}.") from error
    try:
        return HfVocabulary(source, _read_settings(file.parent))
    except Exception as error:  # `tokenizers` raises bare Exception
        raise LoadError(f"{file.name} is no tokenizer that the library `tokenizers` can load: {error}.") from error


def _read_settings(folder: Path) -> Mapping[str, Any]:
    """`tokenizer_config.json`, with the end tokens that `generation_config.json` lists."""
    settings = dict(_read_object(folder / "tokenizer_config.json"))
    ends = _read_object(folder / "generation_config.json").get("eos_token_id")
    return settings if ends is None else {**settings, "eos_token_id": ends}


def _read_object(file: Path) -> Mapping[str, Any]:
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _steps(part: Any) -> Iterator[Mapping[str, Any]]:
    """A decoder's or normalizer's steps, sequences opened."""
    if isinstance(part, dict):
        yield part
        for key in ("decoders", "normalizers", "pretokenizers", "processors"):
            for inner in part.get(key) or ():
                yield from _steps(inner)


def _piece_reader(model: Mapping[str, Any], kind: str) -> Any:
    """A function from a token's text in the file to the bytes that it stands for."""
    steps = list(_steps(model.get("decoder")))
    types = {step.get("type") for step in steps}
    if "ByteLevel" in types:
        table = _byte_level()
        return lambda text: _bytes_of(text, table)
    prefix = str((model.get("model") or {}).get("continuing_subword_prefix") or "##")
    if kind == "wpm":
        return lambda text: text.removeprefix(prefix).encode("utf-8", "replace")
    return _sentencepiece_bytes


def _bytes_of(text: str, table: Mapping[str, int]) -> bytes:
    try:
        return bytes(table[character] for character in text)
    except KeyError:
        return text.encode("utf-8", "replace")


def _sentencepiece_bytes(text: str) -> bytes:
    byte = _BYTE_TOKEN.match(text)
    return bytes((int(byte[1], 16),)) if byte else text.replace("\u2581", " ").encode("utf-8", "replace")


def _byte_level() -> Mapping[str, int]:
    """The characters that byte-level BPE writes for the 256 bytes: printable ones stand for themselves."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    table = {chr(byte): byte for byte in printable}
    table.update({chr(256 + index): byte for index, byte in enumerate(others)})
    return table
