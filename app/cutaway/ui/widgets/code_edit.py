"""An editor for JSON and templates: numbered lines, and what is wrong marked at its line while one types."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from cutaway.ui.look.colour import mix
from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import say, tr


class CodeEdit(QPlainTextEdit):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.wrong = 0
        """The 1-based line that is marked; 0 for none."""
        self._shown = 0
        """A line that is outlined, as a selection elsewhere asks."""
        self._message = ""
        self._gutter = _Gutter(self)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        say(self, "setAccessibleName", name)
        self.blockCountChanged.connect(self._widen)
        self.updateRequest.connect(self._scrolled)
        look.changed.connect(self._restyle)
        self._restyle()

    def mark(self, line: int, message: str = "") -> None:
        """Mark a line as wrong, without moving the cursor; 0 marks none."""
        self.wrong = min(line, self.blockCount()) if line > 0 else 0
        self._message = message if self.wrong else ""
        self.setAccessibleDescription(tr("Line {0}: {1}", self.wrong, message) if self.wrong else "")
        self._paint_lines()

    def show_line(self, line: int) -> None:
        """Tint a line that is selected elsewhere, and bring it into sight; 0 for none."""
        self._shown = line
        self._paint_lines()
        if 0 < line <= self.blockCount() and not self.hasFocus():
            self.go_to(line)

    def go_to(self, line: int, column: int = 1) -> None:
        """Put the cursor there."""
        block = self.document().findBlockByLineNumber(max(line - 1, 0))
        cursor = QTextCursor(block)
        cursor.setPosition(block.position() + min(max(column - 1, 0), max(block.length() - 1, 0)))
        self.setTextCursor(cursor)
        self.centerCursor()

    def line(self) -> int:
        """The cursor's line, 1-based."""
        return self.textCursor().blockNumber() + 1

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter keeps the line's indentation."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            before = self.textCursor().block().text()[: self.textCursor().positionInBlock()]
            self.insertPlainText("\n" + before[: len(before) - len(before.lstrip(" \t"))])
            self.ensureCursorVisible()
            return
        super().keyPressEvent(event)

    def _paint_lines(self) -> None:
        theme = look.theme
        made = []
        for line, colour in ((self._shown, theme.selected), (self.wrong, mix(theme.error, theme.window, 0.16))):
            if not 0 < line <= self.blockCount():
                continue
            selection = QTextEdit.ExtraSelection()
            style = QTextCharFormat()
            style.setBackground(QColor(colour))
            style.setProperty(QTextFormat.Property.FullWidthSelection, True)
            selection.format = style
            selection.cursor = QTextCursor(self.document().findBlockByLineNumber(line - 1))
            made.append(selection)
        self.setExtraSelections(made)
        self._gutter.setToolTip(self._message)
        self._gutter.update()

    # -- The numbers ----------------------------------------------------------------------------

    def _restyle(self) -> None:
        self.setFont(mono())
        self._widen()
        self._paint_lines()

    def gutter_width(self) -> int:
        digits = max(len(str(self.blockCount())), 2)
        return self.fontMetrics().horizontalAdvance("0") * digits + 3 * SPACE

    def _widen(self) -> None:
        self.setViewportMargins(self.gutter_width(), 0, 0, 0)

    def _scrolled(self, rect: QRect, by: int) -> None:
        if by:
            self._gutter.scroll(0, by)
        else:
            self._gutter.update(0, rect.y(), self._gutter.width(), rect.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._gutter.setGeometry(inside.left(), inside.top(), self.gutter_width(), inside.height())

    def paint_gutter(self, event: QPaintEvent) -> None:
        theme = look.theme
        painter = QPainter(self._gutter)
        painter.fillRect(event.rect(), QColor(theme.side))
        painter.setFont(self.font())
        block = self.firstVisibleBlock()
        place = self.blockBoundingGeometry(block).translated(self.contentOffset())
        while block.isValid() and place.top() <= event.rect().bottom():
            line = block.blockNumber() + 1
            wrong = line == self.wrong
            painter.setPen(QColor(theme.error if wrong else theme.quiet))
            where = QRect(0, round(place.top()), self._gutter.width() - SPACE, self.fontMetrics().height())
            painter.drawText(where, Qt.AlignmentFlag.AlignRight, f"✕{line}" if wrong else str(line))
            block = block.next()
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())
        painter.end()


class _Gutter(QWidget):
    def __init__(self, editor: CodeEdit) -> None:
        super().__init__(editor)
        self._editor = editor

    def sizeHint(self) -> QSize:
        return QSize(self._editor.gutter_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._editor.paint_gutter(event)
