"""Where a run of the prompt came from, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.chat.prompt import Prompt, Span


def where(span: Span) -> str:
    """A span's origin: the field and its range, or the template's line and column."""
    origin = span.origin
    if origin.kind == "template":
        if origin.line is None:
            return tr("template")
        return tr("template line {0}, column {1}", origin.line, origin.column or 1)
    if origin.source == "prompt":
        return tr("the text to complete")
    if origin.start is None or origin.end is None:
        return tr("{0}, derived", origin.source or tr("input"))
    return tr("{0}, characters {1} to {2}", origin.source or tr("input"), origin.start, origin.end)


def span_at(prompt: Prompt, char: int) -> Span | None:
    """The span that holds a character."""
    at = 0
    for span in prompt.spans:
        at += len(span.text)
        if char < at:
            return span
    return None


def ranges_of_line(prompt: Prompt, line: int) -> list[tuple[int, int]]:
    """The runs of the prompt that a template line wrote, in order; neighbours are one."""
    found: list[tuple[int, int]] = []
    at = 0
    for span in prompt.spans:
        end = at + len(span.text)
        if span.origin.line == line and end > at:
            if found and found[-1][1] == at:
                found[-1] = (found[-1][0], end)
            else:
                found.append((at, end))
        at = end
    return found
