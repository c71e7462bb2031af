"""What input became in each way of tokenising, side by side: figures, and each token that it could take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cutaway.ui.boundary.payloads import INSTRUCTIONS
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.engine.boundary import Boundaries, Taken, Tokens

WAYS = ("Whole text", "By part", "Ours")
"""In the order of `Boundaries.ways`."""


@dataclass(frozen=True, slots=True)
class Became:
    """One row: what it is of, and a cell for each way."""

    text: str
    cells: tuple[str, ...]
    wrong: tuple[bool, ...]
    """The cells that should worry."""
    place: tuple[int, int] | None = None
    """Characters of the prompt."""


def figures(found: Boundaries) -> list[Became]:
    def row(name: str, numbers: list[int], *, counts: bool = True) -> Became:
        return Became(name, tuple(f"{n:,}" for n in numbers), tuple(counts and n > 0 for n in numbers))

    ways = found.ways
    controls = [sum(one.effect != "marker" for one in way.taken) for way in ways]
    markers = [len(way.taken) - control for way, control in zip(ways, controls, strict=True)]
    return [
        row(tr("Role changes"), [way.role_changes for way in ways]),
        row(tr("Control tokens from input"), controls),
        row(tr("Markers from input"), markers),
        row(tr("Tokens"), [len(way.ids) for way in ways], counts=False),
    ]


def taken(found: Boundaries) -> list[Became]:
    """Each run of input that is a special token in some way."""
    places = sorted({(one.start, one.end) for way in found.ways for one in way.taken})
    rows = []
    for place in places:
        held = [_at(way, place) for way in found.ways]
        cells = tuple(effect(one) if one is not None else tr("plain text") for one in held)
        wrong = tuple(one is not None for one in held)
        rows.append(Became(found.prompt.text[place[0] : place[1]], cells, wrong, place))
    return rows


def _at(way: Tokens, place: tuple[int, int]) -> Taken | None:
    return next((one for one in way.taken if (one.start, one.end) == place), None)


def effect(one: Taken) -> str:
    if one.effect == "begins":
        return tr("begins a turn of {0}", one.role)
    words = {
        "ends": tr("ends the turn"),
        "border": tr("is a border that the template writes"),
        "control": tr("is a control token"),
        "marker": tr("is a marker, such as of reasoning or calls"),
    }
    return words[one.effect]


def verdict(found: Boundaries, texts: Mapping[str, str]) -> str:
    """What happened, and what no tokenising stops."""
    if not found.known_borders:
        said = tr(
            "This template writes no control token that the model knows: its borders are plain text to the model, "
            "and no way of tokenising keeps input from writing them."
        )
    else:
        counts = [way.role_changes for way in found.ways]
        said = tr("Role changes that the text would cause: {0} whole, {1} by part, {2} ours.", *counts)
    placed = ", ".join(tr(field) for field in texts if field in INSTRUCTIONS)
    if placed:
        said += " " + tr("Not stopped: {0} stands where the model reads instructions.", placed)
    return said
