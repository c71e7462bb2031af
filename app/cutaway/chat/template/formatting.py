"""`%` and `str.format`, with each argument's origin kept and widths held within bounds."""

from __future__ import annotations

import re
from _string import formatter_field_name_split, formatter_parser  # type: ignore[import-not-found]
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .limits import MAX_WIDTH, LimitError, Meter
from .marked import MAX_PARTS, VOUCHED, Marked, Trace, computed, cut, input_of, joined, known, leaf
from .safe import SafeMarked, escaped
from .shown import bounded, represent, show

_SPEC = re.compile(r"%(?:\(([^()]*)\))?([#0\- +]*)(\*|\d+)?(?:\.(\*|\d*))?[hlL]?(.)", re.DOTALL)
_DIGITS = re.compile(r"\d+")
_WIDTHS = re.compile(r"%(?:\([^()]*\))?[#0\- +]*(\d*)(?:\.(\d*))?")
_NESTED_NAME = re.compile(r"%\([^()]*\(")


def percent(template: Marked, values: Any, meter: Meter | None = None) -> Marked:
    """`template % values`."""
    if isinstance(template, SafeMarked):
        values = _escaped_values(values)
    if template.count("%") > MAX_PARTS:
        raise LimitError(f"the template's format has more than {MAX_PARTS:,} fields")
    _check_percent_widths(template, values, meter)
    bounded(values, meter)
    if meter is not None:
        meter.text(_longest(template, values))
    text = str.__mod__(str.__str__(template), values)
    parts = _percent_parts(template, values, meter)
    if parts is not None and "".join(parts) == text:
        return joined(parts, type(template))
    return computed(text, template, values)


def _longest(template: str, values: Any) -> int:
    """More than the result's length can be, paddings left out."""
    if isinstance(values, Mapping):
        longest = max((len(value) for value in values.values() if isinstance(value, str)), default=0)
        return len(template) + template.count("%") * longest
    texts = values if isinstance(values, tuple) else (values,)
    return len(template) + sum(len(value) for value in texts if isinstance(value, str))


def _escaped_values(values: Any) -> Any:
    """A safe text escapes the strings that are put into it."""
    if isinstance(values, tuple):
        return tuple(_escaped_values(value) for value in values)
    if isinstance(values, Mapping):
        return {key: _escaped_values(value) for key, value in values.items()}
    return escaped(values) if isinstance(values, str) else values


def _check_percent_widths(template: str, values: Any, meter: Meter | None) -> None:
    """Numbers that stand where a width or a precision may stand; anywhere, where names are in parentheses twice."""
    wide = _DIGITS if _NESTED_NAME.search(template) else _WIDTHS
    for found in wide.findall(template):
        for digits in (found,) if isinstance(found, str) else found:
            if len(digits) > 7 or int(digits or 0) > MAX_WIDTH:
                raise LimitError(f"the template's format asks for more than {MAX_WIDTH:,} characters")
            if meter is not None and len(digits) > 3:
                meter.spend(int(digits) >> 6)
    if "*" in template and isinstance(values, tuple):
        for value in values:
            if isinstance(value, int) and abs(value) > MAX_WIDTH:
                raise LimitError(f"the template's format asks for more than {MAX_WIDTH:,} characters")


def _percent_parts(template: Marked, values: Any, meter: Meter | None) -> list[str] | None:
    """The pieces of the result, or None where the format is too unusual to take apart."""
    parts: list[str] = []
    plain = str.__str__(template)
    remaining = list(values) if isinstance(values, tuple) else [values]
    at = 0
    for match in _SPEC.finditer(plain):
        name, _flags, width, precision, kind = match.groups()
        if match.start() < at or width == "*" or precision == "*":
            return None
        parts += cut(template, ((at, match.start()),))
        at = match.end()
        if kind == "%":
            parts += cut(template, ((at - 1, at),))
            continue
        if name is not None:
            value, argument = values[name], values
        elif remaining:
            value = remaining.pop(0)
            argument = (value,)
        else:
            return None
        if kind in "sr" and match.group() in ("%s", "%r", f"%({name})s", f"%({name})r"):
            parts.append(show(value, meter) if kind == "s" else represent(value, meter))
        else:
            parts.append(computed(str.__mod__(match.group(), argument), value))
    return [*parts, *cut(template, ((at, len(template)),))]


class Braces:
    """`template.format(*args, **kwargs)`: fields are looked up as the sandbox does."""

    def __init__(self, template: Marked, look_up: Callable[[Any, Any, bool], Any], meter: Meter) -> None:
        self.template = template
        self.look_up = look_up
        self.meter = meter
        self.automatic: int | None = None
        """The next number of a field without one; -1 once fields are numbered by hand."""

    def __call__(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Marked:
        self.meter.items(self.template.count("{"))
        return joined(self._parts(str.__str__(self.template), args, kwargs, 2), type(self.template))

    def _parts(self, text: str, args: tuple[Any, ...], kwargs: Mapping[str, Any], levels: int) -> list[str]:
        if levels < 0:
            raise ValueError("Max string recursion exceeded")
        own: Trace = self.template._trace
        literal: Trace = own if not isinstance(own, list | tuple) else (input_of([self.template]) or VOUCHED)
        parts: list[str] = []
        total = 0
        pieces: Iterable[Any] = formatter_parser(text)
        for before, name, spec, conversion in pieces:
            if before:
                parts.append(leaf(before, literal))
            if name is not None:
                value = _converted(self._field(name, args, kwargs), conversion, self.meter)
                inner = "".join(self._parts(spec, args, kwargs, levels - 1))
                shown = _formatted(value, inner, self.meter)
                parts.append(escaped(shown) if isinstance(self.template, SafeMarked) else shown)
                total += len(parts[-1])
            total += len(before)
            self.meter.spend(1 + (len(before) >> 8))
            self.meter.room(total)
        return parts

    def _field(self, name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        first, rest = formatter_field_name_split(name)
        if first == "":
            if self.automatic == -1:
                raise ValueError("cannot switch from manual field specification to automatic field numbering")
            first = self.automatic = 0 if self.automatic is None else self.automatic + 1
        elif isinstance(first, int):
            if self.automatic not in (None, -1):
                raise ValueError("cannot switch from automatic field numbering to manual field specification")
            self.automatic = -1
        value = args[first] if isinstance(first, int) else kwargs[first]
        for is_attribute, key in rest:
            value = self.look_up(value, key, is_attribute)
        return value


def _converted(value: Any, conversion: str | None, meter: Meter) -> Any:
    if conversion is None:
        return value
    if conversion == "s":
        return show(value, meter)
    if conversion == "r":
        return represent(value, meter)
    if conversion == "a":
        return computed(ascii(bounded(value, meter)), value)
    raise ValueError(f"Unknown conversion specifier {conversion!s}")


def _formatted(value: Any, spec: str, meter: Meter) -> str:
    if not spec:
        return known(value) if isinstance(value, str) else show(value, meter)
    for found in _DIGITS.findall(spec):
        if len(found) > 7 or int(found) > MAX_WIDTH:
            raise LimitError(f"the template's format asks for more than {MAX_WIDTH:,} characters")
        if len(found) > 3:
            meter.spend(int(found) >> 6)
    plain = str.__str__(value) if isinstance(value, str) else bounded(value, meter)
    return computed(format(plain, str.__str__(spec)), value)
