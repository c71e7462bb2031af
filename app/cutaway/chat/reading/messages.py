"""A turn of messages, each with a header that says whom it is for: reasoning, the person, or a tool."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass

from cutaway.chat.formats.format import Calls, Format, Messages, NamedCall
from cutaway.chat.reading.arguments import Arguments, check_keys, read_arguments, read_text_argument
from cutaway.chat.reading.calls import CallReader
from cutaway.chat.reading.context import Context, Outcome, cores
from cutaway.chat.reading.roles import FENCE_CLOSE, FENCE_OPEN
from cutaway.chat.reading.source import MOST_HEAD, scan_for
from cutaway.chat.reading.turn import TurnOptions
from cutaway.chat.reading.types import only_text_argument

_RECIPIENT = re.compile(r"to=([^\s<\ud800-\udfff]+)")
_FIRST_WORD = re.compile(r"\s{0,8}([A-Za-z]{0,16})\s{0,8}(.*)\Z", re.DOTALL)
"""A header may begin with a role or a channel whose marker is missing."""
_WORD = re.compile(r"\s*([\w.\-]+)")


@dataclass(frozen=True, slots=True)
class _Route:
    kind: str
    """`reasoning`, `content`, `call`, or `unknown`."""
    tool: str = ""
    name: str = ""
    """What the header says: a channel or a recipient."""


class MessageReader:
    def __init__(self, context: Context, format: Format, calls: Calls | None, options: TurnOptions) -> None:
        assert format.messages is not None
        self._context = context
        self._format = format
        self._messages: Messages = format.messages
        self._options = options
        self._calls = calls
        self._call_reader = CallReader(context, calls, self._messages.ends) if calls else None
        self.reasoning_open = False
        self._border = scan_for((self._messages.body,))
        self._borders = (self._messages.start, *cores(*self._messages.ends, *format.ends))
        self._body_scan = scan_for(self._borders)

    def run(self) -> Generator[None, None, None]:
        start = self._options.start
        if start.in_body:
            route = self._route(start.header)
            if route.kind == "reasoning" and not self._options.separate:
                self._context.record.given("content", start.opener)
            yield from self._body(route)
        else:
            yield from self._message(start.header, first=True)
        while not self._over():
            yield from self._between()
        return

    def _over(self) -> bool:
        source = self._context.source
        return source.ended and source.at >= len(source.text)

    # -- headers ----------------------------------------------------------------------------------

    def _between(self) -> Generator[None, None, None]:
        """After a message: the start of the next one, or text that has no header."""
        context, messages = self._context, self._messages
        source = context.source
        if source.at >= len(source.text):
            if not source.ended:
                yield
            return
        yield from self._skip_blanks()
        for marker in (messages.start.strip(), *cores(*messages.ends, *self._format.ends)):
            if (yield from context.starts_with(marker)):
                context.take("markup", len(marker))
                if marker == messages.start.strip():
                    yield from self._message("", first=False)
                return
        yield from self._message("", first=False)

    def _skip_blanks(self) -> Generator[None, None, None]:
        if self._messages.header != "recipient":
            yield from self._context.take_blanks()

    def _message(self, given: str, first: bool) -> Generator[None, None, None]:
        """A header and what it heads; text that is no header is content."""
        context, record = self._context, self._context.record
        header = yield from self._header(given)
        if header is None:
            yield from self._body(_Route("content"))
            return
        route = self._route(given + header)
        record.begin_draft()
        context.call_start = record.at
        if route.kind in ("unknown", "call"):
            yield from self._call_message(header, route)
            return
        shown = route.kind == "reasoning" and not self._options.separate
        size = len(header) + len(self._messages.body)
        raw = context.source.text[context.source.at : context.source.at + size]
        context.source.at += size
        if shown:
            record.text("content", given + raw if given else raw)
        else:
            record.mark("markup", raw)
        record.keep_draft()
        yield from self._body(route)

    def _header(self, given: str) -> Generator[None, None, str | None]:
        """The header's text, not consumed; None as soon as the text can be none."""
        source, messages = self._context.source, self._messages
        while True:
            end = source.text.find(messages.body, source.at)
            safe = end if end >= 0 else self._border.safe_end(source.text, source.at)
            head = source.text[source.at : safe]
            if len(head) > MOST_HEAD or not self._may_be_header(given + head, end >= 0):
                return None
            if end >= 0:
                return head
            if source.ended:
                return None
            yield

    def _may_be_header(self, head: str, whole: bool) -> bool:
        messages = self._messages
        if messages.header == "line":
            names = (*messages.content, *messages.reasoning, *self._context.tools)
            return head in names if whole else any(name.startswith(head) for name in names)
        if any(end in head for end in cores(*messages.ends)):
            return False
        word = _FIRST_WORD.match(head)
        if word is None:
            return False
        begun = (word[1] + word[2], word[2])
        if not any(_begins(text, mark) for text in begun for mark in self._header_marks()):
            return False
        return not whole or any(mark in head for mark in self._header_marks()) or head.strip() in self._channels()

    def _channels(self) -> tuple[str, ...]:
        messages = self._messages
        return (*messages.reasoning, *messages.content, messages.call, "")

    def _header_marks(self) -> tuple[str, ...]:
        return ("to=", self._messages.channel) if self._messages.channel else ("to=",)

    def _route(self, header: str) -> _Route:
        messages = self._messages
        if messages.header == "line":
            return self._named(header)
        found = _RECIPIENT.search(header)
        recipient = found[1] if found else ""
        if messages.header == "recipient":
            return self._named(recipient) if recipient else _Route("content")
        channels = [match[1] for part in header.split(messages.channel)[1:] if (match := _WORD.match(part))]
        channel = channels[-1] if channels else header.strip()
        if recipient and recipient not in ("assistant", "user", "all"):
            return self._tool(recipient)
        if channel in messages.reasoning:
            return _Route("reasoning", name=channel)
        return _Route("content", name=channel)

    def _named(self, name: str) -> _Route:
        messages = self._messages
        if name in messages.reasoning:
            return _Route("reasoning", name=name)
        if name in messages.content:
            return _Route("content", name=name)
        return self._tool(name)

    def _tool(self, recipient: str) -> _Route:
        name = recipient.removeprefix(self._messages.tool_prefix)
        if self._calls is not None and name in self._context.tools:
            return _Route("call", name, recipient)
        return _Route("unknown", name, recipient)

    # -- bodies -----------------------------------------------------------------------------------

    def _call_message(self, header: str, route: _Route) -> Generator[None, None, None]:
        """A message to a tool, in a draft: a call, or content where the tool is not declared."""
        context, record, source = self._context, self._context.record, self._context.source
        if route.kind == "unknown":
            record.give_up_draft()
            start = record.at
            size = len(header) + len(self._messages.body)
            raw = source.text[source.at : source.at + size]
            source.at += size
            record.text("content", raw)
            context.leniency.notes("undeclared-tool", start, record.at, route.tool)
            yield from self._body(_Route("content"))
            return
        self._mark_header(header, route)
        inner = self._calls is not None and not isinstance(self._calls.body, NamedCall)
        if inner:
            yield from self._inner_call()
        else:
            yield from self._json_message(route.tool)

    def _mark_header(self, header: str, route: _Route) -> None:
        """Consumes the header: the tool's name in it, markup around it."""
        context = self._context
        at = header.rfind(route.name)
        start = at + len(route.name) - len(route.tool)
        context.take("markup", start)
        context.take("call_name", len(route.tool))
        context.take("markup", len(header) - start - len(route.tool) + len(self._messages.body))

    def _json_message(self, tool: str) -> Generator[None, None, None]:
        context, source = self._context, self._context.source
        start = context.record.at
        context.begin_call(tool)
        yield from context.take_blanks()
        outcome: Outcome
        keys: list[str] = []
        key = only_text_argument(context.tools[tool])
        if (yield from context.followed(0, self._borders)) and not source.ended:
            context.allows_here("no-arguments", "")
            context.record.arguments("", "{}")
            outcome = "done"
        elif source.at < len(source.text) and not (yield from self._is_json(key)):
            outcome = yield from read_text_argument(context, key, self._body_scan)
        else:
            arguments = Arguments()
            outcome = yield from read_arguments(context, arguments)
            keys = arguments.keys
        if outcome == "done":
            check_keys(context, context.tools[tool], keys, start)
        elif outcome == "truncated":
            context.leniency.notes("truncated-call", context.call_start, context.record.at)
        context.record.end_call(outcome == "done")
        yield from self._rest_of_call()

    def _is_json(self, key: str) -> Generator[None, None, bool]:
        """Whether the arguments begin as JSON does; a tool of one text takes whatever is no object as that text."""
        if key:
            return (yield from self._context.starts_with("{"))
        for begun in ("{", '"', "null", FENCE_CLOSE):
            if (yield from self._context.starts_with(begun)):
                return True
        return False

    def _rest_of_call(self) -> Generator[None, None, None]:
        """What follows the arguments in their message: its end, or text that does not belong there."""
        context, source = self._context, self._context.source
        yield from context.take_stray_braces(self._borders)
        yield from context.take_blanks()
        if source.at < len(source.text):
            yield from self._text("content", "unparsed")

    def _inner_call(self) -> Generator[None, None, None]:
        """A message to a tool whose body holds a call in tags."""
        assert self._call_reader is not None
        assert self._calls is not None
        context, record, source = self._context, self._context.record, self._context.source
        yield from context.take_blanks()
        opener = ""
        for marker in self._call_reader.openers():
            if (yield from context.starts_with(marker)):
                opener = marker
        outcome = yield from self._call_reader.read(opener, "call" if opener else "head")
        if outcome == "no":
            raw = record.give_up_draft()
            record.text("content", raw)
            context.note_unknown()
            yield from self._body(_Route("content"))
            return
        if source.at < len(source.text) or not source.ended:
            yield from self._inner_rest()

    def _inner_rest(self) -> Generator[None, None, None]:
        """Further calls of the same message, then its end."""
        assert self._call_reader is not None
        assert self._calls is not None
        context, record = self._context, self._context.record
        while True:
            yield from context.take_blanks()
            head = next(iter(cores(getattr(self._calls.body, "name_prefix", ""))), "")
            if not head or not (yield from context.starts_with(head)):
                break
            record.begin_draft()
            if (yield from self._call_reader.read(head, "head")) == "no":
                record.text("content", record.give_up_draft())
                context.note_unknown()
                break
        yield from self._rest_of_call()

    def _body(self, route: _Route) -> Generator[None, None, None]:
        self.reasoning_open = route.kind == "reasoning"
        if self._options.fenced and not self.reasoning_open and (yield from self._fence()):
            yield from self._fenced_text()
        kind = "reasoning" if self.reasoning_open and self._options.separate else "content"
        yield from self._text(kind, kind, shown_end=self.reasoning_open and not self._options.separate)
        self.reasoning_open = False

    def _fence(self) -> Generator[None, None, bool]:
        """Consumes the fence that opens here, if one does."""
        context = self._context
        for fence in (FENCE_OPEN, FENCE_CLOSE):
            if (yield from context.starts_with(fence)):
                context.take("markup", len(fence))
                yield from context.take_blanks()
                return True
        return False

    def _fenced_text(self) -> Generator[None, None, None]:
        """The text in a fence, and the fence's end where nothing but the message's own follows it."""
        context, source = self._context, self._context.source
        scan = scan_for((FENCE_CLOSE, *self._borders))
        while True:
            found, end = scan.find(source)
            self._tell("content", "content", end)
            if found is None and not source.ended:
                yield
            elif found is None or found[0] != FENCE_CLOSE:
                return
            elif (yield from context.followed(len(FENCE_CLOSE), self._borders)):
                context.take("markup", len(FENCE_CLOSE))
                yield from context.take_blanks()
                return
            else:
                self._tell("content", "content", source.at + len(FENCE_CLOSE))

    def _text(self, kind: str, span: str, shown_end: bool = False) -> Generator[None, None, None]:
        """The text of a message up to its end, or to the start of the next."""
        source, record = self._context.source, self._context.record
        scan, messages = self._body_scan, self._messages
        while True:
            found, end = scan.find(source)
            self._tell(kind, span, end)
            if found is None:
                if source.ended:
                    return
                yield
                continue
            if found[0] == messages.start:
                fits = yield from self._starts_message()
                if fits:
                    return
                self._tell(kind, span, source.at + len(messages.start))
                continue
            raw = source.text[source.at : source.at + len(found[0])]
            source.at += len(raw)
            if shown_end:
                record.text("content", raw)
            else:
                record.mark("markup", raw)
            return

    def _tell(self, kind: str, span: str, end: int) -> None:
        source = self._context.source
        raw = source.text[source.at : end]
        source.at = end
        self._context.record.text(
            "reasoning" if kind == "reasoning" else "content",
            raw,
            "unparsed" if span == "unparsed" else "reasoning" if kind == "reasoning" else "content",
        )

    def _starts_message(self) -> Generator[None, None, bool]:
        """Whether the start marker at hand begins a message; in a line format only before a known name."""
        if self._messages.header != "line":
            return True
        source, size = self._context.source, len(self._messages.start)
        while True:
            end = source.text.find(self._messages.body, source.at + size)
            safe = end if end >= 0 else self._border.safe_end(source.text, source.at + size)
            head = source.text[source.at + size : safe]
            if not self._may_be_header(head, end >= 0):
                return False
            if end >= 0:
                return True
            if source.ended:
                return False
            yield


def _begins(text: str, marker: str) -> bool:
    """Whether the text starts with the marker, or may come to."""
    return text.startswith(marker) or marker.startswith(text)
