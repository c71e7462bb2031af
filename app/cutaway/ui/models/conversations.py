"""The conversations as rows: pinned ones first, then by last use; or what a search found."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.workbench.library import Hit
    from cutaway.workbench.turn import ConversationInfo

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
ID = int(Qt.ItemDataRole.UserRole)
NODE = ID + 1
SECOND = ID + 2
"""The second line: when it was last used, or the words that were found."""
PINNED = ID + 3
ARCHIVED = ID + 4


class Conversations(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self._rows: list[ConversationInfo | Hit] = []

    def set_rows(self, rows: Sequence[ConversationInfo | Hit]) -> None:
        if list(rows) == self._rows:
            return
        same = [_id(row) for row in rows] == [_id(row) for row in self._rows] and len(rows) > 0
        if same:
            self._rows = list(rows)
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
            return
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def row_of(self, conversation: str) -> int:
        return next((n for n, row in enumerate(self._rows) if _id(row)[0] == conversation), -1)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = 0) -> Any:
        if not 0 <= index.row() < len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title or tr("New conversation")
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.title
        if role == ID:
            return _id(row)[0]
        if role == NODE:
            return _id(row)[1]
        if role == SECOND:
            return _second(row)
        if role == PINNED:
            return bool(getattr(row, "pinned", False))
        if role == ARCHIVED:
            return bool(getattr(row, "archived", False))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            title = row.title or tr("New conversation")
            second = _second(row)
            return f"{title}, {second}"
        return None


def _id(row: ConversationInfo | Hit) -> tuple[str, str]:
    found = getattr(row, "node", None)
    return (row.conversation, found) if found is not None else (row.id, "")  # type: ignore[union-attr]


def _second(row: ConversationInfo | Hit) -> str:
    excerpt = getattr(row, "excerpt", None)
    return excerpt if excerpt is not None else _when(row.updated)  # type: ignore[union-attr]


def _when(seconds: float) -> str:
    """Today's as a time, this year's as a day, others as a date."""
    then, now = time.localtime(seconds), time.localtime()
    if then[:3] == now[:3]:
        return time.strftime("%H:%M", then)
    return time.strftime("%d %b" if then[0] == now[0] else "%Y-%m-%d", then)
