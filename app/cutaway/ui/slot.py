"""Where a pane lives. A pane that fails is replaced by the error and the raw value; the others live on.

A slot is a wall for layouts: whatever changes inside a pane, the window around it is not laid out again.
"""

from __future__ import annotations

import dataclasses
import logging
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from cutaway.ui.look.style import mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.pane import Context, Pane
from cutaway.ui.selection import Selection
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.workbench.change import Aspect, Change
    from cutaway.workbench.turn import Turn

log = logging.getLogger(__name__)

RAW_LIMIT = 20_000
"""Characters of the raw value that the fall-back shows."""


class Slot(QWidget):
    """Makes its pane when it is first seen; while it is hidden, the pane is not touched."""

    def __init__(self, make: Callable[[Context], Pane], name: str, title: str, context: Context) -> None:
        super().__init__()
        self.name, self.title = name, title
        self._make, self._context = make, context
        self.pane: Pane | None = None
        self.failed: _Failed | None = None
        self._turn: Turn | None = None
        self._stale = True
        self._page: QWidget | None = None

    def show_turn(self, turn: Turn | None) -> None:
        self._turn, self._stale = turn, True
        if self.isVisible():
            self._refresh()

    def grow(self, turn: Turn, what: frozenset[Aspect]) -> None:
        if self._turn is not turn or self._stale or not self.isVisible():
            self._turn, self._stale = turn, True
            if self.isVisible():
                self._refresh()
            return
        self._guard(lambda pane: pane.grow(turn, what))

    def follow(self, change: Change) -> None:
        self._guard(lambda pane: pane.follow(change))

    def select(self, selection: Selection | None) -> None:
        if self.isVisible():
            self._guard(lambda pane: pane.select(selection))

    def point(self, selection: Selection | None) -> None:
        if self.isVisible():
            self._guard(lambda pane: pane.point(selection))

    def showEvent(self, event: object) -> None:
        """Made in the next round of the loop: while docks are arranged, panes are shown for a moment only."""
        QTimer.singleShot(0, self, self._seen)

    def _seen(self) -> None:
        if self._stale and self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        if self.pane is None and self.failed is None:
            self._build()
        self._stale = False
        self._guard(lambda pane: pane.show_turn(self._turn))
        selection = self._context.selected.value
        if selection is not None:
            self._guard(lambda pane: pane.select(selection))

    def _build(self) -> None:
        try:
            self.pane = self._make(self._context)
        except Exception:
            self._fail()
            return
        self.pane.setAccessibleName(tr(self.title))
        self._put(self.pane)

    def _guard(self, call: Callable[[Pane], None]) -> None:
        if self.pane is None or self.failed is not None:
            return
        try:
            call(self.pane)
        except Exception:
            self._fail()

    def _fail(self) -> None:
        told = traceback.format_exc()
        log.error("the %s pane failed:\n%s", self.name, told)
        self.failed = _Failed(self.title, told, raw_value(self._turn), self._again)
        self._put(self.failed)

    def _put(self, page: QWidget) -> None:
        if self._page is not None:
            self._page.hide()
        self._page = page
        page.setParent(self)
        page.setGeometry(self.rect())
        page.show()
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._page is not None:
            self._page.setGeometry(self.rect())

    def sizeHint(self) -> QSize:
        return self._page.sizeHint() if self._page is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._page.minimumSizeHint() if self._page is not None else super().minimumSizeHint()

    def _again(self) -> None:
        for widget in (self.pane, self.failed):
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._page = self.pane = self.failed = None
        self._refresh()


class _Failed(QWidget):
    def __init__(self, title: str, told: str, raw: str, again: Callable[[], None]) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        label = QLabel()
        label.setWordWrap(True)
        label.setProperty("error", True)
        last = told.strip().splitlines()[-1]
        say(label, "setText", "The {0} pane could not show this turn: {1}. The other panes go on.", title, last)
        layout.addWidget(label)
        row = QHBoxLayout()
        retry, copy = QPushButton(), QPushButton()
        say(retry, "setText", "Try again")
        say(copy, "setText", "Copy the error")
        retry.clicked.connect(again)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(told))
        row.addWidget(retry)
        row.addWidget(copy)
        row.addStretch()
        layout.addLayout(row)
        value = QPlainTextEdit(raw)
        value.setReadOnly(True)
        value.setFont(mono())
        say(value, "setAccessibleName", "Raw value")
        layout.addWidget(value, 1)


def raw_value(turn: Turn | None) -> str:
    """The turn as plain lines, cut short: what a person can still read when its pane cannot show it."""
    if turn is None:
        return ""
    lines = []
    for field in dataclasses.fields(turn):
        value = getattr(turn, field.name)
        text = f"{len(value)} items" if isinstance(value, list) else repr(value)
        lines.append(f"{field.name}: {text[:2000]}")
    return "\n".join(lines)[:RAW_LIMIT]
