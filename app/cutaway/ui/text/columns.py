"""A prompt's tokens as columns, without making a value for each of a hundred thousand of them. No Qt."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cutaway.engine.tokens import Tokenised
from cutaway.workbench.turn import PromptToken


@dataclass(frozen=True, slots=True)
class Columns:
    ids: list[int]
    starts: list[int]
    ends: list[int]
    control: list[tuple[int, int]]
    """Character ranges of control tokens that the prompt spells out."""
    neutralised: list[tuple[int, int]]
    """Character ranges of input that spelled a control token, joined where they touch."""

    def token_at(self, char: int) -> int:
        """The token that holds a character, or -1."""
        index = bisect_right(self.starts, char) - 1
        return index if index >= 0 and char < max(self.ends[index], self.starts[index] + 1) else -1


NO_COLUMNS = Columns([], [], [], [], [])


def columns_of(tokens: Sequence[PromptToken]) -> Columns:
    if not len(tokens):
        return NO_COLUMNS
    if isinstance(tokens, Tokenised):
        ids, starts, ends = (np.asarray(column) for column in (tokens.ids, tokens.starts, tokens.ends))
        control, neutral = np.asarray(tokens.pieces.control)[ids], np.asarray(tokens.neutral)
    else:
        ids, starts, ends, control, neutral = (
            np.array([getattr(token, name) for token in tokens])
            for name in ("id", "start", "end", "control", "neutralised")
        )
    first, last = starts.tolist(), ends.tolist()
    return Columns(
        ids.tolist(),
        first,
        last,
        _ranges(first, last, np.flatnonzero(control).tolist(), join=False),
        _ranges(first, last, np.flatnonzero(neutral).tolist(), join=True),
    )


def _ranges(starts: list[int], ends: list[int], which: list[int], *, join: bool) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for index in which:
        low, high = starts[index], ends[index]
        if high <= low:
            continue
        if join and found and found[-1][1] >= low:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        elif not found or found[-1] != (low, high):
            found.append((low, high))
    return found
