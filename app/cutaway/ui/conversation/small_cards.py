"""The reasoning's fold, and a note below a message."""

from __future__ import annotations

from collections.abc import Container

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from cutaway.ui.conversation.card import Card, Host
from cutaway.ui.conversation.items import Item
from cutaway.ui.look.icons import icon
from cutaway.ui.look.theme import SPACE
from cutaway.ui.sentences import told
from cutaway.ui.words import say, tr


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
        known = {
            "stopped": tr("Stopped here."),
            "failed": tr("The reply failed."),
            "edited": tr("Edited by you."),
            "error": tr("Given to the model as an error."),
            "left out": tr("Left out of the newest prompt: it did not fit."),
            "shortened": tr("Shortened in the newest prompt: it did not fit."),
        }
        sentence, marks = sentence_and_marks(item.text, known)
        quiet = not sentence and item.text != "failed"
        self.label.setText(" ".join([*([told(sentence)] if sentence else []), *(known[mark] for mark in marks)]))
        self.label.setProperty("error", not quiet)
        self.label.setProperty("quiet", quiet)
        self.label.style().polish(self.label)
        self.setAccessibleName(self.label.text())

    def height_for(self, width: int) -> int:
        return self.label.heightForWidth(width) + SPACE


def sentence_and_marks(note: str, known: Container[str]) -> tuple[str, list[str]]:
    """What a note says in a sentence of its own, if it does, and the marks that stand behind it."""
    marks: list[str] = []
    while note:
        before, _, last = note.rpartition(", ")
        if last not in known:
            break
        marks.insert(0, last)
        note = before
    return note, marks
