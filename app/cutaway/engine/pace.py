"""How many tokens one micro-batch may hold, so that Stop never waits longer than its time."""

from __future__ import annotations

FIRST = 64
"""Tokens of the first micro-batch, before anything was measured."""
STOP_MS = 150.0
"""What may pass before a stop is heard."""
PROGRESS_MS = 1500.0
"""What may pass before progress is shown."""
FEWEST = 32
"""Tokens of a micro-batch on the slowest machine. Fewer would make it slower still: reading the weights takes as long
for one token as for many, so each shorter batch would seem slower and the next be shorter again, down to one."""
STEP = 64
"""Whole multiples are worked on fastest: 96 tokens at once take 15 % longer a token than 64 or 128."""
TELLING = 32
"""Tokens of a micro-batch that says something about larger ones."""


class Pace:
    """Sizes micro-batches by the speed that the last ones showed."""

    def __init__(self, *, limit_ms: float, smallest: int = 1, largest: int = 512, strict: bool = True) -> None:
        """`limit_ms`: how long a micro-batch should take; `smallest` wins over it where the work is slow.

        `strict`: nothing else stops a micro-batch, so a slow one counts at once.
        """
        self._limit = limit_ms
        self._strict = strict
        self._largest = max(1, largest)
        self._smallest = min(max(1, smallest), self._largest)
        self._ms_per_token: float | None = None

    def size(self, *, share: float = 1.0) -> int:
        """Tokens for the next micro-batch; `share` of the time limit is what it may take."""
        if self._ms_per_token is None:
            return min(FIRST if not self._strict else FEWEST, self._largest)
        fitting = int(self._limit * share * 0.9 / self._ms_per_token)
        whole = fitting // STEP * STEP if fitting > STEP else fitting
        return max(self._smallest, min(self._largest, whole))

    def is_long(self, tokens: int) -> bool:
        """Whether a micro-batch of so many may outlast the wait for a stop."""
        return self._ms_per_token is None or tokens * self._ms_per_token > STOP_MS

    def took(self, tokens: int, ms: float) -> None:
        """What a micro-batch took. Where it is strict, one that was slower than before counts at once, else by half."""
        if tokens < (8 if self._strict else TELLING) and self._ms_per_token is not None:
            return
        measured = max(ms, 1e-3) / tokens
        known = self._ms_per_token
        at_once = known is None or (self._strict and measured > known)
        self._ms_per_token = measured if known is None or at_once else (known + measured) / 2


def pace_for(*, interruptible: bool, micro_batch: int) -> Pace:
    """Where a batch can be stopped on its way, it may be as long as progress allows; else as short as Stop needs."""
    if interruptible:
        return Pace(limit_ms=PROGRESS_MS, smallest=FIRST, largest=micro_batch, strict=False)
    return Pace(limit_ms=STOP_MS, smallest=FEWEST, largest=micro_batch)
