"""Markers that are tokens: with ids known, only the token counts, and its spelled-out text is text.

Each marker token becomes one character that no text holds (a lone surrogate) while the output is read,
and is itself again wherever text is told. So one search serves both, and nothing can be mistaken.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

_FIRST = 0xD800
_MOST = 0x800
_TOKEN = re.compile("[\ud800-\udfff]")

T = TypeVar("T")


def _marks(text: str) -> bool:
    """Whether a token's text can be a marker: runs of blanks and plain words are ordinary text."""
    return len(text) > 2 and text.strip() == text and not text.isalnum()


def is_token(marker: str) -> bool:
    """Whether the marker, as the reader searches it, holds a token."""
    return _TOKEN.search(marker) is not None


class MarkerTokens:
    """The vocabulary's tokens that a format's markers are made of, each with its stand-in."""

    def __init__(self, tokens: Mapping[int, str], markers: Collection[str]) -> None:
        used = {id: text for id, text in tokens.items() if _marks(text) and any(text in marker for marker in markers)}
        texts = sorted(set(used.values()), key=lambda text: (-len(text), text))[:_MOST]
        self._character = {text: chr(_FIRST + number) for number, text in enumerate(texts)}
        self._text = {character: text for text, character in self._character.items()}
        self._by_id = {id: self._character[text] for id, text in used.items() if text in self._character}
        self._search = re.compile("|".join(map(re.escape, texts)) or r"(?!)")

    def stand_in(self, id: int) -> str:
        """The character that stands for the token; empty for any other token."""
        return self._by_id.get(id, "")

    def shorten(self, marker: str) -> str:
        """A marker as the reader searches it."""
        return self._search.sub(lambda found: self._character[found[0]], marker)

    def expand(self, text: str) -> str:
        """The text as the model wrote it."""
        return _TOKEN.sub(lambda found: self._text.get(found[0], found[0]), text) if _TOKEN.search(text) else text

    def read(self, text: str, ids: tuple[int, ...]) -> str:
        """The text of these tokens with each marker token replaced by its stand-in."""
        pieces, at = [], 0
        for id in ids:
            character = self._by_id.get(id)
            found = text.find(self._text[character], at) if character else -1
            if character and found >= 0:
                pieces += [plain(text[at:found]), character]
                at = found + len(self._text[character])
        return "".join(pieces) + plain(text[at:])


def plain(text: str) -> str:
    """The text without lone surrogates, which no well-formed output holds."""
    return _TOKEN.sub("\ufffd", text)


def shortened(format: T, tokens: MarkerTokens) -> T:
    """The format with every marker as the reader searches it."""
    if not is_dataclass(format) or isinstance(format, type):
        raise TypeError("a format is a dataclass")
    return replace(format, **{field.name: _short(getattr(format, field.name), tokens) for field in fields(format)})


def _short(value: object, tokens: MarkerTokens) -> object:
    if isinstance(value, str):
        return tokens.shorten(value)
    if isinstance(value, tuple):
        return tuple(_short(part, tokens) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        return shortened(value, tokens)
    return value


def texts_of(format: object) -> set[str]:
    """Every text in the format."""
    if isinstance(format, str):
        return {format}
    if isinstance(format, tuple):
        return set().union(*map(texts_of, format)) if format else set()
    if is_dataclass(format) and not isinstance(format, type):
        return set().union(*(texts_of(getattr(format, field.name)) for field in fields(format)))
    return set()
