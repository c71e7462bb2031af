"""What has been read so far: spans that cover the text, blocks in order, events since the last look.

A draft holds back what is said about text whose meaning is not decided yet (a call's head). It is kept or
given up as a whole; text that was given up is said to be something else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from cutaway.chat.reply import (
    Block,
    CallArguments,
    CallBlock,
    CallEnded,
    CallStarted,
    ContentBlock,
    ContentText,
    Event,
    ReasoningBlock,
    ReasoningText,
    Repair,
    Reply,
    ReplySpan,
    SpanKind,
)

TextKind: TypeAlias = Literal["reasoning", "content"]


@dataclass(slots=True)
class _OpenBlock:
    kind: Literal["reasoning", "content", "call"]
    start: int
    end: int
    pieces: list[str] = field(default_factory=list)
    name: str = ""
    id: str = ""
    ended: bool = False
    complete: bool = False


@dataclass(slots=True)
class _Told:
    """An event in the making: text that follows text of the same kind joins it."""

    kind: type[Event]
    index: int
    pieces: list[str]
    name: str
    id: str


@dataclass(slots=True)
class _Draft:
    steps: list[Callable[[], None]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """The consumed text as the reader sees it, so that it can be read anew."""
    start: int = 0


class Record:
    """Everything that was said about the text consumed so far. Offsets are characters of the output."""

    def __init__(self, expand: Callable[[str], str] = str) -> None:
        self._expand = expand
        self._told: list[_Told] = []
        self.at = 0
        """Characters of the output consumed, drafts included."""
        self._spans: list[tuple[int, int, SpanKind]] = []
        self._blocks: list[_OpenBlock] = []
        self._repairs: list[Repair] = []
        self._texts: list[str] = []
        self._drafts: list[_Draft] = []
        self._calls = 0
        self._call: _OpenBlock | None = None

    # -- saying what text was ---------------------------------------------------------------------

    def text(self, kind: TextKind, raw: str, span: SpanKind | None = None) -> None:
        """Consumed text that the person reads, as it is."""
        if raw:
            shown = self._expand(raw)
            start = self._consume(raw, shown)
            self._do(lambda: self._show(kind, span or kind, shown, start))

    def mark(self, kind: SpanKind, raw: str) -> None:
        """Consumed text that is shown nowhere: markup, framing, a name."""
        if raw:
            shown = self._expand(raw)
            start = self._consume(raw, shown)
            self._do(lambda: self._cover(kind, start, start + len(shown)))

    def arguments(self, raw: str, written: str) -> None:
        """Consumed text of the current call's arguments and the JSON text that it comes to."""
        if raw:
            shown = self._expand(raw)
            start = self._consume(raw, shown)
            self._do(lambda: self._argue(start, start + len(shown), written))
        elif written:
            self._do(lambda: self._argue(self._covered, self._covered, written))

    def given(self, kind: TextKind, text: str) -> None:
        """Text that the person reads and the output does not hold: continued from the prompt."""
        if text:
            self._do(lambda: self._show_text(kind, text, self._covered, self._covered))

    def start_call(self, name: str, id: str, start: int) -> None:
        """`start` is the offset of the call's first marker."""
        self._do(lambda: self._start_call(name, id, start))

    def end_call(self, complete: bool = True) -> None:
        self._do(lambda: self._end_call(complete))

    def repair(self, code: str, message: str, start: int, end: int) -> None:
        entry = Repair(code, message, start, end)
        self._do(lambda: self._repairs.append(entry))

    def refusal(self, code: str, message: str, start: int, end: int) -> None:
        """A leniency that was not used. It is said even where the text in question is given up."""
        self._repairs.append(Repair(code, message, start, end))

    # -- drafts -----------------------------------------------------------------------------------

    def begin_draft(self) -> None:
        self._drafts.append(_Draft(start=self.at))

    def keep_draft(self) -> None:
        """What was said stands."""
        draft = self._drafts.pop()
        if self._drafts:
            self._drafts[-1].steps.extend(draft.steps)
            self._drafts[-1].texts.extend(draft.texts)
            return
        for step in draft.steps:
            step()

    def give_up_draft(self) -> str:
        """What was said is forgotten; returns the text, which then has not been consumed."""
        draft = self._drafts.pop()
        self.at = draft.start
        return "".join(draft.texts)

    @property
    def drafting(self) -> bool:
        return bool(self._drafts)

    # -- the result -------------------------------------------------------------------------------

    def take_events(self) -> tuple[Event, ...]:
        told, self._told = self._told, []
        return tuple(map(_as_event, told))

    def reply(self, text: str) -> Reply:
        """The reply as of now; `text` is the output so far, undecided tail included."""
        spans = [ReplySpan(start, end, kind) for start, end, kind in self._spans]
        if self._covered < len(text):
            spans.append(ReplySpan(self._covered, len(text), "unparsed"))
        return Reply(text, tuple(map(_closed, self._blocks)), tuple(spans), tuple(self._repairs))

    @property
    def is_empty(self) -> bool:
        return not self._blocks

    @property
    def in_call(self) -> bool:
        return self._call is not None and not self._call.ended

    # -- the steps --------------------------------------------------------------------------------

    @property
    def _covered(self) -> int:
        return self._spans[-1][1] if self._spans else 0

    def _consume(self, raw: str, shown: str) -> int:
        start = self.at
        self.at += len(shown)
        if self._drafts:
            self._drafts[-1].texts.append(raw)
        return start

    def _do(self, step: Callable[[], None]) -> None:
        if self._drafts:
            self._drafts[-1].steps.append(step)
        else:
            step()

    def _cover(self, kind: SpanKind, start: int, end: int) -> None:
        last = self._spans[-1] if self._spans else None
        if last is not None and last[2] == kind and kind not in ("call_name", "call_id"):
            self._spans[-1] = (last[0], end, kind)
        else:
            self._spans.append((start, end, kind))

    def _show(self, kind: TextKind, span: SpanKind, text: str, start: int) -> None:
        self._cover(span, start, start + len(text))
        self._show_text(kind, text, start, start + len(text))

    def _show_text(self, kind: TextKind, text: str, start: int, end: int) -> None:
        block = self._blocks[-1] if self._blocks else None
        if block is None or block.kind != kind:
            block = _OpenBlock(kind, start, end)
            self._blocks.append(block)
        block.pieces.append(text)
        block.end = end
        self._tell(ReasoningText if kind == "reasoning" else ContentText, text)

    def _start_call(self, name: str, id: str, start: int) -> None:
        self._call = _OpenBlock("call", start, self._covered, name=name, id=id)
        self._blocks.append(self._call)
        self._calls += 1
        self._tell(CallStarted, name=name, id=id)

    def _argue(self, start: int, end: int, written: str) -> None:
        if end > start:
            self._cover("call_args", start, end)
        block = self._call
        if block is None:
            raise AssertionError("arguments were told before their call")
        block.end = end
        if written:
            block.pieces.append(written)
            self._tell(CallArguments, written)

    def _end_call(self, complete: bool) -> None:
        block = self._call
        if block is None:
            raise AssertionError("a call ended before it began")
        block.ended, block.complete, block.end = True, complete, self._covered
        self._tell(CallEnded)

    def _tell(self, kind: type[Event], text: str = "", name: str = "", id: str = "") -> None:
        last = self._told[-1] if self._told else None
        if text and last is not None and last.kind is kind:
            last.pieces.append(text)
        else:
            self._told.append(_Told(kind, self._calls - 1, [text], name, id))


def _as_event(told: _Told) -> Event:
    if told.kind is CallStarted:
        return CallStarted(told.index, told.name, told.id)
    if told.kind is CallEnded:
        return CallEnded(told.index)
    text = "".join(told.pieces)
    if told.kind is CallArguments:
        return CallArguments(told.index, text)
    return ReasoningText(text) if told.kind is ReasoningText else ContentText(text)


def _closed(block: _OpenBlock) -> Block:
    text = "".join(block.pieces)
    if block.kind == "reasoning":
        return ReasoningBlock(text, block.start, block.end)
    if block.kind == "content":
        return ContentBlock(text, block.start, block.end)
    return CallBlock(block.name, text, block.id, block.start, block.end, block.complete)
