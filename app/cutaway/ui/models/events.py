"""A reply's events as they were emitted, one a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from cutaway.chat.reply import (
    Block,
    CallArguments,
    CallBlock,
    CallEnded,
    CallStarted,
    ContentBlock,
    ContentText,
    Event,
    ReasoningBlock,
    ReasoningText,
    Reply,
)
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


Place = tuple[int, int]


def event_places(events: Sequence[Event], reply: Reply) -> list[Place | None]:
    """The characters of the output that each event tells of; None where its text is not the model's own."""
    finder = _Finder(reply)
    return [finder.place(event) for event in events]


class _Finder:
    """Looks for each event's text behind the one before it, inside the block that it belongs to."""

    def __init__(self, reply: Reply) -> None:
        self._text = reply.text
        kinds = {"reasoning": ReasoningBlock, "content": ContentBlock, "call": CallBlock}
        self._blocks: dict[str, list[Block]] = {
            name: [block for block in reply.blocks if isinstance(block, kind)] for name, kind in kinds.items()
        }
        self._at: dict[int, int] = {}
        """By where a block begins: how far its events have come."""

    def place(self, event: Event) -> Place | None:
        match event:
            case ReasoningText(text):
                return self._find("reasoning", text)
            case ContentText(text):
                return self._find("content", text)
            case CallArguments(index, text) if index < len(self._blocks["call"]):
                return self._within(self._blocks["call"][index], text)
            case CallStarted(index, _, _) | CallEnded(index) if index < len(self._blocks["call"]):
                block = self._blocks["call"][index]
                return block.start, block.end
        return None

    def _find(self, kind: str, text: str) -> Place | None:
        found = (self._within(block, text) for block in self._blocks[kind])
        return next((place for place in found if place is not None), None)

    def _within(self, block: Block, text: str) -> Place | None:
        at = self._text.find(text, self._at.get(block.start, block.start), block.end) if text else -1
        if at < 0:
            return None
        self._at[block.start] = at + len(text)
        return at, at + len(text)


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
