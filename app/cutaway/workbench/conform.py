"""Whether values that a file gave have the types that their dataclass says, before anything is made of them. Pure."""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
Check = Callable[[Any], bool]

MOST = 2**31 - 1
"""No count and no offset is larger."""


def conform(value: T) -> T:
    """The dataclass value itself. Raises TypeError naming the field that has another type."""
    kind: type = type(value)
    for name, check in _checks(kind):
        if not check(getattr(value, name)):
            raise TypeError(f"{name} is {_shown(getattr(value, name))}")
    return value


def within(start: int, end: int, length: int) -> None:
    """Raises ValueError unless `[start, end)` lies in a text of that length."""
    if not 0 <= start <= end <= length:
        raise ValueError(f"characters {start} to {end} are not in a text of {length}")


@cache
def _checks(kind: Any) -> tuple[tuple[str, Check], ...]:
    hints = get_type_hints(kind)
    return tuple((field.name, _check(hints[field.name])) for field in fields(kind) if not field.name.startswith("_"))


def _check(hint: Any) -> Check:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        checks = [_check(one) for one in arguments]
        return lambda value: any(check(value) for check in checks)
    if origin is Literal:
        return lambda value: isinstance(value, str) and value in arguments
    if origin is tuple:
        item = _check(arguments[0])
        return lambda value: isinstance(value, tuple) and all(item(one) for one in value)
    if is_dataclass(hint) and isinstance(hint, type):
        return lambda value: (
            isinstance(value, hint) and all(check(getattr(value, name)) for name, check in _checks(hint))
        )
    return _SIMPLE.get(hint, lambda value: isinstance(value, Mapping) if origin is not None else True)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -MOST <= value <= MOST


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and abs(value) < 1e15


_SIMPLE: Mapping[Any, Check] = {
    int: _whole,
    float: _number,
    str: lambda value: isinstance(value, str),
    bool: lambda value: isinstance(value, bool),
    type(None): lambda value: value is None,
}


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
