"""A worker with its events in hand, for tests."""

from __future__ import annotations

import queue
import threading
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from cutaway.engine.backend import Backend
from cutaway.engine.command import Generate, Load, ModelSettings, Prefill
from cutaway.engine.event import (
    Event,
    Failed,
    Finished,
    Loaded,
    LoadFailed,
    Planned,
    PrefillEnded,
    Sampled,
)
from cutaway.engine.journal import Note
from cutaway.engine.worker import Worker

_E = TypeVar("_E")
PATIENCE = 60


class EngineRig:
    """Use it in a `with` block: the thread ends with it."""

    def __init__(self, backend: Backend, *, states_folder: Path | None = None) -> None:
        self.events: list[Event] = []
        self.notes: list[Note | None] = []
        self._queue: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._jobs = 0
        self.worker = Worker(backend, self._queue.put, journal=self.notes.append, states_folder=states_folder)

    def __enter__(self) -> EngineRig:
        self.worker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        assert self.worker.close(PATIENCE)
        assert not [thread for thread in threading.enumerate() if thread.name == "engine"]

    def until(self, *kinds: type[_E], hear: Callable[[Event], None] = lambda _: None) -> _E:
        """The next event of one of the kinds; all on the way are kept in `events`."""
        while True:
            event = self._queue.get(timeout=PATIENCE)
            self.events.append(event)
            hear(event)
            if isinstance(event, kinds):
                return event

    def load(self, path: str = "model.gguf", settings: ModelSettings | None = None) -> Loaded | LoadFailed:
        self.worker.submit(Load(path, settings or ModelSettings()))
        return self.until(Loaded, LoadFailed)

    def ids(self, text: str) -> list[int]:
        return self.worker.vocabulary.encode(text, special=True)

    def job(self) -> int:
        self._jobs += 1
        return self._jobs

    def submit(self, tokens: Sequence[int] | str, conversation: str = "a", **more: object) -> int:
        """Begin a reply; answers its job."""
        ids = self.ids(tokens) if isinstance(tokens, str) else tokens
        job = self.job()
        self.worker.submit(Generate(job, conversation, ids, **more))  # type: ignore[arg-type]
        return job

    def reply(self, tokens: Sequence[int] | str, conversation: str = "a", **more: object) -> Finished | Failed:
        """A whole reply; its events are the last ones in `events`."""
        self.submit(tokens, conversation, **more)
        return self.until(Finished, Failed)

    def idle(self, tokens: Sequence[int] | str, conversation: str = "a") -> PrefillEnded:
        ids = self.ids(tokens) if isinstance(tokens, str) else tokens
        self.worker.submit(Prefill(self.job(), conversation, ids))
        return self.until(PrefillEnded)

    def of(self, kind: type[_E], job: int) -> list[_E]:
        """Events of a kind that a job caused."""
        return [event for event in self.events if isinstance(event, kind) and getattr(event, "job", None) == job]

    def text(self, job: int) -> str:
        """What a job wrote, without the token that ended it."""
        pieces = (event.token.piece for event in self.of(Sampled, job) if not event.token.ends)
        return b"".join(pieces).decode("utf-8", "replace")

    def planned(self, job: int) -> Planned:
        return self.of(Planned, job)[-1]
