"""How many tokens one micro-batch may hold, so that Stop never waits longer than its time."""

from __future__ import annotations

FIRST = 64
"""Tokens of the first micro-batch, before anything was measured."""


class Pace:
    """Sizes micro-batches by the speed that the last ones showed."""

    def __init__(self, *, limit_ms: float = 150.0, largest: int = 2048, step: int = 32) -> None:
        self._limit = limit_ms
        self._largest = max(1, largest)
        self._step = step
        self._ms_per_token: float | None = None

    def size(self, *, share: float = 1.0) -> int:
        """Tokens for the next micro-batch; `share` of the time limit is what it may take."""
        if self._ms_per_token is None:
            return min(FIRST, self._largest)
        fitting = int(self._limit * share * 0.9 / self._ms_per_token)
        whole = fitting // self._step * self._step if fitting > self._step else fitting
        return max(1, min(self._largest, whole))

    def took(self, tokens: int, ms: float) -> None:
        """What a micro-batch took. One that was slower than before counts at once, a faster one by half."""
        if tokens < 8 and self._ms_per_token is not None:
            return
        measured = max(ms, 1e-3) / tokens
        known = self._ms_per_token
        self._ms_per_token = measured if known is None or measured > known else (known + measured) / 2
