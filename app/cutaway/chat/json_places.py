"""Reads JSON text into values whose strings know where in the text they stand.

A call's arguments are a string of JSON in the request; templates want the object. Its leaves are wrapped as
`Sourced`, so that a character of the prompt can be followed back to the character that the client sent.
"""

from __future__ import annotations

import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from cutaway.chat.template.marked import derived, leaf
from cutaway.chat.template.values import Sourced

DEPTH_LIMIT = 100
_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}
_DIGITS = 4_000


def parse_with_places(text: str, path: str) -> Any:
    """The value of a JSON text; strings in it are `Sourced` with their place in the field `path`, keys likewise marked.

    Of a key that appears twice the last one counts, as in `json.loads`. Raises `ValueError` for what is no JSON,
    for NaN and infinities, and for nesting deeper than `DEPTH_LIMIT`.
    """
    value, end = _Parser(text, path).value(0, 0)
    if _skip(text, end) != len(text):
        raise ValueError(f"unexpected text at character {end}")
    return value


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _marked(key: Sourced) -> str:
    return leaf(key.value, derived(key.path) if key.start is None else (key.path, key.start))


class _Parser:
    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        at = _skip(self.text, at)
        if depth > DEPTH_LIMIT:
            raise ValueError("nested too deeply")
        first = self.text[at : at + 1]
        if first == '"':
            return self.string(at)
        if first == "{":
            return self.object(at + 1, depth + 1)
        if first == "[":
            return self.array(at + 1, depth + 1)
        for word, value in _WORDS.items():
            if self.text.startswith(word, at):
                return value, at + len(word)
        return self.number(at)

    def string(self, at: int) -> tuple[Sourced, int]:
        value, end = scanstring(self.text, at + 1, True)
        copied = end - at - 2 == len(value) and "\\" not in self.text[at + 1 : end - 1]
        return Sourced(value, self.path, at + 1 if copied else None), end

    def number(self, at: int) -> tuple[int | float, int]:
        match = _NUMBER.match(self.text, at)
        if match is None or match.end() - at > _DIGITS:
            raise ValueError(f"no JSON value at character {at}")
        if match[1] is None and match[2] is None:
            return int(match[0]), match.end()
        value = float(match[0])
        if value in (float("inf"), float("-inf")):
            raise ValueError(f"a number too large at character {at}")
        return value, match.end()

    def object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = _skip(self.text, at)
        if self.text.startswith("}", at):
            return {}, at + 1
        while True:
            at = self.expect('"', at)
            key, at = self.string(at)
            at = self.expect(":", at) + 1
            value, at = self.value(at, depth)
            found[_marked(key)] = value
            at = _skip(self.text, at)
            if self.text.startswith("}", at):
                return found, at + 1
            at = _skip(self.text, self.expect(",", at) + 1)

    def array(self, at: int, depth: int) -> tuple[list[Any], int]:
        items: list[Any] = []
        at = _skip(self.text, at)
        if self.text.startswith("]", at):
            return [], at + 1
        while True:
            value, at = self.value(at, depth)
            items.append(value)
            at = _skip(self.text, at)
            if self.text.startswith("]", at):
                return items, at + 1
            at = self.expect(",", at) + 1

    def expect(self, what: str, at: int) -> int:
        at = _skip(self.text, at)
        if not self.text.startswith(what, at):
            raise ValueError(f"expected {what} at character {at}")
        return at
