"""A thread for what llama.cpp does not let be interrupted while a model is made ready.

Mapping a file reads all of it, a vocabulary takes a tenth of a second for each 100,000 tokens, a large cache is
filled with zeros: seconds in all. Whoever gives a load up need not wait for that: the call ends on its own, and what
it made is freed there. What was made is handed over, so one thread at a time has the model.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from cutaway.engine.backend import LoadCancelledError

EVERY = 0.02
"""Seconds between looks whether a call is still wanted."""

_log = logging.getLogger(__name__)
_Made = TypeVar("_Made")
Progress = Callable[[float], bool]


class Aside:
    """One call at a time: the next one waits for the one that was given up."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None

    def make(self, work: Callable[[Progress], _Made], discard: Callable[[_Made], None], progress: Progress) -> _Made:
        """What `work` makes, or what it raises. It is given a `progress` of its own; the caller's is asked on the
        caller's thread. LoadCancelledError as soon as that answers False: what is made then is discarded.
        """
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(EVERY)
            if not progress(0.0):
                raise LoadCancelledError("Loading was stopped.")
        call = _Call(work, discard)
        self._start(call.run)
        while not call.ended.wait(EVERY):
            if not progress(call.fraction) and call.give_up():
                raise LoadCancelledError("Loading was stopped.")
        self.wait()
        return call.result()

    def leave(self, work: Callable[[], None]) -> None:
        """Something that need not be waited for."""
        self.wait()
        self._start(work)

    def wait(self) -> None:
        """Until nothing of an earlier call is left."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _start(self, run: Callable[[], None]) -> None:
        self._thread = threading.Thread(target=run, name="engine-load", daemon=True)
        self._thread.start()


class _Call(Generic[_Made]):
    def __init__(self, work: Callable[[Progress], _Made], discard: Callable[[_Made], None]) -> None:
        self.ended = threading.Event()
        self.fraction = 0.0
        self._work = work
        self._discard = discard
        self._lock = threading.Lock()
        self._given_up = False
        self._made: _Made | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._made = self._work(self._progress)
        except BaseException as error:
            self._error = error
        with self._lock:
            self.ended.set()
            unwanted = self._given_up and self._error is None
        if unwanted:
            self._free()

    def _progress(self, fraction: float) -> bool:
        self.fraction = fraction
        return not self._given_up

    def give_up(self) -> bool:
        """Whether the call ends by itself now; False where it has ended already."""
        with self._lock:
            self._given_up = not self.ended.is_set()
            return self._given_up

    def _free(self) -> None:
        made, self._made = self._made, None
        try:
            self._discard(made)  # type: ignore[arg-type]
        except Exception:
            _log.exception("the engine failed at %s", "freeing")

    def result(self) -> _Made:
        if self._error is not None:
            raise self._error
        made, self._made = self._made, None
        return made  # type: ignore[return-value]
