"""How many cores other programs take: what tells the thread count that the machine has changed, before tokens do."""

from __future__ import annotations

import contextlib
import time

import psutil

EVERY = 0.1
"""Seconds between looks. The system counts in hundredths, so a shorter look could not tell a tenth of a core."""
STALE = 3.0
"""What happened over a longer time, while nothing was asked, says little about now."""


class Crowd:
    """Looks at the machine's busy time, less this process's own. A look takes a few hundredths of a millisecond."""

    def __init__(self, cores: int) -> None:
        """`cores`: those that this process wants for itself; what others do on any more of them is no matter."""
        self._spare = max(0, (psutil.cpu_count() or cores) - cores)
        self._last: tuple[float, float, float] | None = None
        with contextlib.suppress(OSError, psutil.Error):  # some systems show a program nothing of the others
            self._last = _clocks()

    def taken(self) -> float | None:
        """Cores that others took of ours since the last look; None until enough time is over, or where none can be had."""
        if self._last is None or time.perf_counter() - self._last[0] < EVERY:
            return None
        before, self._last = self._last, _clocks()
        seconds, busy, own = (now - then for now, then in zip(self._last, before, strict=True))
        if seconds > STALE:
            return None
        return max(0.0, (busy - own) / seconds - self._spare)


def _clocks() -> tuple[float, float, float]:
    """Seconds: of the clock, of work on all cores, of this process's own work."""
    times = psutil.cpu_times()
    idle = times.idle + getattr(times, "iowait", 0.0)
    guests = getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0)  # these are part of `user` and `nice`
    return time.perf_counter(), sum(times) - idle - guests, time.process_time()
