"""What stands behind an interpreter's marker: code as it is, its arguments as JSON, or a built-in tool's `NAME.call(...)`."""

from __future__ import annotations

import re
from collections.abc import Generator

from cutaway.chat.formats.format import Calls, JsonCall
from cutaway.chat.reading.arguments import Arguments, read_arguments, read_text_argument
from cutaway.chat.reading.context import Context, Reading
from cutaway.chat.reading.json_call import read_json_call
from cutaway.chat.reading.python_call import read_python_call
from cutaway.chat.reading.source import MOST_HEAD, scan_for
from cutaway.chat.reading.types import only_text_argument

INTERPRETERS = ("python", "ipython", "code_interpreter")

_BUILT_IN = re.compile(r"[\w.\-]+\.call\(")
_BUILT_IN_SO_FAR = re.compile(r"[\w.\-]*\Z")


def read_code_call(context: Context, calls: Calls, ends: tuple[str, ...]) -> Reading:
    """`ends` are the texts that end the turn, and the code with it."""
    yield from context.take_blanks()
    is_json = yield from context.starts_with("{")
    if is_json and isinstance(calls.body, JsonCall):
        return (yield from read_json_call(context, calls))
    if (yield from _is_built_in(context)):
        return (yield from read_python_call(context, False))
    name = next((name for name in INTERPRETERS if name in context.tools), "")
    key = only_text_argument(context.tools[name]) if name else ""
    if not key or not context.is_declared(name, context.record.at):
        return "no"
    context.begin_call(name)
    if is_json:
        return (yield from read_arguments(context, Arguments()))
    return (yield from read_text_argument(context, key, scan_for(ends)))


def _is_built_in(context: Context) -> Generator[None, None, bool]:
    source = context.source
    while True:
        if _BUILT_IN.match(source.text, source.at):
            return True
        begun = _BUILT_IN_SO_FAR.match(source.text, source.at)
        if source.ended or begun is None or len(begun[0]) > MOST_HEAD:
            return False
        yield
