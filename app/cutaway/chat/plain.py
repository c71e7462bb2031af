"""Plain data out of anything: what a request holds, checked once and copied, so that nobody checks it again.

A template sees only what comes out of here: str, int, float, bool, None, list and dict with string keys, of exactly
these types, without circles, and small enough to walk.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

DEPTH_LIMIT = 100
"""Containers inside one another. JSON Schemas of real tools stay below 20."""
NODE_LIMIT = 500_000
"""Values in one request, shared ones counted as often as they appear."""
TEXT_LIMIT = 64_000_000
"""Characters in one request."""
INTEGER_DIGITS = 4_000
"""Python refuses to print integers of more than 4,300 digits."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class RequestError(Exception):
    """A request that can't be read. `field` is the path of what is wrong, e.g. `messages[2].content`."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def kind_of(value: object) -> str:
    """A value's type in JSON's words, for messages."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, Mapping):
        return "an object"
    return f"a {type(value).__name__}"


def key_path(path: str, key: str) -> str:
    """The path of an object's member: `a.b`, or `a["b c"]` where a dot would not read."""
    if key.isidentifier() or re.fullmatch(r"[\w$@-]+", key):
        return f"{path}.{key}" if path else key
    return f'{path}["{key}"]'


class Plainly:
    """Copies values into plain data and counts them; one object serves one request.

    `on_surrogate` hears the path of each string that held half a character (an unpaired UTF-16 surrogate, which no
    tokenizer can encode); the half is replaced by U+FFFD, so offsets stay what they were.
    """

    def __init__(self, on_surrogate: Callable[[str], None] | None = None) -> None:
        self._nodes = 0
        self._characters = 0
        self._open: list[int] = []
        self._on_surrogate = on_surrogate

    def text(self, value: str, path: str) -> str:
        """The string as a plain `str`, without unpaired surrogates."""
        self._characters += len(value)
        if self._characters > TEXT_LIMIT:
            raise RequestError(path, f"{path} takes the request beyond {TEXT_LIMIT:,} characters; send less.")
        plain = str.__str__(value)
        if not plain.isascii() and _SURROGATE.search(plain):
            if self._on_surrogate:
                self._on_surrogate(path)
            return _SURROGATE.sub("\ufffd", plain)
        return plain

    def value(self, value: object, path: str) -> Any:
        """Any JSON value, copied. Raises `RequestError` with the path of what is no JSON."""
        self._count(path)
        if isinstance(value, str):
            return self.text(value, path)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int):
            return _integer(value, path)
        if isinstance(value, float):
            return _number(value, path)
        if isinstance(value, Mapping):
            return self._inside(value, path, lambda: self._object(value, path))
        if isinstance(value, list | tuple):
            items = value
            return self._inside(value, path, lambda: [self.value(v, f"{path}[{i}]") for i, v in enumerate(items)])
        raise RequestError(path, f"{path} is {kind_of(value)}, which JSON doesn't have.")

    def _object(self, value: Mapping[Any, Any], path: str) -> dict[str, Any]:
        copied: dict[str, Any] = {}
        for key, member in value.items():
            if not isinstance(key, str):
                raise RequestError(path, f"{path} has a key that is {kind_of(key)}; keys are strings.")
            copied[self.text(key, path)] = self.value(member, key_path(path, key))
        return copied

    def _inside(self, container: object, path: str, copy: Callable[[], Any]) -> Any:
        if id(container) in self._open:
            raise RequestError(_start_of(path), f"{_start_of(path)} contains itself; a request can't be circular.")
        if len(self._open) >= DEPTH_LIMIT:
            raise RequestError(_start_of(path), f"{_start_of(path)} is nested deeper than {DEPTH_LIMIT} levels.")
        self._open.append(id(container))
        try:
            return copy()
        finally:
            self._open.pop()

    def _count(self, path: str) -> None:
        self._nodes += 1
        if self._nodes > NODE_LIMIT:
            raise RequestError(_start_of(path), f"{_start_of(path)} takes the request beyond {NODE_LIMIT:,} values.")


def _start_of(path: str) -> str:
    """The head of a path that may be hundreds of steps long."""
    steps = re.findall(r"\[[^\]]*\]|\.?[^.\[\]]+", path)
    return path if len(steps) <= 6 else "".join(steps[:6])


def _integer(value: int, path: str) -> int:
    if value.bit_length() > INTEGER_DIGITS * 3:
        raise RequestError(path, f"{path} is an integer of more than {INTEGER_DIGITS * 9 // 10:,} digits.")
    return int(value)


def _number(value: float, path: str) -> float:
    if not math.isfinite(value):
        raise RequestError(path, f"{path} is no finite number that JSON can write.")
    return float(value)
