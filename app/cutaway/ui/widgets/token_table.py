"""A table view that paints its rows itself, each as one line of text that is made once.

Everything else (selection, keyboard, headers, accessibility) is Qt's own. It is this that lets the table keep up
with any speed of tokens: Qt's delegate asks the model for some hundred values a row at every paint.
"""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QTableView

from cutaway.ui.look.style import cell, look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.tokens import HEATED, TokenRows
from cutaway.ui.text.rows import cells, is_plain

MOST_KEPT = 4000


Line = tuple[list[tuple[int, str]], QColor | None]
"""A row's pieces of text, each with its left edge, and the colour behind its heated columns."""


class TokenTable(QTableView):
    """For models whose rows never change once they are there; in a monospaced font."""

    def __init__(self) -> None:
        super().__init__()
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # Scrolls by moving pixels.
        self._lines: dict[int, Line] = {}
        self._layout: tuple[tuple[int, int, int, bool], ...] = ()
        self._places: list[tuple[int, int, int, bool, int]] = []
        look.changed.connect(self.forget)

    def setModel(self, model: QAbstractItemModel | None) -> None:
        super().setModel(model)
        if model is not None:
            model.modelReset.connect(self.forget)
        self.forget()

    def forget(self) -> None:
        """What was made of the rows does not hold any more."""
        self._lines.clear()
        self._layout = ()
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(look.theme.window))
        first = self.rowAt(event.rect().top())
        if self.model() is not None and first >= 0:
            last = self.rowAt(event.rect().bottom())
            self._paint_rows(painter, first, self.model().rowCount() - 1 if last < 0 else last)
        painter.end()

    def _paint_rows(self, painter: QPainter, first: int, last: int) -> None:
        theme = look.theme
        layout = self._measure()
        if layout != self._layout or len(self._lines) > MOST_KEPT:
            self._layout = layout
            self._lines.clear()
            self._place_columns()
        heated = [(left, width) for column, left, width, _ in layout if column in HEATED]
        height, current = self.rowHeight(first), self.currentIndex().row()
        metrics = self.fontMetrics()
        down = (height + metrics.ascent() - metrics.descent()) // 2
        painter.setFont(self.font())
        painter.setPen(QColor(theme.text))
        top = self.rowViewportPosition(first)
        for row in range(first, last + 1):
            parts, behind = self._lines.get(row) or self._make(row)
            if row == current:
                painter.fillRect(QRect(0, top, self.viewport().width(), height), QColor(theme.selected))
            elif behind is not None:
                for left, width in heated:
                    painter.fillRect(QRect(left, top, width, height), behind)
            for x, text in parts:
                painter.drawText(x, top + down, text)
            top += height

    def _rows(self) -> TokenRows:
        model = self.model()
        assert isinstance(model, TokenRows)
        return model

    def _measure(self) -> tuple[tuple[int, int, int, bool], ...]:
        """(column, left, width, whether it stands at the right) of what is on screen."""
        model = self._rows()
        found = []
        for column in range(model.columnCount()):
            left, width = self.columnViewportPosition(column), self.columnWidth(column)
            if left + width > 0 and left < self.viewport().width() and not self.isColumnHidden(column):
                found.append((column, left, width, column in model.right))
        return tuple(found)

    def _make(self, row: int) -> Line:
        """The row as few pieces of text as its characters allow: plain ones are put into one line of cells."""
        model, line = self._rows(), ""
        apart: list[tuple[int, str]] = []
        for column, first, room, right, left in self._places:
            text = model.cell_text(row, column)
            if not _is_narrow(text):
                apart.append((left, _cut(text, room)))
                continue
            if len(text) > room:
                text = text[: room - 1] + "…"
            at = first + room - len(text) if right else first
            if at < 0:  # The column begins left of what is seen.
                text, at = text[-at:], 0
            line = line.ljust(at) + text if len(line) <= at else line[:at] + text
        made = ([(0, line), *apart], model.heat_of(row))
        self._lines[row] = made
        return made

    def _place_columns(self) -> None:
        """Where each column's cells are: (column, first cell, cells, whether it stands at the right, left)."""
        size = cell(self.font())
        self._places = []
        for column, left, width, right in sorted(self._layout, key=lambda shown: shown[1]):
            room = max(int((width - 2 * SPACE) / size), 1)
            first = round((left + width - SPACE) / size) - room if right else round((left + SPACE) / size)
            self._places.append((column, first, room, right, left + SPACE))


def _is_narrow(text: str) -> bool:
    """Whether each character takes one cell: plain ones do, and the signs for blanks and newlines."""
    if is_plain(text):
        return True
    highest = max(map(ord, text))
    return (highest < 0x300 and "\t" not in text) or (highest < 0x2400 and bool((cells(text) == 1).all()))


def _cut(text: str, room: int) -> str:
    """The text as far as its characters fit into so many cells."""
    used = 0
    for index, width in enumerate(cells(text)):
        used += int(width)
        if used > room:
            return text[: max(index - 1, 0)] + "…"
    return text
