"""Brings the engine's events from its thread to the loop, many at a time.

However fast the model writes, the loop is woken at most 60 times a second.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from cutaway.engine.event import Event

PERIOD = 1 / 60
"""Seconds between two deliveries."""


class EngineLink:
    def __init__(self, loop: asyncio.AbstractEventLoop, deliver: Callable[[list[Event]], None]) -> None:
        """`deliver` is called on the loop's thread with the events in their order, never with none."""
        self._loop = loop
        self._deliver = deliver
        self._waiting: deque[Event] = deque()
        self._woken = False
        self._last = 0.0

    def hear(self, event: Event) -> None:
        """For the worker: safe from any thread."""
        self._waiting.append(event)
        if not self._woken:
            self._woken = True
            try:
                self._loop.call_soon_threadsafe(self._wake)
            except RuntimeError:
                # The loop has ended: nobody listens any more.
                self._waiting.clear()

    def _wake(self) -> None:
        due = self._last + PERIOD - self._loop.time()
        if due > 0:
            self._loop.call_later(due, self._drain)
        else:
            self._drain()

    def _drain(self) -> None:
        self._woken = False
        self._last = self._loop.time()
        events = [self._waiting.popleft() for _ in range(len(self._waiting))]
        if events:
            self._deliver(events)
