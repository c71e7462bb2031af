"""An engine for a command of the terminal: load a model, ask, wait for the answer."""

from __future__ import annotations

import queue
import types
from collections.abc import Callable
from pathlib import Path

from cutaway import places
from cutaway.cli.main import CommandError
from cutaway.engine.command import Generate, Load, Measure, ModelSettings, Prefill
from cutaway.engine.event import Event, Failed, Finished, Loaded, LoadFailed, Measured, ModelFacts, PrefillEnded
from cutaway.engine.worker import Worker

_LAST = (Finished, Failed, Measured, PrefillEnded)


class Engine:
    """A worker and its events in a queue. Use it in a `with` block."""

    def __init__(self) -> None:
        from cutaway.engine.llama.backend import LlamaBackend

        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._jobs = 0
        self.worker = Worker(LlamaBackend(), self._events.put)

    def __enter__(self) -> Engine:
        self.worker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        self.worker.close()

    def load(self, model: str | None, settings: ModelSettings | None = None) -> ModelFacts:
        """Raises CommandError with the reason."""
        self.worker.submit(Load(str(model_path(model)), settings or ModelSettings()))
        while True:
            event = self._events.get()
            if isinstance(event, Loaded):
                return event.facts
            if isinstance(event, LoadFailed):
                raise CommandError(event.message)

    def job(self) -> int:
        self._jobs += 1
        return self._jobs

    def run(
        self, command: Generate | Prefill | Measure, hear: Callable[[Event], None] = lambda _event: None
    ) -> Finished | Measured | PrefillEnded:
        """Submit, hear every event, answer the last. Raises CommandError when the job failed."""
        self.worker.submit(command)
        try:
            while True:
                event = self._events.get()
                hear(event)
                if isinstance(event, Failed):
                    raise CommandError(event.message)
                if isinstance(event, _LAST):
                    return event
        except KeyboardInterrupt:
            self.worker.cancel(command.job)
            raise


def model_path(named: str | None) -> Path:
    """The model that was named, else the default one. Raises CommandError where it is missing."""
    if named:
        return Path(named)
    path = places.default_model()
    if path is None:
        raise CommandError(
            f"the default model is not in {places.models()}; run packaging/start.py to fetch it, or name one with --model."
        )
    return path
