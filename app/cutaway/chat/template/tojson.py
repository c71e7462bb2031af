"""`tojson`, as transformers has it: `json.dumps` without HTML escapes, each leaf with its origin.

An object or array of the request is input altogether: a member's key and value belong to the member's field, with the
comma before them, braces to the object's.
"""

from __future__ import annotations

from collections.abc import Iterator
from json import dumps
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any

from jinja2.runtime import Undefined

from .limits import LimitError, Meter
from .marked import VOUCHED, FromField, Marked, Trace, derived, input_of, joined, leaf, leaves, origin_of

_new = str.__new__


class Writer:
    """One call of `tojson`, with its arguments."""

    def __init__(
        self,
        meter: Meter,
        *,
        ensure_ascii: bool = False,
        indent: int | str | None = None,
        separators: Any = None,
        sort_keys: bool = False,
        lenient: bool = True,
    ) -> None:
        self.meter = meter
        self.encode = encode_basestring_ascii if ensure_ascii else encode_basestring
        meter.width(indent)
        self.indent = " " * indent if isinstance(indent, int) else indent
        self.comma, self.colon = _separators(separators, indent is not None)
        self.sort_keys = sort_keys
        self.lenient = lenient
        self.parts: list[str] = []
        self.length = 0

    def write(self, value: Any) -> Marked:
        self.value(value, None, "", "\n")
        return joined(self.parts)

    def put(self, text: str, trace: Trace) -> None:
        self.length += len(text)
        if len(text) > 1024:
            self.meter.text(len(text))
        if self.length > self.meter.budget.output:
            self.meter.room(self.length)
        made = _new(Marked, text)
        made._trace = trace
        self.parts.append(made)

    def value(self, value: Any, path: str | None, before: str, newline: str, level: int = 0) -> None:
        """`before` are the comma, key and colon in front of the value, `path` the field if it is known from above."""
        self.meter.tick()
        if type(value) is Marked and type(value._trace) is tuple and (not before or value._trace[0] == path):
            self.put(before + self.encode(value), derived(value._trace[0]))
        elif isinstance(value, str):
            self.string(value, path, before)
        elif isinstance(value, FromField) and not isinstance(value, (list, dict)):
            self.put(before + dumps(value), derived(value._path))
        elif value is None or isinstance(value, (bool, int, float)):
            self.put(before + dumps(value), VOUCHED if path is None else derived(path))
        else:
            self.container(value, path, before, newline, level)

    def container(self, value: Any, path: str | None, before: str, newline: str, level: int) -> None:
        if level > self.meter.budget.depth:
            raise LimitError(f"tojson: the value is nested more than {self.meter.budget.depth} levels deep")
        if isinstance(value, FromField):
            path = value._path
        else:
            path = None
        trace = VOUCHED if path is None else derived(path)
        if isinstance(value, (list, tuple)):
            self.array(value, path, trace, before, newline, level)
        elif isinstance(value, dict):
            self.object(value, path, trace, before, newline, level)
        elif self.lenient and isinstance(value, Iterator):
            self.meter.warn(
                "generator-to-json",
                "The template gives tojson a sequence that is still being made (a filter's result without |list);"
                " transformers refuses that, here it is written as a list.",
            )
            self.array(list(value), path, trace, before, newline, level)
        else:
            raise TypeError(f"Object of type {_type_name(value)} is not JSON serializable")

    def array(self, items: Any, path: str | None, trace: Trace, before: str, newline: str, level: int) -> None:
        if not items:
            self.put(before + "[]", trace)
            return
        inner = newline + self.indent if self.indent is not None else ""
        self.meter.spend(len(items))
        self.put(before + "[" + inner, trace)
        between = ""
        for index, item in enumerate(items):
            if path is not None:
                self.value(item, f"{path}[{index}]", between, inner, level + 1)
            else:
                if between:
                    self.put(between, trace)
                self.value(item, None, "", inner, level + 1)
            between = self.comma + inner
        self.put((newline if self.indent is not None else "") + "]", trace)

    def object(
        self, items: dict[Any, Any], path: str | None, trace: Trace, before: str, newline: str, level: int
    ) -> None:
        if not items:
            self.put(before + "{}", trace)
            return
        inner = newline + self.indent if self.indent is not None else ""
        pairs: Any = dict.items(items)
        self.put(before + "{" + inner, trace)
        between = ""
        for key, item in sorted(pairs) if self.sort_keys else pairs:
            self.member(key, item, path, between, inner, level)
            between = self.comma + inner
        self.put((newline if self.indent is not None else "") + "}", trace)

    def member(self, key: Any, item: Any, path: str | None, between: str, inner: str, level: int) -> None:
        """A member with the comma before it, which counts as its own."""
        name = key if type(key) is str else _key_text(key)
        if path is not None:
            self.value(item, f"{path}.{name}", f"{between}{self.encode(name)}{self.colon}", inner, level + 1)
            return
        if between:
            self.put(between, VOUCHED)
        self.string(name if isinstance(key, str) else leaf(name, input_of([key]) or VOUCHED), None, "")
        self.put(self.colon, VOUCHED)
        self.value(item, None, "", inner, level + 1)

    def string(self, value: str, path: str | None, before: str) -> None:
        if not isinstance(value, Marked):
            self.put(before + self.encode(value), derived(path))
            return
        pieces = leaves(value)
        if len(pieces) < 2:
            origin = origin_of(value)
            if before and origin != derived(path):
                self.put(before, derived(path))
                before = ""
            self.put(before + self.encode(str.__str__(value)), origin)
            return
        origins = [origin_of(piece) for piece in pieces]
        self.put(before + '"', origins[0] if not before else derived(path))
        for piece, origin in zip(pieces, origins, strict=True):
            self.put(self.encode(str.__str__(piece))[1:-1], origin)
        self.put('"', origins[-1])


def _separators(given: Any, indented: bool) -> tuple[str, str]:
    if given is None:
        return ("," if indented else ", "), ": "
    comma, colon = given
    if not isinstance(comma, str) or not isinstance(colon, str):
        raise TypeError("tojson: separators are two strings")
    return comma, colon


def _key_text(key: Any) -> str:
    if isinstance(key, str):
        return key
    if key is None or isinstance(key, (bool, int, float)):
        return dumps(key)
    raise TypeError(f"keys must be str, int, float, bool or None, not {_type_name(key)}")


def _type_name(value: Any) -> str:
    return "Undefined" if isinstance(value, Undefined) else type(value).__name__
