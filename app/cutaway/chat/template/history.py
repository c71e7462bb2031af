"""Whether a template keeps the reasoning of earlier turns, and the variable that decides it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cutaway.chat.template.reads import Reads, Variable

KEPT = "Earlier reasoning, word for word"
"""The trial's reasoning of the earlier turn."""

_ABOUT = re.compile(r"think|reason|cot|thought")
_DECIDES = re.compile(r"preserve|keep|clear|truncate|drop|save|retain|strip|history|past|render|interleav|all")

Shows = Callable[[Mapping[str, Any]], "bool | None"]
"""Whether the trial, rendered with more variables, shows the earlier reasoning; None where the template raises."""


@dataclass(frozen=True, slots=True)
class HistoryReasoning:
    """What becomes of the reasoning of earlier turns."""

    kept: bool
    """Without any variable set."""
    keep: Mapping[str, Any] | None = None
    """Variables that keep it; empty when nothing is needed, None when the template can't."""
    drop: Mapping[str, Any] | None = field(default=None)
    """Variables that leave it out; empty when nothing is needed, None when the template can't."""


def find_history_reasoning(reads: Reads, shows: Shows) -> HistoryReasoning:
    kept = bool(shows({}))
    keep: Mapping[str, Any] | None = {} if kept else None
    drop: Mapping[str, Any] | None = None if kept else {}
    for kwargs in _candidates(reads):
        shown = shows(kwargs)
        if shown is True and keep is None:
            keep = kwargs
        if shown is False and drop is None:
            drop = kwargs
    return HistoryReasoning(kept, keep, drop)


def _candidates(reads: Reads) -> Iterator[Mapping[str, Any]]:
    for variable in reads.variables.values():
        if _ABOUT.search(variable.name) and _DECIDES.search(variable.name):
            for value in _values(variable):
                yield {variable.name: value}


def _values(variable: Variable) -> list[Any]:
    words = [value for value in (*variable.values, *variable.defaults) if isinstance(value, str) and value]
    return list(dict.fromkeys(words)) or [True, False]
