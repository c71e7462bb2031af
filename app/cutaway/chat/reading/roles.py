"""What each marker of a format means, in the answer and in the reasoning, and the blanks in front of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutaway.chat.formats.format import Format, Marker
from cutaway.chat.reading.context import cores
from cutaway.chat.reading.source import Scan, scan_for

FENCE_OPEN, FENCE_CLOSE = "```json", "```"

_IN_REASONING = frozenset({"end", "last end", "content open", "call", "head"})


class Roles:
    """The markers that count in one kind of text, and the search for them."""

    def __init__(self, roles: Mapping[str, str], before: Mapping[str, str]) -> None:
        self._roles = dict(roles)
        framed = [
            blanks[start:] + text for text, blanks in before.items() if text in roles for start in range(len(blanks))
        ]
        self.scan: Scan = scan_for(tuple(sorted(roles)), tuple(sorted(framed)))

    def __getitem__(self, marker: str) -> str:
        return self._roles[marker]


def answer_roles(format: Format, calls: Mapping[str, str], fenced: bool) -> dict[str, str]:
    """One text may mark several borders: in the answer the answer's own come last and win."""
    roles: dict[str, str] = {}
    roles.update(dict.fromkeys(cores(format.eos), "last end"))
    roles.update(dict.fromkeys(cores(*format.ends), "end"))
    roles.update(dict.fromkeys(cores(*format.fillers), "filler"))
    roles.update(_reasoning_markers(format))
    roles.update(calls)
    for wrapper in format.content:
        roles.update({wrapper.open.text: "content open", wrapper.close.text: "content close"})
    if fenced:
        roles.update({FENCE_OPEN: "fence", FENCE_CLOSE: "fence"})
    roles.pop("", None)
    return roles


def reasoning_roles(format: Format, answer: Mapping[str, str]) -> dict[str, str]:
    """Of the answer's markers those that can end reasoning, and the reasoning's own, which win here."""
    kept = {marker: role for marker, role in answer.items() if role in _IN_REASONING and marker not in ("{", "[")}
    return kept | _reasoning_markers(format)


def _reasoning_markers(format: Format) -> dict[str, str]:
    reasoning = format.reasoning
    if reasoning is None:
        return {}
    closers = dict.fromkeys((reasoning.close.text, *reasoning.other_closes), "reasoning close")
    openers = dict.fromkeys((reasoning.open.text, *reasoning.other_opens), "reasoning open")
    return {text: role for text, role in (closers | openers).items() if text}


def blanks_before(format: Format, calls: Sequence[Marker]) -> dict[str, str]:
    """For each marker the blanks that the template writes in front of it, if any."""
    markers = [*calls]
    if format.reasoning:
        markers += [format.reasoning.open, format.reasoning.close]
    for wrapper in format.content:
        markers += [wrapper.open, wrapper.close]
    markers += [Marker(end.strip(), format.end_before) for end in format.ends]
    return {marker.text: marker.before for marker in markers if marker.text and marker.before}
