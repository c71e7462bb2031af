"""Where in a JSON text a field stands: `messages[1].content` is on line 9. Pure."""

from __future__ import annotations

import json
import re

_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")
_BLANKS = re.compile(r"[ \t\r\n]*")


def field_line(text: str, field: str) -> int:
    """The 1-based line on which the field's value begins, or as much of its path as there is; 0 where the text is
    not JSON."""
    try:
        at = _skip(text, 0)
        for step in _STEP.finditer(field):
            below = _item(text, at, int(step[2])) if step[2] else _member(text, at, step[1])
            if below < 0:
                break
            at = below
    except (ValueError, IndexError, RecursionError):
        return 0
    return text.count("\n", 0, at) + 1


def _skip(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _behind(text: str, at: int) -> int:
    """The end of the value that begins here."""
    return json.JSONDecoder().raw_decode(text, at)[1]


def _member(text: str, at: int, name: str) -> int:
    """Where the value of an object's key begins, or -1."""
    if text[at] != "{":
        return -1
    at = _skip(text, at + 1)
    while text[at] == '"':
        key, at = json.JSONDecoder().raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
        if key == name:
            return at
        at = _skip(text, _behind(text, at))
        if text[at] == ",":
            at = _skip(text, at + 1)
    return -1


def _item(text: str, at: int, index: int) -> int:
    """Where an array's item begins, or -1."""
    if text[at] != "[":
        return -1
    at = _skip(text, at + 1)
    for _ in range(index):
        if text[at] == "]":
            return -1
        at = _skip(text, _behind(text, at))
        if text[at] == ",":
            at = _skip(text, at + 1)
    return at if text[at] != "]" else -1
