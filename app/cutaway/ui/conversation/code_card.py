"""A block of code: its language, a button to copy it, its colours once the thread has worked them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QTextCharFormat, QTextCursor, QTextLayout, QTextOption
from PySide6.QtWidgets import QToolButton, QWidget

from cutaway.ui.conversation import highlight
from cutaway.ui.conversation.card import Host
from cutaway.ui.conversation.items import Item
from cutaway.ui.conversation.text_card import TextCard
from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import cell, look, mono
from cutaway.ui.look.theme import RADIUS, SPACE
from cutaway.ui.text.paint import Brush, brushes
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.ui.text.runs import Run


HEAD = 7 * SPACE
"""Pixels of the line with the language."""
Part = tuple[int, int, str]
"""Where a coloured part of a line begins, how long it is, its kind."""


class CodeCard(TextCard):
    """A code block: its language and a button to copy it, the code coloured once the thread has answered."""

    inset = 3 * SPACE
    coloured = Signal(str, object)

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        self._painted: list[list[Part]] = []
        """The coloured parts of each line, as they are painted."""
        self._code = ""
        self._asked = False
        self._style()
        self.coloured.connect(self._colour)
        self.copy = QToolButton(self)
        self.copy.setIcon(icon("copy", "quiet"))
        self.copy.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        say(self.copy, "setToolTip", "Copy the code")
        say(self.copy, "setAccessibleName", "Copy the code")
        self.copy.clicked.connect(self._copy)

    def _copy(self) -> None:
        if self.item is not None:
            self.ask("copy-code", "\n".join(self.item.key))

    def restyle(self) -> None:
        self._style()
        self.copy.setIcon(icon("copy", "quiet"))
        super().restyle()

    def _style(self) -> None:
        font = mono()
        self.document.setDefaultFont(font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTabStopDistance(4 * cell(font))
        self.document.setDefaultTextOption(option)
        self._painted = []
        self._code = ""
        self.document.clear()

    def _fill(self, item: Item) -> None:
        """Code that only grew keeps its lines and their colours."""
        code = _with_newlines(item.text)
        if self._code and code.startswith(self._code):
            cursor = QTextCursor(self.document)
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(code[len(self._code) :])
        else:
            self._painted = []
            self.document.setPlainText(code)
        self._code = code
        self.copy.setVisible(not item.open)
        self._ask_colours()

    def _ask_colours(self) -> None:
        """One question at a time: code that streams is asked for again when the answer has come."""
        if self.item is not None and self.item.language and not self._asked:
            self._asked = True
            highlight.ask(self._code, self.item.language, self.coloured.emit)

    def _colour(self, code: str, runs: tuple[Run, ...]) -> None:
        self._asked = False
        if not self._code.startswith(code):
            self._ask_colours()
            return
        lines, styles = lines_of(code, runs), brushes(look.theme)
        block, number = self.document.begin(), 0
        while block.isValid() and number < len(lines):
            if number >= len(self._painted) or self._painted[number] != lines[number]:
                block.layout().setFormats(_formats(lines[number], styles))
                self.document.markContentsDirty(block.position(), block.length())
            block, number = block.next(), number + 1
        self._painted = lines
        self.update()
        if len(code) < len(self._code):
            self._ask_colours()

    def _above(self) -> int:
        """The code that goes on follows the line before it."""
        return 0 if self.item is not None and self.item.open else HEAD + SPACE

    def _below(self) -> int:
        return 0 if self.item is not None and self.item.goes_on else 2 * SPACE

    def _paint_behind(self, painter: QPainter) -> None:
        theme = look.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.line))
        painter.setBrush(QColor(theme.raised))
        joined = self.item is not None and self.item.open
        top = -2 * RADIUS if joined else 0
        bottom = self.height() + (2 * RADIUS if self.item is not None and self.item.goes_on else 0)
        painter.drawRoundedRect(QRectF(0.5, top + 0.5, self.width() - 1, bottom - top - 1), RADIUS, RADIUS)
        if not joined and self.item is not None:
            painter.setPen(QColor(theme.quiet))
            head = QRectF(self.inset, 0, self.width() - 2 * self.inset, HEAD)
            painter.drawText(head, Qt.AlignmentFlag.AlignVCenter, self.item.language or tr("code"))

    def resizeEvent(self, event: object) -> None:
        size = self.copy.sizeHint()
        top = (HEAD - size.height()) // 2 + 1
        self.copy.setGeometry(self.width() - size.width() - SPACE, top, size.width(), size.height())


def lines_of(code: str, runs: Sequence[Run]) -> list[list[Part]]:
    """The coloured parts of each line, in UTF-16 units as Qt counts them."""
    lines: list[list[Part]] = [[]]
    at, units, begin = 0, 0, 0
    """The character reached, its place in units, and where its line began."""
    for run in runs:
        for start, end, kind in ((at, run.start, ""), (run.start, run.end, run.kind)):
            for number, piece in enumerate(code[start:end].split("\n")):
                if number:
                    units += 1
                    begin = units
                    lines.append([])
                length = len(piece) if piece.isascii() else len(piece.encode("utf-16-le", "surrogatepass")) // 2
                if kind and length:
                    lines[-1].append((units - begin, length, kind))
                units += length
        at = run.end
    return lines


def _with_newlines(code: str) -> str:
    """Every sign that begins a line in Qt's documents, as a newline."""
    return code.replace("\r\n", "\n").replace("\r", "\n").replace("\u2029", "\n")


def _formats(parts: Sequence[Part], styles: Mapping[str, Brush]) -> list[QTextLayout.FormatRange]:
    made = []
    for start, length, kind in parts:
        colour = styles[kind].text
        if colour is not None:
            part = QTextLayout.FormatRange()
            part.start, part.length = start, length
            part.format = QTextCharFormat()
            part.format.setForeground(colour)
            made.append(part)
    return made
