"""Makes turns: from a branch of the tree to a prompt, to the engine, and the growing reply back into the tree.

One turn runs at a time, in the order in which they were asked for. What a person does to a turn that still waits
or renders cancels its task; a turn that the engine works on is cancelled there and ends with what it has.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from cutaway.chat.message import Message, Request
from cutaway.engine.event import Failed, Finished, ModelFacts, Token
from cutaway.engine.plan import Plan
from cutaway.engine.side import Side
from cutaway.store.error import StoreError
from cutaway.store.record import Status
from cutaway.store.thread import StoreThread
from cutaway.workbench.asking import Asking
from cutaway.workbench.causes import Causes, Load
from cutaway.workbench.change import Aspect, Change, Problem, TurnChanged
from cutaway.workbench.generating import command_for, seeded
from cutaway.workbench.library import Library, MessageError, new_id
from cutaway.workbench.model_desk import ModelDesk
from cutaway.workbench.prompting import Made, PromptDesk, raw_prompt
from cutaway.workbench.run import Run
from cutaway.workbench.settings import ChatSettings
from cutaway.workbench.stored import Written
from cutaway.workbench.turn import Node, Turn
from cutaway.workbench.turn_file import turn_document, turn_outcome
from cutaway.workbench.turn_read import TurnFileError

log = logging.getLogger(__name__)

TURNS_KEPT = 32
NO_MODEL = "No model is loaded, so nobody can answer. Your message is kept: open a model, then choose Regenerate."


class TurnError(Exception):
    """A turn cannot be made. The message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a turn is to do."""

    node: Node
    """The assistant message that grows."""
    begin: Message | None = None
    """How the reply begins: what the message holds already, rendered as an unfinished last message."""
    continue_field: Literal["", "content", "reasoning_content"] = ""
    written: Written | None = None
    """The tokens of that beginning, where the model produced them."""
    base: Turn | None = None
    """The turn whose very prompt is used again, with `tokens` after it."""
    tokens: tuple[Token, ...] = ()


class Turns:
    def __init__(
        self,
        library: Library,
        store: StoreThread,
        model: ModelDesk,
        prompts: PromptDesk,
        asking: Asking,
        announce: Callable[[Change], None],
    ) -> None:
        self._library = library
        self._store = store
        self._model = model
        self._prompts = prompts
        self._asking = asking
        self._announce = announce
        self._turns: OrderedDict[str, Turn] = OrderedDict()
        self._causes = Causes()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._jobs: dict[str, int] = {}
        self._ended: set[str] = set()
        self._line = asyncio.Lock()
        self.finished: Callable[[Turn, Node], None] = lambda turn, node: None
        """Called after each turn that ended by itself, once the line is free again."""
        self.begun: Callable[[], None] = lambda: None
        """Called when a turn is asked for: idle work has to go."""
        self.idle_fed: Callable[[str], int] = lambda conversation: 0
        """Answers how many tokens idle work fed for a conversation's next turn."""

    # -- Asking for turns ---------------------------------------------------------------------------

    async def reply(self, conversation: str, parent: str | None, begin: Message | None = None) -> Node:
        """A new reply below a message, which begins so. Answers the growing message."""
        node = await self._grow_node(conversation, parent, begin or Message("assistant", ""))
        self._begin(conversation, Order(node, begin, _unfinished(begin)))
        return node

    async def continue_(self, conversation: str, node: Node) -> Node:
        """Let the model write on in a message: in place where nothing follows it, else in a new version of it."""
        tree = await self._library.tree(conversation)
        written = self._library.written(conversation, node.id)
        if tree.children(node.id):
            node = await self._grow_node(conversation, node.parent, node.message, turn=node.turn)
        else:
            node = replace(node, status="growing", note="")
            await self._library.put(conversation, node)
        base = await self.turn(node.turn) if node.turn and written else None
        if base is not None and base.prompt is not None and base.tokens and self._same_text(base, node):
            tokens = tuple(token for token in base.tokens if not token.ends)
            self._begin(conversation, Order(node, base=base, tokens=tokens))
        else:
            self._begin(conversation, Order(node, node.message, _unfinished(node.message), written=written))
        return node

    async def branch_from_token(self, turn: Turn, index: int, alternative: int) -> Node:
        """A new version of the turn's reply that differs from it at one token. Raises TurnError or MessageError."""
        if not 0 <= index < len(turn.tokens):
            raise TurnError(f"The reply has {len(turn.tokens)} tokens; there is none with the number {index}.")
        if self._model.facts is None:
            raise TurnError(NO_MODEL)
        vocabulary = self._model.vocabulary()
        chosen = _alternative(turn.tokens[index], alternative, vocabulary.piece(alternative))
        if chosen.control and vocabulary.is_end(alternative):
            raise TurnError("That token ends the reply: nothing would follow it.")
        conversation, tree = await self._library.find(turn.message)
        old = tree.node(turn.message)
        node = await self._grow_node(conversation, old.parent, Message("assistant", ""))
        self._begin(conversation, Order(node, base=turn, tokens=(*turn.tokens[:index], chosen)))
        return node

    async def complete(self, text: str, settings: ChatSettings, *, control: bool) -> Turn:
        """A turn without a message: raw text in, tokens out. Raises TurnError."""
        if self._model.facts is None:
            raise TurnError("No model is loaded. Open one first.")
        vocabulary = self._model.vocabulary()
        made = await self._prompts.run(lambda: raw_prompt(text, vocabulary, control=control))
        if not made.ids:
            raise TurnError("The text is empty, and this model has no token to begin with: write something first.")
        return self._alone(made, settings, made.ids)

    async def rerun(self, turn: Turn) -> Turn:
        """The same prompt with the same settings and seed. Raises TurnError."""
        facts = self._model.facts
        if facts is None:
            raise TurnError("No model is loaded. Open the one that made this turn.")
        made, settings = await self._asking.as_before(turn, facts)
        return self._alone(made, settings, made.ids, turn)

    def _alone(self, made: Made, settings: ChatSettings, ids: Sequence[int], like: Turn | None = None) -> Turn:
        """A turn that writes no message."""
        turn = Turn(new_id(), "", "", made.prepared.request, "waiting", created=time.time())
        turn.model = self._model.facts.path if self._model.facts else ""
        self._remember(turn)
        tokens = like.tokens[: like.raw_start] if like else ()

        def given_up() -> None:
            turn.state = "stopped"
            self._changed(turn, "state")

        self._start(turn, self._run_alone(turn, made, settings, ids, tokens), given_up)
        return turn

    # -- Ending them --------------------------------------------------------------------------------

    def running(self, conversation: str | None = None) -> Turn | None:
        """The turn that the engine works on, else the first that waits (of one conversation)."""
        found = [self._turns[turn] for turn in self._tasks if conversation in (None, self._turns[turn].conversation)]
        working = [turn for turn in found if turn.id in self._jobs]
        return next(iter(working or found), None)

    def all_running(self, conversation: str) -> list[Turn]:
        return [turn for name in self._tasks if (turn := self._turns[name]).conversation == conversation]

    def tasks(self) -> list[asyncio.Task[None]]:
        return list(self._tasks.values())

    def stop(self, turn: Turn) -> None:
        task = self._tasks.get(turn.id)
        if turn.id in self._jobs:
            self._model.cancel(self._jobs[turn.id])
        elif task is not None:
            task.cancel()

    async def stop_all(self, conversation: str | None = None, *, wait: bool = False) -> None:
        tasks = []
        for turn_id, task in list(self._tasks.items()):
            if conversation in (None, self._turns[turn_id].conversation):
                self.stop(self._turns[turn_id])
                tasks.append(task)
        if wait and tasks:
            await asyncio.gather(*tasks, return_exceptions=True)

    def answer_now(self, conversation: str) -> None:
        turn = self.running(conversation)
        if turn is not None and turn.id in self._jobs:
            self._model.answer_now(self._jobs[turn.id])

    async def turn(self, turn_id: str) -> Turn | None:
        """The live value, or the stored one."""
        found = self._turns.get(turn_id)
        if found is None:
            found = await self._asking.stored_turn(turn_id)
            if found is not None:
                self._remember(found)
        return found

    # -- What filled the cache ----------------------------------------------------------------------

    def refilled(self, conversation: str, side: Side) -> None:
        """Idle work brought a conversation's cache to this."""
        self._causes.refilled(conversation, side, self._loaded())

    async def explainer(self, turn: Turn, made: Made) -> Callable[[Plan], Plan]:
        """Names the breaks of a plan for a turn by what filled the cache before it."""
        if turn.conversation and not self._causes.knows(turn.conversation):
            await self._recall(turn.conversation)
        return self._causes.explainer(turn, self._loaded(), _reasoning_knob(made))

    @property
    def speed(self) -> float:
        """Prompt tokens a second, as measured; 0 where nothing was."""
        return self._causes.speed

    async def _recall(self, conversation: str) -> None:
        """The conversation's last turn, of an earlier run of the program."""
        found = None
        try:
            name = await self._store.read(lambda database: database.last_turn(conversation))
            found = await self._asking.stored_turn(name) if name else None
        except (StoreError, TurnFileError) as error:  # an explanation must never cost a reply
            log.warning("The conversation's last turn could not be read: %s", error)
        self._causes.recalled(conversation, found)

    def _loaded(self) -> Load:
        return Load(self._model.facts, self._model.settings)

    # -- One turn -----------------------------------------------------------------------------------

    async def _grow_node(
        self, conversation: str, parent: str | None, message: Message, turn: str | None = None
    ) -> Node:
        return await self._library.add(conversation, parent, message, status="growing", turn=turn)

    def _begin(self, conversation: str, order: Order) -> None:
        turn = Turn(new_id(), conversation, order.node.id, Request(), "waiting", created=time.time())
        node = replace(order.node, turn=turn.id)
        self._library.set_turn(conversation, node)
        self._remember(turn)
        order = replace(order, node=node)
        self._start(turn, self._perform(turn, order), lambda: self._end(turn, order, None, "stopped", ""))

    def _start(self, turn: Turn, work: Coroutine[Any, Any, None], given_up: Callable[[], None]) -> None:
        """`given_up` is called when the turn was stopped before the engine had it."""
        self.begun()
        self._library.hold(turn.conversation, busy=True)
        task = asyncio.ensure_future(work)
        self._tasks[turn.id] = task
        task.add_done_callback(lambda _: self._done(turn, given_up if task.cancelled() else None))
        self._changed(turn, "state")

    def _done(self, turn: Turn, given_up: Callable[[], None] | None) -> None:
        if given_up is not None:
            given_up()
        self._tasks.pop(turn.id, None)
        if not any(self._turns[other].conversation == turn.conversation for other in self._tasks):
            self._library.hold(turn.conversation, busy=False)
        node = self._library.node(turn.conversation, turn.message)
        if turn.id in self._ended and node is not None:
            self.finished(turn, node)
        self._ended.discard(turn.id)

    async def _perform(self, turn: Turn, order: Order) -> None:
        try:
            async with self._line:
                run, outcome = await self._make(turn, order)
        except Exception as error:
            self._end(turn, order, None, "failed", self._explain(error))
        else:
            self._settle(turn, order, run, outcome)

    async def _make(self, turn: Turn, order: Order) -> tuple[Run, Finished | Failed]:
        facts = await self._model.ready()
        if facts is None:
            raise TurnError(NO_MODEL)
        turn.state, turn.model = "rendering", facts.path
        self._changed(turn, "state")
        if order.base is not None:
            made, ids = await self._asking.again(turn, order.base, facts)
        else:
            made = await self._asking.make(turn, order.node, order.begin, order.continue_field, facts)
            ids = made.ids
        turn.idle_fed = self.idle_fed(turn.conversation)
        self._changed(turn, "prompt", "state")
        settings = self._asking.settings(turn.conversation, facts)
        run = Run(
            turn,
            lambda what: self._announce(TurnChanged(turn, what)),
            self._library.grow,
            continued=_said(order.begin),
            explain=await self.explainer(turn, made),
        )
        source = turn.template.source if turn.template else ""
        # What is written does not change any more, and to write it takes a while: the store's thread does it.
        self._store.post(lambda database: database.put_turn(turn_document(turn), source))
        return run, await self._generate(turn, made, ids, settings, run, order.tokens)

    async def _run_alone(
        self, turn: Turn, made: Made, settings: ChatSettings, ids: Sequence[int], tokens: Sequence[Token]
    ) -> None:
        try:
            async with self._line:
                self._asking.adopt(turn, made, settings)
                self._changed(turn, "prompt")
                run = Run(turn, lambda what: self._announce(TurnChanged(turn, what)))
                outcome = await self._generate(turn, made, ids, settings, run, tokens)
            turn.state = "stopped" if turn.finish_reason == "cancelled" else "done"
            if isinstance(outcome, Failed):
                turn.state, turn.error = "failed", outcome.message
        except Exception as error:
            turn.state, turn.error = "failed", self._explain(error)
        self._changed(turn, "state")

    async def _generate(
        self,
        turn: Turn,
        made: Made,
        ids: Sequence[int],
        settings: ChatSettings,
        run: Run,
        tokens: Sequence[Token],
    ) -> Finished | Failed:
        vocabulary = self._model.vocabulary()
        job = self._model.next_job()
        command = await self._prompts.run(lambda: command_for(job, turn, made, ids, settings, vocabulary))
        if tokens:
            command, told = await self._prompts.run(lambda: seeded(command, tokens))
            run.seed(told)
        self._jobs[turn.id] = job
        self._model.generate(command, run)
        try:
            return await run.ended
        finally:
            self._jobs.pop(turn.id, None)

    # -- The end of a turn --------------------------------------------------------------------------

    def _settle(self, turn: Turn, order: Order, run: Run, outcome: Finished | Failed) -> None:
        if isinstance(outcome, Failed):
            self._end(turn, order, run, "failed", outcome.message)
            return
        self._asking.held(turn)
        self._causes.filled(turn, self._loaded())
        self._end(turn, order, run, "stopped" if outcome.reason == "cancelled" else "whole", "")
        if outcome.reason == "context":
            self._announce(
                Problem(
                    "The context is full, so the reply ends here.",
                    "Load the model with a larger context, or leave out old turns, and choose Continue.",
                    "overflow",
                    turn.conversation,
                )
            )
        if outcome.reason != "cancelled":
            self._ended.add(turn.id)

    def _end(self, turn: Turn, order: Order, run: Run | None, status: Status, error: str) -> None:
        """Write the message and the turn as they are now, and say so."""
        turn.state = "failed" if status == "failed" else "stopped" if status == "stopped" else "done"
        turn.error = error
        message = order.node.message if run is None else run.message()
        written = None if run is None else self._written(turn, order)
        node = replace(order.node, message=message, status=status, note=error, turn=turn.id)
        self._library.put_later(turn.conversation, node, written)
        outcome = turn_outcome(turn)
        self._store.post(lambda database: database.finish_turn(turn.id, outcome()))
        self._changed(turn, "state", "reply")
        if error:
            action = "choose-model" if self._model.facts is None else ""
            self._announce(Problem(error, action=action, conversation=turn.conversation))  # type: ignore[arg-type]

    def _written(self, turn: Turn, order: Order) -> Written:
        before = order.written or Written()
        old = tuple(token for token in before.ids if not self._model_ends(token))
        return Written((*old, *(token.id for token in turn.tokens)), before.raw + turn.raw)

    def _model_ends(self, token: int) -> bool:
        return self._model.facts is not None and self._model.vocabulary().is_end(token)

    def _same_text(self, base: Turn, node: Node) -> bool:
        """Whether the message still is what that turn wrote, with the model that is loaded now."""
        facts: ModelFacts | None = self._model.facts
        return facts is not None and base.model == facts.path and base.content == node.message.text

    def _explain(self, error: Exception) -> str:
        if not isinstance(error, MessageError | TurnError) and not str(error):
            log.exception("a turn failed")
            return f"The turn failed ({type(error).__name__}). Try again; the log says more."
        return str(error)

    def _remember(self, turn: Turn) -> None:
        self._turns[turn.id] = turn
        spare = [name for name in self._turns if name not in self._tasks and name != turn.id]
        for name in spare[: max(0, len(self._turns) - TURNS_KEPT)]:
            del self._turns[name]

    def _changed(self, turn: Turn, *what: Aspect) -> None:
        self._announce(TurnChanged(turn, frozenset(what)))


def _reasoning_knob(made: Made) -> str:
    """How the template is told to keep the reasoning of earlier replies; empty where it cannot or need not be."""
    keep = made.prepared.template.history.keep or {}
    return ", ".join(f"{name} = {value}" for name, value in keep.items())


def _unfinished(message: Message | None) -> Literal["", "content", "reasoning_content"]:
    """The field of a message that the model writes on in."""
    if message is None:
        return ""
    return "reasoning_content" if message.reasoning_content and not message.text else "content"


def _said(message: Message | None) -> tuple[str, str]:
    return ("", "") if message is None else (message.text, message.reasoning_content or "")


def _alternative(token: Token, wanted: int, piece: bytes) -> Token:
    """The token as if the other one had been chosen."""
    found = next((one for one in token.alternatives if one.token == wanted), None)
    return replace(
        token,
        id=wanted,
        piece=piece,
        probability=found.probability if found else 0.0,
        rank=token.alternatives.index(found) if found else -1,
        forced=True,
        ends=False,
    )
