"""A message being edited in place: its text, and the reasoning of one of the model's."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from cutaway.ui.conversation.card import Card, Host
from cutaway.ui.conversation.items import Item
from cutaway.ui.look.theme import SPACE
from cutaway.ui.widgets.flow import FlowLayout
from cutaway.ui.words import say

BORDER = "\0"
"""Between the text and the reasoning in what is told of an edit; no text box holds it."""


class EditorCard(Card):
    """Saving makes a new version beside the old one, which keeps all that followed it."""

    ACTIONS = (
        ("Save and regenerate", "save-run"),
        ("Save and continue", "save-go-on"),
        ("Save", "save"),
        ("Save and keep what follows", "save-keep"),
        ("Cancel", "cancel-edit"),
    )

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.text, self.thought = self._box(), self._box()
        say(self.text, "setAccessibleName", "Edit the message")
        say(self.thought, "setAccessibleName", "Edit the reasoning")
        self.head = QLabel()
        self.head.setProperty("quiet", True)
        say(self.head, "setText", "Reasoning")
        for widget in (self.head, self.thought, self.text):
            layout.addWidget(widget)
        row = FlowLayout()
        self.buttons: dict[str, QPushButton] = {}
        for title, action in self.ACTIONS:
            button = self.buttons[action] = QPushButton()
            say(button, "setText", title)
            button.setProperty("primary", action in ("save-run", "save-go-on"))
            button.clicked.connect(lambda _=False, action=action: self._done(action))
            row.addWidget(button)
        layout.addLayout(row)
        self._layout = layout

    def _box(self) -> QPlainTextEdit:
        box = QPlainTextEdit()
        box.document().blockCountChanged.connect(lambda _: self._fit())
        return box

    def show_item(self, item: Item) -> None:
        """`language` is the message's role; `open`: something follows it; `more`: its reasoning."""
        if self.item is None or self.item.key != item.key:
            self.text.setPlainText(item.text)
            self.thought.setPlainText(item.more)
        self.item = item
        wrote = item.language == "assistant"
        for widget in (self.head, self.thought):
            widget.setVisible(wrote and bool(item.more))
        self.buttons["save-run"].setVisible(not wrote)
        self.buttons["save-go-on"].setVisible(wrote)
        self.buttons["save-keep"].setVisible(item.open)
        self._fit()

    def _fit(self) -> None:
        for box in (self.text, self.thought):
            lines = min(max(box.document().blockCount(), 3), 14)
            box.setFixedHeight(lines * box.fontMetrics().lineSpacing() + 4 * SPACE)
        self.ask("measure")

    def _done(self, action: str) -> None:
        if self.item is not None:
            thought = BORDER + self.thought.toPlainText() if self.item.more else ""
            self.host.act(action, self.item.key[0], self.text.toPlainText() + thought)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
        return super().event(event)

    def height_for(self, width: int) -> int:
        height = self._layout.heightForWidth(width)
        return height if height > 0 else self.sizeHint().height()
