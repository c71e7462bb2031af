"""The name of a call where it stands between markers, and the ids that are made of it."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable

from cutaway.chat.formats.format import CallId
from cutaway.chat.reading.context import Context, cores
from cutaway.chat.reading.source import MOST_HEAD, scan_for

_INDEX = re.compile(r"[:_.]?[0-9]*")
_PREFIX = re.compile(r"functions?[._:/]?")


def read_name(context: Context, ends: tuple[str, ...], id: CallId) -> Generator[None, None, tuple[str, str] | None]:
    """Reads the name of a declared tool, with what stands in it; blanks and an end follow it.

    Returns the name and the id written with it (or empty), both consumed; the end is not. None where it
    is no declared tool.
    """
    yield from context.take_blanks()
    text = yield from _head(context, ends, id.kind == "composed")
    if text is None:
        return None
    start = context.record.at
    written = text.rstrip()
    if id.place == "in_name":
        name = composed_name(written, context.tools, id.prefix)
        if name is not None and not context.is_declared(name, start):
            return None
        if name is None:
            context.unknown = (written, start, start + len(written))
            return None
        context.take("call_id" if written != name else "call_name", len(written))
        context.take("space", len(text) - len(written))
        return name, written if written != name else ""
    if not context.is_declared(written, start):
        return None
    context.take("call_name", len(written))
    context.take("space", len(text) - len(written))
    return written, ""


def _head(context: Context, ends: tuple[str, ...], composed: bool) -> Generator[None, None, str | None]:
    """The text up to the first end; None as soon as it can be no tool's name, or where no end comes."""
    source, scan = context.source, scan_for(ends)
    while True:
        found, end = scan.find(source)
        text = source.text[source.at : end]
        if len(text) > MOST_HEAD or not (composed or _may_be_name(text, context.tools)):
            return None
        if found is not None or source.ended:
            return text if text.strip() else None
        yield


def _may_be_name(text: str, names: Iterable[str]) -> bool:
    """Whether the text can still become a name: one word, or the beginning of a declared one with blanks in it."""
    return len(text.split()) <= 1 or any(name.startswith(text.strip()) for name in names)


def composed_name(text: str, names: Iterable[str], separator: str) -> str | None:
    """The declared tool in an id such as `functions.get_weather:0`, however it is spelled. None where there is none."""
    exact = text.removeprefix("functions.").rpartition(separator or ":")
    known = frozenset(names)
    if exact[1] and exact[0] in known and exact[2].isdigit():
        return exact[0]
    prefix = _PREFIX.match(text)
    for rest in (text, text[prefix.end() :] if prefix else text):
        fitting = [name for name in known if rest.startswith(name) and _INDEX.fullmatch(rest, len(name))]
        if fitting:
            return max(fitting, key=len)
    return None


def name_ends(*markers: str) -> tuple[str, ...]:
    """What ends a name: the markers, trimmed, or the line break with which a marker begins."""
    blank = any(marker.startswith("\n") for marker in markers)
    return (*cores(*markers), *(("\n",) if blank else ()))
