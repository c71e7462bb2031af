"""How many threads to use: measured while running, because other programs come and go.

With two busy programs beside it, one thread can be twice as fast as two; alone, two are twice as
fast as one. Changing the count costs microseconds, so the count follows what is measured: a
neighbouring count is tried for a few steps when things got slow, and rarely when they did not.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

SetThreads = Callable[[int, int], None]


def available_cores() -> int:
    """Cores that this process may use: physical ones, within its affinity and its control group's quota."""
    try:
        import psutil

        physical = psutil.cpu_count(logical=False) or 1
    except (ImportError, OSError):
        physical = os.cpu_count() or 1
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else physical
    return max(1, min(physical, allowed, _quota() or physical))


def _quota() -> int | None:
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return None if quota == "max" else max(1, int(quota) // int(period))
    except (OSError, ValueError):
        return None


def candidates(cores: int) -> list[int]:
    """Counts worth trying, ascending: all cores, one fewer, and halves down to one."""
    counts = {cores, max(1, cores - 1), 1}
    half = cores
    while half > 1:
        half //= 2
        counts.add(half)
    return sorted(counts)


class Tuner:
    """Chooses among counts by the cost of each step. `took` is told a cost and answers the count to use next."""

    WINDOW = 6
    TRIAL = 3
    SOONEST = 24
    LATEST = 768
    SLOWER = 1.3
    FASTER = 0.93

    def __init__(self, counts: Sequence[int], start: int) -> None:
        self._counts = sorted({*counts, start})
        self.count = start
        self._window: deque[float] = deque(maxlen=self.WINDOW)
        self._calm: float | None = None
        self._since = 0
        self._wait = self.SOONEST * 4
        self._trial: list[float] | None = None
        self._home = start
        self._home_cost = 0.0
        self._direction = -1

    def took(self, cost: float) -> int:
        if len(self._counts) == 1:
            return self.count
        if self._trial is not None:
            self._trial.append(cost)
            if len(self._trial) == self.TRIAL:
                self._judge(median(self._trial))
            return self.count
        self._window.append(cost)
        self._since += 1
        if len(self._window) == self.WINDOW:
            self._consider(median(self._window))
        return self.count

    def _consider(self, cost: float) -> None:
        slow = self._calm is not None and cost > self.SLOWER * self._calm
        self._calm = cost if self._calm is None else min(self._calm * 1.002, cost)
        if self._since >= self._wait or (slow and self._since >= self.WINDOW * 2 and self._wait > self.SOONEST):
            if slow:
                self._wait = self.SOONEST
            self._try(cost)

    def _try(self, cost: float) -> None:
        neighbour = self._neighbour(self._direction) or self._neighbour(-self._direction)
        assert neighbour is not None
        self._home, self._home_cost = self.count, cost
        self.count = neighbour
        self._trial = []

    def _neighbour(self, direction: int) -> int | None:
        at = self._counts.index(self.count) + direction
        return self._counts[at] if 0 <= at < len(self._counts) else None

    def _judge(self, cost: float) -> None:
        self._trial = None
        self._since = 0
        self._window.clear()
        if cost < self.FASTER * self._home_cost:
            self._wait = self.WINDOW  # the next count in this direction may be better still
            self._calm = None
            return
        self.count = self._home
        self._direction = -self._direction
        self._wait = min(max(self._wait * 2, self.SOONEST * 2), self.LATEST)


class ThreadGovernor:
    """Follows the measurements of both phases and tells the backend when a count changes."""

    def __init__(self, decode: int, batch: int, *, cores: int, fixed: bool = False) -> None:
        counts = [decode] if fixed else candidates(cores)
        self._decode = Tuner(counts, decode)
        self._batch = Tuner([batch] if fixed else candidates(cores), batch)

    @property
    def counts(self) -> tuple[int, int]:
        return self._decode.count, self._batch.count

    def decoded(self, ms: float, apply: SetThreads) -> None:
        before = self._decode.count
        if self._decode.took(ms) != before:
            apply(*self.counts)

    def fed(self, tokens: int, ms: float, apply: SetThreads) -> None:
        """A micro-batch; those of a few tokens say nothing about batches."""
        if tokens < 16:
            return
        before = self._batch.count
        if self._batch.took(ms / tokens) != before:
            apply(*self.counts)
