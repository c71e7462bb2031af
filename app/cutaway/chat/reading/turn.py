"""A turn of regions: reasoning, answer and calls between their markers, in any order."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from cutaway.chat.formats.format import Calls, Format, Marker, Reasoning
from cutaway.chat.reading.calls import CallReader
from cutaway.chat.reading.context import Context, cores
from cutaway.chat.reading.roles import FENCE_CLOSE, Roles, answer_roles, blanks_before, reasoning_roles
from cutaway.chat.reading.source import BLANKS, skip_blanks
from cutaway.chat.reading.start import Start
from cutaway.chat.reading.tokens import is_token


@dataclass(frozen=True, slots=True)
class TurnOptions:
    start: Start
    separate: bool = True
    """Reasoning is told apart; otherwise it stays in the content, markers included."""
    fenced: bool = False
    """The answer is JSON by request, and a fence around it is framing."""


class TurnReader:
    def __init__(self, context: Context, format: Format, calls: Calls | None, options: TurnOptions) -> None:
        self._context = context
        self._format = format
        self._options = options
        self._calls = CallReader(context, calls, format.ends) if calls else None
        self.reasoning_open = options.start.prefill == "open" and format.reasoning is not None
        self._blanks = ""
        """Blanks consumed and not told yet: framing or text, as what follows decides."""
        self._framing = ""
        """Of the blanks at hand, those that the template writes here."""
        self._fresh = not options.start.continues
        """No text of the current region has come."""
        self._wrapped = options.start.wrapped
        self._fenced = False
        self._over = False
        self._unclosed = False
        """A call ended the reasoning: its closer may still come, and says nothing then."""
        self._rehearsals = True
        self._owed = options.start.opener if not options.separate else ""
        self._before = blanks_before(format, self._calls.framed_markers() if self._calls else ())
        answer = answer_roles(format, self._calls.roles() if self._calls else {}, options.fenced)
        self._answer = Roles(answer, self._before)
        self._reasoning = Roles(reasoning_roles(format, answer), self._before)

    # -- the regions ------------------------------------------------------------------------------

    def run(self) -> Generator[None, None, None]:
        reasoning, opener = self.reasoning_open, self._options.start.opener
        self._framing = self._options.start.framing
        if reasoning:
            written = self._format.reasoning.open.after if self._format.reasoning and opener else ""
            self._framing = "" if opener.endswith(tuple(BLANKS)) else written
        while True:
            leave = yield from self._region(reasoning)
            if leave == "end":
                self._finish(reasoning)
                return
            self.reasoning_open = reasoning = leave == "reasoning"

    def _region(self, reasoning: bool) -> Generator[None, None, str]:
        """Reads on until the kind of text changes; returns the new kind, or `end` at the end of the output."""
        source = self._context.source
        scan = (self._reasoning if reasoning else self._answer).scan
        while True:
            if self._fresh:
                yield from self._take_blanks()
                head = "" if reasoning or not self._calls else (yield from self._calls.named_head())
                if head:
                    yield from self._certain_call(head, "head", False)
                    continue
            found, end = scan.find(source)
            if found is None:
                self._say(end, reasoning)
                if source.ended:
                    return "end"
                yield
                continue
            change = yield from self._marker(found.start(), found[0], reasoning)
            if change:
                return change

    def _take_blanks(self) -> Generator[None, None, None]:
        """Consumes the blanks at the beginning of a region."""
        source = self._context.source
        pieces = [self._blanks]
        while True:
            end = skip_blanks(source.text, source.at)
            pieces.append(source.text[source.at : end])
            source.at = end
            if end < len(source.text) or source.ended:
                self._blanks = "".join(pieces)
                return
            yield

    # -- telling ----------------------------------------------------------------------------------

    def _say(self, end: int, reasoning: bool) -> None:
        """The text up to `end` is of the region's kind."""
        source = self._context.source
        if end > source.at:
            raw = source.text[source.at : end]
            source.at = end
            self._show(raw, reasoning)

    def _show(self, raw: str, reasoning: bool) -> None:
        if not raw:
            return
        record = self._context.record
        self._pay()
        framed = _common(self._blanks, self._framing)
        kept = self._blanks[framed:]
        if not self._options.separate and reasoning:
            record.text("content", self._blanks[:framed])
        else:
            record.mark("space", self._blanks[:framed])
        if self._over and not reasoning:
            self._context.leniency.notes("text-after-end", record.at, record.at)
            self._over = False
        record.text("reasoning" if reasoning and self._options.separate else "content", kept + raw)
        self._blanks = self._framing = ""
        self._fresh = False

    def _pay(self) -> None:
        """The prefilled opener, where reasoning stays in the content, comes before anything of it."""
        if self._owed:
            self._context.record.given("content", self._owed)
            self._owed = ""

    def _settle_blanks(self, reasoning: bool) -> None:
        """The blanks at hand turn out to be framing."""
        if self._blanks:
            if reasoning and not self._options.separate:
                self._context.record.text("content", self._blanks)
            else:
                self._context.record.mark("space", self._blanks)
        self._blanks = self._framing = ""

    def _mark(self, size: int, reasoning: bool) -> None:
        """Markup of the reasoning: text where reasoning stays in the content."""
        source = self._context.source
        raw = source.text[source.at : source.at + size]
        source.at += size
        if reasoning and not self._options.separate:
            self._context.record.text("content", raw)
        else:
            self._context.record.mark("markup", raw)

    def _open_region(self, framing: str) -> None:
        self._fresh, self._framing = True, framing

    def _up_to(self, at: int, marker: str, reasoning: bool) -> None:
        """Tells the text before a marker, the template's blanks in front of it left out."""
        source = self._context.source
        before = self._before.get(marker, "")
        framed = at
        for size in range(len(before), 0, -1):
            if at - size >= source.at and source.text.startswith(before[-size:], at - size):
                framed = at - size
                break
        self._say(framed, reasoning)
        if at > framed:
            self._blanks += source.text[framed:at]
            source.at = at

    # -- markers ----------------------------------------------------------------------------------

    def _marker(self, at: int, marker: str, reasoning: bool) -> Generator[None, None, str]:
        """Deals with the marker at hand; returns the kind of text that begins with it, or nothing."""
        role = (self._reasoning if reasoning else self._answer)[marker]
        fresh = self._fresh and at == self._context.source.at
        if role in ("call", "head"):
            return (yield from self._call(at, marker, role, reasoning, fresh))
        if role == "call close":
            return self._stray_closer(at, marker, fresh)
        if role == "reasoning open":
            return self._opener(at, marker, reasoning, fresh)
        if role == "reasoning close":
            return self._closer(at, marker, reasoning, fresh)
        if role == "last end":
            return (yield from self._last_end(at, marker, reasoning))
        if role == "fence" and (self._fenced or not fresh):
            return (yield from self._fence_close(at, marker))
        return self._border(at, marker, role, reasoning, fresh)

    def _text_marker(self, at: int, marker: str, reasoning: bool) -> str:
        """The marker is text after all."""
        self._say(at + len(marker), reasoning)
        return ""

    def _opener(self, at: int, marker: str, reasoning: bool, fresh: bool) -> str:
        if reasoning:
            if not fresh and not is_token(marker):
                return self._text_marker(at, marker, reasoning)
            return self._repeated_opener(at, marker)
        assert self._format.reasoning is not None
        closed = self._options.start.prefill in ("closed", "bare closer") and not self._format.reasoning.anywhere
        if not is_token(marker) and (closed or not (fresh or self._format.reasoning.anywhere)):
            return self._text_marker(at, marker, reasoning)
        self._up_to(at, marker, reasoning)
        self._settle_blanks(False)
        self._mark(len(marker), True)
        self._open_region(self._format.reasoning.open.after)
        return "reasoning"

    def _repeated_opener(self, at: int, marker: str) -> str:
        """The model writes the opener although the reasoning is open."""
        self._say(at, True)
        self._pay()
        self._settle_blanks(True)
        self._mark(len(marker), True)
        assert self._format.reasoning is not None
        self._open_region(self._format.reasoning.open.after)
        return ""

    def _closer(self, at: int, marker: str, reasoning: bool, fresh: bool) -> str:
        assert self._format.reasoning is not None
        counts = (
            is_token(marker)
            or self._unclosed
            or self._format.reasoning.anywhere
            or (fresh and self._context.record.is_empty)
        )
        if not reasoning and not counts:
            return self._text_marker(at, marker, reasoning)
        self._unclosed = False
        self._up_to(at, marker, reasoning)
        if reasoning:
            self._pay()
        self._settle_blanks(reasoning)
        if not reasoning:
            self._context.leniency.notes("stray-closer", self._context.record.at, self._context.record.at + len(marker))
        self._mark(len(marker), reasoning)
        self._open_region(self._format.reasoning.close.after if self._options.separate else "")
        return "content" if reasoning else ""

    def _last_end(self, at: int, marker: str, reasoning: bool) -> Generator[None, None, str]:
        """The vocabulary's EOS where the template writes another end: text unless nothing follows it."""
        self._up_to(at, marker, reasoning)
        if not (yield from self._context.followed(len(marker), cores(marker, *self._format.ends))):
            return self._text_marker(self._context.source.at, marker, reasoning)
        return self._border(self._context.source.at, marker, "end", reasoning, False)

    def _border(self, at: int, marker: str, role: str, reasoning: bool, fresh: bool) -> str:
        """The borders of the answer and of the turn, and fillers."""
        if role == "content open" and not reasoning and not fresh and not is_token(marker):
            return self._text_marker(at, marker, reasoning)
        if role == "content close" and not self._wrapped and not is_token(marker):
            return self._text_marker(at, marker, reasoning)
        self._up_to(at, marker, reasoning)
        self._owed = "" if role == "content open" else self._owed
        self._settle_blanks(reasoning)
        if role == "content open" and reasoning and not self._context.record.is_empty:
            self._context.leniency.notes("missing-closer", self._context.record.at, self._context.record.at)
        self._mark(len(marker), False)
        self._wrapped = marker if role == "content open" else "" if role == "content close" else self._wrapped
        self._fenced = self._fenced or role == "fence"
        self._over = role == "end"
        self._open_region(self._after(marker) if role != "fence" else "\n")
        return "content" if reasoning else ""

    def _after(self, text: str) -> str:
        wrappers = [marker for wrapper in self._format.content for marker in (wrapper.open, wrapper.close)]
        return next((marker.after for marker in wrappers if marker.text == text), "")

    def _fence_close(self, at: int, marker: str) -> Generator[None, None, str]:
        """A fence ends the answer only where nothing follows it."""
        if not self._fenced or marker != FENCE_CLOSE:
            return self._text_marker(at, marker, False)
        self._say(at, False)
        closers = cores(*self._format.ends, *(wrapper.close.text for wrapper in self._format.content))
        if not (yield from self._context.followed(len(marker), closers)):
            return self._text_marker(self._context.source.at, marker, False)
        self._settle_blanks(False)
        self._mark(len(marker), False)
        self._open_region("")
        return ""

    def _stray_closer(self, at: int, marker: str, fresh: bool) -> str:
        """A call's closer without its call: markup next to one or at the beginning, text in the answer."""
        fence = marker == FENCE_CLOSE and not self._context.calls_begun
        if not fresh or fence:
            return self._text_marker(at, marker, False)
        self._say(at, False)
        self._settle_blanks(False)
        if not self._context.allows_here("stray-closer", marker):
            return self._text_marker(self._context.source.at, marker, False)
        self._mark(len(marker), False)
        self._open_region("")
        return ""

    # -- calls ------------------------------------------------------------------------------------

    def _call(self, at: int, marker: str, role: str, reasoning: bool, fresh: bool) -> Generator[None, None, str]:
        assert self._calls is not None
        if role == "head" and not self._calls.head_counts(marker, fresh):
            return self._text_marker(at, marker, reasoning)
        if reasoning and not self._rehearsals:
            return self._text_marker(at, marker, reasoning)
        self._up_to(at, marker, reasoning)
        certain = is_token(marker) or not reasoning or (self._format.reasoning or _NO_REASONING).ended_by_call
        if certain:
            return (yield from self._certain_call(marker, role, reasoning))
        return (yield from self._rehearsed_call(marker, role))

    def _certain_call(self, marker: str, role: str, reasoning: bool) -> Generator[None, None, str]:
        assert self._calls is not None
        record = self._context.record
        blanks, framing = self._blanks, self._framing
        record.begin_draft()
        self._settle_blanks(reasoning)
        if (yield from self._calls.read(marker, role)) == "no":
            self._give_up(marker, blanks, framing, reasoning)
            return ""
        self._owed = ""
        if reasoning:
            self._unclosed = True
            self._context.leniency.notes("call-in-reasoning", self._context.call_start, record.at)
        self._open_region(self._calls.after)
        return "content" if reasoning else ""

    def _give_up(self, marker: str, blanks: str, framing: str, reasoning: bool) -> None:
        """It was no call: its opener is text, and what follows is read again, for a call may begin in it."""
        raw = self._context.record.give_up_draft()
        self._blanks, self._framing = blanks, framing
        begun = len(blanks) + len(marker)
        self._show(raw[len(blanks) : begun], reasoning)
        self._context.source.put_back(raw[begun:])
        self._context.note_unknown()

    def _rehearsed_call(self, marker: str, role: str) -> Generator[None, None, str]:
        """A call inside the reasoning counts when the end or another call follows it, and is a thought otherwise."""
        assert self._calls is not None
        context, record = self._context, self._context.record
        blanks, framing, begun = self._blanks, self._framing, context.calls_begun
        record.begin_draft()
        record.begin_draft()
        self._settle_blanks(True)
        outcome = yield from self._calls.read(marker, role)
        if outcome == "no":
            record.keep_draft()
            self._give_up(marker, blanks, framing, True)
            return ""
        markers = (*cores(*self._format.ends), *self._calls.openers())
        fits = outcome == "done" and (yield from context.followed(0, markers))
        if fits:
            context.leniency.notes("call-in-reasoning", context.call_start, record.at)
            record.keep_draft()
            self._owed = ""
            self._open_region(self._calls.after)
            return "content"
        context.calls_begun = begun
        raw = record.give_up_draft()
        self._blanks, self._framing = blanks, framing
        if context.source.ended and outcome != "done":
            self._rehearsals = False
            context.source.text = raw[len(blanks) :] + context.source.rest()
            context.source.at = 0
            return ""
        self._show(raw[len(blanks) :], True)
        return ""

    def _finish(self, reasoning: bool) -> None:
        """The output is over: what is held back is told."""
        record = self._context.record
        if self._blanks and record.is_empty and not record.at and not reasoning:
            record.text("content", self._blanks)
            self._blanks = ""
        self._settle_blanks(reasoning)


_NO_REASONING = Reasoning(Marker(), Marker())


def _common(left: str, right: str) -> int:
    size = 0
    while size < min(len(left), len(right)) and left[size] == right[size]:
        size += 1
    return size
