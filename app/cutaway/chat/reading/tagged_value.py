"""An argument's text between its tags, told as JSON: a string as it comes, anything else once its type is known."""

from __future__ import annotations

import json
import re
from collections.abc import Generator

from cutaway.chat.reading.context import Context
from cutaway.chat.reading.source import BLANKS
from cutaway.chat.reading.text_value import TextValue
from cutaway.chat.reading.types import may_be_typed, read_untyped
from cutaway.chat.reading.value import ValueReader

_RUN = re.compile(r"\s+|\S+")


def raw_value(context: Context, value: TextValue) -> Generator[None, None, None]:
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


def typed_value(context: Context, value: TextValue, types: frozenset[str]) -> Generator[None, None, None]:
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


def container_value(context: Context, value: TextValue, types: frozenset[str]) -> Generator[None, None, None]:
    """An object or array: told as it comes. What does not fit behind it is shown as content."""
    yield from context.take_blanks()
    source, record, start = context.source, context.record, context.record.at
    if source.at < len(source.text) and source.text[source.at] not in "{[":
        yield from typed_value(context, value, types)
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
