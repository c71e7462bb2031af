"""The messages of a branch as a column: which items each has, how high they are, what stands where. No Qt.

A height is estimated until the item is first seen, then measured. What must not move while heights change is
an `Anchor`: a place in an item, and where that was on screen.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from cutaway.ui.conversation.items import Growth, Item

if TYPE_CHECKING:
    from cutaway.workbench.turn import Node, Turn

GAP = 16
"""Pixels between messages."""
INNER_GAP = 8
"""Between the items of a message."""
PARAGRAPH_GAP = 12
"""Between paragraphs, as Qt has it within a text."""

Key = tuple[str, ...]


PLAIN = ("text", "code", "result", "note")
"""Kinds whose height follows from the item alone."""


@dataclass(slots=True)
class Entry:
    """One message. Its lists are as long as its items, of which there are none until it is first seen."""

    node: Node
    height: float
    items: list[Item] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    measured: list[bool] = field(default_factory=list)
    """Whether the height is that of this item at this width."""
    gaps: list[int] = field(default_factory=list)
    """Below each item."""
    stale: bool = True
    """The message has other items now, or more of them."""
    turn: Turn | None = None
    growth: Growth | None = None

    def take(self, items: list[Item], guess: Callable[[Item], float]) -> None:
        """The message's items from now on: what stayed the same stays measured."""
        old, count = self.items, min(len(self.items), len(items))
        same = next((n for n in range(count) if old[n] is not items[n] and old[n] != items[n]), count)
        known = {item.key: height for item, height in zip(old[same:], self.heights[same:], strict=True)}
        self.items, self.stale = items, False
        self.heights[same:] = [known.get(item.key) or guess(item) for item in items[same:]]
        kept = [was and item.kind in PLAIN for was, item in zip(self.measured[:same], items, strict=False)]
        self.measured = kept + [False] * (len(items) - same)
        begin = max(same - 1, 0)
        following = [*items[begin + 1 :], None]
        self.gaps[begin:] = [_gap(item, after) for item, after in zip(items[begin:], following, strict=True)]

    def place_of(self, number: int) -> float:
        """Where an item begins, from the message's top."""
        return sum(self.heights[:number]) + sum(self.gaps[:number])


def _gap(item: Item, following: Item | None) -> int:
    """None where the same code block or paragraph goes on."""
    if following is None or (following.kind == "code" and following.open):
        return 0
    if item.kind == following.kind == "text" and item.quiet == following.quiet:
        return PARAGRAPH_GAP if following.joint == "\n\n" else 0
    return INNER_GAP


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place that stays where it is on screen."""

    node: str
    key: Key
    top: float
    """Where the item's top was, in pixels from the top of the screen."""
    char: int = -1
    """A character of the item, or -1: then it is the item's top that stays."""
    line: float = 0.0
    """Where that character's line began, from the item's top."""


class Column:
    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.index: dict[str, int] = {}
        self.tops: list[float] = [float(GAP)]
        """Where each message begins; the last one is where the next would."""

    # -- What is in it --------------------------------------------------------------------------

    def show(self, nodes: Sequence[Node], turns: Mapping[str, Turn], estimate: Callable[[Node], float]) -> None:
        """The messages from now on. What was known of those that stay is kept."""
        old = {entry.node.id: entry for entry in self.entries}
        self.entries = [self._entry(node, turns.get(node.id), old.get(node.id), estimate) for node in nodes]
        self.index = {entry.node.id: index for index, entry in enumerate(self.entries)}
        self.sum()

    def _entry(self, node: Node, turn: Turn | None, known: Entry | None, estimate: Callable[[Node], float]) -> Entry:
        entry = known or Entry(node, estimate(node), turn=turn)
        if entry.node != node or entry.turn is not turn:
            if entry.node.status == "growing" and node.status != "growing":
                entry.growth = None
            entry.node, entry.turn, entry.stale = node, turn, True
        if node.status == "growing" and entry.growth is None:
            entry.growth = Growth()
        return entry

    def of(self, node: str) -> Entry | None:
        index = self.index.get(node)
        return self.entries[index] if index is not None else None

    def forget_heights(self) -> None:
        """The width is another one."""
        for entry in self.entries:
            entry.measured = [False] * len(entry.heights)

    # -- Where things are -----------------------------------------------------------------------

    def sum(self, begin: int = 0) -> None:
        """Add the heights up again, from a message on."""
        del self.tops[begin + 1 :]
        heights = (entry.height + GAP for entry in self.entries[begin:])
        self.tops[begin:] = accumulate(heights, initial=self.tops[begin])

    @property
    def total(self) -> int:
        return int(self.tops[-1]) + GAP

    def at(self, y: float) -> int:
        """The message at a height of the column, or -1 where there is none."""
        if not self.entries:
            return -1
        return min(max(bisect_right(self.tops, y) - 1, 0), len(self.entries) - 1)

    def between(self, top: float, bottom: float) -> Iterator[tuple[int, Entry]]:
        """The messages that are seen between two heights; they may be measured while this goes on."""
        index = self.at(top)
        while 0 <= index < len(self.entries) and self.tops[index] < bottom:
            yield index, self.entries[index]
            index += 1

    # -- What must not move ---------------------------------------------------------------------

    def anchor(self, value: float) -> Anchor | None:
        """The first item on a screen that begins at `value`."""
        index = self.at(value)
        if index < 0:
            return None
        entry = self.entries[index]
        y = self.tops[index] - value
        for item, height, gap in zip(entry.items, entry.heights, entry.gaps, strict=True):
            if y + height > 0:
                return Anchor(entry.node.id, item.key, y)
            y += height + gap
        return Anchor(entry.node.id, (entry.node.id, "head"), self.tops[index] - value)

    def place_of(self, anchor: Anchor) -> float | None:
        """Where an anchor's item begins now; where it is gone, where its message does. None without that."""
        index = self.index.get(anchor.node)
        if index is None:
            return None
        entry = self.entries[index]
        number = next((n for n, item in enumerate(entry.items) if item.key == anchor.key), -1)
        if number < 0 and anchor.key[1:2] == ("reasoning",):  # It was folded: its line is what stays.
            number = next((n for n, item in enumerate(entry.items) if item.kind == "fold"), -1)
        return self.tops[index] + (entry.place_of(number) if number > 0 else 0.0)

    def order(self, key: Key) -> tuple[int, int]:
        """(message, item) of a key, as they follow each other."""
        index = self.index.get(key[0], -1)
        items = self.entries[index].items if index >= 0 else []
        return index, next((number for number, item in enumerate(items) if item.key == key), 0)
