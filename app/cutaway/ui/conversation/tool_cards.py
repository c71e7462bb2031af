"""Tool calls and their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from cutaway.ui.conversation.card import Card, Host
from cutaway.ui.conversation.items import Item, pretty_json
from cutaway.ui.look.style import mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.sentences import told
from cutaway.ui.widgets.flow import FlowLayout
from cutaway.ui.widgets.link import Link
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.workbench.calls import CallState

RESULT_LINES = 12
"""A folded tool result shows so many lines."""


class CallCard(Card):
    """A tool call: its name, its arguments and what is wrong with them.

    While it has no result, its arguments can be changed here, and its result is entered.
    """

    ANSWERS = (
        ("Give this result", "result"),
        ("Give it as an error", "error"),
        ("Run the built-in", "once"),
        ("Always run it", "always"),
        ("Deny", "deny"),
    )

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        self.setObjectName("card")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._layout = layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        self.title = _plain_label()
        self.arguments = _plain_label()
        self.faults = _plain_label()
        self.faults.setProperty("error", True)
        for label in (self.title, self.arguments, self.faults):
            layout.addWidget(label)
        self._build_editing(layout)
        self.entry = QPlainTextEdit()
        self.entry.setTabChangesFocus(True)
        self.entry.setMaximumHeight(72)
        say(self.entry, "setPlaceholderText", "Enter what the tool answers")
        say(self.entry, "setAccessibleName", "Result of the call")
        layout.addWidget(self.entry)
        row = FlowLayout()
        self.buttons: list[QPushButton] = []
        for text, action in self.ANSWERS:
            button = QPushButton()
            say(button, "setText", text)
            button.clicked.connect(lambda _=False, action=action: self._answer(action, self.entry.toPlainText()))
            row.addWidget(button)
            self.buttons.append(button)
        self.buttons[0].setProperty("primary", True)
        layout.addLayout(row)
        self._of: tuple[str, ...] = ()
        """The call that the texts being entered belong to."""
        self._editing = self._waits = False
        self._key = ""

    def _build_editing(self, layout: QVBoxLayout) -> None:
        self.editor = QPlainTextEdit()
        self.editor.setTabChangesFocus(True)
        say(self.editor, "setAccessibleName", "Arguments of the call")
        layout.addWidget(self.editor)
        row = QHBoxLayout()
        self.change = Link("Change the arguments", self._edit)
        self.save = Link("Use these arguments", self._save)
        self.cancel = Link("Cancel", self._leave)
        for button in (self.change, self.save, self.cancel):
            row.addWidget(button)
        row.addStretch()
        layout.addLayout(row)

    def show_item(self, item: Item) -> None:
        self.item = item
        if item.key != self._of:
            self._of, self._editing = item.key, False
            self.entry.clear()
        call = item.call
        name = call.name if call is not None else ""
        self.title.setText("⚙ " + tr("Call {0}", name) + (f"  {call.id}" if call is not None and call.id else ""))
        self.arguments.setFont(mono())
        self.arguments.setText(pretty_json(item.text)[:20_000])
        self.setAccessibleName(tr("Call {0}", name))

    def set_state(self, state: CallState | None) -> None:
        """Whether the call waits for its result, what is wrong with its arguments, who may answer."""
        self._key = state.key if state is not None else ""
        self._waits = state is not None and state.waits
        faults = state.faults if state is not None else ()
        self.faults.setText("\n".join(": ".join(filter(None, (fault.path, told(fault.message)))) for fault in faults))
        self.faults.setVisible(bool(faults))
        self.entry.setVisible(self._waits)
        built_in = state is not None and state.built_in
        for index, button in enumerate(self.buttons):
            button.setVisible(self._waits and (index < 2 or built_in))
        self._show_editing()

    def _show_editing(self) -> None:
        editing = self._editing and self._waits
        self.arguments.setVisible(not editing)
        for widget in (self.editor, self.save, self.cancel):
            widget.setVisible(editing)
        self.change.setVisible(self._waits and not editing)
        lines = min(max(self.editor.document().blockCount(), 3), 14)
        self.editor.setFixedHeight(lines * self.editor.fontMetrics().lineSpacing() + 4 * SPACE)

    def _edit(self) -> None:
        if self.item is not None:
            self._editing = True
            self.editor.setFont(mono())
            self.editor.setPlainText(pretty_json(self.item.text))
            self._show_editing()
            self.editor.setFocus()
            self.ask("measure")

    def _leave(self) -> None:
        self._editing = False
        self._show_editing()
        self.ask("measure")

    def _save(self) -> None:
        self._editing = False
        self._answer("arguments", self.editor.toPlainText())
        self._leave()

    def _answer(self, action: str, text: str) -> None:
        if self.item is not None and self.item.call is not None:
            call_id = self._key or self.item.call.id or self.item.key[-1]
            self.host.act("answer-call", self.item.key[0], f"{action}\n{call_id}\n{text}")

    def height_for(self, width: int) -> int:
        height = self._layout.heightForWidth(width)
        return height if height > 0 else self.sizeHint().height()


def _plain_label() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


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
        self.more = Link(call=lambda: self.ask("toggle", "result"))
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
