"""The text that is selected across the cards of a conversation: where it begins and ends, and what it says."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cutaway.ui.conversation.column import Column, Key

if TYPE_CHECKING:
    from cutaway.ui.conversation.items import Item

Place = tuple[Key, int]
"""An item, and a place in its text as it is shown, in UTF-16 units as Qt counts them."""


class ChosenText:
    def __init__(self, column: Column) -> None:
        self._column = column
        self._anchor: Place | None = None
        self._caret: Place | None = None

    def clear(self) -> None:
        self._anchor = self._caret = None

    def press(self, key: Key, char: int, *, extend: bool) -> None:
        self._caret = (key, char)
        if not extend or self._anchor is None:
            self._anchor = (key, char)

    def move(self, key: Key, char: int) -> None:
        self._caret = (key, char)

    def _ends(self) -> tuple[Place, Place] | None:
        """The first and the last place; None where nothing is selected."""
        if self._anchor is None or self._caret is None or self._anchor == self._caret:
            return None
        order = self._column.order
        first, last = sorted((self._anchor, self._caret), key=lambda place: (order(place[0]), place[1]))
        return first, last

    def range_in(self, key: Key, length: int) -> tuple[int, int] | None:
        """The selected places of one item's text, half-open; None where nothing of it is selected."""
        ends = self._ends()
        if ends is None:
            return None
        here = self._column.order(key)
        first, last = (self._column.order(place[0]) for place in ends)
        if not first <= here <= last:
            return None
        return ends[0][1] if here == first else 0, ends[1][1] if here == last else length

    def text(self, shown: Callable[[Item, int, int | None], str]) -> str:
        """`shown` answers an item's text between two places, up to its end where the second is None."""
        ends = self._ends()
        if ends is None:
            return ""
        first, last = (self._column.order(place[0]) for place in ends)
        parts: list[str] = []
        for index in range(max(first[0], 0), last[0] + 1):
            for number, item in enumerate(self._column.entries[index].items):
                if item.kind not in ("text", "code") or not first <= (index, number) <= last:
                    continue
                low = ends[0][1] if (index, number) == first else 0
                high = ends[1][1] if (index, number) == last else None
                text = shown(item, low, high)
                if text:
                    parts += [item.joint, text] if parts else [text]
        return "".join(parts)
