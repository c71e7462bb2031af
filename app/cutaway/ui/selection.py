"""What is selected: one value that every pane shows, so that pointing at it in one points at it in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True, slots=True)
class Selection:
    """A run of characters of a turn's prompt or of its reply."""

    turn: str
    side: Literal["prompt", "reply"]
    start: int
    """First character, 0-based; half-open with `end`."""
    end: int


class Selected(QObject):
    """The selection in force, and the pointed-at run that only outlines."""

    changed = Signal(object)
    pointed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.value: Selection | None = None
        self.pointed_at: Selection | None = None

    def choose(self, value: Selection | None) -> None:
        if value != self.value:
            self.value = value
            self.changed.emit(value)

    def point(self, value: Selection | None) -> None:
        if value != self.pointed_at:
            self.pointed_at = value
            self.pointed.emit(value)
