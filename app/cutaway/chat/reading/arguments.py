"""The arguments of a call as one JSON value: streamed, and made an object where the model wrote something else."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial

from cutaway.chat.message import Tool
from cutaway.chat.reading.context import Context, Reading
from cutaway.chat.reading.source import BLANKS, Scan
from cutaway.chat.reading.types import is_open, properties, read_untyped, required
from cutaway.chat.reading.value import ValueReader

FENCE = "```"


@dataclass(slots=True)
class Arguments:
    """A call's arguments while they are read."""

    live: bool = True
    """They are told as they come; otherwise the call has not begun and their JSON text is kept."""
    seen: bool = False
    written: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def put(self, context: Context, raw: str, written: str) -> None:
        if self.live:
            context.record.arguments(raw, written)
        else:
            context.record.mark("call_args", raw)
            self.written.append(written)

    def release(self, context: Context) -> None:
        """The call has begun: what was kept is told."""
        self.live = True
        if self.written:
            context.record.arguments("", "".join(self.written))


def read_arguments(context: Context, into: Arguments) -> Reading:
    """Reads the JSON value at hand as a call's arguments."""
    into.seen = True
    yield from context.take_blanks()
    if (yield from context.starts_with(FENCE)):
        return (yield from _fenced(context, into))
    source = context.source
    if source.at >= len(source.text):
        return "truncated"
    if source.text[source.at] != "{":
        return (yield from _no_object(context, into))
    record, start = context.record, context.record.at
    reader = ValueReader(source, partial(into.put, context), context.allows_here)
    fitted = yield from reader.run()
    into.keys = reader.depth_one_keys
    if fitted:
        return "done"
    if reader.truncated:
        return "truncated"
    if record.at > start:
        into.put(context, "", reader.closing())
    return "broken"


def _fenced(context: Context, into: Arguments) -> Reading:
    """Arguments in a code fence: a model that was taught another family's way."""
    if not context.allows_here("fenced-call", FENCE):
        return "broken"
    context.take("markup", len(FENCE))
    yield from context.take_marker("json")
    yield from context.take_blanks()
    if (yield from context.starts_with(FENCE)):
        return "broken"
    outcome = yield from read_arguments(context, into)
    if outcome == "done" and not (yield from context.take_marker(FENCE)):
        context.leniency.notes("missing-closer", context.record.at, context.record.at, FENCE)
    return outcome


def read_text_argument(context: Context, key: str, scan: Scan) -> Reading:
    """Arguments that are no JSON: the text up to one of the scan's markers, under the key of the tool's only argument."""
    record, source = context.record, context.source
    start = record.at
    before, after = ("{" + json.dumps(key, ensure_ascii=False) + ': "', '"}') if key else ('"', '"')
    record.arguments("", before)
    while True:
        found, end = scan.find(source)
        raw = source.text[source.at : end]
        source.at = end
        record.arguments(raw, json.dumps(raw, ensure_ascii=False)[1:-1])
        if found or source.ended:
            record.arguments("", after)
            context.leniency.allows("arguments-not-an-object", start, record.at)
            return "done"
        yield


def check_keys(context: Context, tool: Tool, keys: list[str], start: int) -> None:
    """Notes arguments that are unknown, repeated or missing."""
    declared = properties(tool)
    end = context.record.at
    for key in dict.fromkeys(keys):
        if key not in declared and not is_open(tool):
            context.leniency.notes("unknown-argument", start, end, key)
        if keys.count(key) > 1:
            context.leniency.notes("repeated-argument", start, end, key)
    for key in required(tool):
        if key not in keys:
            context.leniency.notes("missing-argument", start, end, key)


def _no_object(context: Context, into: Arguments) -> Reading:
    """Arguments that are null, a string of JSON, or some other value."""
    record, start = context.record, context.record.at
    pieces: list[str] = []

    def out(raw: str, written: str) -> None:
        pieces.append(written)
        record.mark("call_args", raw)

    reader = ValueReader(context.source, out, context.allows_here, ",}")
    if not (yield from reader.run()):
        return "truncated" if reader.truncated else "broken"
    written, code = _as_object("".join(pieces).strip(BLANKS))
    if not context.leniency.allows(code, start, record.at):
        return "broken"
    into.keys = _keys(written)
    into.put(context, "", written)
    return "done"


def _keys(value: str) -> list[str]:
    """The keys of a JSON object's text; none for any other value."""
    try:
        loaded = json.loads(value)
    except (ValueError, RecursionError):
        return []
    return list(loaded) if isinstance(loaded, dict) else []


def _as_object(value: str) -> tuple[str, str]:
    """The JSON text to take for arguments that are no object, and the leniency."""
    if value == "null":
        return "{}", "no-arguments"
    if value.startswith('"'):
        inner = str(json.loads(value))
        if not inner.strip():
            return "{}", "no-arguments"
        read, _ = read_untyped(inner, frozenset({"object", "string"}))
        if read.startswith("{"):
            return read, "arguments-as-string"
    return value, "arguments-not-an-object"
