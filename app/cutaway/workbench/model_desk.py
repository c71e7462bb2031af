"""The model: loading it, what it says of itself, the jobs that it works on."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import psutil

from cutaway.engine.backend import Backend, CacheTraits, Vocabulary
from cutaway.engine.cache_states import forget
from cutaway.engine.command import Forget, Generate, Load, ModelSettings, Prefill, Unload
from cutaway.engine.event import (
    Event,
    Failed,
    Finished,
    Loaded,
    LoadFailed,
    LoadProgressed,
    ModelFacts,
    PrefillEnded,
    Unloaded,
)
from cutaway.engine.gguf_file import GgufError
from cutaway.engine.holding import Holding
from cutaway.engine.journal import Journal, no_journal
from cutaway.engine.memory import forecast, read_shape
from cutaway.engine.worker import Worker
from cutaway.workbench.change import Change, ModelChanged
from cutaway.workbench.engine_link import EngineLink
from cutaway.workbench.overflow import Memory

log = logging.getLogger(__name__)


def _memory_for(facts: ModelFacts, settings: ModelSettings, context: int) -> Memory | None:
    gpu = None if facts.device in ("CPU", "") else facts.device.split(",")[0]
    try:
        shape = read_shape(Path(facts.path))
    except (GgufError, OSError):
        return None
    now, then = (
        forecast(shape, replace(settings, context=size), gpu=gpu).devices[gpu or "CPU"].total
        for size in (facts.context, context)
    )
    return Memory(max(0, then - now), _free(gpu))


def _free(gpu: str | None) -> int:
    """Bytes that are free on a device."""
    if gpu is None:
        return int(psutil.virtual_memory().available)
    from cutaway.engine.llama.devices import list_devices

    return next((device.memory_free for device in list_devices() if device.name == gpu), 0)


class Listener(Protocol):
    """What hears a job's events, on the loop's thread."""

    def hear(self, events: list[Event]) -> None: ...


class ModelDesk:
    """The worker and what it has loaded. All methods are called on the loop's thread."""

    def __init__(
        self,
        announce: Callable[[Change], None],
        backend: Callable[[], Backend],
        *,
        journal: Journal = no_journal,
        states_folder: Path | None = None,
    ) -> None:
        self._announce = announce
        self._make_backend = backend
        self._journal = journal
        self._states_folder = states_folder
        self._worker: Worker | None = None
        self._starting: asyncio.Task[Worker] | None = None
        self._jobs: dict[int, Listener] = {}
        self._numbers = itertools.count(1)
        self._wanted: ModelSettings | None = None
        self._settled = asyncio.Event()
        self._resting: tuple[Path, ModelSettings] | None = None
        self.changed = ModelChanged("none")
        self.load_seconds = 0.0

    @property
    def facts(self) -> ModelFacts | None:
        return self.changed.facts

    @property
    def settings(self) -> ModelSettings | None:
        """How the loaded model was loaded."""
        return self._wanted if self.changed.state == "ready" else None

    def vocabulary(self) -> Vocabulary:
        """The loaded model's. Raises LoadError without one."""
        assert self._worker is not None
        return self._worker.vocabulary

    @property
    def traits(self) -> CacheTraits | None:
        """What the loaded model's memory can do."""
        return self._worker.traits if self._worker is not None else None

    @property
    def holding(self) -> Holding:
        """What the cache held after the last job, and what was put aside."""
        return self._worker.holding if self._worker is not None else Holding()

    async def ready(self) -> ModelFacts | None:
        """Waits while a model loads, and wakes one that rests; None when there is none then."""
        if self._resting is not None:
            await self.load(*self._resting)
        while self.changed.state == "loading":
            await self._settled.wait()
        return self.facts

    async def load(self, path: Path, settings: ModelSettings) -> None:
        """Begin to load; what came of it is announced."""
        self._resting = None
        self._wanted = settings
        self._change(ModelChanged("loading", str(path)))
        try:
            worker = await self._started()
        except Exception as error:
            log.exception("the engine did not start")
            self._change(ModelChanged("failed", str(path), message=f"The engine did not start: {error}"))
            return
        worker.submit(Load(str(path), settings))

    async def memory_for(self, context: int) -> Memory | None:
        """What the loaded model would take more with a larger context; None where its file does not tell."""
        facts, settings = self.facts, self.settings
        if facts is None or settings is None:
            return None
        return await asyncio.to_thread(_memory_for, facts, settings, context)

    def cancel_load(self) -> None:
        if self._worker is not None and self.changed.state == "loading":
            self._worker.cancel_load()

    async def rest(self) -> None:
        """Give the memory back until the model is needed again."""
        facts, settings = self.facts, self.settings
        if facts is not None and settings is not None and not self._jobs:
            await self.unload()
            self._resting = (Path(facts.path), settings)

    async def unload(self) -> None:
        self._resting = None
        if self._worker is not None and self.changed.state in ("ready", "loading"):
            self._worker.submit(Unload())

    def generate(self, command: Generate, listener: Listener) -> None:
        assert self._worker is not None
        self._jobs[command.job] = listener
        self._worker.submit(command)

    def prefill(self, command: Prefill, listener: Listener) -> None:
        assert self._worker is not None
        self._jobs[command.job] = listener
        self._worker.submit(command)

    async def forget(self, conversation: str) -> None:
        """A conversation was deleted: the engine keeps nothing of it."""
        if self._worker is not None:
            self._worker.submit(Forget(conversation))
        else:
            await asyncio.to_thread(forget, self._states_folder, conversation)

    def next_job(self) -> int:
        return next(self._numbers)

    def cancel(self, job: int) -> None:
        if self._worker is not None and job in self._jobs:
            self._worker.cancel(job)

    def answer_now(self, job: int) -> None:
        if self._worker is not None and job in self._jobs:
            self._worker.answer_now(job)

    async def close(self) -> None:
        if self._starting is not None:
            await asyncio.gather(self._starting, return_exceptions=True)
        if self._worker is not None:
            await asyncio.to_thread(self._worker.close)

    async def _started(self) -> Worker:
        """The worker, begun at first need: the engine's library takes its time to load, off the loop's thread."""
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._start())
        try:
            return await self._starting
        except Exception:
            self._starting = None
            raise

    async def _start(self) -> Worker:
        link = EngineLink(asyncio.get_running_loop(), self._deliver)
        backend = await asyncio.to_thread(self._make_backend)
        self._worker = Worker(backend, link.hear, journal=self._journal, states_folder=self._states_folder)
        self._worker.start()
        return self._worker

    # -- Events -------------------------------------------------------------------------------------

    def _deliver(self, events: list[Event]) -> None:
        for job, group in itertools.groupby(events, key=lambda event: getattr(event, "job", None)):
            if job is None:
                for event in group:
                    self._hear(event)
                continue
            listener = self._jobs.get(job)
            heard = list(group)
            if isinstance(heard[-1], Finished | Failed | PrefillEnded):
                self._jobs.pop(job, None)
            if listener is not None:
                self._tell(listener, heard)

    def _tell(self, listener: Listener, events: list[Event]) -> None:
        try:
            listener.hear(events)
        except Exception:
            log.exception("a listener failed at %s", type(events[-1]).__name__)

    def _hear(self, event: Event) -> None:
        match event:
            case LoadProgressed(path, fraction):
                self._change(ModelChanged("loading", path, fraction))
            case Loaded(facts, seconds):
                self.load_seconds = seconds
                self._change(ModelChanged("ready", facts.path, 1.0, facts))
            case LoadFailed(path, message, cancelled):
                self._change(ModelChanged("failed", path, message=message, cancelled=cancelled))
            case Unloaded(_) if self.changed.state != "loading":
                self._change(ModelChanged("none", str(self._resting[0]) if self._resting is not None else ""))

    def _change(self, change: ModelChanged) -> None:
        self.changed = change
        if change.state != "loading":
            self._settled.set()
            self._settled = asyncio.Event()
        self._announce(change)
