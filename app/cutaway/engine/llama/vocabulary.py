"""A GGUF file's vocabulary through llama.cpp: text to ids and back, from any thread."""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cutaway.engine.backend import LoadError
from cutaway.engine.llama.library import LibraryError, forget_errors, lib, reason
from cutaway.engine.llama.long_runs import SAFE, cut_long_runs
from cutaway.engine.pieces import Ids, Pieces, make_pieces

_UNKNOWN = 1
_CONTROL = 8
_USER_DEFINED = 16

_KINDS = {0: "none", 1: "spm", 2: "bpe", 3: "wpm", 4: "ugm", 5: "rwkv", 6: "plamo2"}

_MAGIC = b"GGUF"


class LlamaVocabulary:
    """The vocabulary of a llama.cpp model.

    It holds the model that it was given only when it `owns` it: then `close` frees it. All methods only
    read the model, so they are safe from any thread while it lives.
    """

    def __init__(self, model: Any, *, owns: bool = False) -> None:
        self._lib = lib()
        self._model = model
        self._free = weakref.finalize(self, self._lib.llama_model_free, model) if owns else None
        if self._free is not None:
            self._free.atexit = False  # the process takes everything with it
        self._vocab: Any = self._lib.llama_model_get_vocab(model)
        self._lock = threading.Lock()
        self._pieces: Pieces | None = None
        library, vocab = self._lib, self._vocab
        self.kind = _KINDS.get(int(library.llama_vocab_type(vocab)), "other")
        self.size = int(library.llama_vocab_n_tokens(vocab))
        self.bos = int(library.llama_vocab_bos(vocab))
        self.eos = int(library.llama_vocab_eos(vocab))
        self.adds_bos = bool(library.llama_vocab_get_add_bos(vocab)) and self.bos >= 0
        self.adds_eos = bool(library.llama_vocab_get_add_eos(vocab)) and self.eos >= 0
        self._recurses = self.kind == "bpe" and self._metadata("tokenizer.ggml.pre") not in SAFE
        if self.kind == "wpm":
            self._frame_like_bert()

    def _frame_like_bert(self) -> None:
        """WordPiece models frame every text with [CLS] and [SEP]; llama.cpp does so unasked."""
        self.eos = int(self._lib.llama_vocab_sep(self._vocab))
        self.adds_bos, self.adds_eos = self.bos >= 0, self.eos >= 0

    def _metadata(self, key: str) -> str:
        room = 256
        buffer = ctypes.create_string_buffer(room)
        length = int(self._lib.llama_model_meta_val_str(self._model, key.encode(), buffer, room))
        return buffer.value.decode("utf-8", "replace") if length >= 0 else ""

    def encode(self, text: str, *, special: bool) -> list[int]:
        ids: list[int] = self.encode_bytes(text.encode("utf-8", "replace"), special=special).tolist()
        return ids

    def encode_bytes(self, text: bytes, *, special: bool) -> Ids:
        """Ids of UTF-8 text without BOS or EOS: one call of llama.cpp, but for text that would crash it."""
        if self.kind == "none":
            raise ValueError("This model file has no vocabulary, so text cannot be turned into tokens.")
        pieces = cut_long_runs(text) if self._recurses else [text]
        if len(pieces) > 1:
            return np.concatenate([self._encode_bytes(piece, special) for piece in pieces])
        return self._encode_bytes(text, special)

    def _encode_bytes(self, text: bytes, special: bool) -> Ids:
        room = len(text) + 16
        while True:
            ids = np.empty(room, dtype=np.int32)
            target = ids.ctypes.data_as(self._lib.llama_token_p)
            count = int(self._lib.llama_tokenize(self._vocab, text, len(text), target, room, False, special))
            if count >= 0:
                return ids[:count].copy()
            room = -count

    def offsets(self, text: str, *, special: bool) -> None:
        """llama.cpp gives none: they are found from the pieces."""
        return None

    def piece(self, token: int) -> bytes:
        return self.pieces().bytes[token] if 0 <= token < self.size else b""

    def pieces(self) -> Pieces:
        with self._lock:
            if self._pieces is None:
                self._pieces = self._make_pieces()
            return self._pieces

    def _make_pieces(self) -> Pieces:
        attributes = [int(self._lib.llama_vocab_get_attr(self._vocab, token)) for token in range(self.size)]
        pieces = self._read_pieces()
        if self.kind == "wpm":  # llama.cpp marks the beginning of a word by a blank that is in no text
            pieces = [piece.removeprefix(b" ") for piece in pieces]
        return make_pieces(
            pieces,
            [bool(attribute & _CONTROL) for attribute in attributes],
            [bool(attribute & _UNKNOWN) for attribute in attributes],
            [bool(attribute & _USER_DEFINED) for attribute in attributes],
        )

    def _read_pieces(self) -> list[bytes]:
        room = 512
        buffer = ctypes.create_string_buffer(room)
        read, vocab = self._lib.llama_token_to_piece, self._vocab
        pieces = []
        for token in range(self.size):
            length = int(read(vocab, token, buffer, room, 0, True))
            if length < 0:
                room = -length
                buffer = ctypes.create_string_buffer(room)
                length = int(read(vocab, token, buffer, room, 0, True))
            pieces.append(ctypes.string_at(buffer, length))
        return pieces

    def is_control(self, token: int) -> bool:
        return bool(int(self._lib.llama_vocab_get_attr(self._vocab, token)) & _CONTROL)

    def is_user_defined(self, token: int) -> bool:
        return bool(int(self._lib.llama_vocab_get_attr(self._vocab, token)) & _USER_DEFINED)

    def is_end(self, token: int) -> bool:
        return token >= 0 and bool(self._lib.llama_vocab_is_eog(self._vocab, token))

    def added(self) -> Sequence[tuple[str, int, bool]]:
        return [(token.text, token.id, token.control) for token in self.pieces().added]

    def close(self) -> None:
        """Free the model, where this vocabulary owns it. Nothing else may be called afterwards."""
        if self._free is not None:
            self._free()

    def __enter__(self) -> LlamaVocabulary:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_gguf_vocabulary(path: str | Path) -> LlamaVocabulary:
    """Open the vocabulary of a GGUF file, vocabulary-only files too, without its weights.

    Raises LoadError with a sentence when the file is missing, no GGUF, or refused by llama.cpp.
    """
    file = Path(path)
    _check_header(file)
    try:
        library = lib()
    except LibraryError as error:
        raise LoadError(str(error)) from error
    parameters = library.llama_model_default_params()
    parameters.vocab_only = True
    forget_errors()
    model = library.llama_model_load_from_file(str(file).encode("utf-8"), parameters)
    if not model:
        why = reason("it is damaged or too new")
        raise LoadError(f"llama.cpp could not read the vocabulary of {file.name}: {why}.")
    return LlamaVocabulary(model, owns=True)


def _check_header(file: Path) -> None:
    try:
        with file.open("rb") as source:
            magic = source.read(4)
    except OSError as error:
        raise LoadError(f"The vocabulary file {file} cannot be read: {error.strerror or error}.") from error
    if magic != _MAGIC:
        raise LoadError(f"{file.name} is not a GGUF file: it does not begin with the four letters GGUF.")
