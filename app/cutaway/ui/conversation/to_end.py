"""The button that brings a reader who scrolled away back to the end of the conversation."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import say


class ToEnd(QPushButton):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        say(self, "setText", "To the end")
        say(self, "setToolTip", "To the end (End)")
        self._new = False
        look.changed.connect(self._draw)
        self._draw()
        self.hide()

    def show_at(self, centre: int, bottom: int, *, away: bool, new: bool) -> None:
        """`away` shows it; `new` says that more has come below since."""
        if new != self._new:
            self._new = new
            self._draw()
        if away:
            size = self.sizeHint()
            self.setGeometry(
                centre - size.width() // 2, bottom - size.height() - 2 * SPACE, size.width(), size.height()
            )
            self.raise_()
        if away == self.isHidden():
            self.setVisible(away)

    def _draw(self) -> None:
        self.setIcon(icon("down", "accent" if self._new else "quiet"))
