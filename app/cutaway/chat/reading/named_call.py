"""A call that is a name, then its arguments as one JSON object."""

from __future__ import annotations

from collections.abc import Generator

from cutaway.chat.formats.format import Calls, NamedCall
from cutaway.chat.reading.arguments import Arguments, check_keys, read_arguments
from cutaway.chat.reading.context import Context, Reading, closing_markers, cores
from cutaway.chat.reading.names import name_ends, read_name


def read_named_call(context: Context, calls: Calls) -> Reading:
    body, rule = calls.body, calls.id
    assert isinstance(body, NamedCall)
    id = ""
    if rule.place == "before_name":
        id = yield from _id(context, calls, cores(rule.suffix, body.name_prefix))
    if not (yield from _prefix(context, body)):
        return "no"
    if not body.name_prefix and (yield from context.take_marker("function" + body.name_suffix.strip())):
        context.pending.append("other-spelling")
        body = FENCED
    ends = (*name_ends(body.name_suffix), *cores(rule.prefix if rule.place == "after_name" else ""), "{")
    found = yield from read_name(context, (*ends, *closing_markers(calls)), rule)
    if found is None:
        return "no"
    name, in_name = found
    id = in_name or id
    if rule.place == "after_name" and (yield from context.take_marker(rule.prefix)):
        id = yield from _id(context, calls, cores(rule.suffix, body.name_suffix, "{"))
    if not (yield from _suffix(context, body)):
        return "no"
    if context.bare:
        yield from context.take_blanks()
        if not (yield from context.starts_with("{")):
            return "no"
    context.begin_call(name, id)
    return (yield from _arguments(context, calls, body, name))


def _prefix(context: Context, body: NamedCall) -> Generator[None, None, bool]:
    """What stands before the name; where it is part of an id, it is read with the name."""
    if body.name_prefix.strip() in ("", "functions."):
        return True
    if (yield from context.take_marker(body.name_prefix)):
        return True
    return context.allows_here("other-spelling", "")


FENCED = NamedCall(name_suffix="\n```json\n", arguments_suffix="\n```")
"""As DeepSeek V3 writes it, and later ones now and then."""


def _id(context: Context, calls: Calls, ends: tuple[str, ...]) -> Generator[None, None, str]:
    yield from context.take_blanks()
    found = yield from context.until(ends)
    if found is None or not found[1]:
        return ""
    id = context.take("call_id", len(found[0])).strip()
    if calls.id.suffix and found[1] == calls.id.suffix.strip() and calls.id.suffix.strip() != _next_head(calls):
        yield from context.take_marker(calls.id.suffix)
    return id


def _next_head(calls: Calls) -> str:
    """What stands after the id anyway, and is read there."""
    assert isinstance(calls.body, NamedCall)
    return (calls.body.name_suffix if calls.id.place == "after_name" else calls.body.name_prefix).strip()


def _suffix(context: Context, body: NamedCall) -> Generator[None, None, bool]:
    """What stands between name and JSON. A fence may lack its language or be missing."""
    core = body.name_suffix.strip()
    if not core or (yield from context.take_marker(core)):
        return True
    yield from context.take_blanks()
    if (yield from context.starts_with("{")):
        return context.allows_here("other-spelling", core)
    if core.startswith("```") and (yield from context.take_marker("```")):
        return context.allows_here("other-spelling", core)
    return False


def _arguments(context: Context, calls: Calls, body: NamedCall, name: str) -> Reading:
    start = context.record.at
    yield from context.take_blanks()
    for closer in closing_markers(calls):
        if (yield from context.starts_with(closer)):
            if not context.allows_here("no-arguments", ""):
                return "broken"
            context.record.arguments("", "{}")
            return "done"
    arguments = Arguments()
    outcome = yield from read_arguments(context, arguments)
    if outcome != "done":
        return outcome
    check_keys(context, context.tools[name], arguments.keys, start)
    if body.arguments_suffix.strip():
        yield from context.take_marker(body.arguments_suffix)
    return "done"
