"""Painted text that is selected across cards: a chunk of markdown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QContextMenuEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QMenu, QWidget

from cutaway.ui.conversation import formulas
from cutaway.ui.conversation.card import Card, Host
from cutaway.ui.conversation.document import INDENT, MessageDocument
from cutaway.ui.conversation.items import Item
from cutaway.ui.look.style import look
from cutaway.ui.words import tr

LONGEST_LINK = 80
"""Characters of a link in a menu; the whole of it is shown before it opens."""


class TextCard(Card):
    """Painted text that can be selected together with its neighbours: markdown, or code."""

    inset = 0
    drawn = Signal(str)
    """The formulas of this text are drawn."""

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        self.document = MessageDocument()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.drawn.connect(self._show_formulas)

    def show_item(self, item: Item) -> None:
        if item == self.item:
            return
        self.item = item
        self._fill(item)
        self.setAccessibleName(item.text)
        self.update()

    def _fill(self, item: Item) -> None:
        missing = self.document.show(item.text, self.font(), quiet=item.quiet)
        if missing:
            formulas.ask(missing, lambda text=item.text: self.drawn.emit(text))  # type: ignore[misc]

    def _show_formulas(self, text: str) -> None:
        if self.item is not None and self.item.text == text:
            self._fill(self.item)
            self.update()
            self.ask("measure")

    @property
    def length(self) -> int:
        """Of its text as it is shown, in UTF-16 units."""
        return self.document.length

    def text_between(self, start: int, end: int) -> str:
        return self.document.text_between(start, end)

    def height_for(self, width: int) -> int:
        inner = max(width - 2 * self.inset, 40)
        if self.document.textWidth() != inner:
            self.document.setTextWidth(inner)
        return round(self.document.size().height()) + self._above() + self._below()

    def _above(self) -> int:
        return 0

    def _below(self) -> int:
        return 0

    def _origin(self) -> QPointF:
        return QPointF(self.inset, self._above())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._paint_behind(painter)
        origin = self._origin()
        painter.translate(origin)
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette.setColor(QPalette.ColorRole.Text, QColor(look.theme.text))
        context.clip = QRectF(event.rect()).translated(-origin)
        chosen = self.host.selection_in(self.item.key, self.length) if self.item is not None else None
        if chosen is not None and chosen[1] > chosen[0]:
            context.selections = [self._selection(*chosen)]
        self.document.documentLayout().draw(painter, context)
        painter.end()

    def _selection(self, start: int, end: int) -> QAbstractTextDocumentLayout.Selection:
        part = QAbstractTextDocumentLayout.Selection()
        part.cursor = QTextCursor(self.document)
        part.cursor.setPosition(min(start, self.length))
        part.cursor.setPosition(min(end, self.length), QTextCursor.MoveMode.KeepAnchor)
        part.format = QTextCharFormat()
        part.format.setBackground(look.colour(look.theme.accent, 90))
        return part

    def _paint_behind(self, painter: QPainter) -> None:
        """A bar beside each quotation."""
        layout = self.document.documentLayout()
        for block, depth in self.document.quotes:
            box = layout.blockBoundingRect(block)
            for level in range(depth):
                bar = QRectF(level * INDENT + 2, box.top(), 3, box.height()).translated(self._origin())
                painter.fillRect(bar, QColor(look.theme.faint))

    def top_of(self, char: int) -> float:
        """Where the line of a character begins, from the card's top."""
        block = self.document.findBlock(char)
        layout = self.document.documentLayout()
        line = block.layout().lineForTextPosition(char - block.position())
        top = layout.blockBoundingRect(block).top() + (line.y() if line.isValid() else 0.0)
        return top + self._above()

    def char_at(self, place: QPointF) -> int:
        inner = place - self._origin()
        return max(self.document.documentLayout().hitTest(inner, Qt.HitTestAccuracy.FuzzyHit), 0)

    def _link_at(self, place: QPointF) -> str:
        return self.document.documentLayout().anchorAt(place - self._origin())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton and self.item is not None:
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.host.press_text(self.item.key, self.char_at(event.position()), extend=shift)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.host.drag_text(event.globalPosition().toPoint())
            return
        link = self._link_at(event.position())
        self.setCursor(Qt.CursorShape.PointingHandCursor if link else Qt.CursorShape.IBeamCursor)
        self.setToolTip(link)
        event.ignore()  # The view shows what can be done with the message under the mouse.

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.item is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        link = self._link_at(event.position())
        chosen = self.host.selection_in(self.item.key, self.length)
        if link and (chosen is None or chosen[0] == chosen[1]):
            self.host.act("link", self.item.key[0], link)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.item is None:
            return
        cursor = QTextCursor(self.document)
        cursor.setPosition(self.char_at(event.position()))
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        self.host.press_text(self.item.key, cursor.selectionStart(), extend=False)
        self.host.press_text(self.item.key, cursor.selectionEnd(), extend=True)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.item is not None:
            menu = text_menu(self, self.host, self.item.key[0], self.links())
            menu.exec(event.globalPos())
            menu.deleteLater()

    def links(self) -> list[str]:
        found: list[str] = []
        block = self.document.begin()
        while block.isValid():
            for fragment in block:  # type: ignore[attr-defined]
                link = fragment.fragment().charFormat().anchorHref()
                if link and link not in found:
                    found.append(link)
            block = block.next()
        return found


def text_menu(parent: QWidget, host: Host, node: str, links: Sequence[str]) -> QMenu:
    """What can be done with a message's text."""
    menu = QMenu(parent)

    def offer(words: str, action: str, detail: str = "") -> None:
        menu.addAction(words).triggered.connect(lambda: host.act(action, node, detail))

    offer(tr("Copy selection"), "copy-selection")
    offer(tr("Copy message"), "copy")
    for link in links:
        offer(tr("Open {0}", link if len(link) <= LONGEST_LINK else link[: LONGEST_LINK - 1] + "…"), "link", link)
    return menu
