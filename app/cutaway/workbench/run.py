"""One job of the engine's, heard: its events make the turn grow, and what grew is handed on in small pieces."""

from __future__ import annotations

import asyncio
import codecs
from collections.abc import Callable, Sequence
from dataclasses import replace

from cutaway.chat.message import Message, ToolCall
from cutaway.chat.reply import CallArguments, CallStarted, ContentText, ReasoningText, Reply
from cutaway.chat.reply import Event as ReplyEvent
from cutaway.engine.event import Event, Failed, Finished, GrammarWoke, Planned, Prefilled, Sampled
from cutaway.engine.plan import Plan
from cutaway.store.record import Growth
from cutaway.workbench.change import Aspect
from cutaway.workbench.turn import Turn, Woke

GROW_SECONDS = 0.25
"""How long a reply's newest characters may be in memory only."""


class Run:
    """Hears a Generate's events for a turn, on the loop's thread."""

    def __init__(
        self,
        turn: Turn,
        changed: Callable[[frozenset[Aspect]], None],
        grow: Callable[[Growth], None] = lambda growth: None,
        *,
        continued: tuple[str, str] = ("", ""),
        explain: Callable[[Plan], Plan] = lambda plan: plan,
    ) -> None:
        """`continued` is the content and the reasoning that the message had before: the reader tells it first.

        `explain` names the breaks of the engine's plan.
        """
        self._explain = explain
        self._turn = turn
        self._changed = changed
        self._grow = grow
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._content: list[str] = []
        self._reasoning: list[str] = []
        self._raw: list[str] = []
        self._ids: list[int] = []
        self._known_content, self._known_reasoning = map(len, continued)
        self._calls: dict[int, tuple[str, str, list[str]]] = {}
        self._first = self._first_character = 0
        """What the turn had before this job's: tokens, and characters of output."""
        self.raw_stop = ""
        self.ended: asyncio.Future[Finished | Failed] = self._loop.create_future()

    def hear(self, events: list[Event]) -> None:
        what: set[Aspect] = set()
        sampled: list[Sampled] = []
        last: Finished | Failed | None = None
        for event in events:
            match event:
                case Sampled():
                    sampled.append(event)
                case GrammarWoke(_, token, character, trigger):
                    self._turn.woke = Woke(self._first + token, self._first_character + character, trigger)
                    what.add("reply")
                case Planned(_, plan):
                    self._turn.plan = self._explain(plan)
                    self._turn.state = "prefill"
                    what |= {"plan", "state"}
                case Prefilled(_, done):
                    self._turn.prefilled = done
                    what.add("prefill")
                case Finished() | Failed():
                    last = event
        if sampled:
            self._take(sampled)
            what |= {"tokens", "reply"}
            if self._turn.state != "decoding":
                self._turn.state = "decoding"
                what.add("state")
        if isinstance(last, Finished):
            self._finish(last)
            what |= {"tokens", "reply"}
        self._changed(frozenset(what))
        if last is not None and not self.ended.done():
            self.flush()
            self.ended.set_result(last)

    def seed(self, sampled: Sequence[Sampled]) -> None:
        """Tokens that were not sampled now but taken over from another turn: they come before the engine's."""
        self._take(sampled)
        self._first = self._turn.raw_start = len(self._turn.tokens)
        self._first_character = len(self._turn.raw)

    def message(self) -> Message:
        """The assistant message that the events so far make."""
        calls = tuple(
            ToolCall(name=name, arguments="".join(arguments), id=call_id)
            for _, (name, call_id, arguments) in sorted(self._calls.items())
        )
        content = self._turn.content
        return Message(
            "assistant",
            content if content or not calls else None,
            reasoning_content=self._turn.reasoning or None,
            tool_calls=calls,
        )

    def flush(self) -> None:
        """Hand on what grew since the last time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not (self._ids or self._content or self._reasoning or self._raw):
            return
        growth = Growth(
            self._turn.message,
            content="".join(self._content),
            reasoning="".join(self._reasoning),
            raw="".join(self._raw),
            ids=tuple(self._ids),
        )
        self._content, self._reasoning, self._raw, self._ids = [], [], [], []
        self._grow(growth)

    # -- Inside -------------------------------------------------------------------------------------

    def _take(self, sampled: Sequence[Sampled]) -> None:
        """Add tokens and what the reader made of them; text is joined once for all of them."""
        raw: list[str] = []
        told: list[object] = []
        for event in sampled:
            token = event.token if not self._first else replace(event.token, index=event.token.index + self._first)
            self._turn.tokens.append(token)
            self._ids.append(token.id)
            if not token.ends:
                raw.append(self._decoder.decode(token.piece))
            told += event.events
        self._add_raw("".join(raw))
        self._tell(told)
        if self._timer is None:
            self._timer = self._loop.call_later(GROW_SECONDS, self.flush)

    def _add_raw(self, text: str) -> None:
        if text:
            self._raw.append(text)
            self._turn.raw += text

    def _tell(self, told: Sequence[object]) -> None:
        content: list[str] = []
        reasoning: list[str] = []
        events: list[ReplyEvent] = []
        for event in told:
            match event:
                case Reply():
                    self._turn.reply = event
                    continue
                case ContentText(text):
                    content.append(text)
                case ReasoningText(text):
                    reasoning.append(text)
                case CallStarted(index, name, call_id):
                    self._calls[index] = (name, call_id, [])
                case CallArguments(index, text) if index in self._calls:
                    self._calls[index][2].append(text)
            events.append(event)  # type: ignore[arg-type]
        self._turn.events += events
        new = "".join(content)
        self._turn.content += new
        self._content.append(new[self._known_content :])
        self._known_content = max(0, self._known_content - len(new))
        new = "".join(reasoning)
        self._turn.reasoning += new
        self._reasoning.append(new[self._known_reasoning :])
        self._known_reasoning = max(0, self._known_reasoning - len(new))

    def _finish(self, event: Finished) -> None:
        self._add_raw(self._decoder.decode(b"", final=True))
        self._tell(event.events)
        self._turn.finish_reason = event.reason
        self._turn.timings = event.timings
        self._turn.seed = event.seed
        self.raw_stop = event.raw_stop
