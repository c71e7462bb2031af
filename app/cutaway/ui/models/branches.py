"""A conversation's tree as a grid: a message's row is how deep it is, branches stand beside each other in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.workbench.turn import Node

NAMES = {"user": "You", "assistant": "Model", "system": "System", "tool": "Tool result"}
"""Who wrote a message, by its role."""
HUES = {"user": "user", "assistant": "assistant", "tool": "tool_result"}
"""The mark whose colour it has, by its role; the system's for all others."""
EXCERPT = 120
"""Characters of a message that are shown."""
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message stands in the grid."""

    node: Node
    row: int
    column: int
    parent: tuple[int, int] | None
    """The row and column of the message that it follows."""


def lay_out(nodes: Sequence[Node]) -> list[Place]:
    """Places for messages given parents before children, siblings in their order.

    The first version goes on below its parent; each later one begins a column to the right of it. Branches that
    begin deepest are placed first, so that a branch's line crosses no other.
    """
    children: dict[str | None, list[Node]] = {}
    known = {node.id for node in nodes}
    for node in nodes:
        children.setdefault(node.parent if node.parent in known else None, []).append(node)
    grid = _Grid()
    places: list[Place] = []
    waiting: list[tuple[Node, int, tuple[int, int] | None]] = [
        (node, 0, None) for node in reversed(children.get(None, ()))
    ]
    while waiting:
        start, row, parent = waiting.pop()
        chain = list(_chain(start, children))
        column = grid.take(row, row + len(chain), 0 if parent is None else parent[1] + 1)
        for depth, node in enumerate(chain, row):
            places.append(Place(node, depth, column, parent))
            parent = (depth, column)
            waiting += [(other, depth + 1, parent) for other in reversed(children.get(node.id, ())[1:])]
    return places


def _chain(node: Node, children: dict[str | None, list[Node]]) -> Iterator[Node]:
    """A message and what follows it, always by the first version."""
    while True:
        yield node
        below = children.get(node.id)
        if not below:
            return
        node = below[0]


class _Grid:
    """Which rows of each column are taken."""

    def __init__(self) -> None:
        self._taken: list[list[tuple[int, int]]] = []
        self._next: dict[tuple[int, int], int] = {}
        """Where to look on for the next branch of the same message: it may have thousands."""

    def take(self, start: int, end: int, left: int) -> int:
        """The first column from `left` on whose rows are free."""
        column = self._next.get((start, left), left)
        while column < len(self._taken) and any(start < until and at < end for at, until in self._taken[column]):
            column += 1
        while len(self._taken) <= column:
            self._taken.append([])
        self._taken[column].append((start, end))
        self._next[start, left] = column + 1
        return column


class Branches(QAbstractTableModel):
    """The grid, with the words of each message of the current branch in the last column."""

    def __init__(self) -> None:
        super().__init__()
        self.places: dict[tuple[int, int], Place] = {}
        self.of: dict[str, Place] = {}
        self.path: dict[str, int] = {}
        """The current branch: the row of each of its messages."""
        self.below: dict[str, list[Place]] = {}
        """What follows a message."""
        self.columns = self.rows = 0
        self._on_row: dict[int, Place] = {}

    def show(self, nodes: Sequence[Node], path: Sequence[str]) -> None:
        self.beginResetModel()
        laid = lay_out(nodes)
        self.places = {(place.row, place.column): place for place in laid}
        self.of = {place.node.id: place for place in laid}
        self.below = {}
        for place in laid:
            if place.parent is not None:
                self.below.setdefault(self.places[place.parent].node.id, []).append(place)
        self.rows = max((place.row + 1 for place in laid), default=0)
        self.columns = max((place.column + 1 for place in laid), default=0)
        self._mark(path)
        self.endResetModel()

    def show_path(self, path: Sequence[str]) -> None:
        """Another current branch of the same tree."""
        self._mark(path)
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(self.rows - 1, self.columns))

    def _mark(self, path: Sequence[str]) -> None:
        self.path = {node: self.of[node].row for node in path if node in self.of}
        self._on_row = {self.of[node].row: self.of[node] for node in self.path}

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else self.rows

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or not self.rows else self.columns + 1

    def place_at(self, index: Index) -> Place | None:
        """The message of a cell; the words of the last column belong to the current branch."""
        if index.column() == self.columns:
            return self._on_row.get(index.row())
        return self.places.get((index.row(), index.column()))

    def flags(self, index: Index) -> Qt.ItemFlag:
        if self.place_at(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        place = self.place_at(index)
        if place is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return words_of(place.node) if index.column() == self.columns else None
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.told(place)
        return None

    def told(self, place: Place) -> str:
        """A message in words, for tool tips and screen readers."""
        node = place.node
        parts = [f"{tr(NAMES.get(node.message.role, node.message.role))}: {words_of(node)}"]
        if node.siblings > 1:
            parts.append(tr("Version {0} of {1}", node.position, node.siblings))
        if node.id in self.path:
            parts.append(tr("on the current branch"))
        return " · ".join(parts)


def words_of(node: Node) -> str:
    """The message in one line."""
    text = node.message.text or ", ".join(call.name for call in node.message.tool_calls)
    return " ".join(text[: 4 * EXCERPT].split())[:EXCERPT] or "…"
