"""Python's cycle collector, on the window's thread only.

By itself it runs on whichever thread happens to allocate, the engine's among them, and deletes what it finds
there; a Qt object that is deleted away from its thread takes the process with it. Full collections, which
may take long, wait until nothing is being generated; what the start left behind, most of all there is, is
set aside after a while, so that they take less.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

EVERY_MS = 250
FULL_EVERY = 240
"""Ticks between full collections."""
STARTED = 40
"""Ticks after which the start is over."""


class Collector(QObject):
    def __init__(self, busy: Callable[[], bool], parent: QObject | None = None) -> None:
        """`busy` answers whether a reply is being generated."""
        super().__init__(parent)
        self._busy = busy
        self._young = gc.get_threshold()[0]
        self._ticks = 0
        self._set_aside = False
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.tick)
        self._timer.start()

    def tick(self) -> None:
        self._ticks += 1
        if self._ticks >= STARTED and not self._set_aside and not self._busy():
            self._set_aside = True
            gc.collect()
            gc.freeze()
        elif self._ticks % FULL_EVERY == 0 and not self._busy():
            gc.collect()
        elif gc.get_count()[0] > self._young:
            gc.collect(0)
        elif gc.get_count()[1] > 10 and not self._busy():
            gc.collect(1)

    def stop(self) -> None:
        self._timer.stop()
        gc.unfreeze()
        gc.enable()
