"""A call that is one JSON object: name, arguments and perhaps an id under keys, in any order."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import dataclass, field

from cutaway.chat.formats.format import Calls, JsonCall
from cutaway.chat.reading.arguments import Arguments, check_keys, read_arguments
from cutaway.chat.reading.context import Context, Outcome, Reading, closing_markers
from cutaway.chat.reading.source import MOST_HEAD
from cutaway.chat.reading.types import properties
from cutaway.chat.reading.value import ValueReader
from cutaway.chat.reply import SpanKind

NAME_KEYS = ("name", "tool_name", "function_name", "tool")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "params", "input", "tool_input", "argument", "parameter")
WRAPPER_KEYS = ("function", "function_call", "tool_call")
ID_KEYS = ("id", "tool_call_id", "call_id")


@dataclass(slots=True)
class _Call:
    body: JsonCall
    id_comes_later: bool
    name: str = ""
    id: str = ""
    begun: bool = False
    depth: int = 0
    arguments: Arguments = field(default_factory=lambda: Arguments(live=False))
    arguments_start: int = 0
    flat: list[str] = field(default_factory=list)
    """Arguments that stood beside the name, and have been told."""


def read_json_call(context: Context, calls: Calls) -> Reading:
    body = calls.body
    assert isinstance(body, JsonCall)
    call = _Call(body, _id_comes_after_arguments(body))
    yield from context.take_blanks()
    if not (yield from context.starts_with("{")):
        return "no"
    context.take("markup", 1)
    if (yield from context.starts_with("{")):
        context.pending.append("doubled-brace")
        context.take("markup", 1)
    call.depth = 1
    if body.name_is_key:
        outcome = yield from _named_by_key(context, call, closing_markers(calls))
    else:
        outcome = yield from _members(context, call, closing_markers(calls))
    return _finish(context, call, outcome)


def _id_comes_after_arguments(body: JsonCall) -> bool:
    order = body.order
    last = body.wrapper_key or body.arguments_key
    return body.id_key in order and last in order and order.index(body.id_key) > order.index(last)


def _named_by_key(context: Context, call: _Call, closers: tuple[str, ...]) -> Reading:
    """`{"get_weather": {...}}`."""
    yield from context.take_blanks()
    start = context.record.at
    name = yield from _text(context, "call_name")
    if name is None or not context.is_declared(name, start):
        return "no"
    if not (yield from context.take_marker(":")):
        return "no"
    call.name = name
    _begin(context, call)
    outcome = yield from _arguments(context, call)
    if outcome != "done":
        return outcome
    if (yield from context.take_marker("}")):
        return "done"
    return (yield from _missing_brace(context, closers))


def _members(context: Context, call: _Call, closers: tuple[str, ...]) -> Reading:
    first = True
    while True:
        yield from context.take_blanks()
        source = context.source
        if source.at >= len(source.text):
            if call.name and call.arguments.seen:
                return (yield from _missing_brace(context, closers))
            return "truncated" if call.name else "no"
        character = source.text[source.at]
        if character == "}":
            context.take("markup", 1)
            call.depth -= 1
            if not call.depth:
                return "done"
            continue
        if character == "," and not first:
            context.take("markup", 1)
            yield from context.take_blanks()
            if source.at < len(source.text) and source.text[source.at] == "}":
                if not context.leniency.allows("trailing-comma", context.record.at, context.record.at + 1):
                    return _failed(call)
                continue
        elif not first and (call.begun or (call.name and call.arguments.seen)):
            return (yield from _missing_brace(context, closers))
        outcome = yield from _member(context, call)
        if outcome != "done":
            return outcome
        first = False


def _failed(call: _Call) -> Outcome:
    return "broken" if call.begun else "no"


def _missing_brace(context: Context, closers: tuple[str, ...]) -> Reading:
    """The object does not end where a call's closer stands: what came is whole all the same."""
    source = context.source
    closed = False
    for closer in (*closers, "]"):
        closed = closed or (yield from context.starts_with(closer))
    ended = source.at >= len(source.text)
    if (ended or closed) and context.leniency.allows("missing-closer", context.record.at, context.record.at, "}"):
        return "done"
    return "truncated" if ended else "broken"


def _member(context: Context, call: _Call) -> Reading:
    start = context.record.at
    key = yield from _text(context, "markup")
    if key is None or not (yield from context.take_marker(":")):
        return _cut_or_failed(context, call)
    body = call.body
    if key == body.wrapper_key or key in WRAPPER_KEYS:
        return (yield from _wrapper(context, call, key))
    if key == body.name_key or (key in NAME_KEYS and not call.name):
        if key != body.name_key and not context.leniency.allows("other-key", start, context.record.at, key):
            return _failed(call)
        return (yield from _name(context, call))
    if key == body.arguments_key or (key in ARGUMENT_KEYS and not call.arguments.seen and not call.flat):
        if key != body.arguments_key and not context.leniency.allows("other-key", start, context.record.at, key):
            return _failed(call)
        return (yield from _arguments(context, call))
    if key == body.id_key or (key in ID_KEYS and not call.id):
        return (yield from _id(context, call, key, start))
    if not call.name and not call.arguments.seen and key in context.tools:
        return (yield from _name_as_key(context, call, key, start))
    return (yield from _other(context, call, key, start))


def _name_as_key(context: Context, call: _Call, key: str, start: int) -> Reading:
    if not context.leniency.allows("other-key", start, context.record.at, key) or not context.is_declared(key, start):
        return "no"
    call.name = key
    _begin(context, call)
    return (yield from _arguments(context, call))


def _cut_or_failed(context: Context, call: _Call) -> Outcome:
    if call.name and context.source.at >= len(context.source.text):
        return "truncated"
    return _failed(call)


def _wrapper(context: Context, call: _Call, key: str) -> Reading:
    yield from context.take_blanks()
    if (yield from context.starts_with("{")):
        context.take("markup", 1)
        call.depth += 1
        return (yield from _member_of_wrapper(context, call))
    if call.name or not context.leniency.allows("other-key", context.record.at, context.record.at, key):
        return _failed(call)
    return (yield from _name(context, call))


def _member_of_wrapper(context: Context, call: _Call) -> Reading:
    yield from context.take_blanks()
    if (yield from context.starts_with("}")):
        return "done"
    return (yield from _member(context, call))


def _name(context: Context, call: _Call) -> Reading:
    yield from context.take_blanks()
    start = context.record.at
    name = yield from _text(context, "call_name")
    if name is None:
        return _failed(call)
    if call.name:
        return "done"
    plain = name.strip().removeprefix("functions.")
    if name not in context.tools and plain in context.tools:
        context.pending.append("other-spelling")
        name = plain
    if not context.is_declared(name, start):
        return "no"
    call.name = name
    if not call.id_comes_later or call.id:
        _begin(context, call)
    return "done"


def _begin(context: Context, call: _Call) -> None:
    context.begin_call(call.name, call.id)
    call.begun = True
    call.arguments.release(context)


def _arguments(context: Context, call: _Call) -> Reading:
    call.arguments_start = context.record.at
    outcome = yield from read_arguments(context, call.arguments)
    known = call.begun or (call.name and outcome == "truncated")
    return outcome if outcome == "done" or known else "no"


def _id(context: Context, call: _Call, key: str, start: int) -> Reading:
    yield from context.take_blanks()
    if key != call.body.id_key and not context.leniency.allows("extra-key", start, context.record.at, key):
        return _failed(call)
    if (yield from context.starts_with('"')):
        text = yield from _text(context, "call_id")
    else:
        text = yield from _number(context)
    if text is None:
        return _failed(call)
    if not call.begun:
        call.id = text
        if call.name and call.id_comes_later:
            _begin(context, call)
    return "done"


def _number(context: Context) -> Generator[None, None, str | None]:
    found = yield from context.until((",", "}", "\n", " "))
    if found is None or not found[1] or not found[0].isdigit():
        return None
    context.take("call_id", len(found[0]))
    return found[0]


def _other(context: Context, call: _Call, key: str, start: int) -> Reading:
    """A key that says nothing about the call: `type`, or one that the model made up."""
    constant = any(key == name for name, _ in call.body.constants) or key == "type"
    if call.begun and not call.arguments.seen and key in properties(context.tools[call.name]):
        return (yield from _flat_argument(context, call, key, start))
    if not constant:
        if context.bare and not call.begun:
            return "no"
        if not context.leniency.allows("extra-key", start, context.record.at, key):
            return _failed(call)
    record = context.record
    reader = ValueReader(
        context.source,
        lambda raw, written: record.mark("markup", raw),
        context.allows_here,
        ",}",
    )
    fitted = yield from reader.run()
    return "done" if fitted else _cut_or_failed(context, call)


def _flat_argument(context: Context, call: _Call, key: str, start: int) -> Reading:
    """An argument beside the name, where a key for all of them should stand."""
    if not context.leniency.allows("flat-arguments", start, context.record.at, key):
        return "broken"
    before = ("{" if not call.flat else ", ") + json.dumps(key, ensure_ascii=False) + ": "
    context.record.arguments("", before)
    call.flat.append(key)
    reader = ValueReader(context.source, context.record.arguments, context.allows_here, ",}")
    if (yield from reader.run()):
        return "done"
    if not reader.truncated:
        context.record.arguments("", reader.closing())
    return _cut_or_failed(context, call)


def _text(context: Context, kind: SpanKind) -> Generator[None, None, str | None]:
    """A short JSON string, consumed; quotes around it are markup. None where there is none."""
    yield from context.take_blanks()
    source = context.source
    if source.at >= len(source.text) or source.text[source.at] not in "\"'":
        return None
    quote = source.text[source.at]
    found = yield from _short_string(context, quote)
    if found is None or (quote == "'" and not context.allows_here("other-quotes", found)):
        return None
    context.take("markup", 1)
    context.take(kind, len(found))
    context.take("markup", 1)
    return _unescaped(found)


def _short_string(context: Context, quote: str) -> Generator[None, None, str | None]:
    """The text between the quotes at hand, not consumed; None where it is too long or the output ends."""
    source, size = context.source, 1
    while True:
        text = source.text
        while source.at + size < len(text):
            character = text[source.at + size]
            if character == quote:
                return text[source.at + 1 : source.at + size]
            size += 2 if character == "\\" else 1
        if size > MOST_HEAD or source.ended:
            return None
        yield


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def _finish(context: Context, call: _Call, outcome: Outcome) -> Outcome:
    if outcome == "no" and call.begun:
        outcome = "broken"
    if not call.begun:
        if outcome == "no" or not call.name:
            return "no"
        _begin(context, call)
    if call.flat and not call.arguments.seen:
        if outcome != "truncated":
            context.record.arguments("", "}")
        call.arguments.keys = call.flat
    elif outcome == "done" and not call.arguments.seen:
        if not context.leniency.allows("no-arguments", context.call_start, context.record.at):
            outcome = "broken"
        context.record.arguments("", "{}")
    if outcome == "done":
        check_keys(context, context.tools[call.name], call.arguments.keys, call.arguments_start)
    return outcome
