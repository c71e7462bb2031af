"""What one window shows: which conversation is open, which turn its panes have, what the next turn would cost.

It listens to the workbench's changes, reads the new state and gives it to the views, in small portions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from cutaway.ui.beat import Beat

if TYPE_CHECKING:
    from cutaway.workbench.bench import Workbench
    from cutaway.workbench.calls import CallState
    from cutaway.workbench.change import Aspect, Change, ModelChanged, Problem
    from cutaway.workbench.forecast import Forecast, Remedy
    from cutaway.workbench.library import Hit
    from cutaway.workbench.turn import ConversationInfo, Node, Turn

TURNS_KEPT = 24
"""Turns of the open conversation that are read with it; older ones when they are selected."""
CALLS_KEPT = 24
"""Messages whose calls are checked; in older ones a call is shown as it stands."""
NEW_DRAFT = "new_draft"
"""The preference that holds what was written for a conversation that is not begun yet."""
FORECAST_MS = 25
"""After the last keystroke."""


class Views(Protocol):
    """What the desk shows things in: the window."""

    def show_conversations(self, rows: Sequence[ConversationInfo | Hit], chosen: str, title: str) -> None: ...
    def show_branch(self, nodes: list[Node], turns: dict[str, Turn], *, fresh: bool) -> None: ...
    def grow_message(self, node: str, turn: Turn) -> None: ...
    def show_turn(self, turn: Turn | None, node: str) -> None: ...
    def grow_turn(self, turn: Turn, what: frozenset[Aspect]) -> None: ...
    def begin_completion(self, turn: Turn | None) -> None: ...
    def show_model(self, model: ModelChanged) -> None: ...
    def show_forecast(self, forecast: Forecast | None) -> None: ...
    def show_running(self, running: bool) -> None: ...
    def show_problem(self, problem: Problem) -> None: ...
    def show_draft(self, text: str) -> None: ...
    def take_draft(self) -> str: ...
    def beginning(self) -> tuple[str, str]: ...
    def show_branch_end(self, ended: bool) -> None: ...
    def follow(self, change: Change) -> None: ...
    def offer_undo(self, offer: bool) -> None: ...
    def show_shelf(self, archived: bool) -> None: ...
    def broke(self, error: BaseException) -> None: ...


class Showing:
    def __init__(self, views: Views, beat: Beat) -> None:
        self.views, self.beat = views, beat
        self._bench: Workbench | None = None
        self.opened = asyncio.Event()
        """The workbench is there and its store is open. Until then what the person does waits."""
        self.conversation = ""
        self.nodes: list[Node] = []
        self.turns: dict[str, Turn] = {}
        """Turns of the open conversation by the id of their message, as far as they were read."""
        self.calls: dict[tuple[str, str], CallState] = {}
        """The newest messages' calls, by their message and their place in it ("0", ...)."""
        self.shown: Turn | None = None
        self.raw: Turn | None = None
        """The newest turn of completion mode; it belongs to no conversation."""
        self._follows = True
        """The newest turn is shown as it comes, until the person selects another one."""
        self._remedy: Remedy | Literal[""] = ""
        """What was chosen for a prompt that does not fit, before it was sent."""
        self._query = ""
        self.archived = False
        """The archived conversations are listed instead of the others."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._grown: dict[str, frozenset[Aspect]] = {}
        self._forecast_wait: asyncio.Task[Any] | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self.closing = False

    # -- Life -----------------------------------------------------------------------------------

    @property
    def bench(self) -> Workbench:
        """Raises RuntimeError before there is one."""
        if self._bench is None:
            raise RuntimeError("The store is not open yet. Try again in a moment.")
        return self._bench

    async def open(self, bench: Workbench, conversation: str = "") -> None:
        """Open the store and show what there is."""
        self._bench = bench
        self._unsubscribe = bench.subscribe(self._changed)
        await bench.open()
        self.opened.set()
        await self.refresh_list()
        if not self.conversation and await self._info(conversation) is not None:
            await self.open_conversation(conversation)
        elif not self.conversation and not self.views_draft():
            self.views.show_draft(self._new_draft())
        self.views.show_model(self.bench.model)

    async def close(self) -> None:
        self.closing = True
        if self._unsubscribe is not None:
            self._unsubscribe()
        ended = list(self._tasks)
        for task in ended:
            task.cancel()
        await asyncio.gather(*ended, return_exceptions=True)
        if self._bench is not None:
            await self._bench.close()

    def start(self, work: Coroutine[Any, Any, object]) -> asyncio.Task[object] | None:
        """Run it; what it raises is shown as a sentence."""
        if self.closing:
            work.close()
            return None
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None and not self.closing:
            error = task.exception()
            assert error is not None
            self.views.broke(error)

    async def idle(self) -> None:
        """Wait until everything that was started here is done. For tests and the self-test."""
        while self._tasks:
            await asyncio.gather(*list(self._tasks), return_exceptions=True)

    # -- Changes --------------------------------------------------------------------------------

    def _changed(self, change: Change) -> None:
        from cutaway.workbench import change as kinds  # Not before the first paint.

        match change:
            case kinds.TurnChanged(turn, what):
                self._turn_changed(turn, what)
            case kinds.TreeChanged(conversation):
                if conversation == self.conversation:
                    self.beat.ask("tree", lambda: self._spawn(self.refresh_branch()))
            case kinds.ConversationsChanged():
                self.beat.ask("list", lambda: self._spawn(self.refresh_list()))
            case kinds.ForecastChanged(conversation, forecast):
                if conversation == self.conversation:
                    self._show_forecast(forecast)
            case kinds.ModelChanged():
                self.views.show_model(change)
                self.views.follow(change)
            case kinds.Problem():
                self.views.show_problem(change)
            case kinds.TemplateChanged() | kinds.SettingsChanged():
                self.views.follow(change)
                self.ask_forecast("")
            case _:
                self.views.follow(change)

    def _spawn(self, work: Coroutine[Any, Any, object]) -> None:
        self.start(work)

    def _turn_changed(self, turn: Turn, what: frozenset[Aspect]) -> None:
        if turn.conversation != self.conversation if turn.message else turn is not self.raw:
            return
        known = turn is self.raw or self.turns.get(turn.message) is turn
        if turn.message:
            self.turns[turn.message] = turn
        self.views.show_running(self.bench.running(turn.conversation) is not None)
        if not known and self._follows:
            self.shown = turn
            self.beat.ask("turn", lambda: self.views.show_turn(self.shown, turn.message))
        self.beat.ask(f"message:{turn.message or turn.id}", lambda: self.views.grow_message(turn.message, turn))
        if turn is self.shown:
            self._grown[turn.id] = self._grown.get(turn.id, frozenset()) | what
            self.beat.ask("grown", lambda: self._grow(turn))
        if what & {"state"} and turn.state in ("done", "stopped", "failed"):
            self._remedy = ""
            self.ask_forecast("")

    def _grow(self, turn: Turn) -> None:
        what = self._grown.pop(turn.id, frozenset())
        if turn is self.shown:
            self.views.grow_turn(turn, what)

    # -- The list -------------------------------------------------------------------------------

    async def refresh_list(self) -> None:
        rows: Sequence[ConversationInfo | Hit]
        if self._query:
            rows = await self.bench.search(self._query)
        else:
            rows = await self.bench.conversations(archived=self.archived)
        info = await self._info(self.conversation)
        self.views.show_conversations(rows, self.conversation, info.title if info is not None else "")
        self.views.show_shelf(self.archived)

    async def _info(self, conversation: str) -> ConversationInfo | None:
        """None for one that is not begun yet, or was deleted."""
        from cutaway.workbench.library import MessageError  # Not before the first paint.

        try:
            return await self.bench.conversation(conversation) if conversation else None
        except MessageError:
            return None

    async def show_shelf(self, archived: bool) -> None:
        """List the archived conversations instead of the others, or the others again."""
        self.archived = archived
        await self.refresh_list()

    async def search(self, words: str) -> None:
        self._query = words
        await self.opened.wait()
        await self.refresh_list()

    async def open_conversation(self, conversation: str, node: str = "") -> None:
        """Show a conversation's current branch; with `node`, the branch that it is on."""
        if conversation != self.conversation:
            self.conversation = conversation
            self.turns, self.shown, self._follows = {}, None, True
        if node:
            await self.bench.switch_branch(node)
        await self.refresh_branch(fresh=True)
        info = await self._info(conversation)
        self.views.show_draft(info.draft if info is not None else "")
        await self.refresh_list()
        await self._read_turns()
        self.ask_forecast(info.draft if info is not None else "")

    async def new_conversation(self) -> None:
        """Nothing is stored until the first message is sent."""
        self.conversation = ""
        self.nodes, self.calls, self.turns, self.shown, self._follows = [], {}, {}, None, True
        self.views.show_branch([], {}, fresh=True)
        self.views.show_branch_end(False)
        self.views.show_turn(None, "")
        self.views.show_draft(self._new_draft())
        self.views.show_running(False)
        if self.opened.is_set():
            await self.refresh_list()
            self.ask_forecast("")

    # -- The branch -----------------------------------------------------------------------------

    async def refresh_branch(self, *, fresh: bool = False) -> None:
        if not self.conversation:
            return
        conversation = self.conversation
        nodes = await self.bench.messages(conversation)
        ended = await self.bench.branch_end(conversation) is not None
        calls = await self._read_calls(nodes)
        if conversation != self.conversation:
            return
        self.nodes, self.calls = nodes, calls
        alive = {node.id for node in nodes}
        if self.shown is not None and self.shown.message and self.shown.message not in alive:
            self.shown, self._follows = None, True
        self.views.show_branch(nodes, self.turns, fresh=fresh)
        self.views.show_branch_end(ended)
        self.views.show_running(self.bench.running(conversation) is not None)
        if self.shown is None and not fresh:
            await self._read_turns()

    async def _read_calls(self, nodes: list[Node]) -> dict[tuple[str, str], CallState]:
        wrote = [node.id for node in nodes if node.message.tool_calls and node.status != "growing"][-CALLS_KEPT:]
        return {(node, str(index)): state for node in wrote for index, state in enumerate(await self.bench.calls(node))}

    async def _read_turns(self) -> None:
        """The newest turns of the branch; the last one is shown."""
        conversation = self.conversation
        wrote = [node for node in self.nodes if node.turn or node.message.role == "assistant"][-TURNS_KEPT:]
        for node in wrote:
            if node.id not in self.turns:
                turn = await self.bench.turn(node.id)
                if conversation != self.conversation:
                    return
                if turn is not None:
                    self.turns[node.id] = turn
        last = next((self.turns[node.id] for node in reversed(wrote) if node.id in self.turns), None)
        if self._follows and last is not self.shown:
            self.shown = last
            self.views.show_turn(last, last.message if last is not None else "")

    async def show_newest(self) -> None:
        """Let the panes follow the conversation again."""
        self._follows = True
        await self._read_turns()

    def branch_turns(self) -> list[Turn]:
        """The turns of the branch that were read, oldest first."""
        return [self.turns[node.id] for node in self.nodes if node.id in self.turns]

    async def select(self, node: str) -> None:
        """Show the turn that a message belongs to: the one that wrote it, or that answered it."""
        index = next((n for n, other in enumerate(self.nodes) if other.id == node), -1)
        candidates = [other for other in self.nodes[max(index, 0) :] if other.message.role == "assistant"]
        if index < 0 or not candidates:
            return
        wanted = candidates[0]
        turn = self.turns.get(wanted.id) or await self.bench.turn(wanted.id)
        if turn is None or turn is self.shown:
            return
        self.turns[wanted.id] = turn
        self.shown = turn
        self._follows = wanted.id == next(
            (other.id for other in reversed(self.nodes) if other.message.role == "assistant"), ""
        )
        self.views.show_turn(turn, wanted.id)

    async def show(self, turn: Turn | None) -> None:
        """Show a turn that may belong to no message of the conversation: one from a file, or one made again."""
        self.shown, self._follows = turn, False
        self.views.show_turn(turn, turn.message if turn is not None else "")

    def show_turn_by_id(self, turn_id: str) -> None:
        for turn in self.turns.values():
            if turn.id == turn_id:
                self.start(self.select(turn.message))

    # -- Forecasts ------------------------------------------------------------------------------

    def typed(self, text: str) -> None:
        """Remember the draft and ask what sending it would cost, once typing pauses."""
        self.start(self._keep_draft(self.conversation, text))
        self.ask_forecast(text)

    async def _keep_draft(self, conversation: str, text: str) -> None:
        await asyncio.sleep(0.4)
        if conversation != self.conversation or self.views_draft() != text or not self.opened.is_set():
            return
        if conversation:
            await self.bench.set_draft(conversation, text)
        elif text != self._new_draft():
            self.bench.set_preference(NEW_DRAFT, text)

    def _new_draft(self) -> str:
        """What was written for a conversation that is not begun yet."""
        kept = self.bench.preference(NEW_DRAFT, "") if self.opened.is_set() else ""
        return kept if isinstance(kept, str) else ""

    def views_draft(self) -> str:
        return str(getattr(self.views, "draft", lambda: "")())

    def ask_forecast(self, draft: str, node: str | None = None) -> None:
        if self._forecast_wait is not None:
            self._forecast_wait.cancel()
        if not self.opened.is_set():
            return
        self._forecast_wait = self.start(self._forecast(self.conversation, draft or self.views_draft(), node))

    async def _forecast(self, conversation: str, draft: str, node: str | None) -> None:
        await asyncio.sleep(FORECAST_MS / 1000)
        forecast = await self.bench.forecast(conversation, draft, node=node)
        if conversation == self.conversation:
            self._show_forecast(forecast)

    def _show_forecast(self, forecast: Forecast) -> None:
        if self._remedy and forecast.overflow is not None:
            self._spawn(self._resolve(self.conversation, self._remedy))
        else:
            self.views.show_forecast(forecast)

    async def _resolve(self, conversation: str, remedy: Remedy) -> None:
        if self._remedy and await self.bench.resolve_overflow(conversation, remedy):
            self._remedy = ""
