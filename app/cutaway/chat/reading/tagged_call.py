"""A call whose arguments stand between tags: `<function=f>`, `<parameter=key>value</parameter>`."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from cutaway.chat.formats.format import CallId, Calls, TaggedCall
from cutaway.chat.message import Tool
from cutaway.chat.reading.arguments import Arguments, check_keys, read_arguments
from cutaway.chat.reading.context import Context, Outcome, Reading, cores
from cutaway.chat.reading.names import name_ends, read_name
from cutaway.chat.reading.source import Scan, scan_for
from cutaway.chat.reading.tagged_value import container_value, raw_value, typed_value
from cutaway.chat.reading.text_value import Ends, TextValue
from cutaway.chat.reading.types import is_open, properties, required, types_of

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
    outcome = _end(context, call) if call.closed else (yield from _arguments(context, call))
    if outcome == "done":
        check_keys(context, call.tool, call.keys, call.start)
    return outcome


def _head(context: Context, call: _Call) -> Generator[None, None, bool]:
    body, calls = call.body, call.calls
    if not (yield from context.take_marker(body.name_prefix)):
        other = _attribute(body.name_prefix)
        if not other or not (yield from context.take_marker(other)):
            return False
        context.pending.append("other-spelling")
        body = replace(body, name_suffix='">')
    ends = (*name_ends(body.name_suffix), _own_close(body), "\n", "{")
    found = yield from read_name(context, (*ends, *cores(body.key_prefix, body.close, calls.call_close.text)), calls.id)
    if found is None:
        return False
    name, id = found
    if not (yield from context.take_marker(body.name_suffix)):
        call.closed = yield from _closes_itself(context, body)
    if calls.id.place == "after_name":
        id = (yield from _id_after_name(context, calls.id)) or id
    call.tool = context.tools[name]
    call.schemas = properties(call.tool)
    call.start = context.record.at
    context.begin_call(name, id)
    return True


def _closes_itself(context: Context, body: TaggedCall) -> Generator[None, None, bool]:
    """Whether the call's opening tag is its closing one too: `<invoke name="f"/>`."""
    close = _own_close(body)
    return bool(close) and (yield from context.take_marker(close))


def _own_close(body: TaggedCall) -> str:
    suffix = body.name_suffix.strip()
    return suffix[:-1] + "/>" if suffix.endswith(">") else ""


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
    scan = scan_for(_argument_markers(call))
    if (yield from _json_comes(context, call)):
        return (yield from _json_arguments(context, call))
    while True:
        yield from context.take_blanks()
        found = yield from _next_marker(context, scan.markers)
        if found and found in (body.key_prefix.strip(), _attribute(body.key_prefix)):
            context.take("markup", len(found))
            outcome = yield from _argument(context, _spelled(context, call, found))
            if outcome != "done" or call.closed:
                return outcome
        elif found == body.close.strip() and found:
            context.take("markup", len(found))
            return _end(context, call)
        elif found or source.at >= len(source.text):
            return _end_without_closer(context, call, found)
        elif not (yield from _unparsed(context, scan)):
            return "broken"


def _argument_markers(call: _Call) -> tuple[str, ...]:
    """The texts between which a call's arguments stand."""
    body = call.body
    return (
        *cores(body.key_prefix, _attribute(body.key_prefix), body.close, call.calls.call_close.text),
        *call.after_call,
    )


def _attribute(prefix: str) -> str:
    """`<parameter=` as models write it that think of an attribute: `<parameter name="`."""
    return f'{prefix[:-1]} name="' if prefix.startswith("<") and prefix.endswith("=") else ""


def _spelled(context: Context, call: _Call, prefix: str) -> _Call:
    """The call, where the argument's key is written as an attribute."""
    if prefix == call.body.key_prefix.strip() or not context.allows_here("other-spelling", ""):
        return call
    suffix = '">' + _blanks_at_end(call.body.key_suffix)
    return replace(call, body=replace(call.body, key_prefix=prefix, key_suffix=suffix))


def _json_comes(context: Context, call: _Call) -> Generator[None, None, bool]:
    yield from context.take_blanks()
    return (yield from context.starts_with("{")) and context.allows_here("other-body", "{")


def _json_arguments(context: Context, call: _Call) -> Reading:
    """All arguments as one JSON object where tags should stand."""
    arguments = Arguments()
    outcome = yield from read_arguments(context, arguments)
    call.keys = arguments.keys
    if outcome == "done":
        yield from context.take_marker(call.body.close)
    return outcome


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
    key_start = context.record.at
    key = yield from _key(context, call)
    if key is None:
        return "truncated" if context.source.ended and not context.source.rest() else "broken"
    if not key:
        return "done"
    if key not in call.schemas and not is_open(call.tool) and context.leniency.strict:
        context.leniency.allows("unknown-argument", key_start, context.record.at, key)
        return "broken"
    written_type = yield from _written_type(context, body)
    yield from _open_value(context, body)
    context.record.arguments("", ("{" if not call.keys else ", ") + json.dumps(key, ensure_ascii=False) + ": ")
    call.keys.append(key)
    return (yield from _value(context, call, key, written_type))


def _key(context: Context, call: _Call) -> Generator[None, None, str | None]:
    """The argument's name and what ends it, consumed. None where neither comes; empty where text stands in its place."""
    body = call.body
    found = yield from context.until(cores(body.key_suffix, body.value_prefix))
    if found is None or not found[1]:
        if found is not None:
            context.take("markup", len(found[0]))
        return None
    key = found[0].strip()
    if key not in call.schemas and ("<" in key or "\n" in key or key.endswith("=")):
        return (yield from _misspelled_key(context, call, found[0]))
    context.take("markup", len(found[0]))
    if body.key_suffix.strip():
        yield from context.take_marker(body.key_suffix)
    return key


def _misspelled_key(context: Context, call: _Call, written: str) -> Generator[None, None, str]:
    """A declared name whose tag is not closed as it should be; anything else is text that fits nowhere."""
    begun = [key for key in call.schemas if re.match(re.escape(key) + r"[\s:=]", written)]
    if not begun or not context.allows_here("other-spelling", written):
        yield from _unparsed(context, scan_for(_argument_markers(call)))
        return ""
    key: str = max(begun, key=len)
    rest = re.match(r"[:=]*[ \t]?", written[len(key) :])
    context.take("markup", len(key) + (rest.end() if rest else 0))
    if not written[len(key) :].strip("=: "):
        yield from context.take_marker(call.body.key_suffix)
    return key


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
        yield from raw_value(context, value)
    elif types <= {"array", "object"}:
        yield from container_value(context, value, types)
    else:
        yield from typed_value(context, value, types)
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
        next_arguments=_next_arguments(call, call.schemas),
        given=_next_arguments(call, call.keys),
    )


def _next_arguments(call: _Call, keys: Iterable[str]) -> tuple[str, ...]:
    body = call.body
    if not body.key_prefix.strip() or not body.key_suffix.strip():
        return ()
    return tuple(f"\n{body.key_prefix.strip()}{key}{body.key_suffix.strip()}" for key in keys)


def _cdata(context: Context, call: _Call) -> Reading:
    context.take("markup", len(CDATA_OPEN))
    close = call.body.value_suffix.strip()
    value = TextValue(context, Ends(CDATA_CLOSE, "", (close,), (), ()))
    yield from raw_value(context, value)
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
