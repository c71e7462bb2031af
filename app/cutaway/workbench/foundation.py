"""What the workbench stands on: the store, the threads, the engine, and what happens without being asked for."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from cutaway import places
from cutaway.chat.plain import RequestError
from cutaway.chat.template.error import TemplateError
from cutaway.engine.backend import Backend
from cutaway.engine.event import ModelFacts
from cutaway.engine.journal import ADVICE, JournalFile, Note, no_journal
from cutaway.engine.journal import sentence as journal_sentence
from cutaway.engine.template_files import TemplateFileError
from cutaway.store.damage import is_sound, repair
from cutaway.store.error import StoreError
from cutaway.store.thread import StoreThread
from cutaway.workbench.asking import Asking
from cutaway.workbench.calls import Calls
from cutaway.workbench.change import Change, ModelChanged, Problem, TemplateChanged
from cutaway.workbench.exchanging import Exchanging
from cutaway.workbench.forecasting import Forecasting
from cutaway.workbench.half_written import HalfWritten
from cutaway.workbench.idle import IdleWork
from cutaway.workbench.library import Library, MessageError
from cutaway.workbench.model_desk import ModelDesk
from cutaway.workbench.prompting import PromptDesk
from cutaway.workbench.settings_desk import SettingsDesk
from cutaway.workbench.templates import Templates
from cutaway.workbench.turn import Node, Turn
from cutaway.workbench.turns import Turns

log = logging.getLogger(__name__)


def llama_backend() -> Backend:
    """llama.cpp; its library is loaded here."""
    from cutaway.engine.llama.backend import LlamaBackend

    return LlamaBackend()


def _engine_files(store: str) -> tuple[JournalFile | None, Path | None]:
    """Where the engine notes what it does and puts saved states; nowhere for a store in memory."""
    if store == ":memory:":
        return None, None
    beside = Path(store).parent
    states = places.cache() / "states" if Path(store) == places.store() else beside / "states"
    return JournalFile(beside / "engine.journal"), states


class Foundation:
    """Life and upkeep of a workbench; what a person can do is in `bench.Workbench`."""

    def __init__(
        self,
        store: Path | str | None = None,
        backend: Callable[[], Backend] = llama_backend,
        *,
        now: Callable[[], datetime] = datetime.now,
    ) -> None:
        """`store`: the database's path, `:memory:` for none on disk; None takes the user's own.

        `backend` makes the engine's backend when a model is first loaded, on another thread. `now` is local time.
        """
        self.store_path = str(store if store is not None else places.store())
        self._subscribers: list[Callable[[Change], None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._opened = False
        self._rest: asyncio.TimerHandle | None = None
        self._store = self._new_store(self.store_path)
        self._prompts = PromptDesk(now)
        journal, states = _engine_files(self.store_path)
        self._journal = journal
        self._model = ModelDesk(self._model_changed, backend, journal=journal or no_journal, states_folder=states)
        self._now = now
        self._said: set[str] = set()
        self.left_behind: Note | None = None
        """What the engine was doing when the last run was killed; None when that ended well. Known once open."""
        self._join()

    def _new_store(self, path: str) -> StoreThread:
        return StoreThread(path, failed=self._write_failed, changed_outside=self._changed_outside)

    def _join(self) -> None:
        """Make what stands on the store."""
        say = self._announce
        self._settings = SettingsDesk(self._store, say)
        self._library = Library(self._store, say)
        self._asking = Asking(self._library, self._store, self._settings, self._model, self._prompts, say)
        self._turns = Turns(self._library, self._store, self._model, self._prompts, self._asking, say)
        self._calls = Calls(self._library, self._settings, self._asking, self._turns, self._model, say, self._now)
        self._idle = IdleWork(self._asking, self._model, self._prompts, say)
        self._forecasting = Forecasting(
            *(self._library, self._asking, self._model, self._prompts, say, self._turns.explainer),
            speed=lambda: self._turns.speed,
            typed=self._idle.typed,
        )
        self._exchanging = Exchanging(self._library, self._settings, self._asking, self._model, self._prompts)
        self._templates = Templates(self._asking, self._model, self._prompts)
        self._turns.begun = self._idle.stop
        self._idle.busy = lambda: self._turns.running() is not None
        self._turns.idle_fed = self._idle.taken
        self._idle.refilled = self._turns.refilled
        self._turns.finished = self._turn_finished
        self._background: set[asyncio.Task[None]] = set()

    # -- Life ---------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Open the store and begin. A store that cannot be opened is said as a Problem, and one in memory is used.

        Raises StoreError only when not even that works.
        """
        self._loop = asyncio.get_running_loop()
        try:
            await self._store.open()
        except StoreError as error:
            await self._open_otherwise(error)
        await self._settings.load()
        self._store.post(lambda database: database.purge_old())
        self._opened = True
        self._in_background(self._mend_replies())
        if self._settings.get("app", "", "open", False) and self._store.path == self.store_path:
            self._in_background(self._check_store())
        self._settings.keep("app", "", "open", True)
        self.left_behind = self._journal.left_behind() if self._journal else None
        if self.left_behind is not None:
            problem = Problem(journal_sentence(self.left_behind), ADVICE, "safer-settings")
            self._loop.call_soon(self._announce, problem)

    async def _open_otherwise(self, error: StoreError) -> None:
        """A damaged store is repaired; in place of one that cannot be opened one in memory is used."""
        assert self._loop is not None
        problem = Problem(str(error), "This session is kept in memory only: nothing of it is saved.", "open-log")
        path = ":memory:"
        if error.kind == "damaged":
            try:
                rescue = await asyncio.to_thread(repair, self.store_path, self._now())
                problem, path = Problem(rescue.sentence), self.store_path
            except StoreError as failed:
                problem = replace(problem, sentence=str(failed))
        self._store = self._new_store(path)
        self._join()
        await self._store.open()
        self._loop.call_soon(self._announce, problem)

    async def _mend_replies(self) -> None:
        """After a session that was killed while a reply was being written."""
        try:
            await HalfWritten(self._library, self._store, self._asking, self._prompts).mend()
        except StoreError as error:
            self._announce(Problem(str(error)))

    async def _check_store(self) -> None:
        """After a session that did not end by itself."""
        if not await asyncio.to_thread(is_sound, self.store_path):
            self._announce(
                Problem(
                    f"The store {self.store_path} is damaged.",
                    "Close Cutaway and start it again: what can be read is then saved to a new file.",
                )
            )

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def close(self) -> None:
        """Stop what runs, write what is unwritten, end every thread."""
        self._idle.stop()
        if self._rest is not None:
            self._rest.cancel()
        await self._turns.stop_all(wait=True)
        for task in list(self._background):
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await self._idle.wait()
        await self._model.close()
        await self._prompts.close()
        if self._opened:
            self._settings.keep("app", "", "open", False)
            await self._store.close()

    def subscribe(self, callback: Callable[[Change], None]) -> Callable[[], None]:
        """`callback` gets every change from now on, on the loop's thread; the answer ends that."""
        self._subscribers.append(callback)

        def unsubscribe() -> None:
            if callback in self._subscribers:
                self._subscribers.remove(callback)

        return unsubscribe

    async def settled(self) -> None:
        """Until nothing is being made any more, follow-up turns of tool calls included, and all of it was written."""
        while self._turns.running() is not None or self._background:
            await asyncio.gather(*self._turns.tasks(), *self._background, return_exceptions=True)
            await asyncio.sleep(0)
        await self._store.read(lambda database: None)

    async def rested(self) -> None:
        """Until idle work has ended too."""
        await self.settled()
        await self._idle.wait()

    # -- Inside -------------------------------------------------------------------------------------

    def _announce(self, change: Change) -> None:
        for callback in list(self._subscribers):
            try:
                callback(change)
            except Exception:
                log.exception("a subscriber failed on %s", type(change).__name__)

    def _model_changed(self, change: Change) -> None:
        if isinstance(change, ModelChanged) and change.state != "loading":
            self._asking.forget_held()
        self._announce(change)
        if isinstance(change, ModelChanged) and change.facts is not None:
            self._say_once(change.facts.notices)
            self._in_background(self._greet(change.facts))
            self._rest_later()

    def _say_once(self, notices: Sequence[str]) -> None:
        for sentence in notices:
            if sentence not in self._said:
                self._said.add(sentence)
                self._announce(Problem(sentence))

    async def _greet(self, facts: ModelFacts) -> None:
        """Make the new model's template ready, and say when it is another than the last time."""
        try:
            view = await self._templates.in_force()
        except (RequestError, TemplateError, TemplateFileError) as error:
            self._announce(Problem(f"The model's template cannot be used: {error}", action="show-template"))
            return
        if view is None:
            return
        self._announce(TemplateChanged(view.info.sha256))
        for warning in view.warnings:
            self._announce(Problem(warning, action="show-template"))
        own = hashlib.sha256((facts.template or "").encode("utf-8", "surrogatepass")).hexdigest()
        known = self._settings.get("model", facts.path, "template_sha256")
        if known is not None and known != own:
            sentence = f"The template in {Path(facts.path).name} is another one than when it was last used."
            self._announce(Problem(sentence, "Old conversations are rendered with the new one.", "show-template"))
        if known != own:
            self._settings.keep("model", facts.path, "template_sha256", own)

    def _rest_later(self) -> None:
        """Unload the model when nobody has needed it for as long as the preference `idle_unload_minutes` says."""
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        minutes = self._settings.get("app", "", "idle_unload_minutes", 0)
        if self._loop is not None and isinstance(minutes, int | float) and minutes > 0:
            self._rest = self._loop.call_later(minutes * 60, self._rest_now)

    def _rest_now(self) -> None:
        if self._turns.running() is None:
            self._in_background(self._model.rest())
        else:
            self._rest_later()

    def _turn_finished(self, turn: Turn, node: Node) -> None:
        self._rest_later()
        self._in_background(self._after_turn(turn, node))

    async def _after_turn(self, turn: Turn, node: Node) -> None:
        """First what the model's calls ask for, then idle work."""
        try:
            await self._calls.after_reply(turn.conversation, node)
        except (MessageError, StoreError) as error:
            self._announce(Problem(str(error), conversation=turn.conversation))
        if self._turns.running() is None:
            self._idle.after(turn, node)

    def _write_failed(self, error: StoreError) -> None:
        self._from_store(lambda: self._announce(Problem(str(error), action="free-disk")))

    def _changed_outside(self) -> None:
        self._from_store(lambda: self._library.forget_unused())

    def _from_store(self, call: Callable[[], None]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call)
