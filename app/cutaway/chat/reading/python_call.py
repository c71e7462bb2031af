"""A call written as in Python: `name(key=value, ...)`."""

from __future__ import annotations

import json
import re
from collections.abc import Generator
from dataclasses import dataclass, field
from functools import partial

from cutaway.chat.reading.arguments import Arguments, check_keys, read_arguments
from cutaway.chat.reading.context import Context, Outcome, Reading
from cutaway.chat.reading.source import MOST_BLANKS, MOST_HEAD, skip_blanks
from cutaway.chat.reading.tokens import is_token
from cutaway.chat.reading.types import properties, types_of
from cutaway.chat.reading.value import ValueReader

_NAME = re.compile(r"[\w.$/:\-]*")
_KEY = re.compile(r"[\w$\-]*")
_NEXT_KEY = re.compile(r"[\w$\-]{1,64}\s{0,8}=[^=]")
_KEY_SO_FAR = re.compile(r"[\w$\-]{0,64}\s{0,8}=?\Z")


@dataclass(slots=True)
class _Call:
    name: str
    declared: list[str]
    start: int
    listed: bool
    """It stands in a list, so that only the list's end or another call follows it."""
    keys: list[str] = field(default_factory=list)


def read_python_call(context: Context, listed: bool) -> Reading:
    yield from context.take_blanks()
    name = yield from _word(context, _NAME)
    start = context.record.at
    if not name or not (yield from _goes_on_with(context, len(name), "(")):
        return "no"
    written, name = name, name if name in context.tools else name.removesuffix(".call")
    if not context.is_declared(name, start):
        return "no"
    context.take("call_name", len(name))
    context.take("markup", len(written) - len(name))
    yield from context.take_marker("(")
    call = _Call(name, list(properties(context.tools[name])), context.record.at, listed)
    context.begin_call(name)
    return (yield from _arguments(context, call))


def _word(context: Context, pattern: re.Pattern[str]) -> Generator[None, None, str]:
    """The word that comes next, not consumed; empty where there is none or it has no end."""
    source = context.source
    while True:
        match = pattern.match(source.text, source.at)
        assert match is not None
        if match.end() < len(source.text) or source.ended:
            return match[0]
        if len(match[0]) > MOST_HEAD:
            return ""
        yield


def _goes_on_with(context: Context, size: int, marker: str) -> Generator[None, None, bool]:
    """Whether the marker follows the next `size` characters and blanks; consumes nothing."""
    source = context.source
    while True:
        rest = source.text[source.at + size : source.at + size + MOST_HEAD].lstrip()
        if rest or source.ended:
            return rest.startswith(marker)
        if len(source.text) - source.at > MOST_HEAD:
            return False
        yield


def _arguments(context: Context, call: _Call) -> Reading:
    source = context.source
    while True:
        yield from context.take_blanks()
        if source.at >= len(source.text):
            return "truncated"
        if source.text[source.at] == ")":
            context.take("markup", 1)
            context.record.arguments("", "}" if call.keys else "{}")
            check_keys(context, context.tools[call.name], call.keys, call.start)
            return "done"
        if call.keys and not (yield from context.take_marker(",")):
            return _broken(context, call)
        yield from context.take_blanks()
        if source.at < len(source.text) and source.text[source.at] == ")":
            continue
        if not call.keys and (yield from context.starts_with("{")) and not _takes_object(context, call):
            return (yield from _as_json(context, call))
        start = context.record.at
        key = yield from _key(context, call)
        if key is None:
            return "truncated" if source.at >= len(source.text) else _broken(context, call)
        context.record.arguments("", ("{" if not call.keys else ", ") + json.dumps(key, ensure_ascii=False) + ": ")
        call.keys.append(key)
        ends_at = partial(_ends_argument, context, call) if context.record.at > start else None
        reader = ValueReader(context.source, context.record.arguments, context.python_allows, ",)", ends_at)
        if not (yield from reader.run()):
            if reader.truncated:
                return "truncated"
            context.record.arguments("", reader.closing())
            return _broken(context, call)


def _takes_object(context: Context, call: _Call) -> bool:
    """Whether the tool's first argument may be an object."""
    tool = context.tools[call.name]
    first: object = next(iter(properties(tool).values()), {})
    return "object" in types_of(first, tool.parameters)


def _as_json(context: Context, call: _Call) -> Reading:
    """All arguments as one object in the parentheses."""
    if not context.allows_here("other-body", "{"):
        return _broken(context, call)
    arguments = Arguments()
    outcome = yield from read_arguments(context, arguments)
    if outcome == "done":
        check_keys(context, context.tools[call.name], arguments.keys, call.start)
        yield from context.take_marker(")")
    return outcome


def _ends_argument(context: Context, call: _Call, at: int) -> bool | None:
    """Whether the string value before `at` can end there: templates write quotes in a string as they are."""
    text, ended = context.source.text, context.source.ended
    after = skip_blanks(text, at + 1)
    if text[at] not in ",)":
        return False
    if after >= len(text) or after - at > MOST_BLANKS:
        return ended or after - at > MOST_BLANKS or None
    if text[at] == ",":
        if text[after] in ")*" or _NEXT_KEY.match(text, after):
            return True
        return (ended or None) if _KEY_SO_FAR.match(text, after) else False
    if not call.listed:
        return text[after] not in "\"')"
    if text[after] == ",":
        return _begins_call(context, skip_blanks(text, after + 1))
    return text[after] in "];<" or is_token(text[after])


def _begins_call(context: Context, at: int) -> bool | None:
    """Whether a call of a declared tool begins there."""
    rest = context.source.text[at : at + MOST_HEAD]
    heads = [name + "(" for name in context.tools]
    if any(rest.startswith(head) for head in heads):
        return True
    return None if not context.source.ended and any(head.startswith(rest) for head in heads) else False


def _broken(context: Context, call: _Call) -> Outcome:
    context.record.arguments("", "}" if call.keys else "{}")
    return "broken"


def _key(context: Context, call: _Call) -> Generator[None, None, str | None]:
    """The argument's name; for one without, the next name that the tool declares."""
    word = yield from _word(context, _KEY)
    if word and (yield from _goes_on_with(context, len(word), "=")):
        context.take("markup", len(word))
        yield from context.take_marker("=")
        return word
    if context.source.at + len(word) >= len(context.source.text):
        return None
    left = [name for name in call.declared if name not in call.keys]
    if not left or not context.allows_here("positional-argument", left[0]):
        return None
    return left[0]
