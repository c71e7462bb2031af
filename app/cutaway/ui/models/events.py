"""A reply's events as they were emitted, one a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from cutaway.chat.reply import CallArguments, CallEnded, CallStarted, ContentText, Event, ReasoningText
from cutaway.ui.words import tr

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


def event_text(event: Event) -> str:
    match event:
        case ReasoningText(text):
            return tr("reasoning {0}", repr(text))
        case ContentText(text):
            return tr("content {0}", repr(text))
        case CallStarted(index, name, call_id):
            return tr("call {0} started: {1} {2}", index, name, call_id)
        case CallArguments(index, text):
            return tr("call {0} arguments {1}", index, repr(text))
        case CallEnded(index):
            return tr("call {0} ended", index)


class Events(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self._events: Sequence[Event] = ()
        self._shown = 0

    def set_events(self, events: Sequence[Event]) -> None:
        self.beginResetModel()
        self._events, self._shown = events, len(events)
        self.endResetModel()

    def take_new(self, events: Sequence[Event]) -> None:
        if events is not self._events:
            self.set_events(events)
            return
        new = len(events) - self._shown
        if new > 0:
            self.beginInsertRows(QModelIndex(), self._shown, self._shown + new - 1)
            self._shown += new
            self.endInsertRows()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else self._shown

    def data(self, index: Index, role: int = 0) -> Any:
        return event_text(self._events[index.row()]) if role == Qt.ItemDataRole.DisplayRole else None
