"""Painted text that is selected across cards: markdown, and code with its colours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from cutaway.ui.conversation import formulas, highlight
from cutaway.ui.conversation.card import Card, Host
from cutaway.ui.conversation.items import Item
from cutaway.ui.conversation.markdown import render
from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import cell, look, mono
from cutaway.ui.look.theme import CONVERSATION_LEADING, RADIUS, SPACE
from cutaway.ui.text.paint import brushes
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.ui.text.runs import Run


class _SafeDocument(QTextDocument):
    """A document that never loads anything."""

    def loadResource(self, kind: int, name: object) -> None:
        return None


class TextCard(Card):
    """Painted text that can be selected together with its neighbours: markdown, or code."""

    inset = 0
    coloured = Signal(str, object)
    drawn = Signal(str)
    """The formulas of this text are drawn."""

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        self.document = _SafeDocument(self)
        self.document.setUndoRedoEnabled(False)
        self.document.setDocumentMargin(0)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document.setDefaultTextOption(option)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self._text = ""
        self.coloured.connect(self._colour)
        self.formulas = formulas.FormulaObject(self.document)
        self.drawn.connect(self._show_formulas)

    def show_item(self, item: Item) -> None:
        if item == self.item:
            return
        self.item = item
        self._fill(item)
        self.setAccessibleName(item.text)
        self.update()

    def _fill(self, item: Item) -> None:
        theme = look.theme
        self.document.setDefaultFont(self.font())
        self.document.setDefaultStyleSheet(
            f"a {{ color: {theme.accent}; }} code, pre {{ font-family: '{mono().family()}'; "
            f"background-color: {theme.raised}; }} blockquote {{ color: {theme.quiet}; }}"
            f"td, th {{ border: 1px solid {theme.line}; padding: 4px; }}"
            "h1 { font-size: x-large; } h2 { font-size: large; } h3, h4, h5, h6 { font-size: medium; }"
        )
        made = render(item.text)
        self.document.setHtml(made.html)
        self.formulas.place(made.formulas)
        if made.missing:
            formulas.ask(made.missing, lambda text=item.text: self.drawn.emit(text))  # type: ignore[misc]
        cursor = QTextCursor(self.document)
        cursor.select(QTextCursor.SelectionType.Document)
        leading = QTextBlockFormat()
        kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
        leading.setLineHeight(CONVERSATION_LEADING * 100 * 0.86, kind)
        cursor.mergeBlockFormat(leading)
        if item.quiet:
            dim = QTextCharFormat()
            dim.setForeground(QColor(theme.quiet))
            cursor.mergeCharFormat(dim)

    def _colour(self, code: str, runs: tuple[Run, ...]) -> None:
        """Colour code; only where the text is still the one that was asked for."""

    def _show_formulas(self, text: str) -> None:
        if self.item is not None and self.item.text == text:
            self._fill(self.item)
            self.update()
            self.ask("measure")

    def text_between(self, start: int, end: int) -> str:
        """What is copied: formulas as their LaTeX. Places count UTF-16 units, as Qt's do."""
        units = self.document.toPlainText().encode("utf-16-le", "surrogatepass")
        parts, at = [], start
        for place, (latex, displayed) in sorted(self.formulas.sources.items()):
            if start <= place < end:
                mark = "$$" if displayed else "$"
                parts += [units[2 * at : 2 * place].decode("utf-16-le", "replace"), f"{mark}{latex}{mark}"]
                at = place + 1
        return "".join([*parts, units[2 * at : 2 * end].decode("utf-16-le", "replace")])

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
        painter.translate(self._origin())
        context = QAbstractTextDocumentLayout.PaintContext()
        context.palette.setColor(QPalette.ColorRole.Text, QColor(look.theme.text))
        length = self.document.characterCount() - 1
        chosen = self.host.selection_in(self.item.key, length) if self.item is not None else None
        if chosen is not None and chosen[1] > chosen[0]:
            part = QAbstractTextDocumentLayout.Selection()
            cursor = QTextCursor(self.document)
            cursor.setPosition(min(chosen[0], length))
            cursor.setPosition(min(chosen[1], length), QTextCursor.MoveMode.KeepAnchor)
            part.cursor = cursor
            style = QTextCharFormat()
            style.setBackground(look.colour(look.theme.accent, 90))
            part.format = style
            context.selections = [part]
        painter.setClipRect(QRectF(event.rect()).translated(-self._origin()))
        context.clip = QRectF(event.rect()).translated(-self._origin())
        self.document.documentLayout().draw(painter, context)
        painter.end()

    def _paint_behind(self, painter: QPainter) -> None:
        pass

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

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.item is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        link = self._link_at(event.position())
        chosen = self.host.selection_in(self.item.key, self.document.characterCount() - 1)
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
        if self.item is None:
            return
        menu = QMenu(self)
        node = self.item.key[0]
        for text, action in ((tr("Copy selection"), "copy-selection"), (tr("Copy message"), "copy")):
            menu.addAction(text).triggered.connect(lambda _=False, action=action: self.host.act(action, node))
        for link in self.links():
            menu.addAction(tr("Open {0}", link)).triggered.connect(
                lambda _=False, link=link: self.host.act("link", node, link)
            )
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


class CodeCard(TextCard):
    """A code block: its language and a button to copy it, the code coloured once the thread has answered."""

    inset = 3 * SPACE

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        self.copy = QToolButton(self)
        self.copy.setIcon(icon("copy", "quiet"))
        self.copy.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        say(self.copy, "setToolTip", "Copy the code")
        say(self.copy, "setAccessibleName", "Copy the code")
        self.copy.clicked.connect(self._copy)

    def _copy(self) -> None:
        if self.item is not None:
            QGuiApplication.clipboard().setText(self.item.text)

    def _fill(self, item: Item) -> None:
        font = mono()
        self.document.setDefaultFont(font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTabStopDistance(4 * cell(font))
        self.document.setDefaultTextOption(option)
        self.document.setPlainText(item.text)
        self.copy.setVisible(not item.open)
        if item.language:
            highlight.ask(item.text, item.language, self.coloured.emit)

    def _colour(self, code: str, runs: tuple[Run, ...]) -> None:
        if self.item is None or self.item.text != code:
            return
        styles = brushes(look.theme)
        cursor = QTextCursor(self.document)
        wide = not code.isascii()
        cursor.beginEditBlock()
        for run in runs:
            style = QTextCharFormat()
            brush = styles[run.kind]
            if brush.text is not None:
                style.setForeground(brush.text)
            start, end = (_utf16(code, run.start), _utf16(code, run.end)) if wide else (run.start, run.end)
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(style)
        cursor.endEditBlock()
        self.update()

    def _above(self) -> int:
        return 2 * SPACE if self.item is not None and self.item.open else self.fontMetrics().height() + 3 * SPACE

    def _below(self) -> int:
        return 2 * SPACE

    def _paint_behind(self, painter: QPainter) -> None:
        theme = look.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.line))
        painter.setBrush(QColor(theme.raised))
        joined = self.item is not None and self.item.open
        top = -RADIUS if joined else 0
        painter.drawRoundedRect(QRectF(0.5, top + 0.5, self.width() - 1, self.height() - top - 1), RADIUS, RADIUS)
        if not joined and self.item is not None:
            painter.setPen(QColor(theme.quiet))
            painter.drawText(QPointF(self.inset, self.fontMetrics().ascent() + SPACE), self.item.language or tr("code"))

    def resizeEvent(self, event: object) -> None:
        size = self.copy.sizeHint()
        self.copy.setGeometry(self.width() - size.width() - SPACE, 2, size.width(), size.height())


def _utf16(text: str, char: int) -> int:
    """Qt counts UTF-16 units."""
    return char + sum(1 for c in text[:char] if ord(c) > 0xFFFF)
