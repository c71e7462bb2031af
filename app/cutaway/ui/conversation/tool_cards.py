"""Tool calls and their results."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from cutaway.ui.conversation.card import Card, Host
from cutaway.ui.conversation.items import Item, pretty_json
from cutaway.ui.look.style import mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import say, tr

RESULT_LINES = 12
"""A folded tool result shows so many lines."""


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
