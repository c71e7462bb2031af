"""A format written by hand: its name, the texts of a template that show it, and the format they call for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from cutaway.chat.formats.format import Format, Marker, Reasoning


@dataclass(frozen=True, slots=True)
class Handwritten:
    build: Callable[[str], Format]
    """The format for a template's source; for an empty source the family's common form."""
    needs: tuple[str, ...] = ()
    """The source holds all of these. Empty: no template shows it; it is chosen by name only."""
    one_of: tuple[str, ...] = ()
    """The source holds at least one of these, where any are listed."""
    lacks: tuple[str, ...] = ()
    """The source holds none of these."""
    certain: bool = False
    """It goes before what can be derived from a template that shows it."""

    @property
    def name(self) -> str:
        return self.build("").name

    def is_shown_by(self, source: str) -> bool:
        if not self.needs or not all(text in source for text in self.needs):
            return False
        if self.one_of and not any(text in source for text in self.one_of):
            return False
        return not any(text in source for text in self.lacks)


def fixed(
    format: Format, *needs: str, one_of: tuple[str, ...] = (), lacks: tuple[str, ...] = (), certain: bool = False
) -> Handwritten:
    """A format that is the same whatever the template."""
    return Handwritten(lambda source: format, needs, one_of, lacks, certain)


def think(
    open_after: str = "\n", close_before: str = "\n", close_after: str = "\n\n", ended_by_call: bool = False
) -> Reasoning:
    """The common `<think>` tags, with the blanks that a family writes around them."""
    return Reasoning(
        Marker("<think>", after=open_after),
        Marker("</think>", before=close_before, after=close_after),
        ended_by_call=ended_by_call,
    )


def if_shown(format: Format, source: str, *texts: str) -> Format:
    """The format, its reasoning left out where a given source shows none of the texts."""
    if source and not any(text in source for text in texts):
        return replace(format, reasoning=None)
    return format
