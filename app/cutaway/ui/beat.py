"""Work for the screen in small portions: each tick does one job, so that no frame waits for all of them.

The next tick is counted from the job's end: what the job changed is painted before, and the thread rests.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer

TICK_MS = 20
"""From the end of one job to the next one."""
LIGHT_MS = 0.2
"""A job that took less lets the next one come at once: most panes have nothing to do at most ticks."""


class Slowly:
    """For what a person reads: figures and summaries change at most so often."""

    def __init__(self, every_ms: float = 250.0) -> None:
        self._every = every_ms / 1000
        self._next = 0.0

    def due(self, *, now: bool = False) -> bool:
        """Whether it is time again; `now` does not wait."""
        at = time.perf_counter()
        if not now and at < self._next:
            return False
        self._next = at + self._every
        return True


class Beat(QObject):
    """`ask` a job under a name; asked again before its turn, it runs once. Jobs take turns."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: dict[str, Callable[[], None]] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    def ask(self, name: str, job: Callable[[], None]) -> None:
        self._jobs.setdefault(name, job)
        if not self._timer.isActive():
            self._timer.start()

    def _tick(self) -> None:
        try:
            began = time.perf_counter()
            while self._jobs and (time.perf_counter() - began) * 1000 < LIGHT_MS:
                self._jobs.pop(next(iter(self._jobs)))()
        finally:
            if self._jobs:
                self._timer.start()

    def flush(self) -> None:
        """Do all that was asked for, now."""
        while self._jobs:
            self._jobs.pop(next(iter(self._jobs)))()

    def stop(self) -> None:
        self._timer.stop()
        self._jobs.clear()
