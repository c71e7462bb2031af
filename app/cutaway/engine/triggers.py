"""What wakes a lazy grammar, and where the text begins that it then constrains."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cutaway.engine.backend import Vocabulary
from cutaway.engine.command import Constraint

WATCHED = 4096
"""Characters before the end of the output in which a trigger may begin."""
WATCHED_WHOLE = 65_536
"""Bytes of output after which a pattern for the whole output would cost too much."""

_Find: TypeAlias = Callable[[str, int], int | None]
"""Finds where in a text, from a place on, the constrained part begins."""


@dataclass(frozen=True, slots=True)
class Found:
    start: int
    """Byte of the output where the constrained text begins."""
    trigger: str
    """As the constraint named it."""


class Triggers:
    """A constraint's triggers. A word that is one added token counts only as that token."""

    def __init__(self, vocabulary: Vocabulary, constraint: Constraint) -> None:
        """Raises ValueError with a sentence for a trigger that can never match."""
        self._vocabulary = vocabulary
        self._tokens: dict[int, str] = {}
        self._anywhere: list[tuple[str, _Find]] = []
        self._whole: list[tuple[str, _Find]] = []
        added = {text: token for text, token, _ in vocabulary.added()}
        for kind, value in constraint.triggers:
            self._add(kind, value, added)
        if not (self._tokens or self._anywhere or self._whole):
            raise ValueError("The grammar is to wait for a trigger, but it was given none.")

    def _add(self, kind: str, value: str, added: dict[str, int]) -> None:
        if kind == "token":
            self._tokens[int(value) if value.isdigit() and value not in added else _token(value, added)] = value
        elif kind == "word" and value in added:
            self._tokens[added[value]] = value
        elif kind == "word":
            self._anywhere.append((value, lambda text, of: at if (at := text.find(value, of)) >= 0 else None))
        elif kind == "pattern_full" or (value.startswith("^") and value.endswith("$")):
            self._whole.append((value, _matcher(value, whole=True)))
        else:
            self._anywhere.append((value, _matcher(value, whole=False)))

    def find(self, text: bytearray, token: int) -> Found | None:
        """The first trigger that matches once `token` follows `text`; None while nothing does.

        Raises ValueError with a sentence where the output is too long for a pattern of the whole.
        """
        if token in self._tokens:
            return Found(len(text), self._tokens[token])
        piece = self._vocabulary.piece(token)
        found = _matches(text, piece, self._anywhere, WATCHED)
        if self._whole:
            if len(text) > WATCHED_WHOLE:
                raise ValueError(
                    f"The grammar waits for a pattern of the whole reply, which is over {WATCHED_WHOLE} bytes now. "
                    "The reply ends here."
                )
            found += _matches(text, piece, self._whole, WATCHED_WHOLE)
        return min(found, key=lambda one: one.start, default=None)


def _token(value: str, added: dict[str, int]) -> int:
    if value not in added:
        raise ValueError(f"The grammar is to wait for the token {value!r}, which this model does not have.")
    return added[value]


def _matches(text: bytearray, piece: bytes, finders: Sequence[tuple[str, _Find]], most: int) -> list[Found]:
    if not finders:
        return []
    cut = max(0, len(text) - most)
    # What stands before the cut is one character: so `^` is the beginning of the output, not of what is watched.
    before = "\0" if cut else ""
    decoded = before + (bytes(text[cut:]) + piece).decode("utf-8", "surrogateescape")
    found = [(name, start) for name, find in finders if (start := find(decoded, len(before))) is not None]
    return [
        Found(cut + len(decoded[len(before) : start].encode("utf-8", "surrogateescape")), name) for name, start in found
    ]


def _matcher(pattern: str, *, whole: bool) -> _Find:
    """Finds where a pattern's first group that is not empty begins, else its match."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise ValueError(f"A trigger of the grammar is no valid pattern: {error}.") from error

    def find(text: str, of: int) -> int | None:
        match = compiled.fullmatch(text, of) if whole else compiled.search(text, of)
        if match is None:
            return None
        groups = (match.start(at) for at in range(1, (compiled.groups or 0) + 1) if match.group(at))
        return next(groups, match.start())

    return find
