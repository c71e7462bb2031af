"""How many threads to use: measured while running, because other programs come and go.

With two busy programs beside it, one thread can be twice as fast as two; alone, two are twice as
fast as one. Changing the count costs microseconds, so the count follows what is measured: a
neighbouring count is tried for a few steps when the cost of a step has changed, and rarely when it has not.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

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
    """Chooses among counts by the cost of each step. `took` is told a cost and answers the count to use next.

    Means are compared, not medians: with too many threads on a busy machine most steps are quick, and a few last
    as long as all the others together.
    """

    WINDOW = 6
    """Steps that say what the count in use costs."""
    TRIAL = 4
    UNSTEADY_TRIAL = 8
    """Steps of a trial, and of one while costs vary."""
    LONG = 400.0
    FEWEST = 2
    """Steps that together cost more than this say enough, however few: on a crowded machine one may take a second."""
    LATEST = 768
    LATEST_AWAY = 384
    """Most steps between trials: at the count it began with, and at another, which may be right only for a while."""
    CHANGED = 1.3
    DRIFT = 1.002
    """A step costs more from one to the next because the context grows."""
    FASTER = 0.93
    MUCH_FASTER = 0.8
    """What a trial has to show: the second one where more threads are tried while costs vary, for luck is likely."""

    def __init__(self, counts: Sequence[int], start: int) -> None:
        self._counts = sorted({*counts, start})
        self._start = start
        self.count = start
        self._window: deque[float] = deque(maxlen=self.WINDOW)
        self._usual = 0.0
        self._doubted = False
        self._since = 0
        self._fresh = True
        self._wait = self.WINDOW * 2
        self._direction = -1
        self._trial: list[float] | None = None
        self._trial_steps = self.TRIAL
        self._home = start
        self._home_cost = 0.0

    def took(self, cost: float) -> int:
        if len(self._counts) == 1:
            return self.count
        if self._trial is not None:
            self._trial.append(cost)
            self._judge(self._trial)
            return self.count
        self._window.append(cost)
        self._since += 1
        if self._enough(self._window, self.WINDOW):
            self._consider(fmean(self._window))
        return self.count

    def _enough(self, costs: Sequence[float], steps: int) -> bool:
        return len(costs) >= steps or (len(costs) >= self.FEWEST and sum(costs) > self.LONG)

    def _consider(self, cost: float) -> None:
        """Try another count when the cost has changed for longer than one window, or after a long time."""
        usual = self._usual or cost
        if not usual / self.CHANGED < cost < self.CHANGED * usual:
            if self._doubted:
                self._direction = -1 if cost > usual else 1
                self._wait = self.WINDOW * 2
                self._try(cost)
            else:
                self._doubted = True
                self._window.clear()
            return
        self._doubted = False
        self._usual = min(usual * self.DRIFT, cost)
        if self._since >= self._wait or (self._fresh and sum(self._window) > self.LONG):
            self._try(cost)

    def _try(self, cost: float) -> None:
        neighbour = self._neighbour(self._direction) or self._neighbour(-self._direction)
        assert neighbour is not None
        self._home, self._home_cost = self.count, cost
        self._trial_steps = self.UNSTEADY_TRIAL if max(self._window) > 1.5 * min(self._window) else self.TRIAL
        self.count = neighbour
        self._trial = []
        self._doubted = self._fresh = False

    def _neighbour(self, direction: int) -> int | None:
        at = self._counts.index(self.count) + direction
        return self._counts[at] if 0 <= at < len(self._counts) else None

    def _judge(self, trial: list[float]) -> None:
        """A trial ends as soon as it cannot pay any more."""
        lucky = self.count > self._home and self._trial_steps == self.UNSTEADY_TRIAL
        enough = (self.MUCH_FASTER if lucky else self.FASTER) * self._home_cost
        over = sum(trial) >= enough * self._trial_steps
        if not over and not self._enough(trial, self._trial_steps):
            return
        over = over or fmean(trial) >= enough
        self._trial = None
        self._since = 0
        self._window.clear()
        if over:
            self.count = self._home
            self._usual = self._home_cost
            self._direction = -self._direction
            patience = 8 if fmean(trial) > self.CHANGED * self._home_cost else 2
            latest = self.LATEST if self.count == self._start else self.LATEST_AWAY
            self._wait = min(self._wait * patience, latest)
        else:
            self._usual = fmean(trial)
            further = self._neighbour(self._direction) is not None  # the next one may be better still
            self._wait = self.WINDOW if further else self.WINDOW * 24


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
