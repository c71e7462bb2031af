"""The candidates of one step: a `llama_token_data_array` over numpy memory, so that nothing is copied in Python."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutaway.engine.llama.library import lib

_LAYOUT = np.dtype([("id", "<i4"), ("logit", "<f4"), ("p", "<f4")])


class Candidates:
    """Room for every token of a vocabulary, filled anew for each step."""

    def __init__(self, size: int) -> None:
        library = lib()
        self._ids = np.arange(size, dtype=np.int32)
        self._data = np.empty(size, dtype=_LAYOUT)
        self._id, self._logit = self._data["id"], self._data["logit"]
        self._pointer = self._data.ctypes.data_as(ctypes.POINTER(library.llama_token_data))
        self._address = self._data.ctypes.data
        self._array = library.llama_token_data_array()
        self.reference = ctypes.byref(self._array)
        """What llama.cpp's functions take."""

    def fill(self, logits: NDArray[np.float32]) -> None:
        """All tokens, in the order of their ids."""
        self._id[:] = self._ids
        self._logit[:] = logits
        self._begin(len(self._data))

    def fill_sorted(self, ids: NDArray[np.int64], logits: NDArray[np.float32]) -> None:
        """Only these tokens with their logits, likeliest first: what a top-k stage would have left."""
        count = len(ids)
        self._id[:count] = ids
        self._logit[:count] = logits
        self._begin(count, ordered=True)

    def fill_one(self, token: int) -> None:
        """One token alone: whether a grammar lets it pass can be asked cheaply."""
        self._data[0] = (token, 0.0, 0.0)
        self._begin(1)

    def fill_tokens(self, tokens: Sequence[int]) -> None:
        """These tokens, equally likely."""
        count = len(tokens)
        self._id[:count] = tokens
        self._logit[:count] = 0.0
        self._begin(count)

    def _begin(self, size: int, *, ordered: bool = False) -> None:
        self._array.data = self._pointer
        self._array.size = size
        self._array.selected = -1
        self._array.sorted = ordered

    def forbid(self, tokens: set[int]) -> None:
        """Only directly after `fill`: the ids are their own places then."""
        self._logit[list(tokens)] = -np.inf

    @property
    def size(self) -> int:
        return int(self._array.size)

    def selected(self) -> int:
        """The chosen token's id; -1 when the chain chose none."""
        at = int(self._array.selected)
        return int(self._array.data[at].id) if 0 <= at < self.size else -1

    def any_left(self) -> bool:
        return bool(np.isfinite(self.view()["logit"]).any())

    def left(self) -> list[bool]:
        """For each candidate, whether it may still be chosen."""
        found: list[bool] = np.isfinite(self.view()["logit"]).tolist()
        return found

    def view(self) -> NDArray[Any]:
        """The candidates as they are now; stages may have moved them to memory of their own."""
        if not self.size:
            return self._data[:0]
        address = ctypes.addressof(self._array.data.contents)
        if address == self._address:
            return self._data[: self.size]
        memory = (ctypes.c_char * (self.size * _LAYOUT.itemsize)).from_address(address)
        found: NDArray[Any] = np.ndarray((self.size,), dtype=_LAYOUT, buffer=memoryview(memory))
        return found

    def chances(self, tokens: Sequence[int]) -> dict[int, float]:
        """Token to probability of what the chain left; where that is more than a few hundred, of `tokens` only."""
        left = self.view()
        if len(left) > 512:
            wanted = np.array(tokens)
            in_order = len(left) == len(self._ids) and bool((left["id"][wanted] == wanted).all())
            left = left[wanted] if in_order else left[np.isin(left["id"], wanted)]
        return dict(zip(left["id"].tolist(), left["p"].tolist(), strict=True))
