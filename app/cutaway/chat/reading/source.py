"""Text that arrives in pieces, and the search for markers in it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

BLANKS = " \t\r\n"

MOST_BLANKS = 64
"""More blanks than this between two markers, and they no longer belong together."""

MOST_HEAD = 512
"""A call's name or an argument's key is not longer than this."""


class Source:
    """The text that has come and is not consumed yet: `text[at:]`."""

    __slots__ = ("at", "ended", "text")

    def __init__(self) -> None:
        self.text = ""
        self.at = 0
        self.ended = False

    def add(self, text: str) -> None:
        self.text = self.text[self.at :] + text
        self.at = 0

    def rest(self) -> str:
        return self.text[self.at :]

    def put_back(self, text: str) -> None:
        """What was consumed last, as not consumed yet."""
        if self.text.endswith(text, 0, self.at):
            self.at -= len(text)
        else:
            self.text, self.at = text + self.rest(), 0


class Scan:
    """A search for the first of several markers. Longer ones win over their own beginnings.

    `prefixes` are texts that may turn into a marker: the tail of the text that equals the beginning of
    one of them is not released yet.
    """

    __slots__ = ("_first", "_longest", "_pattern", "_starts", "markers")

    def __init__(self, markers: Iterable[str], framed: Iterable[str] = ()) -> None:
        self.markers = tuple(
            sorted({marker for marker in markers if marker}, key=lambda marker: (-len(marker), marker))
        )
        held = {*self.markers, *(text for text in framed if text)}
        self._pattern = re.compile("|".join(re.escape(marker) for marker in self.markers) or r"(?!)")
        self._starts = frozenset(text[:size] for text in held for size in range(1, len(text)))
        self._longest = max((len(text) for text in held), default=1) - 1
        firsts = "".join(sorted({re.escape(text[0]) for text in held}))
        self._first = re.compile(f"[{firsts}]" if firsts else r"(?!)")

    def find(self, source: Source, skip: int = 0) -> tuple[re.Match[str] | None, int]:
        """The first marker behind the next `skip` characters that has come for certain, and where the text before it ends.

        None where there is none: then the offset is the one up to which no marker can still begin.
        """
        start = source.at + skip
        found = self._pattern.search(source.text, start)
        if source.ended:
            return found, found.start() if found else len(source.text)
        safe = self.safe_end(source.text, start)
        if found is not None and found.start() < safe:
            return found, found.start()
        return None, safe

    def safe_end(self, text: str, start: int) -> int:
        """The offset from which on the text is the beginning of a marker; its end where there is none."""
        at = max(start, len(text) - self._longest)
        while True:
            first = self._first.search(text, at)
            if first is None:
                return len(text)
            if text[first.start() :] in self._starts:
                return first.start()
            at = first.start() + 1


@lru_cache(maxsize=4096)
def scan_for(markers: tuple[str, ...], framed: tuple[str, ...] = ()) -> Scan:
    return Scan(markers, framed)


def skip_blanks(text: str, start: int) -> int:
    """The offset of the first character from `start` on that is no blank."""
    size = len(text)
    while start < size and text[start] in BLANKS:
        start += 1
    return start


def follows(source: Source, at: int, markers: tuple[str, ...]) -> bool | None:
    """Whether one of the markers, or the end, comes after blanks; None while that is not known."""
    start = skip_blanks(source.text, at)
    if start - at > MOST_BLANKS:
        return False
    rest = source.text[start : start + max(map(len, markers), default=0)]
    if any(rest.startswith(marker) for marker in markers):
        return True
    if start >= len(source.text):
        return True if source.ended else None
    if not source.ended and any(marker.startswith(rest) for marker in markers if len(rest) < len(marker)):
        return None if start + len(rest) >= len(source.text) else False
    return False
