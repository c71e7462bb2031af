"""What stands around calls, between them and after them, sorted into section, call and separator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .split import MARKER, common_prefix, common_suffix


@dataclass(frozen=True, slots=True)
class Frame:
    """The texts around the calls of a turn, blanks included, in the order in which they are written."""

    section_open: str = ""
    call_open: str = ""
    call_close: str = ""
    separator: str = ""
    section_close: str = ""
    array: bool = False
    ending: str = ""
    """What follows the calls and is not theirs: the turn's end after a call."""


def frame(lead: str, gaps: Sequence[str], trail: str) -> Frame:
    """Sorts the text before the first call, between each two, and after the last.

    What the lead and every gap end with opens a call; what every gap and the trail begin with closes one. The rest
    of the lead opens the section, the rest of the trail closes it, the rest of a gap separates. Without gaps (one
    call is all that renders), everything is taken as the call's own.
    """
    lead, array_open = _without_bracket(lead.rstrip(), lead, "[")
    if not gaps:
        return _single(lead, trail, array_open)
    call_open = common_suffix((lead, *gaps)).lstrip()
    rests = [gap[: len(gap) - len(call_open)] for gap in gaps]
    call_close = common_prefix((*rests, trail))
    call_close = call_close.rstrip()
    separator, section_close = rests[0][len(call_close) :], trail[len(call_close) :]
    section_open = lead[: len(lead) - len(call_open)]
    array = array_open and section_close.lstrip().startswith("]")
    if array:
        section_close = section_close.lstrip()[1:]
    elif array_open:
        section_open += "["
    section_close, ending = _section_end(section_open, section_close)
    return Frame(section_open.lstrip(), call_open, call_close, separator, section_close, array, ending)


def _without_bracket(stripped: str, text: str, bracket: str) -> tuple[str, bool]:
    """The lead without the `[` that opens an array of calls."""
    if stripped.endswith(bracket) and not any(one.end() == len(stripped) for one in MARKER.finditer(stripped)):
        return stripped[:-1], True
    return text, False


def _single(lead: str, trail: str, array_open: bool) -> Frame:
    array = array_open and trail.lstrip().startswith("]")
    if array:
        trail = trail.lstrip()[1:]
    elif array_open:
        lead += "["
    if lead.strip():
        closer, ending = _section_end(lead, trail)
        return Frame(call_open=lead.lstrip(), call_close=closer, array=array, ending=ending)
    return Frame(array=array, ending=trail)


def _section_end(section_open: str, text: str) -> tuple[str, str]:
    """A section that was opened closes with the first marker that follows; nothing closes what was not opened."""
    if not section_open.strip():
        return "", text
    first = MARKER.search(text)
    if first is None:
        return (text, "") if text.strip() else ("", text)
    end = first.end()
    return text[:end], text[end:]
