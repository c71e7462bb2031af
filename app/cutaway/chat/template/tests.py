"""Jinja's tests that compare or print: what they look at is weighed first."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from jinja2.utils import pass_context

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
}
_NAMES = {
    "eq": ("==", "eq", "equalto"),
    "ne": ("!=", "ne"),
    "gt": (">", "gt", "greaterthan"),
    "ge": (">=", "ge"),
    "lt": ("<", "lt", "lessthan"),
    "le": ("<=", "le"),
}


def _comparing(compare: Callable[[Any, Any], bool]) -> Callable[..., bool]:
    @pass_context
    def test(context: Any, value: Any, other: Any) -> bool:
        return compare(context.meter.weigh(value), context.meter.weigh(other))

    return test


@pass_context
def contained(context: Any, value: Any, seq: Any) -> bool:
    return context.meter.weigh(value) in context.each(context.meter.weigh(seq))


@pass_context
def upper(context: Any, value: Any) -> bool:
    return str.isupper(context.show(value))


@pass_context
def lower(context: Any, value: Any) -> bool:
    return str.islower(context.show(value))


TESTS: dict[str, Callable[..., bool]] = {
    **{name: _comparing(_COMPARISONS[key]) for key, names in _NAMES.items() for name in names},
    "in": contained,
    "upper": upper,
    "lower": lower,
}
