"""What may stand above the text in the composer: how the reply begins, and that a new branch begins."""

from __future__ import annotations

import re

from PySide6.QtCore import QMimeData, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QTextOption
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPlainTextEdit, QWidget

from cutaway.ui.look.theme import SPACE
from cutaway.ui.widgets.close_button import CloseButton
from cutaway.ui.widgets.elided import Elided
from cutaway.ui.widgets.link import Link
from cutaway.ui.words import choices, say

UNBROKEN = re.compile(r"\S{2000}")
"""A run without a blank that Qt looks through for a place to break, again and again: seconds for a pasted image."""


class Box(QPlainTextEdit):
    """A text that grows with its lines; Enter sends."""

    sent = Signal()
    focused = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.textChanged.connect(self.fit)

    def insertFromMimeData(self, source: QMimeData) -> None:
        if UNBROKEN.search(source.text()):
            self.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        super().insertFromMimeData(source)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if enter and modifiers in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier):
            self.sent.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit(False)

    def fit(self, share: int = 3) -> None:
        """As high as its lines, up to a third of the window."""
        if self.document().isEmpty():
            self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        line = self.fontMetrics().lineSpacing()
        document = self.document()
        lines = document.size().height()  # A plain text document counts lines, not pixels.
        most = max((self.window().height() or 600) // share, 3 * line)
        wanted = round(lines * line + 2 * document.documentMargin() + 4)
        self.setFixedHeight(min(max(wanted, round(1.6 * line)), most))


class Beginning(QWidget):
    """How the model's reply begins: it goes on there, in its answer or in its thinking."""

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * SPACE)
        self.field = QComboBox()
        choices(self.field, ("The answer begins", "The thinking begins"))
        say(self.field, "setAccessibleName", "What begins so")
        row.addWidget(self.field, alignment=Qt.AlignmentFlag.AlignTop)
        self.text = Box()
        say(self.text, "setPlaceholderText", "Words that the model goes on from")
        say(self.text, "setAccessibleName", "How the reply begins")
        row.addWidget(self.text, 1)
        self._close = CloseButton("Let the reply begin freely", self.leave)
        row.addWidget(self._close, alignment=Qt.AlignmentFlag.AlignTop)
        self.hide()

    def open(self) -> None:
        self.show()
        self.text.fit(6)
        self.text.setFocus()

    def leave(self) -> None:
        self.text.clear()
        self.hide()

    def words(self) -> tuple[str, str]:
        """How the answer begins and how the thinking does; empty where the model is free."""
        if self.isHidden():
            return "", ""
        text = self.text.toPlainText()
        return (text, "") if self.field.currentIndex() == 0 else ("", text)


class BranchNote(QWidget):
    """Says that the next message begins a new branch, with the way back."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self.label = Elided()
        self.label.setProperty("quiet", True)
        self.label.setMinimumWidth(10)
        for setter in ("setText", "setToolTip"):
            say(self.label, setter, "The next message begins a new branch here. What followed is kept.")
        row.addWidget(self.label, 1)
        self.back = Link("Go back", self.left.emit)
        row.addWidget(self.back)
        self.hide()
