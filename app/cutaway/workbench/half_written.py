"""Replies that were being written when the program was killed: what the store has of them is read again.

While a reply grows its text goes to the store, not what was read in it: a call that had begun is text only. Afterwards
it is a message like any that was stopped, and its turn shows the same blocks.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from cutaway.chat.message import Message, Request, ToolCall
from cutaway.chat.plain import RequestError
from cutaway.chat.reply import Event, Reply
from cutaway.chat.session import open_reader
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.sources import TemplateSource, TemplateSources
from cutaway.store.thread import StoreThread
from cutaway.workbench.asking import Asking
from cutaway.workbench.library import Library, MessageError
from cutaway.workbench.prompting import PromptDesk, Source
from cutaway.workbench.turn import Node, Turn
from cutaway.workbench.turn_file import turn_outcome
from cutaway.workbench.turn_read import TurnFileError

log = logging.getLogger(__name__)


class HalfWritten:
    def __init__(self, library: Library, store: StoreThread, asking: Asking, prompts: PromptDesk) -> None:
        self._library = library
        self._store = store
        self._asking = asking
        self._prompts = prompts

    async def mend(self) -> None:
        """Read each of them again; a turn that cannot be read stays as it is."""
        for name in await self._store.read(lambda database: database.unfinished_turns()):
            try:
                turn = await self._asking.stored_turn(name)
                if turn is not None:
                    await self._mend(turn)
            except (MessageError, RequestError, TemplateError, TurnFileError) as error:
                log.warning("A reply that was being written when the program ended is kept as text: %s", error)

    async def _mend(self, turn: Turn) -> None:
        await self._library.open(turn.conversation)
        node = self._library.node(turn.conversation, turn.message)
        written = self._library.written(turn.conversation, turn.message)
        if node is None or node.status != "stopped" or written is None or turn.template is None:
            return
        request = _whole(turn.request)
        reply, turn.events = await self._prompts.run(lambda: self._read(turn, request, written.raw))
        turn.raw, turn.reply, turn.state, turn.finish_reason = written.raw, reply, "stopped", "cancelled"
        turn.content, turn.reasoning = reply.content, reply.reasoning_content
        outcome = turn_outcome(turn)
        self._store.post(lambda database: database.finish_turn(turn.id, outcome()))
        if reply.calls and reply.content.startswith(_said(turn.request)):
            self._library.put_later(turn.conversation, _with_calls(node, reply))

    def _read(self, turn: Turn, request: Request, raw: str) -> tuple[Reply, list[Event]]:
        assert turn.template is not None
        info = turn.template
        source = Source(TemplateSources(TemplateSource(info.source, info.origin, info.variant)), None)
        reader = open_reader(self._prompts.make_now(request, source).prepared, profile="tolerant")
        events = [*reader.feed(raw), *reader.finish()]
        return reader.reply(), events


def _whole(request: Request) -> Request:
    """The request that the whole reply answers, where it was continued."""
    return replace(request, messages=request.messages[:-1], continue_final="") if request.continue_final else request


def _said(request: Request) -> str:
    """What the reply held before it was continued."""
    return request.messages[-1].text if request.continue_final else ""


def _with_calls(node: Node, reply: Reply) -> Node:
    calls = tuple(ToolCall(name=call.name, arguments=call.arguments, id=call.id) for call in reply.calls)
    message = Message("assistant", reply.content or None, reasoning_content=reply.reasoning_content or None)
    return replace(node, message=replace(message, tool_calls=calls))
