"""Rendering under watch: what a template does with each value that it is given.

The same code as for rendering, with a look at every name, member, index, filter, test, comparison, loop and
output. A value is known by its field's path; booleans and null have none.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from jinja2 import nodes
from jinja2.compiler import Frame
from jinja2.runtime import Undefined

from ..prompt import Origin
from .environment import Rendering
from .error import TemplateError
from .generator import LOCALS, Generator
from .marked import FromField, Marked
from .values import InputDict

_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "gteq": operator.ge,
    "lt": operator.lt,
    "lteq": operator.le,
    "in": lambda left, right: left in right,
    "notin": lambda left, right: left not in right,
}

_WHOLE = frozenset({"tojson", "string", "pprint"})
"""Filters that use everything in a value."""


@dataclass(slots=True)
class Reading:
    """What the template did with the value of one path."""

    operations: set[str] = field(default_factory=set)
    """`read` (named or looked up), `key`, `index`, `iterate`, `output`, `compare`, `filter:NAME`, `method:NAME`,
    `test:NAME`; `key:NAME` for each key that was looked up, found or not."""
    compared: list[Any] = field(default_factory=list)
    """The values it was compared with, as plain values."""

    @property
    def used(self) -> bool:
        return bool(self.operations)


@dataclass(frozen=True, slots=True)
class Watched:
    text: str
    """What was rendered; empty when it failed."""
    error: TemplateError | None
    readings: Mapping[str, Reading]
    """By path, for every value that was touched."""

    def used(self, path: str) -> bool:
        return path in self.readings

    def operations(self, path: str) -> frozenset[str]:
        found = self.readings.get(path)
        return frozenset(found.operations) if found else frozenset()

    def indexed(self, path: str) -> bool:
        """Whether it was gone through, or an element was taken by its number."""
        return bool(self.operations(path) & {"index", "iterate"})


class WatchGenerator(Generator):
    functions = (*LOCALS, "seen", "filtered", "tested", "compared")

    def visit_Name(self, node: nodes.Name, frame: Frame) -> None:
        if node.ctx != "load":
            super().visit_Name(node, frame)
            return
        self.write("_seen(")
        super().visit_Name(node, frame)
        self.write(")")

    def visit_Filter(self, node: nodes.Filter, frame: Frame) -> None:
        if node.node is None:
            super().visit_Filter(node, frame)
            return
        with self._filter_test_common(node, frame, True):
            self._noted("filtered", node.name, node.node, frame)

    def visit_Test(self, node: nodes.Test, frame: Frame) -> None:
        with self._filter_test_common(node, frame, False):
            self._noted("tested", node.name, node.node, frame)

    def _noted(self, function: str, name: str, node: nodes.Expr, frame: Frame) -> None:
        self.write(f"_{function}({name!r}, ")
        self.visit(node, frame)
        self.write(")")

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:
        if len(node.ops) != 1:
            super().visit_Compare(node, frame)
            return
        self.write(f"_compared({node.ops[0].op!r}, ")
        self.visit(node.expr, frame)
        self.write(", ")
        self.visit(node.ops[0].expr, frame)
        self.write(")")


class WatchRendering(Rendering):
    readings: dict[str, Reading]

    def begin(self, meter: Any, blocks: int) -> None:
        super().begin(meter, blocks)
        self.readings = {}
        self.getattr, self.getitem = self._watched_getattr, self._watched_getitem

    def derived(self, locals: dict[str, Any] | None = None) -> Rendering:
        context = super().derived(locals)
        assert isinstance(context, WatchRendering)
        context.readings = self.readings
        return context

    def note(self, value: Any, *operations: str) -> None:
        path = path_of(value)
        if path is not None:
            self.readings.setdefault(path, Reading()).operations.update(operations)

    def note_all(self, value: Any, operation: str) -> None:
        """The value and all that it holds; of a text also the fields that it was made from."""
        for part in _parts(value):
            path = path_of(part) or _made_from(part)
            if path is not None:
                self.readings.setdefault(path, Reading()).operations.add(operation)

    def seen(self, value: Any) -> Any:
        self.note(value, "read")
        return value

    def _watched_getattr(self, obj: Any, attribute: str) -> Any:
        return self._looked_up(obj, attribute, self.environment.getattr(obj, attribute))

    def _watched_getitem(self, obj: Any, argument: Any) -> Any:
        return self._looked_up(obj, argument, self.environment.getitem(obj, argument))

    def _looked_up(self, obj: Any, key: Any, found: Any) -> Any:
        if isinstance(key, str):
            if not callable(found):
                self.note(obj, "key", f"key:{key}")
        else:
            self.note(obj, "index" if isinstance(key, int) else "key")
        self.note(found, "read")
        return found

    def filtered(self, name: str, value: Any) -> Any:
        if name in _WHOLE:
            self.note_all(value, f"filter:{name}")
        else:
            self.note(value, f"filter:{name}")
        return value

    def tested(self, name: str, value: Any) -> Any:
        self.note(value, f"test:{name}")
        return value

    def compared(self, op: str, left: Any, right: Any) -> Any:
        self.meter.weigh(left)
        self.meter.within(right) if op in ("in", "notin") else self.meter.weigh(right)
        self._note_comparison(left, right)
        self._note_comparison(right, left)
        if op in ("in", "notin") and isinstance(right, InputDict) and isinstance(left, str):
            self.note(right, f"key:{left}")
        return _OPERATORS[op](left, right)

    def _note_comparison(self, value: Any, other: Any) -> None:
        path = path_of(value)
        if path is not None and not isinstance(other, Undefined):
            reading = self.readings.setdefault(path, Reading())
            reading.operations.add("compare")
            reading.compared.append(str.__str__(other) if isinstance(other, str) else other)

    def each(self, items: Any) -> Any:
        self.note(items, "iterate")
        return super().each(items)

    def item_slice(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        self.note(value, "index")
        return super().item_slice(value, start, stop, step)

    def show(self, value: Any) -> str:
        self.note_all(value, "output")
        return super().show(value)

    def call(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        owner = getattr(function, "__self__", None)
        if isinstance(owner, (FromField, Marked)):
            self.note(owner, f"method:{function.__name__}")
            if function.__name__ == "get" and args:
                self.note(owner, "key", f"key:{args[0]}")
        result = super().call(function, *args, **kwargs)
        self.note(result, "read")
        return result


def path_of(value: Any) -> str | None:
    """The field that a value is, or was copied from. Keys and derived texts have none."""
    if isinstance(value, FromField):
        return value._path
    if isinstance(value, Marked) and type(value._trace) is tuple:
        return value._trace[0]
    return None


def _made_from(value: Any) -> str | None:
    return value._trace.source if isinstance(value, Marked) and isinstance(value._trace, Origin) else None


def _parts(value: Any) -> Iterator[Any]:
    stack = [value]
    while stack:
        part = stack.pop()
        yield part
        if isinstance(part, Marked) and type(part._trace) is list:
            stack += (piece for piece in part._trace if isinstance(piece, (Marked, list)))
        elif isinstance(part, dict):
            stack += part.values()
        elif isinstance(part, (list, tuple)):
            stack += part
