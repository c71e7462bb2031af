"""A call written as `call:name{key:value,...}` with bare keys and strings between a quote of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Literal

from cutaway.chat.formats.format import Calls, DictCall
from cutaway.chat.reading.arguments import check_keys
from cutaway.chat.reading.context import Context, Reading, closing_markers
from cutaway.chat.reading.names import read_name
from cutaway.chat.reading.source import BLANKS, MOST_BLANKS, MOST_HEAD, Source, scan_for, skip_blanks
from cutaway.chat.reading.value import ValueReader, python_number

_ENTRY = re.compile(r"[:=}\]]")
_KEY_END = re.compile(r"[:=]")
_WORDS = {"true": "true", "false": "false", "null": "null", "True": "true", "False": "false", "None": "null"}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_BODY_ENDS = ",}]"


@dataclass(slots=True)
class _Value:
    quote: str
    closers: tuple[str, ...]
    nest: list[Literal["{", "["]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    empty: bool = True
    """Nothing stands in the innermost container yet."""
    in_string: bool = False
    owes_value: bool = False


def read_dict_call(context: Context, calls: Calls) -> Reading:
    body = calls.body
    assert isinstance(body, DictCall)
    yield from context.take_blanks()
    if not (yield from _prefix(context, body)):
        return "no"
    found = yield from read_name(context, ("{", "(", *closing_markers(calls)), calls.id)
    if found is None:
        return "no"
    context.begin_call(found[0], found[1])
    start = context.record.at
    yield from context.take_blanks()
    for closer in closing_markers(calls):
        if (yield from context.starts_with(closer)):
            context.allows_here("no-arguments", "")
            context.record.arguments("", "{}")
            return "done"
    value = _Value(body.quote, closing_markers(calls))
    if context.source.at >= len(context.source.text):
        return "truncated"
    outcome = yield from _run(context, value)
    if outcome == "done":
        check_keys(context, context.tools[found[0]], value.keys, start)
    elif outcome == "broken":
        context.record.arguments("", _closing(value))
    return outcome


def _prefix(context: Context, body: DictCall) -> Generator[None, None, bool]:
    """`call:`; its word may be missing."""
    if (yield from context.take_marker(body.name_prefix)):
        return True
    if (yield from context.starts_with(":")):
        if not context.allows_here("other-spelling", body.name_prefix):
            return False
        context.take("markup", 1)
        return True
    return not context.bare and context.allows_here("other-spelling", body.name_prefix)


def _closing(value: _Value) -> str:
    end = '"' if value.in_string else "null" if value.owes_value else ""
    return end + "".join("}" if bracket == "{" else "]" for bracket in reversed(value.nest))


def _run(context: Context, value: _Value) -> Reading:
    source, record = context.source, context.record
    opener = source.text[source.at]
    if opener == "(" and not context.allows_here("other-spelling", "("):
        return "broken"
    _open(context, value, "{")
    while value.nest:
        yield from context.take_blanks()
        if source.at >= len(source.text):
            return "truncated"
        character = source.text[source.at]
        if character in "}])":
            if not _close(context, value, character):
                return "broken"
            continue
        if character == ",":
            context.take("markup", 1)
            continue
        if any(source.text.startswith(closer, source.at) for closer in value.closers):
            if not context.allows_here("missing-closer", ""):
                return "broken"
            record.arguments("", _closing(value))
            return "done"
        if not value.empty:
            record.arguments("", ",")
        outcome = yield from _entry(context, value)
        if outcome != "done":
            return outcome
    return "done"


def _open(context: Context, value: _Value, bracket: Literal["{", "["]) -> None:
    value.nest.append(bracket)
    value.empty, value.owes_value = True, False
    source = context.source
    raw = source.text[source.at]
    source.at += 1
    context.record.arguments(raw, bracket)


def _close(context: Context, value: _Value, character: str) -> bool:
    opened = value.nest[-1]
    fits = character == ("}" if opened == "{" else "]") or (character == ")" and len(value.nest) == 1)
    source = context.source
    if not fits:
        if not context.allows_here("stray-closer", character):
            return False
        context.take("markup", 1)
        return True
    value.nest.pop()
    value.empty = False
    source.at += 1
    context.record.arguments(character, "}" if opened == "{" else "]")
    return True


def _entry(context: Context, value: _Value) -> Reading:
    value.empty = False
    if value.nest[-1] == "{":
        key = yield from _key(context, value)
        if key is None:
            return "truncated" if context.source.ended and not context.source.rest() else "broken"
        if len(value.nest) == 1:
            value.keys.append(key)
    value.owes_value = True
    yield from context.take_blanks()
    source = context.source
    if source.at >= len(source.text):
        return "truncated"
    character = source.text[source.at]
    if character in "{[":
        _open(context, value, "{" if character == "{" else "[")
        return "done"
    outcome = yield from _leaf(context, value, character)
    if outcome == "done":
        value.owes_value = False
    return outcome


def _key(context: Context, value: _Value) -> Generator[None, None, str | None]:
    """`key:`, consumed; its JSON text is told."""
    source = context.source
    while True:
        match = _KEY_END.search(source.text, source.at, source.at + MOST_HEAD)
        if match is not None:
            break
        if source.ended or len(source.text) - source.at > MOST_HEAD:
            return None
        yield
    written = source.text[source.at : match.start()]
    key = written.strip().removeprefix(value.quote).removesuffix(value.quote).strip("\"'")
    if any(mark in written for mark in ("{", "}", "[", "]")) or not key:
        return None
    if match[0] == "=" and not context.allows_here("other-spelling", "="):
        return None
    raw = source.text[source.at : match.end()]
    source.at = match.end()
    context.record.arguments(raw, json.dumps(key, ensure_ascii=False) + ":")
    return key


def _leaf(context: Context, value: _Value, character: str) -> Reading:
    if (yield from context.starts_with(value.quote)):
        return (yield from _string(context, value))
    if character in "\"'":
        if not context.allows_here("other-quotes", character):
            return "broken"
        if (yield from _ends_in_own_quote(context, value, character)):
            context.take("markup", 1)
            return (yield from _bare(context, value))
        return (yield from _quoted(context))
    return (yield from _bare(context, value))


def _ends_in_own_quote(context: Context, value: _Value, character: str) -> Generator[None, None, bool]:
    """Whether the string that JSON's or Python's quote opens is closed by the format's."""
    source, scan = context.source, scan_for((value.quote, character))
    while True:
        found, end = scan.find(source, 1)
        if found is not None or source.ended or end - source.at > MOST_HEAD:
            return found is not None and found[0] == value.quote
        yield


def _quoted(context: Context) -> Reading:
    """A string in JSON's or Python's quotes."""
    reader = ValueReader(context.source, context.record.arguments, context.python_allows, _BODY_ENDS + ")")
    if (yield from reader.run()):
        return "done"
    if reader.truncated:
        return "truncated"
    context.record.arguments("", reader.closing())
    return "broken"


def _string(context: Context, value: _Value) -> Reading:
    """A quoted string. Its quote ends it only where a comma, a bracket or the call's end follows."""
    source, record, quote = context.source, context.record, value.quote
    source.at += len(quote)
    record.arguments(quote, '"')
    value.in_string = True
    scan = scan_for((quote, *("}" + closer for closer in value.closers)))
    while True:
        found, end = scan.find(source)
        _put(context, end)
        if found is None:
            if source.ended:
                return "truncated"
            yield
            continue
        if found[0] != quote:
            if (yield from context.followed(len(found[0]), ())) and context.allows_here("missing-closer", quote):
                record.arguments("", '"')
                value.in_string = False
                return "done"
            _put(context, source.at + len(found[0]))
            continue
        at = source.at
        fits = _fits_after(source, at + len(quote), value)
        if fits is None:
            yield
            continue
        source.at += len(quote)
        if fits:
            record.arguments(quote, '"')
            value.in_string = False
            return "done"
        if not context.allows_here("unescaped-quote", quote):
            return "broken"
        record.arguments(quote, '\\"')


def _put(context: Context, end: int) -> None:
    source = context.source
    raw = source.text[source.at : end]
    source.at = end
    context.record.arguments(raw, json.dumps(raw, ensure_ascii=False)[1:-1])


def _fits_after(source: Source, at: int, value: _Value) -> bool | None:
    start = skip_blanks(source.text, at)
    if start >= len(source.text):
        return True if source.ended else None
    if start - at > MOST_BLANKS:
        return True
    rest = source.text[start:]
    if rest[0] in _BODY_ENDS:
        return True
    if any(rest.startswith(closer) for closer in value.closers):
        return True
    if not source.ended and any(closer.startswith(rest) for closer in value.closers):
        return None
    return False


def _bare(context: Context, value: _Value) -> Reading:
    """A number, a word, or a string whose opening quote is missing."""
    source, record = context.source, context.record
    while True:
        at = _bare_end(source, value)
        if at is not None:
            break
        if source.ended:
            at = len(source.text)
            break
        if len(source.text) - source.at > 8 * MOST_HEAD:
            return "broken"
        yield
    raw = source.text[source.at : at]
    word = raw.strip(BLANKS)
    written = _WORDS.get(word) or (word if _NUMBER.fullmatch(word) else python_number(word))
    quoted = source.text.startswith(value.quote, at)
    if written is None or quoted:
        if source.ended and at >= len(source.text):
            return "truncated"
        if not context.allows_here("missing-opener", value.quote):
            return "broken"
        written = json.dumps(word, ensure_ascii=False)
    source.at = at
    record.arguments(raw, written)
    if quoted:
        source.at += len(value.quote)
        record.arguments(value.quote, "")
    return "done"


def _bare_end(source: Source, value: _Value) -> int | None:
    """Where the bare value ends: at a bracket, at its closing quote, or at a comma behind which a new entry begins.

    None: not known yet.
    """
    text, at = source.text, source.at
    quote_at = text.find(value.quote, at)
    ends = [found for mark in _BODY_ENDS if (found := text.find(mark, at)) >= 0]
    end = min(ends, default=-1)
    if quote_at >= 0 and (end < 0 or quote_at < end):
        return quote_at
    if end < 0 or text[end] != "," or value.nest[-1] == "[":
        return end if end >= 0 else None
    entry = _ENTRY.search(text, end + 1, end + 1 + MOST_HEAD)
    if 0 <= quote_at < (entry.start() if entry else end + MOST_HEAD):
        return quote_at
    if entry is None:
        return None if not source.ended and len(text) - end <= MOST_HEAD else end
    return entry.start() if entry[0] in "}]" else text.rfind(",", end, entry.start())
