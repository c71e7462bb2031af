"""How many threads to use: measured while running, because other programs come and go.

With two busy programs beside it, one thread can be twice as fast as two; alone, two are twice as fast as one.
Changing the count costs microseconds, so it follows what is measured: what a step costs, and how many of the cores
other programs take. A change of the latter is seen within a tenth of a second, and another count is tried at once;
as long as it stays, others are tried rarely, because a trial of a wrong count costs as much as it lasts.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Rhythm:
    """In steps: how many tell what a count costs, and how seldom others are tried."""

    window: int
    """Steps that say what the count in use costs."""
    trial: int
    first: int
    """Before the first trial on a calm machine, where the count was measured before."""
    latest: int
    """Most steps between trials on a calm machine."""
    check: int
    """Before the first trial under a load that was not met before."""
    latest_busy: int
    """Most steps between trials beside other programs, where what is best may be so only for a while."""


DECODING = Rhythm(window=6, trial=4, first=512, latest=768, check=96, latest_busy=384)
FEEDING = Rhythm(window=2, trial=1, first=64, latest=256, check=6, latest_busy=24)
"""A step is a micro-batch: long, and steadier than a token."""


class Tuner:
    """Chooses among counts by the cost of each step. `took` is told a cost and answers the count to use next.

    Means are compared, not medians: with too many threads on a busy machine most steps are quick, and a few last
    as long as all the others together.
    """

    LONG = 400.0
    FEWEST = 2
    """Steps that together cost more than this say enough, however few: on a crowded machine one may take a second."""
    NOTICED = 0.5
    """Cores: other programs take so many more or fewer than they did."""
    CHANGED = 1.3
    """Where it is not known what other programs take, a cost that differs so much makes it try."""
    DRIFT = 1.002
    """A step costs more from one to the next because the context grows."""
    FASTER = 0.93
    MUCH_FASTER = 0.8
    """What a trial has to show: the second one where more threads are tried while costs vary, for luck is likely."""

    def __init__(self, counts: Sequence[int], start: int, rhythm: Rhythm = DECODING) -> None:
        self._counts = sorted({*counts, start})
        self._rhythm = rhythm
        self.count = start
        self._window: deque[float] = deque(maxlen=rhythm.window)
        self._usual = 0.0
        self._doubted = False
        self._since = 0
        self._fresh = True
        self._wait = rhythm.window * 2
        self._direction = -1
        self._trial: list[float] | None = None
        self._target = 0.0
        self._home = start
        self._home_cost = 0.0
        self._taken: float | None = None
        self._best: dict[int, int] = {}
        """The count that was best while other programs took so many cores."""

    def took(self, cost: float, taken: float | None = None) -> int:
        """`taken`: cores that other programs took of late, where that was looked at since the last step."""
        if len(self._counts) == 1:
            return self.count
        if self._trial is not None:
            self._trial.append(cost)
            self._judge(self._trial)
            return self.count
        self._window.append(cost)
        self._since += 1
        change = self._load_change(taken) if taken is not None else 0.0
        if change:
            self._follow_load(change)
        elif self._enough(self._window, self._rhythm.window):
            self._consider(fmean(self._window))
        return self.count

    @property
    def _busy(self) -> bool:
        return self._taken is not None and self._taken >= self.NOTICED

    def _enough(self, costs: Sequence[float], steps: int) -> bool:
        return len(costs) >= steps or (len(costs) >= self.FEWEST and sum(costs) > self.LONG)

    # -- When to try ---------------------------------------------------------------------------

    def _load_change(self, taken: float) -> float:
        """Cores that other programs took more than before; 0 where it is about as much."""
        if self._taken is None:
            self._taken = 0.0
            if self.count == self._counts[-1]:
                self._wait = self._rhythm.first
        change = taken - self._taken
        if abs(change) < self.NOTICED:
            self._taken += change / 5
            return 0.0
        self._taken = taken
        return change

    def _follow_load(self, change: float) -> None:
        """Use what was best under such a load before; else what leaves the others theirs, to be checked later.

        A trial at once would be compared with the first few steps beside the others, which tell next to nothing:
        with too many threads most are as quick as before, and a few last ten times as long.
        """
        assert self._taken is not None
        known = self._best.get(round(self._taken))
        left = self._counts[-1] - round(self._taken)
        count = known or min(self._counts, key=lambda count: abs(count - left))
        self._direction = 1 if change > 0 else -1
        self._settle(count, self._rhythm.latest_busy if known else self._rhythm.check)

    def _consider(self, cost: float) -> None:
        """Try another count after a long time; where nothing else tells of a change, when the cost has changed."""
        if self._taken is None and self._cost_changed(cost):
            return
        if self._since >= self._wait or (self._taken is None and self._fresh and sum(self._window) > self.LONG):
            self._try_neighbour(cost)

    def _cost_changed(self, cost: float) -> bool:
        usual = self._usual or cost
        if usual / self.CHANGED < cost < self.CHANGED * usual:
            self._doubted = False
            self._usual = min(usual * self.DRIFT, cost)
            return False
        if self._doubted:
            self._direction = -1 if cost > usual else 1
            self._wait = self._rhythm.window * 2
            self._try_neighbour(cost)
        else:
            self._doubted = True  # it has to last for longer than one window
            self._window.clear()
        return True

    def _try_neighbour(self, cost: float) -> None:
        neighbour = self._neighbour(self._direction) or self._neighbour(-self._direction)
        assert neighbour is not None
        unsteady = self._busy or max(self._window) > 1.5 * min(self._window)
        lucky = unsteady and neighbour > self.count
        self._try(neighbour, cost, self.MUCH_FASTER if lucky else self.FASTER)

    def _neighbour(self, direction: int) -> int | None:
        at = self._counts.index(self.count) + direction
        return self._counts[at] if 0 <= at < len(self._counts) else None

    # -- Trials --------------------------------------------------------------------------------

    def _try(self, count: int, home_cost: float, target: float) -> None:
        """`target`: what the trial's cost may be, of the cost at home."""
        self._home, self._home_cost, self._target = self.count, home_cost, target * home_cost
        unsteady = max(self._window) > 1.5 * min(self._window)
        self._trial_steps = self._rhythm.trial * (2 if unsteady else 1)
        self.count = count
        self._trial = []
        self._doubted = self._fresh = False

    def _judge(self, trial: list[float]) -> None:
        """A trial ends as soon as it cannot pay any more."""
        lost = sum(trial) >= self._target * self._trial_steps
        if not lost and not self._enough(trial, self._trial_steps):
            return
        cost = fmean(trial)
        latest = self._rhythm.latest_busy if self._busy else self._rhythm.latest
        if lost or cost >= self._target:
            patience = 8 if cost > self.CHANGED * self._home_cost else 2
            self._direction = -self._direction
            self._usual = self._home_cost
            best, wait = self._home, min(self._wait * patience, latest)
        else:
            further = self._neighbour(self._direction) is not None  # the next one may be better still
            self._usual = cost
            best, wait = self.count, self._rhythm.window if further else min(self._rhythm.window * 24, latest)
        if self._taken is not None:
            self._best[round(self._taken)] = best
        self._settle(best, wait)

    def _settle(self, count: int, wait: int) -> None:
        self.count = count
        self._wait = wait
        self._since = 0
        self._trial = None
        self._window.clear()


class ThreadGovernor:
    """Follows the measurements of both phases and tells the backend when a count changes."""

    def __init__(
        self,
        decode: int,
        batch: int,
        *,
        cores: int,
        fixed: bool = False,
        taken: Callable[[], float | None] = lambda: None,
    ) -> None:
        """`taken` answers how many cores other programs took of late, None while that is not known anew."""
        self._decode = Tuner([decode] if fixed else candidates(cores), decode)
        self._batch = Tuner([batch] if fixed else candidates(cores), batch, FEEDING)
        self._taken = taken

    @property
    def counts(self) -> tuple[int, int]:
        return self._decode.count, self._batch.count

    def decoded(self, ms: float, apply: SetThreads) -> None:
        before = self._decode.count
        if self._decode.took(ms, self._taken()) != before:
            apply(*self.counts)

    def fed(self, tokens: int, ms: float, apply: SetThreads) -> None:
        """A micro-batch; those of a few tokens say nothing about batches."""
        if tokens < 16:
            return
        before = self._batch.count
        if self._batch.took(ms / tokens, self._taken()) != before:
            apply(*self.counts)
