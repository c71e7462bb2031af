"""The worker: the one thread that owns the model.

Commands go in by `submit` and are obeyed one after another; events come out by a callback that the
worker's thread calls. Stopping does not queue: `cancel` is seen before the next token and the next
micro-batch. A Load, an Unload and a Close do not wait for a running reply either: they cancel it.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from cutaway.engine.backend import Backend, CacheTraits, DecodeError, LoadCancelledError, LoadError, Vocabulary
from cutaway.engine.cache_states import SavedStates, forget, state_key
from cutaway.engine.command import Close, Command, Forget, Generate, Load, Measure, Prefill, Unload
from cutaway.engine.crowd import Crowd
from cutaway.engine.event import (
    Event,
    Failed,
    Finished,
    Loaded,
    LoadFailed,
    LoadProgressed,
    Measured,
    ModelFacts,
    Planned,
    Prefilled,
    PrefillEnded,
    Timings,
    Unloaded,
)
from cutaway.engine.generate import Generation
from cutaway.engine.held import Held
from cutaway.engine.holding import Holding
from cutaway.engine.journal import Journal, Note, no_journal
from cutaway.engine.measure import timed
from cutaway.engine.pace import pace_for
from cutaway.engine.threads import ThreadGovernor, available_cores

_log = logging.getLogger(__name__)
IDLE_SHARE = 0.4
"""Of a micro-batch's time limit, for idle work: what a person then does waits at most this long."""
PUT_ASIDE_SECONDS = 4.0
"""How long a model that goes may keep the disk busy."""


class Worker:
    """Owns the backend from `start` to `close`. All methods may be called from any thread."""

    def __init__(
        self,
        backend: Backend,
        on_event: Callable[[Event], None],
        *,
        journal: Journal = no_journal,
        states_folder: Path | None = None,
        states_memory: int = 1 << 30,
    ) -> None:
        self._backend = backend
        self._on_event = on_event
        self._journal = journal
        self._states_folder = states_folder
        self._states_memory = states_memory
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self._wake = threading.Condition()
        self._queue: deque[Command] = deque()
        self._idle: Prefill | None = None
        self._urgent = 0
        self._cancelled: set[int] = set()
        self._answer_now: set[int] = set()
        self._load_cancelled = False
        self._closing = False
        self._running: Command | None = None
        self._facts: ModelFacts | None = None
        self._traits: CacheTraits | None = None
        self._held: Held | None = None
        self._holding = Holding()
        self._governor: ThreadGovernor | None = None

    # -- From any thread -----------------------------------------------------------------------

    def start(self) -> None:
        self._thread.start()

    def submit(self, command: Command) -> None:
        """Queue a command. Only the newest idle Prefill is kept, and only until something else comes."""
        dropped: Prefill | None = None
        with self._wake:
            if isinstance(command, Prefill):
                dropped, self._idle = self._idle, command
            else:
                self._urgent += isinstance(command, (Load, Unload, Close))
                self._load_cancelled = self._load_cancelled and not isinstance(command, Load)
                self._queue.append(command)
            self._wake.notify()
        if self._urgent or isinstance(self._running, Prefill):
            self._backend.interrupt()
        if dropped is not None:
            self._emit(PrefillEnded(dropped.job, 0, 0, abandoned=True))

    def cancel(self, job: int) -> None:
        """Stop a job, running or waiting; it still ends with its last event."""
        self._cancelled.add(job)
        running = self._running
        if isinstance(running, (Generate, Prefill)) and running.job == job:
            self._backend.interrupt()

    def cancel_load(self) -> None:
        """Give up the load that is running or waiting; it ends with `LoadFailed(cancelled=True)`."""
        self._load_cancelled = True
        if isinstance(self._running, Load):
            self._backend.interrupt()

    def answer_now(self, job: int) -> None:
        """End the reasoning of a job with its `reasoning_end`, after the character that is being written."""
        self._answer_now.add(job)

    def close(self, timeout: float | None = 30.0) -> bool:
        """Stop everything, free the model, end the thread; answers whether the thread has ended in time."""
        self._closing = True
        self.submit(Close())
        if self._thread.is_alive():
            self._thread.join(timeout)
        return not self._thread.is_alive()

    @property
    def facts(self) -> ModelFacts | None:
        """The loaded model's, None without one."""
        return self._facts

    @property
    def traits(self) -> CacheTraits | None:
        """What the loaded model's memory can do; None without a model."""
        return self._traits

    @property
    def holding(self) -> Holding:
        """What the cache held after the last job, and what was put aside."""
        return self._holding

    @property
    def vocabulary(self) -> Vocabulary:
        """The loaded model's; its methods are safe from any thread. Raises LoadError without a model."""
        if self._facts is None:
            raise LoadError("No model is loaded. Open one first.")
        return self._backend.vocabulary()

    # -- The thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not isinstance(command := self._next(), Close):
                self._obey(command)
        finally:
            self._drop_model()
            self._backend.close()

    def _next(self) -> Command:
        with self._wake:
            while not self._queue and self._idle is None:
                self._wake.wait()
            if self._queue:
                command = self._queue.popleft()
                self._urgent -= isinstance(command, (Load, Unload, Close))
                return command
            idle, self._idle = self._idle, None
            assert idle is not None
            return idle

    def _obey(self, command: Command) -> None:
        self._backend.resume()
        self._running = command
        try:
            match command:
                case Load():
                    self._load(command)
                case Unload():
                    self._unload()
                case Generate():
                    self._generate(command)
                case Prefill():
                    self._prefill(command)
                case Measure():
                    self._measure(command)
                case Forget():
                    self._forget(command.conversation)
        except Exception as error:
            _log.exception("the engine failed at %s", type(command).__name__)
            self._fail(command, error)
        finally:
            self._running = None
        if self._held is not None:
            self._held.tidy(lambda: not (self._queue or self._idle or self._closing))

    def _fail(self, command: Command, error: Exception) -> None:
        with contextlib.suppress(Exception):
            if self._held is not None:
                self._held.empty()
            self._publish()
        if isinstance(command, (Generate, Measure)):
            self._emit(Failed(command.job, _unknown(error)))
        elif isinstance(command, Prefill):
            self._emit(PrefillEnded(command.job, 0, 0, abandoned=True))

    def _emit(self, event: Event) -> None:
        try:
            self._on_event(event)
        except Exception:
            _log.exception("a listener failed at %s", type(event).__name__)

    def _stopped(self, job: int) -> bool:
        return job in self._cancelled or self._closing or self._urgent > 0

    # -- Models --------------------------------------------------------------------------------

    def _load(self, command: Load) -> None:
        self._unload()
        began = time.perf_counter()
        shown = [-1.0]

        def progress(fraction: float) -> bool:
            if fraction - shown[0] >= 0.01 or fraction >= 1.0 > shown[0]:
                shown[0] = fraction
                self._emit(LoadProgressed(command.path, fraction))
            return not self._load_unwanted()

        self._journal(Note("load", command.path))
        try:
            facts = self._backend.load(command.path, command.settings, progress)
            self._adopt(command, facts)
        except LoadCancelledError:
            failed = LoadFailed(command.path, "Loading was stopped.", cancelled=True)
        except LoadError as error:
            failed = LoadFailed(command.path, str(error))
        except Exception as error:
            _log.exception("the engine failed at %s", type(command).__name__)
            failed = LoadFailed(command.path, _unknown(error))
        else:
            self._journal(Note("loaded", command.path))
            self._emit(Loaded(facts, time.perf_counter() - began))
            return
        self._drop_model()
        self._emit(failed)

    def _load_unwanted(self) -> bool:
        return self._load_cancelled or self._closing or self._urgent > 0

    def _adopt(self, command: Load, facts: ModelFacts) -> None:
        settings = command.settings
        saved = SavedStates(
            state_key(command.settings, facts), memory_budget=self._states_memory, folder=self._states_folder
        )
        traits = self._backend.traits()
        pace = pace_for(interruptible=traits.interruptible, micro_batch=traits.micro_batch)
        per_token = facts.memory.get("kv", 0) / max(1, facts.context)
        self._held = Held(self._backend, saved, pace, bytes_per_token=per_token)
        fixed = settings.threads is not None
        cores = available_cores()
        self._governor = ThreadGovernor(
            facts.threads, facts.threads_batch, cores=cores, fixed=fixed, taken=Crowd(cores).taken
        )
        self._facts, self._traits = facts, traits
        self._publish()

    def _unload(self) -> None:
        if self._facts is not None:
            path = self._facts.path
            self._drop_model()
            self._emit(Unloaded(path))

    def _drop_model(self) -> None:
        if self._held is not None and self._states_folder is not None:
            deadline = time.monotonic() + PUT_ASIDE_SECONDS
            loads = isinstance(self._running, Load)
            self._held.put_aside(lambda: time.monotonic() < deadline and not (loads and self._load_cancelled))
        self._facts = self._traits = None
        self._held = None
        self._publish()
        self._governor = None
        self._backend.unload()
        self._journal(None)

    def _forget(self, conversation: str) -> None:
        forget(self._states_folder, conversation)
        if self._held is not None:
            self._held.forget(conversation)
        self._publish()

    # -- Replies -------------------------------------------------------------------------------

    def _generate(self, command: Generate) -> None:
        try:
            last: Event = self._reply(command)
        except (DecodeError, ValueError) as error:
            last = Failed(command.job, str(error))
        finally:
            self._cancelled.discard(command.job)
            self._answer_now.discard(command.job)
        self._publish()
        self._emit(last)

    def _reply(self, command: Generate) -> Finished:
        """Raises DecodeError, or ValueError when the command cannot be obeyed."""
        began = time.perf_counter()
        held, governor = self._ready(command)
        seed = command.sampling.seed
        seed = secrets.randbits(32) if seed is None else seed & 0xFFFFFFFF
        if self._stopped(command.job):
            return Finished(command.job, "cancelled", _no_timings(len(command.tokens)), seed)
        self._backend.start(command.sampling, command.constraint, seed, command.tokens)
        reused = self._bring(command)
        whole = self._feed(command, held, governor)
        generation = Generation(
            command,
            self._backend,
            held,
            governor,
            self._emit,
            lambda: self._stopped(command.job),
            lambda: command.job in self._answer_now,
            began,
            seed,
            prompt_tokens=len(command.tokens),
            reused=reused,
            fed=max(0, len(held.tokens) - reused),
            prefill_ms=(time.perf_counter() - began) * 1000,
        )
        return generation.run() if whole else generation.finish("cancelled")

    def _ready(self, command: Generate | Prefill) -> tuple[Held, ThreadGovernor]:
        if self._held is None or self._governor is None or self._facts is None:
            raise ValueError("No model is loaded. Open one and send again.")
        if not command.tokens:
            raise ValueError("The prompt is empty: the model needs at least one token to go on from.")
        context = self._backend.traits().context
        if len(command.tokens) > context:
            raise ValueError(
                f"The prompt has {len(command.tokens):,} tokens and the context holds {context:,}. "
                "Shorten the conversation, or load the model with a larger context."
            )
        size = self._backend.vocabulary().size
        if not 0 <= min(command.tokens) <= max(command.tokens) < size:
            raise ValueError("The prompt holds tokens that this model does not have: it was made for another model.")
        return self._held, self._governor

    def _bring(self, command: Generate | Prefill) -> int:
        """Cut the cache to what the command's tokens share with it; answers how many tokens stay."""
        assert self._held is not None
        own = command.conversation == self._held.conversation
        if isinstance(command, Prefill) and own and command.keeps_tail:
            self._held.keep_tail(command.tokens)
        chunk = command.shortest_chunk if isinstance(command, Generate) else 0
        plan = self._held.bring(command.conversation, command.tokens, chunk)
        if isinstance(command, Generate):
            self._held.drop_tail()
            self._emit(Planned(command.job, plan))
        self._publish()
        return len(self._held.tokens)

    def _publish(self) -> None:
        self._holding = self._held.holding() if self._held is not None else Holding()

    def _feed(self, command: Generate, held: Held, governor: ThreadGovernor) -> bool:
        done_before, ms_before = 0, 0.0

        def progress(done: int, total: int, ms: float) -> bool:
            nonlocal done_before, ms_before
            governor.fed(done - done_before, ms - ms_before, self._backend.set_threads)
            done_before, ms_before = done, ms
            self._emit(Prefilled(command.job, done, total, ms))
            return not self._stopped(command.job)

        return held.feed(command.tokens, command.checkpoints, progress, again=True)

    def _prefill(self, command: Prefill) -> None:
        before = fed = kept = 0
        whole = False
        try:
            held, _ = self._ready(command)
            if not self._interrupted(command.job) and held.may_leave(command.conversation):
                before = self._bring(command)
                whole = held.feed(
                    command.tokens,
                    [*command.checkpoints, len(command.tokens)],
                    lambda *_: not self._interrupted(command.job),
                    share=IDLE_SHARE,
                )
        except (DecodeError, ValueError) as error:
            _log.info("idle work ended: %s", error)
        if self._held is not None and self._held.conversation == command.conversation:
            kept = len(self._held.tokens)
            fed = max(0, kept - before)
        self._cancelled.discard(command.job)
        self._publish()
        self._emit(PrefillEnded(command.job, kept, fed, abandoned=not whole))

    def _measure(self, command: Measure) -> None:
        """Feeds and decodes as a reply does, without sampling."""
        if self._held is None or self._facts is None:
            self._emit(Failed(command.job, "No model is loaded, so there is nothing to measure."))
            return
        try:
            times = timed(self._held, command, self._facts.vocabulary_size, lambda: not self._closing)
        except DecodeError as error:
            self._emit(Failed(command.job, str(error)))
            return
        self._publish()
        self._emit(Measured(command.job, *times, *self._backend.threads()))

    def _interrupted(self, job: int) -> bool:
        return bool(self._queue) or self._idle is not None or self._stopped(job)


def _unknown(error: Exception) -> str:
    return f"The engine met an error that it does not know ({type(error).__name__}: {error}). Try again."


def _no_timings(prompt_tokens: int) -> Timings:
    return Timings(prompt_tokens, 0, 0, 0, 0.0, 0.0, 0.0)
