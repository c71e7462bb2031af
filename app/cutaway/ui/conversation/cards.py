"""The widgets of a conversation's items. Each is told its item and answers the height it needs for a width."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QContextMenuEvent,
    QEnterEvent,
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
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPlainTextEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from cutaway.ui.conversation import highlight
from cutaway.ui.conversation.items import Item, pretty_json
from cutaway.ui.conversation.markdown import to_html
from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import cell, look, mono
from cutaway.ui.look.theme import CONVERSATION_LEADING, RADIUS, SPACE
from cutaway.ui.text.paint import brushes
from cutaway.ui.widgets.elided import Tinted
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.ui.text.runs import Run
    from cutaway.workbench.turn import Node

RESULT_LINES = 12
"""A folded tool result shows so many lines."""


class Host(Protocol):
    """What the cards need of the view they are in."""

    def selection_in(self, key: tuple[str, ...], length: int) -> tuple[int, int] | None:
        """The selected characters of a text, half-open; None where nothing of it is selected."""
        ...

    def press_text(self, key: tuple[str, ...], char: int, *, extend: bool) -> None: ...

    def drag_text(self, place: QPoint) -> None: ...

    def act(self, action: str, node: str, detail: str = "") -> None:
        """Something that the person asked of a message: `copy`, `edit`, `toggle`, ..."""
        ...


class Card(QWidget):
    """Base of what is laid out in a conversation."""

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(parent)
        self.host = host
        self.item: Item | None = None

    def show_item(self, item: Item) -> None:
        self.item = item

    def height_for(self, width: int) -> int:
        return self.sizeHint().height()

    def ask(self, action: str, detail: str = "") -> None:
        if self.item is not None:
            self.host.act(action, self.item.key[0], detail)

    def restyle(self) -> None:
        """The theme or the font changed."""
        if self.item is not None:
            item, self.item = self.item, None
            self.show_item(item)


class _SafeDocument(QTextDocument):
    """A document that never loads anything."""

    def loadResource(self, kind: int, name: object) -> None:
        return None


class TextCard(Card):
    """Painted text that can be selected together with its neighbours: markdown, or code."""

    inset = 0
    grown = Signal()
    coloured = Signal(str, object)

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
        self.document.setHtml(to_html(item.text))
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


class _Action(QToolButton):
    """A button that says when the mouse is over it: what it would cost is then forecast."""

    hovered = Signal(bool)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.hovered.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(False)


class HeadCard(Card):
    """Who wrote the message, which version it is, and what can be done with it (on hover and by keyboard)."""

    ACTIONS = (
        ("copy", "Copy"),
        ("edit", "Edit"),
        ("again", "Regenerate"),
        ("continue", "Continue"),
        ("branch", "Branch from here"),
        ("delete", "Delete"),
    )

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, SPACE, 0, 0)
        self._row.setSpacing(0)
        self.role = Tinted()
        font = self.role.font()
        font.setBold(True)
        self.role.setFont(font)
        self._row.addWidget(self.role)
        self._row.addStretch()
        self.node: Node | None = None
        self.buttons: dict[str, QToolButton] = {}
        self._shown: object = None

    def _build_switcher(self) -> None:
        """Made when a message first has another version: most have none."""
        self.back, self.forth = self._button("left", "Previous version"), self._button("right", "Next version")
        self.version = QLabel()
        self.version.setProperty("quiet", True)
        self.back.clicked.connect(lambda: self._act("back"))
        self.forth.clicked.connect(lambda: self._act("forth"))
        for place, widget in enumerate((self.back, self.version, self.forth), 1):
            self._row.insertWidget(place, widget)

    def _build_buttons(self) -> None:
        """Made when they are first to be seen: on hover, or when the message becomes the current one."""
        self.time = QLabel()
        self.time.setProperty("quiet", True)
        self._row.addWidget(self.time)
        for name, title in self.ACTIONS:
            button = self._button(name, title)
            button.clicked.connect(lambda _=False, name=name: self._act(name))
            self._row.addWidget(button)
            self.buttons[name] = button

    def _button(self, name: str, title: str) -> QToolButton:
        button = _Action(self)
        if name in ("again", "edit"):
            button.hovered.connect(lambda on: self._act("hover" if on else "unhover"))
        button.setIcon(icon(name, "quiet"))
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        say(button, "setToolTip", title)
        say(button, "setAccessibleName", title)
        return button

    def restyle(self) -> None:
        self._shown = None
        for name, button in self.buttons.items():
            button.setIcon(icon(name, "quiet"))
        if hasattr(self, "back"):
            self.back.setIcon(icon("left", "quiet"))
            self.forth.setIcon(icon("right", "quiet"))

    def _act(self, action: str) -> None:
        if self.node is not None:
            self.host.act(action, self.node.id)

    def show_node(self, node: Node, *, live: bool, busy: bool) -> None:
        """`live` shows the buttons; `busy` leaves out what a running reply does not allow."""
        shown = (node.id, node.status, node.siblings, node.position, node.message.role, live, busy)
        self.node = node
        if shown == self._shown:
            return
        self._shown = shown
        role = node.message.role
        names = {"user": "You", "assistant": "Model", "system": "System", "tool": "Tool result"}
        kind = {"user": "user", "assistant": "assistant", "tool": "tool_result"}.get(role, "system")
        self.role.colour = look.theme.kind(kind)
        self.role.setText(tr(names.get(role, role)))
        self.setAccessibleName(tr("{0}: {1}", self.role.text(), node.message.text[:200]))
        self._show_switcher(node)
        self._show_buttons(node, live=live, busy=busy)

    def _show_switcher(self, node: Node) -> None:
        several = node.siblings > 1
        if several and not hasattr(self, "back"):
            self._build_switcher()
        if hasattr(self, "back"):
            for widget in (self.back, self.forth, self.version):
                widget.setVisible(several)
            self.version.setText(f"{node.position}/{node.siblings}")
            self.version.setAccessibleName(tr("Version {0} of {1}", node.position, node.siblings))
            self.back.setEnabled(node.position > 1)
            self.forth.setEnabled(node.position < node.siblings)

    def _show_buttons(self, node: Node, *, live: bool, busy: bool) -> None:
        if live and not self.buttons:
            self._build_buttons()
        if not self.buttons:
            return
        growing, role = node.status == "growing", node.message.role
        allowed = {
            "copy": True,
            "edit": not growing,
            "again": role in ("assistant", "user") and not busy,
            "continue": role == "assistant" and not busy,
            "branch": not growing,
            "delete": not growing,
        }
        for name, button in self.buttons.items():
            button.setVisible(live and allowed[name])
        self.time.setText(time.strftime("%H:%M", time.localtime(node.created)) if node.created else "")
        self.time.setVisible(live)

    def height_for(self, width: int) -> int:
        return max(self.fontMetrics().height(), 24) + SPACE


class FoldCard(Card):
    """The reasoning's one line: its length and time. Pressing it opens or closes it."""

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.button = QToolButton()
        self.button.setProperty("flush", True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.clicked.connect(lambda: self.ask("toggle", "fold"))
        self.answer = QPushButton()
        self.answer.setProperty("link", True)
        say(self.answer, "setText", "Answer now")
        self.answer.clicked.connect(lambda: self.ask("answer-now"))
        row.addWidget(self.button)
        row.addWidget(self.answer)
        row.addStretch()

    def show_item(self, item: Item) -> None:
        if item == self.item:
            return
        self.item = item
        self.button.setIcon(icon("down" if item.open else "right", "quiet"))
        length = tr("{0} tokens", f"{item.tokens:,}") if item.tokens else tr("{0} characters", f"{int(item.text):,}")
        text = tr("Reasoning: {0}", length)
        if item.seconds:
            text += " · " + tr("{0} s", f"{item.seconds:.1f}")
        self.button.setText(text)
        self.button.setAccessibleName(text + (tr(", open") if item.open else tr(", folded")))

    def set_running(self, running: bool) -> None:
        self.answer.setVisible(running)

    def height_for(self, width: int) -> int:
        return self.button.sizeHint().height() + SPACE


class NoteCard(Card):
    """A quiet or an alarming line below a message: stopped, failed and why, cut here."""

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.label)

    def show_item(self, item: Item) -> None:
        self.item = item
        known = {"stopped": tr("Stopped here."), "failed": tr("The reply failed.")}
        self.label.setText(known.get(item.text, item.text))
        self.label.setProperty("error", item.text not in ("stopped",))
        self.label.setProperty("quiet", item.text == "stopped")
        self.label.style().polish(self.label)
        self.setAccessibleName(self.label.text())

    def height_for(self, width: int) -> int:
        return self.label.heightForWidth(width) + SPACE


class CallCard(Card):
    """A tool call: its name and arguments. Its result is entered here while it has none."""

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        self.setObjectName("card")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        self.title = QLabel()
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        layout.addWidget(self.title)
        self.arguments = QLabel()
        self.arguments.setTextFormat(Qt.TextFormat.PlainText)
        self.arguments.setWordWrap(True)
        self.arguments.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.arguments)
        self.entry = QPlainTextEdit()
        self.entry.setMaximumHeight(72)
        say(self.entry, "setPlaceholderText", "Enter what the tool answers")
        say(self.entry, "setAccessibleName", "Result of the call")
        layout.addWidget(self.entry)
        row = QHBoxLayout()
        self.buttons: list[QPushButton] = []
        for text, action in (
            ("Give this result", "result"),
            ("Give it as an error", "error"),
            ("Run the built-in", "once"),
            ("Always run it", "always"),
            ("Deny", "deny"),
        ):
            button = QPushButton()
            say(button, "setText", text)
            button.clicked.connect(lambda _=False, action=action: self._answer(action))
            row.addWidget(button)
            self.buttons.append(button)
        self.buttons[0].setProperty("primary", True)
        row.addStretch()
        layout.addLayout(row)
        self._layout = layout

    def show_item(self, item: Item) -> None:
        self.item = item
        call = item.call
        name = call.name if call is not None else ""
        self.title.setText("⚙ " + tr("Call {0}", name) + (f"  {call.id}" if call is not None and call.id else ""))
        self.arguments.setFont(mono())
        self.arguments.setText(pretty_json(item.text)[:20_000])
        self.setAccessibleName(tr("Call {0}", name))

    def set_open(self, answerable: bool, built_in: bool) -> None:
        """Whether the call still waits for its result, and whether a built-in could give it."""
        self.entry.setVisible(answerable)
        for index, button in enumerate(self.buttons):
            button.setVisible(answerable and (index < 2 or built_in))

    def _answer(self, action: str) -> None:
        if self.item is not None and self.item.call is not None:
            detail = f"{action}\n{self.item.call.id}\n{self.entry.toPlainText()}"
            self.host.act("answer-call", self.item.key[0], detail)

    def height_for(self, width: int) -> int:
        height = self._layout.heightForWidth(width)
        return height if height > 0 else self.sizeHint().height()


class ResultCard(Card):
    """A tool's result, folded to its first lines."""

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        self.setObjectName("card")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(self.text)
        self.more = QPushButton()
        self.more.setProperty("link", True)
        self.more.clicked.connect(lambda: self.ask("toggle", "result"))
        layout.addWidget(self.more, alignment=Qt.AlignmentFlag.AlignLeft)
        self._layout = layout

    def show_item(self, item: Item) -> None:
        self.item = item
        text = pretty_json(item.text)
        lines = text.split("\n")
        limit = 20_000 if item.open else 1200
        short = "\n".join(lines[: 400 if item.open else RESULT_LINES])[:limit]
        self.text.setFont(mono())
        self.text.setText(short)
        self.more.setVisible(short != text or item.open)
        self.more.setText(tr("Show less") if item.open else tr("Show more of {0} characters", f"{len(text):,}"))
        self.setAccessibleName(tr("Tool result: {0}", short[:200]))

    def height_for(self, width: int) -> int:
        height = self._layout.heightForWidth(width)
        return height if height > 0 else self.sizeHint().height()


class EditorCard(Card):
    """A message being edited in place."""

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.text = QPlainTextEdit()
        say(self.text, "setAccessibleName", "Edit the message")
        layout.addWidget(self.text)
        row = QHBoxLayout()
        for title, action, primary in (
            ("Save and regenerate", "save-run", True),
            ("Save", "save", False),
            ("Cancel", "cancel-edit", False),
        ):
            button = QPushButton()
            say(button, "setText", title)
            button.setProperty("primary", primary)
            button.clicked.connect(lambda _=False, action=action: self._done(action))
            row.addWidget(button)
        row.addStretch()
        layout.addLayout(row)

    def show_item(self, item: Item) -> None:
        if self.item is None or self.item.key != item.key:
            self.text.setPlainText(item.text)
        self.item = item

    def _done(self, action: str) -> None:
        if self.item is not None:
            self.host.act(action, self.item.key[0], self.text.toPlainText())

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
        return super().event(event)

    def height_for(self, width: int) -> int:
        lines = min(max(self.text.document().blockCount(), 4), 16)
        return lines * self.fontMetrics().lineSpacing() + 12 * SPACE + 12


CARDS: dict[str, Callable[[Host, QWidget], Card]] = {
    "head": HeadCard,
    "fold": FoldCard,
    "text": TextCard,
    "code": CodeCard,
    "call": CallCard,
    "result": ResultCard,
    "note": NoteCard,
    "editor": EditorCard,
}
