"""Text that Jinja calls safe: what is added to it is escaped for HTML. Only `|safe` and `|escape` make it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, SupportsIndex

from markupsafe import escape as escape_markup

from .marked import Marked, computed, joined, known, leaf, mapped


class SafeMarked(Marked):
    """What Jinja calls safe: text that escapes what is added to it. Only `|safe` and `|escape` make it."""

    __slots__ = ()

    def __html__(self) -> str:
        return self

    def __str__(self) -> str:
        return leaf(str.__str__(self), self._trace)

    def __add__(self, other: str) -> str:
        return joined([self, escaped(other)], SafeMarked) if _texty(other) else NotImplemented

    def __radd__(self, other: str) -> str:
        return joined([escaped(other), self], SafeMarked) if _texty(other) else NotImplemented

    def join(self, items: Iterable[str], /) -> str:
        return Marked.join(self, [escaped(item) for item in items])

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> str:
        return Marked.replace(self, old, escaped(new), count)


def _texty(value: Any) -> bool:
    return isinstance(value, str) or hasattr(value, "__html__")


def safe(text: Marked) -> SafeMarked:
    """The same text, from now on safe."""
    made = str.__new__(SafeMarked, str.__str__(text))
    made._trace = text._trace
    return made


def escaped(value: Any) -> SafeMarked:
    """Escaped for HTML, unless it says that it is safe."""
    if isinstance(value, SafeMarked):
        return value
    text = known(value) if isinstance(value, str) else computed(str(value), value)
    return safe(mapped(text, lambda part: str(escape_markup(str.__str__(part)))))
