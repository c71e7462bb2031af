"""A call whose arguments stand between tags: `<function=f>`, `<parameter=key>value</parameter>`."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any

from cutaway.chat.formats.format import CallId, Calls, TaggedCall
from cutaway.chat.message import Tool
from cutaway.chat.reading.arguments import check_keys
from cutaway.chat.reading.context import Context, Outcome, Reading, cores
from cutaway.chat.reading.names import name_ends, read_name
from cutaway.chat.reading.source import BLANKS, Scan, scan_for
from cutaway.chat.reading.text_value import Ends, TextValue
from cutaway.chat.reading.types import is_open, may_be_typed, properties, read_untyped, required, types_of
from cutaway.chat.reading.value import ValueReader

_RUN = re.compile(r"\s+|\S+")
CDATA_OPEN, CDATA_CLOSE = "<![CDATA[", "]]>"


@dataclass(slots=True)
class _Call:
    calls: Calls
    body: TaggedCall
    after_call: tuple[str, ...]
    """What may follow the whole call."""
    tool: Tool = field(default_factory=lambda: Tool(""))
    schemas: Any = None
    keys: list[str] = field(default_factory=list)
    start: int = 0
    closed: bool = False


def read_tagged_call(context: Context, calls: Calls, after_call: tuple[str, ...]) -> Reading:
    """`after_call` are texts that may follow a call: the section's closer, another call, the turn's end."""
    body = calls.body
    assert isinstance(body, TaggedCall)
    call = _Call(calls, body, after_call)
    begun = yield from _head(context, call)
    if not begun:
        return "no"
    outcome = yield from _arguments(context, call)
    if outcome == "done":
        check_keys(context, call.tool, call.keys, call.start)
    return outcome


def _head(context: Context, call: _Call) -> Generator[None, None, bool]:
    body, calls = call.body, call.calls
    if not (yield from context.take_marker(body.name_prefix)):
        return False
    ends = name_ends(body.name_suffix)
    found = yield from read_name(context, (*ends, *cores(body.key_prefix, body.close, calls.call_close.text)), calls.id)
    if found is None:
        return False
    name, id = found
    if not (yield from context.take_marker(body.name_suffix)) and not call.body.name_suffix.strip():
        return False
    if calls.id.place == "after_name":
        id = (yield from _id_after_name(context, calls.id)) or id
    call.tool = context.tools[name]
    call.schemas = properties(call.tool)
    call.start = context.record.at
    context.begin_call(name, id)
    return True


def _id_after_name(context: Context, rule: CallId) -> Generator[None, None, str]:
    """The id in the call's opening tag, and the rest of that tag."""
    id = ""
    if (yield from context.take_marker(rule.prefix)):
        found = yield from context.until(cores(rule.suffix))
        if found is None:
            return ""
        id = context.take("call_id", len(found[0]))
    else:
        tail = rule.suffix.strip().lstrip("\"'")
        found = yield from context.until((tail,))
        if found is None:
            return ""
        context.take("markup", len(found[0]))
        yield from context.take_marker(tail)
        return ""
    yield from context.take_marker(rule.suffix)
    return id.strip()


def _arguments(context: Context, call: _Call) -> Reading:
    body, source = call.body, context.source
    ends = cores(body.close, call.calls.call_close.text)
    others = tuple(marker for marker in call.after_call if marker not in ends)
    scan = scan_for((*cores(body.key_prefix), *ends, *others))
    while True:
        yield from context.take_blanks()
        found = yield from _next_marker(context, scan.markers)
        if found == body.key_prefix.strip():
            context.take("markup", len(found))
            outcome = yield from _argument(context, call)
            if outcome != "done" or call.closed:
                return outcome
        elif found == body.close.strip() and found:
            context.take("markup", len(found))
            return _end(context, call)
        elif found or source.at >= len(source.text):
            return _end_without_closer(context, call, found)
        elif not (yield from _unparsed(context, scan)):
            return "broken"


def _next_marker(context: Context, markers: tuple[str, ...]) -> Generator[None, None, str]:
    """The marker that comes next; empty where none does."""
    source = context.source
    while True:
        rest = source.text[source.at : source.at + max(map(len, markers))]
        found = next((marker for marker in markers if rest.startswith(marker)), "")
        longer = any(len(marker) > len(rest) and marker.startswith(rest) for marker in markers)
        if source.ended or not longer or (found and not rest):
            return found
        yield


def _unparsed(context: Context, scan: Scan) -> Generator[None, None, bool]:
    """Text between arguments that is none: shown as content, up to the next marker."""
    source, record = context.source, context.record
    if not context.allows_here("unparsed-text", ""):
        return False
    while True:
        found, end = scan.find(source)
        raw = source.text[source.at : end]
        source.at = end
        record.text("content", raw, "unparsed")
        if found or source.ended:
            return True
        yield


def _end(context: Context, call: _Call) -> Outcome:
    context.record.arguments("", "}" if call.keys else "{}")
    call.closed = True
    return "done"


def _end_without_closer(context: Context, call: _Call, found: str) -> Outcome:
    """The call's own closer is missing, or it has none."""
    cut = not found and bool(cores(call.body.close, call.calls.call_close.text))
    if cut and any(key not in call.keys for key in required(call.tool)):
        context.record.arguments("", "}" if call.keys else "{}")
        call.closed = True
        return "truncated"
    own = call.body.close.strip() or (cut and call.calls.call_close.text)
    if own and not context.allows_here("missing-closer", ""):
        context.record.arguments("", "}" if call.keys else "{}")
        return "broken"
    return _end(context, call)


# -- one argument --------------------------------------------------------------------------------


def _argument(context: Context, call: _Call) -> Reading:
    body = call.body
    key_end = cores(body.key_suffix) or cores(body.value_prefix)
    found = yield from context.until(key_end)
    if found is None or not found[1]:
        ended = context.source.ended and context.source.at + len(context.source.rest()) == len(context.source.text)
        return "truncated" if ended else "broken"
    key = found[0].strip()
    key_start = context.record.at
    context.take("markup", len(found[0]))
    if body.key_suffix.strip():
        yield from context.take_marker(body.key_suffix)
    if key not in call.schemas and not is_open(call.tool) and context.leniency.strict:
        context.leniency.allows("unknown-argument", key_start, context.record.at, key)
        return "broken"
    written_type = yield from _written_type(context, body)
    yield from _open_value(context, body)
    context.record.arguments("", ("{" if not call.keys else ", ") + json.dumps(key, ensure_ascii=False) + ": ")
    call.keys.append(key)
    return (yield from _value(context, call, key, written_type))


def _written_type(context: Context, body: TaggedCall) -> Generator[None, None, str]:
    """The type that the model wrote beside the key; empty where it wrote none."""
    if body.type is None:
        return ""
    if (yield from context.take_marker(body.type.prefix)):
        found = yield from context.until(cores(body.type.suffix))
        if found is None:
            return ""
        text = context.take("markup", len(found[0])).strip()
        yield from context.take_marker(body.type.suffix)
        return text
    tail = body.type.suffix.strip().lstrip("\"'")
    found = yield from context.until((tail,))
    if found is not None:
        context.take("markup", len(found[0]))
        yield from context.take_marker(tail)
    return ""


def _open_value(context: Context, body: TaggedCall) -> Generator[None, None, None]:
    """Consumes what the template writes between key and value: a tag, blanks."""
    if body.value_prefix.strip():
        yield from context.take_marker(body.value_prefix)
    framing = _blanks_at_end(body.value_prefix or (body.type.suffix if body.type else body.key_suffix))
    for blank in framing:
        if not (yield from context.starts_with(blank)):
            return
        context.take("space", 1)


def _blanks_at_end(marker: str) -> str:
    return marker[len(marker.rstrip()) :]


def _blanks_at_start(marker: str) -> str:
    return marker[: len(marker) - len(marker.lstrip())]


def _value(context: Context, call: _Call, key: str, written_type: str) -> Reading:
    body = call.body
    types = types_of(call.schemas[key], call.tool.parameters) if key in call.schemas else types_of({}, {})
    if body.type is not None and written_type:
        types = frozenset({"string"}) if written_type == body.type.text else types - {"string"} or types
        if written_type in ("true", "string") and written_type != body.type.text:
            types = frozenset({"string"})
    if body.cdata and (yield from context.starts_with(CDATA_OPEN)):
        return (yield from _cdata(context, call))
    value = TextValue(context, _ends(call))
    if types == {"string"}:
        yield from _raw(context, value)
    elif types <= {"array", "object"}:
        yield from _container(context, value, types)
    else:
        yield from _typed(context, value, types)
    return _after_value(context, call, value)


def _ends(call: _Call) -> Ends:
    body = call.body
    closers = cores(body.close, call.calls.call_close.text)
    return Ends(
        close=body.value_suffix.strip(),
        blanks_before=_blanks_at_start(body.value_suffix),
        follows=(*cores(body.key_prefix), *closers, *call.after_call),
        chain=closers,
        after_chain=call.after_call,
    )


def _raw(context: Context, value: TextValue) -> Generator[None, None, None]:
    record = context.record
    record.arguments("", '"')
    yield from value.read(lambda raw: record.arguments(raw, json.dumps(raw, ensure_ascii=False)[1:-1]))
    if not value.truncated:
        record.arguments("", '"')


MOST_SCALAR = 400
"""A number or a word is not longer than this: a longer text that began like one is a string."""


class _Typed:
    """A value that may be no string: held until its type is known, then told as it comes."""

    def __init__(self, context: Context, types: frozenset[str]) -> None:
        self._record = context.record
        self._types = types
        self._pieces: list[str] = []
        self._head = ""
        self.is_text = False

    @property
    def held(self) -> str:
        return "".join(self._pieces)

    def put(self, raw: str) -> None:
        if self.is_text:
            self._record.arguments(raw, json.dumps(raw, ensure_ascii=False)[1:-1])
            return
        self._record.mark("call_args", raw)
        self._pieces.append(raw)
        if len(self._head) < MOST_SCALAR:
            self._head += raw[: MOST_SCALAR - len(self._head)]
            self._decide()

    def _decide(self) -> None:
        whole = len(self._head) < MOST_SCALAR or self._head.lstrip(BLANKS)[:1] in ("{", "[", "(", '"')
        if not whole or not may_be_typed(self._head, self._types):
            self.is_text = "string" in self._types
        if self.is_text:
            self._record.arguments("", json.dumps(self.held, ensure_ascii=False)[:-1])


def _typed(context: Context, value: TextValue, types: frozenset[str]) -> Generator[None, None, None]:
    record, start = context.record, context.record.at
    typed = _Typed(context, types)
    yield from value.read(typed.put)
    if value.truncated:
        return
    if typed.is_text:
        record.arguments("", '"')
        return
    written, code = read_untyped(typed.held, types)
    if code:
        context.leniency.allows(code, start, record.at)
    record.arguments("", written)


def _container(context: Context, value: TextValue, types: frozenset[str]) -> Generator[None, None, None]:
    """An object or array: told as it comes. What does not fit behind it is shown as content."""
    yield from context.take_blanks()
    source, record, start = context.source, context.record, context.record.at
    if source.at < len(source.text) and source.text[source.at] not in "{[":
        yield from _typed(context, value, types)
        return
    reader = ValueReader(source, record.arguments, context.allows_here)
    fitted = yield from reader.run()
    if not fitted:
        if reader.truncated:
            value.truncated = True
            return
        record.arguments("", reader.closing())
        context.leniency.allows("wrong-type", start, record.at)
    yield from value.read(lambda raw: _misfit(context, raw))


def _misfit(context: Context, raw: str) -> None:
    for run in _RUN.findall(raw):
        if run.strip():
            context.record.text("content", run, "unparsed")
        else:
            context.record.mark("space", run)


def _cdata(context: Context, call: _Call) -> Reading:
    context.take("markup", len(CDATA_OPEN))
    close = call.body.value_suffix.strip()
    value = TextValue(context, Ends(CDATA_CLOSE, "", (close,), (), ()))
    yield from _raw(context, value)
    if not value.truncated:
        yield from context.take_marker(close)
    return _after_value(context, call, value)


def _after_value(context: Context, call: _Call, value: TextValue) -> Outcome:
    if value.truncated:
        return "truncated"
    if value.missing_closer and not context.allows_here("missing-closer", call.body.value_suffix.strip()):
        context.record.arguments("", "}")
        return "broken"
    return "done"
