"""The Jinja environment of transformers 5.24, sandboxed, with provenance: what templates may do, and how it is done.

Trimmed and left-stripped blocks, loop controls, the `generation` tag, `tojson` as plain JSON, `raise_exception`,
`strftime_now`. The lenient profile lets a template do what that sandbox refuses but models ship, with a warning.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from datetime import datetime
from functools import reduce
from typing import Any

from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, LoopControlExtension
from jinja2.lexer import Lexer
from jinja2.parser import Parser
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, Undefined
from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range
from jinja2.utils import Cycler, Namespace, missing, pass_context
from jinja2.utils import Joiner as JinjaJoiner

from .filters import FILTERS
from .formatting import Braces, percent
from .generator import Generator
from .guards import check_call, check_keys
from .limits import Budget, LimitError, Meter, check_power, check_product
from .marked import VOUCHED, FromField, Marked, concat, cut, joined, known, leaf
from .places import PlacedLexer
from .safe import SafeMarked
from .sequences import each
from .shown import show
from .tests import TESTS
from .values import InputDict, InputFloat, InputInt, InputList, TakenList, number, taken

MAX_FORMAT = 1000

_DICT_METHODS = frozenset(name for name in dir(dict))
_READING_DICTS = frozenset({"get", "items", "keys", "values"})
_READING_TEXT = frozenset(
    name for name in dir(str) if not name.startswith("_") and name not in ("format", "format_map", "maketrans")
)
_LOOP = frozenset(
    {"cycle", "changed", "depth", "depth0", "first", "index", "index0", "last", "length", "nextitem", "previtem"}
) | {"revindex", "revindex0"}
_BUILT_IN: dict[type, str] = {list: "list", TakenList: "list", dict: "dict"}
_DRAINING = frozenset({"join", "fromkeys", "update", "extend"})
"""Methods that go through an iterator in one call."""

_attributes = object.__getattribute__

_MUTATING: dict[type, frozenset[str]] = {
    list: frozenset({"append", "extend", "insert", "pop", "remove", "reverse", "clear"}),
    TakenList: frozenset({"append", "extend", "insert", "pop", "remove", "reverse", "clear"}),
    dict: frozenset({"update", "pop", "setdefault", "clear"}),
}


class Raised(Exception):
    """The template called `raise_exception`."""


class Generation(Extension):
    """`{% generation %}...{% endgeneration %}`: what the model is meant to write."""

    tags = {"generation"}  # noqa: RUF012 - as Jinja declares it

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.Scope(body, lineno=line)


class GuardedNamespace(Namespace):
    """`namespace()`: its names don't begin with an underscore."""

    def __init__(self, /, *args: Any, **kwargs: Any) -> None:
        Namespace.__init__(self, *args, **kwargs)
        for name in _attributes(self, "_Namespace__attrs"):
            _check_name(name)

    def __setitem__(self, name: str, value: Any) -> None:
        _check_name(name)
        _attributes(self, "_Namespace__attrs")[name] = value


def _check_name(name: Any) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"a namespace's attribute can't begin with an underscore: {name!r}")


class Joiner(JinjaJoiner):
    def __init__(self, sep: Any = ", ") -> None:
        super().__init__(leaf(sep, VOUCHED) if type(sep) is str else sep)

    def __call__(self) -> str:
        return leaf("", VOUCHED) if not self.used and not JinjaJoiner.__call__(self) else self.sep


class InputRange(FromField):
    """A range whose bounds come from the input: so do its numbers."""

    __slots__ = ("_path", "_range")

    def __init__(self, numbers: range, path: str) -> None:
        self._range, self._path = numbers, path

    def __len__(self) -> int:
        return len(self._range)

    def __getitem__(self, index: Any) -> Any:
        found = self._range[index]
        return InputRange(found, self._path) if isinstance(found, range) else number(found, self._path)

    def __iter__(self) -> Any:
        return (number(value, self._path) for value in self._range)

    def __contains__(self, value: object) -> bool:
        return value in self._range

    def __repr__(self) -> str:
        return repr(self._range)


def marked_range(*bounds: Any) -> Any:
    for bound in bounds:
        if isinstance(bound, InputInt):
            return InputRange(safe_range(*(int(value) for value in bounds)), bound._path)
    return safe_range(*bounds)


@pass_context
def raise_exception(context: Rendering, message: Any) -> None:
    raise Raised(str.__str__(context.show(message)))


class Rendering(Context):
    """The context of one rendering: its variables, its meter, and the operations that the generated code uses."""

    meter: Meter
    out: list[str]
    ran: list[int]
    root: Callable[[Rendering], Any]
    environment: Sandbox

    def begin(self, meter: Meter, blocks: int) -> None:
        self.meter, self.out, self.ran = meter, [], [0] * blocks
        self.tick, self.weigh, self.within = meter.tick, meter.weigh, meter.within
        self.getattr, self.getitem = self.environment.getattr, self.environment.getitem

    def derived(self, locals: dict[str, Any] | None = None) -> Rendering:
        """The context of a scoped block: the same rendering, with the loop's variables."""
        given = {name: value for name, value in (locals or {}).items() if value is not missing}
        context = type(self)(self.environment, {**self.get_all(), **given}, self.name, {})
        context.eval_ctx = self.eval_ctx
        context.blocks.update((name, list(blocks)) for name, blocks in self.blocks.items())
        context.begin(self.meter, 0)
        context.out, context.ran = self.out, self.ran
        return context

    def show(self, value: Any) -> str:
        if type(value) is Marked:
            return value
        return show(value, self.meter)

    def concat(self, parts: Any) -> Marked:
        pieces = parts if type(parts) is list else list(parts)
        size = sum(map(len, pieces))
        if size > 1024:
            self.meter.text(size)
        return joined(pieces)

    def each(self, items: Any) -> Any:
        return each(self, items)

    def add(self, *values: Any) -> Any:
        """`a + b + ...`, from the left; most are texts, and then it is one text."""
        size = 0
        for value in values:
            if type(value) is not Marked:
                return reduce(self.add_two, values)
            size += len(value)
        if size > 1024:
            self.meter.text(size)
        return joined(values)

    def add_two(self, left: Any, right: Any) -> Any:
        if isinstance(left, (str, Undefined)) or isinstance(right, (str, Undefined)):
            return self._add_text(left, right)
        if isinstance(left, (list, tuple)):
            self.meter.items(len(left) + (len(right) if hasattr(right, "__len__") else 0))
        return left + right

    def _add_text(self, left: Any, right: Any) -> Any:
        if self.environment.lenient:
            left, right = self._lenient(left, right), self._lenient(right, left)
        if isinstance(left, str) and isinstance(right, str):
            self.meter.text(len(left) + len(right))
            return known(left) + right if not isinstance(right, SafeMarked) else left + right
        return left + right

    def _lenient(self, value: Any, beside: Any) -> Any:
        """An undefined variable beside text is no text, where the template's makers tested with such an engine."""
        if isinstance(value, Undefined) and isinstance(beside, str) and _is_variable(value):
            self.meter.warn(
                "undefined-in-text",
                f"The template adds the variable {value._undefined_name!r} to a text, but it is not given;"
                " transformers refuses that, here it adds nothing.",
            )
            return leaf("", VOUCHED)
        return value

    def mul(self, left: Any, right: Any) -> Any:
        check_product(self.meter, left, right)
        for text, count in ((left, right), (right, left)):
            if isinstance(text, str) and isinstance(count, int):
                return known(text) * count
        return left * right

    def power(self, left: Any, right: Any) -> Any:
        check_power(left, right)
        return left**right

    def mod(self, left: Any, right: Any) -> Any:
        if isinstance(left, str):
            return percent(known(left), right, self.meter)
        return left % right

    def item_slice(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        if isinstance(value, str):
            if len(value) > 1024:
                self.meter.text(len(value))
            return known(value)[start:stop:step]
        if isinstance(value, (list, tuple)):
            self.meter.items(len(value))
        found = value[start:stop:step]
        return taken(found, value._path) if isinstance(value, InputList) else found

    def call(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Called by the template: macros, loops, blocks, methods and the functions that it is given."""
        meter = self.meter
        meter.tick()
        kind = type(function)
        if kind is types.MethodType or kind is types.BuiltinMethodType:
            owner = function.__self__
            if function.__name__ in _DRAINING and args and not hasattr(args[0], "__len__"):
                args = (list(each(self, args[0])), *args[1:])
            check_call(meter, owner, function.__name__, args, kwargs)
            if function.__name__ in _MUTATING.get(type(owner), ()):
                meter.warn(
                    f"changed-{_BUILT_IN[type(owner)]}",
                    f"The template changes a {_BUILT_IN[type(owner)]} that it made, with {function.__name__!r};"
                    " transformers refuses that, here it is done.",
                )
            if isinstance(owner, LoopContext):
                for arg in args:
                    meter.weigh(arg)
            return function(*args, **kwargs)
        if kwargs and (function is dict or kind is type or (kind is Macro and function.catch_kwargs)):
            kwargs = {leaf(name, VOUCHED) if type(name) is str else name: value for name, value in kwargs.items()}
        if isinstance(function, (Macro, LoopContext, BlockReference)):
            meter.enter()
            result = function(*args, **kwargs)
            meter.depth -= 1
            return result
        if function is dict and args and not hasattr(args[0], "__len__"):
            args = (list(each(self, args[0])), *args[1:])
        for arg in args:
            meter.weigh(arg)
            check_keys(arg)
        if not self.environment.is_safe_callable(function):
            raise SecurityError(f"{function!r} is not safely callable")
        return Context.call(self, function, *args, **kwargs)


def _is_variable(value: Undefined) -> bool:
    return value._undefined_obj is missing and value._undefined_hint is None and value._undefined_name is not None


class Sandbox(ImmutableSandboxedEnvironment):
    code_generator_class = Generator
    context_class = Rendering
    lenient = True

    def __init__(self, *, lenient: bool) -> None:
        super().__init__(
            trim_blocks=True, lstrip_blocks=True, extensions=[LoopControlExtension, Generation], optimized=False
        )
        self.lenient = lenient
        self.filters = dict(FILTERS)
        self.tests = {**self.tests, **TESTS}
        self.globals = {
            "range": marked_range,
            "dict": dict,
            "cycler": Cycler,
            "joiner": Joiner,
            "namespace": GuardedNamespace,
            "raise_exception": raise_exception,
        }
        self._lexer = PlacedLexer(self)

    concat = staticmethod(concat)

    @property
    def lexer(self) -> Lexer:
        return self._lexer

    def getattr(self, obj: Any, attribute: str) -> Any:
        """The common cases first: they are what the sandbox would find out at more length."""
        kind = type(obj)
        if kind is InputDict:
            if attribute in _READING_DICTS:
                return getattr(obj, attribute)
            if attribute not in _DICT_METHODS:
                found = dict.get(obj, attribute, missing)
                return self.undefined(obj=obj, name=attribute) if found is missing else found
        elif kind is GuardedNamespace:
            if attribute[:1] != "_":
                found = _attributes(obj, "_Namespace__attrs").get(attribute, missing)
                return self.undefined(obj=obj, name=attribute) if found is missing else found
        elif (kind is LoopContext and attribute in _LOOP) or (kind is Marked and attribute in _READING_TEXT):
            return getattr(obj, attribute)
        elif kind is Macro and attribute == "name":
            return leaf(str(obj.name), VOUCHED)
        return super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        if isinstance(argument, str):
            if type(obj) is InputDict:
                found = dict.get(obj, argument, missing)
                if found is not missing:
                    return found
            argument = str.__str__(argument)
        elif isinstance(argument, (tuple, list, dict)):
            Meter(Budget()).weigh(argument)
        return super().getitem(obj, argument)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        if super().is_safe_attribute(obj, attr, value):
            return True
        return self.lenient and attr in _MUTATING.get(type(obj), frozenset())

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        name = getattr(value, "__name__", None)
        if not isinstance(value, (types.MethodType, types.BuiltinMethodType)) or name not in ("format", "format_map"):
            return None
        owner = value.__self__
        if not isinstance(owner, str):
            return None
        return _Formatting(self, known(owner), name == "format_map")


class _Formatting:
    """`text.format` or `text.format_map`, to be called."""

    __slots__ = ("_environment", "_mapping", "_text")

    def __init__(self, environment: Sandbox, text: Marked, mapping: bool) -> None:
        self._environment, self._text, self._mapping = environment, text, mapping

    @pass_context
    def __call__(self, context: Rendering, *args: Any, **kwargs: Any) -> str:
        if self._mapping:
            if kwargs:
                raise TypeError("format_map() takes no keyword arguments")
            if len(args) != 1:
                raise TypeError(f"format_map() takes exactly one argument ({len(args)} given)")
            return Braces(self._text, self._look_up, context.meter)((), args[0])
        return Braces(self._text, self._look_up, context.meter)(args, kwargs)

    def _look_up(self, value: Any, key: Any, is_attribute: bool) -> Any:
        return self._environment.getattr(value, key) if is_attribute else self._environment.getitem(value, key)


def clock(now: datetime | None) -> Callable[[Any], Marked]:
    def strftime_now(format: Any) -> Marked:
        if now is None:
            raise ValueError("the template asks for the time, but none is given")
        pattern = str.__str__(format)
        if len(pattern) > MAX_FORMAT or re.search(r"%[^a-zA-Z%]*\d", pattern):
            raise LimitError(f"strftime_now takes a short format without widths, not {pattern[:40]!r}")
        return leaf(now.strftime(pattern), VOUCHED)

    return strftime_now


__all__ = ["InputFloat", "Raised", "Rendering", "Sandbox", "clock", "cut"]
