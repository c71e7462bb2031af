"""Where a call's parts stand in a turn."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .turn import Place, SaidCall, Turn

_DECODER = json.JSONDecoder()
_BRACE = re.compile(r"""[{}]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")


@dataclass(frozen=True, slots=True)
class CallPlaces:
    """The parts of one call. Every place is given; the id is None where the template does not write it."""

    call: SaidCall
    name: Place
    id: Place | None
    keys: tuple[Place, ...]
    """In the order in which they are written."""
    values: tuple[Place, ...]
    """Those of the string values."""
    start: int
    """The first character of any part."""
    end: int

    @property
    def arguments(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.call.arguments)
        return found


def call_places(turn: Turn) -> tuple[CallPlaces, ...] | None:
    """The turn's calls in order; None where a name, a key or a string value of one is missing or out of order."""
    found: list[CallPlaces] = []
    at = 0
    for call in turn.said.calls:
        places = _places(turn, call, at)
        if places is None:
            return None
        found.append(places)
        at = places.end
    return tuple(found)


def _places(turn: Turn, call: SaidCall, start: int) -> CallPlaces | None:
    name = turn.find_from(call.name, start)
    if name is None:
        return None
    found = _arguments(turn, json.loads(call.arguments), start)
    if found is None:
        return None
    keys, values = found
    id = turn.find_from(call.id, start)
    parts = [name, *keys, *values, *([id] if id else [])]
    return CallPlaces(call, name, id, keys, values, min(p.start for p in parts), max(p.end for p in parts))


def _arguments(turn: Turn, given: Mapping[str, Any], start: int) -> tuple[tuple[Place, ...], tuple[Place, ...]] | None:
    """The keys in the order in which they are written, which some templates sort, and the string values likewise."""
    keys, values = [], []
    for key, value in given.items():
        place = turn.find_from(key, start)
        if place is None:
            return None
        keys.append(place)
        if isinstance(value, str):
            found = turn.find_from(value, place.end)
            if found is None:
                return None
            values.append(found)
    return tuple(sorted(keys, key=_start)), tuple(sorted(values, key=_start))


def _start(place: Place) -> int:
    return place.start


@dataclass(frozen=True, slots=True)
class JsonText:
    """JSON that stands in a text, and what it says."""

    start: int
    end: int
    value: Any


def json_from(text: str, start: int) -> JsonText | None:
    """The JSON value that begins at this character, or one that is JSON but for Python's quotes and constants."""
    try:
        value, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _python_from(text, start)
    return JsonText(start, end, value)


def _python_from(text: str, start: int) -> JsonText | None:
    end = _end_of_braces(text, start)
    try:
        return JsonText(start, end, ast.literal_eval(text[start:end])) if end else None
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _end_of_braces(text: str, start: int) -> int:
    """Behind the brace that closes the one at `start`; 0 where there is none. Quoted braces don't count."""
    depth = 0
    for found in _BRACE.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.end()
    return 0


def arguments_json(turn: Turn, places: CallPlaces) -> JsonText | None:
    """The arguments as one JSON object, as the template wrote it; None where it did not."""
    if not places.keys:
        return None
    start = turn.text.rfind("{", 0, places.keys[0].start)
    found = json_from(turn.text, start) if start >= 0 else None
    return found if found is not None and found.value == places.arguments else None


def enclosing_json(turn: Turn, places: CallPlaces, start: int, end: int) -> JsonText | None:
    """The outermost JSON object between two characters that holds the whole call."""
    at = turn.text.find("{", start)
    while 0 <= at <= places.start:
        found = json_from(turn.text, at)
        if found is not None and places.end <= found.end <= end and isinstance(found.value, dict):
            return found
        at = turn.text.find("{", at + 1)
    return None
