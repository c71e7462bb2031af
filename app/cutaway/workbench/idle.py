"""Idle work: after a reply the cache is brought to what the next turn must begin with.

The next turn is rendered as it would be with two different messages; what both renders share cannot change any more.
Where that only adds to what the cache holds it is fed at once. Where it gives up the reply's own tail (a template
that drops old reasoning), Regenerate and Continue would need the tail: it waits until they have become unlikely.
When the person types, the next turn is begun: the message is fed as far as it is surely over, always behind
whatever else the engine is asked for.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any

import psutil

from cutaway.chat.message import Message, Request
from cutaway.engine.command import Prefill
from cutaway.engine.event import Event, ModelFacts, PrefillEnded
from cutaway.engine.side import Side
from cutaway.workbench.asking import Asking
from cutaway.workbench.change import Change, IdleChanged
from cutaway.workbench.forecasting import shared_prefix
from cutaway.workbench.library import MessageError
from cutaway.workbench.model_desk import ModelDesk
from cutaway.workbench.prompting import Made, PromptDesk, Stable
from cutaway.workbench.read_ahead import Ahead, read_ahead
from cutaway.workbench.turn import Node, Turn

log = logging.getLogger(__name__)

KEPT = 32
"""Conversations for which it is known how much was fed."""
PATIENCE = 2.0
"""Seconds after a reply before its tail is given up."""


class IdleWork:
    def __init__(
        self, asking: Asking, model: ModelDesk, prompts: PromptDesk, announce: Callable[[Change], None]
    ) -> None:
        self._asking = asking
        self._model = model
        self._prompts = prompts
        self._announce = announce
        self._task: asyncio.Task[None] | None = None
        self._job = 0
        self._typed: tuple[str, list[int]] = ("", [])
        self._fed: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.allowed = True
        """False on battery and wherever the person wants none."""
        self.busy: Callable[[], bool] = lambda: False
        """Answers whether a turn is being made: idle work then waits."""
        self.refilled: Callable[[str, Side], None] = lambda conversation, side: None
        """Called with what the cache of a conversation holds after the work."""

    def after(self, turn: Turn, node: Node) -> None:
        """Begin, after a turn that ended by itself."""
        self.stop()
        self._fed.pop(turn.conversation, None)
        if self.allowed and not on_battery():
            self._begin(self._work(turn, node))

    async def typed(self, conversation: str, made: Made, marked: Callable[[], Awaitable[Made]]) -> None:
        """The person's next message as it is typed: what is surely part of it is fed, unless it is held already.

        `marked` answers the prompt with its marks.
        """
        if not self.allowed or on_battery():
            return
        held = self._model.holding.held_for(conversation)

        def look() -> tuple[Ahead | None, int]:
            ahead = read_ahead(made)
            return ahead, shared_prefix(held, ahead.stable.ids) if ahead else 0

        ahead, shared = await self._prompts.run(look)
        if ahead is None or shared == len(ahead.stable.ids) or self._typed == (conversation, ahead.stable.ids):
            return
        if self.busy():
            return
        self.stop()
        self._typed = (conversation, ahead.stable.ids)
        self._begin(self._read_along(conversation, ahead, made.prepared.request, shared, marked))

    def stop(self) -> None:
        """The person did something: what is not begun is dropped, what runs is abandoned with what it has."""
        self._typed = ("", [])
        if self._job:
            self._model.cancel(self._job)
        elif self._task is not None:
            self._task.cancel()
        self._task = None

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._task = asyncio.ensure_future(work)
        self._tasks.add(self._task)
        self._task.add_done_callback(self._tasks.discard)

    def fed_for(self, conversation: str) -> int:
        """How many tokens were fed for the next turn of a conversation so far."""
        return self._fed.get(conversation, 0)

    def taken(self, conversation: str) -> int:
        """How many tokens were fed for the turn that begins now."""
        return self._fed.pop(conversation, 0) + self._fed.pop("", 0)

    async def wait(self) -> None:
        """Until the work that is under way has ended."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _work(self, turn: Turn, node: Node) -> None:
        try:
            facts = self._model.facts
            if facts is None:
                return
            settings = self._asking.settings(turn.conversation, facts)
            if not settings.idle_prefill:
                return
            asked = await self._asking.request(turn.conversation, node.id, settings)
            source = await self._asking.source(settings, facts)
            own = self._asking.own(turn.conversation, asked)
            following = _following(node)
            marked = self._needs_marks
            stable = await self._prompts.stable_prefix(asked.request, source, own, following, marked=marked)
            if stable is None:
                return
            held = self._model.holding.held_for(turn.conversation)
            shared = shared_prefix(held, stable.ids)
            if shared == len(stable.ids) or len(stable.ids) > facts.context:
                return
            if shared < len(held):
                await asyncio.sleep(PATIENCE)
            await self._feed(turn.conversation, stable, asked.request, shared, facts)
        except asyncio.CancelledError:
            raise
        except MessageError:
            return  # It was deleted meanwhile.
        except Exception:
            log.exception("idle work failed")

    @property
    def _needs_marks(self) -> bool:
        traits = self._model.traits
        return traits is not None and traits.needs_checkpoints

    async def _read_along(
        self, conversation: str, ahead: Ahead, request: Request, shared: int, marked: Callable[[], Awaitable[Made]]
    ) -> None:
        try:
            facts, stable = self._model.facts, ahead.stable
            if facts is not None and len(stable.ids) <= facts.context:
                if self._needs_marks:
                    stable = replace(stable, marks=(await marked()).marks)
                await self._feed(conversation, stable, request, shared, facts, ahead.draft)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("reading along failed")

    async def _feed(
        self, conversation: str, stable: Stable, request: Request, shared: int, facts: ModelFacts, draft: int = 0
    ) -> None:
        """`draft`: tokens before the message that is being typed; 0 where none is."""
        ear = _Ear()
        job = self._job = self._model.next_job()
        self._announce(IdleChanged(conversation, shared, len(stable.ids), running=True))
        marks = (*stable.marks, draft) if draft else stable.marks
        self._model.prefill(Prefill(job, conversation, stable.ids, marks, keeps_tail=not draft), ear)
        ended = await ear.ended
        if self._job == job:
            self._job = 0
        self._fed[conversation] = self._fed.pop(conversation, 0) + ended.fed
        if len(self._fed) > KEPT:
            del self._fed[next(iter(self._fed))]
        self._announce(IdleChanged(conversation, ended.held, len(stable.ids), running=False))
        keys = {"model": facts.path, "template": stable.template}
        held = min(ended.held, len(stable.ids))
        coming = len(request.messages) - (1 if draft else 0)
        side = Side(stable.prompt, request, stable.ids[:held], stable.starts[:held], keys, draft=coming)
        self.refilled(conversation, side)


def on_battery() -> bool:
    """Whether the machine runs on its battery; False where that is not known."""
    try:
        battery = psutil.sensors_battery()
    except (AttributeError, OSError, RuntimeError):
        return False
    return battery is not None and battery.power_plugged is False


class _Ear:
    def __init__(self) -> None:
        self.ended: asyncio.Future[PrefillEnded] = asyncio.get_running_loop().create_future()

    def hear(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, PrefillEnded) and not self.ended.done():
                self.ended.set_result(event)


def _following(node: Node) -> Sequence[Sequence[Message]]:
    """Two ways the conversation may go on: different messages of the person, or different results of the calls."""
    if node.message.tool_calls:
        return [
            [Message("tool", text, tool_call_id=call.id, name=call.name) for call in node.message.tool_calls]
            for text in ("yes", "0 results")
        ]
    return [[Message("user", text)] for text in ("Yes.", "And then, what?")]
