"""What a vocabulary's tokens are made of, in arrays: made once per vocabulary, asked for every prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_BRACKETS = frozenset("<>[]{}|｜")

_UNKNOWN_NAMES = frozenset((b"<unk>", b"[unk]", b"<|unk|>"))
"""Some files call the unknown token a control token."""

Ids = NDArray[np.int32]
Offsets = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Added:
    """A token that is recognised in text before the text is cut into ordinary tokens."""

    id: int
    text: str
    control: bool
    """A control or unknown token, as opposed to a user-defined one."""

    @property
    def is_marker(self) -> bool:
        """Whether the text is built like a marker (`<think>`), unlike runs of blanks, words, rules of dashes."""
        return len(self.text) >= 3 and not _BRACKETS.isdisjoint(self.text)


@dataclass(frozen=True, slots=True)
class Pieces:
    """Every token's bytes and kind.

    The arrays have one entry per token. `special` marks those that stand alone between runs of ordinary
    text: control, unknown and user-defined ones.
    """

    bytes: Sequence[bytes]
    lengths: NDArray[np.int64]
    control: NDArray[np.bool_]
    unknown: NDArray[np.bool_]
    """Tokens that stand for what the vocabulary cannot spell; most have one, `<unk>`."""
    special: NDArray[np.bool_]
    added: tuple[Added, ...]
    single: dict[int, int]
    """Byte value to the ordinary token that is exactly this byte, where the vocabulary has one."""
    _all: NDArray[np.uint8]
    _begins: Offsets
    """Where each token's bytes begin among those of all tokens."""

    def join(self, ids: Ids) -> NDArray[np.uint8]:
        """The bytes of the tokens, one after another."""
        lengths = self.lengths[ids]
        shifts = self._begins[ids]
        shifts -= np.cumsum(lengths) - lengths
        places = np.repeat(shifts, lengths)
        places += np.arange(len(places))
        joined: NDArray[np.uint8] = self._all.take(places)
        return joined


def make_pieces(
    pieces: Sequence[bytes], control: Sequence[bool], unknown: Sequence[bool], user_defined: Sequence[bool]
) -> Pieces:
    """Build the table; the sequences have one entry per token, in the order of the ids."""
    is_control, is_unknown = np.array(control, dtype=np.bool_), np.array(unknown, dtype=np.bool_)
    named = [token for token in np.flatnonzero(is_control).tolist() if pieces[token].lower() in _UNKNOWN_NAMES]
    is_unknown[named] = True
    is_special = is_control | is_unknown | np.array(user_defined, dtype=np.bool_)
    added = tuple(
        Added(token, text, bool(is_control[token] or is_unknown[token]))
        for token in np.flatnonzero(is_special).tolist()
        if (text := pieces[token].decode("utf-8", "replace"))
    )
    lengths = np.fromiter(map(len, pieces), dtype=np.int64, count=len(pieces))
    single = {pieces[token][0]: token for token in reversed(np.flatnonzero((lengths == 1) & ~is_special).tolist())}
    everything = np.frombuffer(b"".join(pieces), dtype=np.uint8)
    begins = np.cumsum(lengths) - lengths
    return Pieces(pieces, lengths, is_control, is_unknown, is_special, added, single, everything, begins)
