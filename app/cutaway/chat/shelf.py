"""Prepared templates and the formats of their models: each is made once, the one used longest ago goes first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from cutaway.chat.choice import format_named, format_of
from cutaway.chat.formats.format import Format
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prepared import PreparedTemplate, prepare_template
from cutaway.chat.template.sources import TemplateSource

FORMAT_DAY = datetime(2026, 1, 1)
"""The day on which formats are found: they don't depend on it."""
T = TypeVar("T")


class Shelf:
    """Used by one thread."""

    def __init__(
        self, room: int, *, preparing: Callable[[], Callable[[], Budget]], rendering: Callable[[], Budget]
    ) -> None:
        """`room`: templates that are kept. `preparing` is called for each preparation: it answers the budget of each of
        its renders; `rendering` is that of other renders."""
        self._room = room
        self._preparing, self._rendering = preparing, rendering
        self._templates: OrderedDict[str, PreparedTemplate] = OrderedDict()
        self._formats: OrderedDict[str, Format] = OrderedDict()

    def template(self, source: TemplateSource) -> PreparedTemplate:
        """Raises TemplateError."""
        return self._kept(self._templates, source.sha256, lambda: prepare_template(source, self._preparing()))

    def format(self, template: PreparedTemplate, name: str | None = None) -> Format:
        """How the template's model writes, or the format of that name. Raises RequestError for an unknown name."""
        if name:
            return format_named(name, template)
        return self._kept(
            self._formats, template.sha256, lambda: format_of(template, now=FORMAT_DAY, budget=self._rendering)
        )

    def _kept(self, shelf: OrderedDict[str, T], key: str, make: Callable[[], T]) -> T:
        if key not in shelf:
            shelf[key] = make()
            while len(shelf) > self._room:
                shelf.popitem(last=False)
        shelf.move_to_end(key)
        return shelf[key]
