"""A table view that paints its rows itself: a cell costs one question to the model, not one for every role.

Everything else (selection, keyboard, headers, accessibility) is Qt's own. It is this that lets the table keep up
with any speed of tokens.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QTableView

from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE

_BEHIND = int(Qt.ItemDataRole.BackgroundRole)
_ALIGN = int(Qt.ItemDataRole.TextAlignmentRole)


class TokenTable(QTableView):
    """For models of uniform rows whose cells are one line of text, some with a background (columns 1 and 3)."""

    def paintEvent(self, event: QPaintEvent) -> None:
        model, theme = self.model(), look.theme
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(theme.window))
        if model is None:
            painter.end()
            return
        painter.setFont(self.font())
        first = self.rowAt(event.rect().top())
        last = self.rowAt(event.rect().bottom())
        last = model.rowCount() - 1 if last < 0 else last
        columns = self._columns()
        current = self.currentIndex().row()
        for row in range(max(first, 0), last + 1):
            if first >= 0:
                self._paint_row(painter, row, columns, selected=row == current)
        painter.end()

    def _columns(self) -> list[tuple[int, int, int, bool]]:
        """(column, left, width, whether it stands at the right) of what is on screen."""
        model = self.model()
        found = []
        for column in range(model.columnCount()):
            left, width = self.columnViewportPosition(column), self.columnWidth(column)
            if left + width > 0 and left < self.viewport().width():
                found.append((column, left, width, model.data(model.index(0, column), _ALIGN) is not None))
        return found

    def _paint_row(
        self, painter: QPainter, row: int, columns: list[tuple[int, int, int, bool]], *, selected: bool
    ) -> None:
        model, theme = self.model(), look.theme
        top, height = self.rowViewportPosition(row), self.rowHeight(row)
        if selected:
            painter.fillRect(QRect(0, top, self.viewport().width(), height), QColor(theme.selected))
        metrics = self.fontMetrics()
        base = top + (height + metrics.ascent() - metrics.descent()) // 2
        cell = metrics.horizontalAdvance("0")
        painter.setPen(QColor(theme.text))
        for column, left, width, right in columns:
            index = model.index(row, column)
            if column in (1, 3) and not selected:
                behind = model.data(index, _BEHIND)
                if behind is not None:
                    painter.fillRect(QRect(left, top, width, height), behind)
            text = model.data(index)
            if not text:
                continue
            room = width - 2 * SPACE
            if len(text) * cell > room and metrics.horizontalAdvance(text) > room:
                text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            x = left + width - SPACE - len(text) * cell if right else left + SPACE
            painter.drawText(x, base, text)
