"""Which format a template's model writes: the one asked for by name, a hand-written one, or the derived one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from cutaway.chat.analysis.derive import derive
from cutaway.chat.analysis.trial import renders
from cutaway.chat.formats.format import Format
from cutaway.chat.formats.registry import by_name, choose, named
from cutaway.chat.plain import RequestError
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prepared import PreparedTemplate


def format_named(name: str, template: PreparedTemplate) -> Format:
    """The format of that name. Raises `RequestError` where there is none."""
    found = named(name, template.source.text)
    if found is None:
        raise RequestError("format", f"There is no format {name!r}. Known: {', '.join(sorted(by_name()))}.")
    return found


def format_of(template: PreparedTemplate, *, now: datetime, budget: Callable[[], Budget] = Budget) -> Format:
    """The format of a template's model. Total: where nothing is known it is plain, with the reason in its notes."""
    source = template.source.text
    certain = choose(source)
    if certain is not None:
        return certain
    derived = derive(renders(template, now=now, budget=budget)).format
    if derived.calls is not None or not template.caps.flags().get("supports_tool_calls"):
        return derived
    return choose(source, certain_only=False) or derived
