"""Completion mode: raw text in, tokens out, below it in the same box. The panes beside it show the turn as any other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.widgets.flow import FlowLayout
from cutaway.ui.widgets.link import Link
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.workbench.turn import Turn

WRITTEN = 0x100001
"""A property of the text that the model wrote."""
LENGTH = 128
"""Tokens asked for at first."""


class _Text(QPlainTextEdit):
    sent = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.sent.emit()
        else:
            super().keyPressEvent(event)


class Completion(QWidget):
    """`asked` carries the text, whether control tokens' names are control tokens, and the most tokens to write."""

    asked = Signal(str, bool, int)
    stopped = Signal()
    left = Signal()
    saved = Signal()
    """The turn is to be kept as a file."""
    prompt_wanted = Signal()
    """The prompt that the panes show is to be gone on from."""

    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 3 * SPACE, 6 * SPACE, 3 * SPACE)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setProperty("quiet", True)
        say(self.words, "setText", "The model goes on with this text as it stands: no template, no roles.")
        layout.addWidget(self.words)
        self.text = _Text()
        self.text.setFont(mono())
        self.text.setTabChangesFocus(True)
        say(self.text, "setPlaceholderText", "Write or paste any text")
        say(self.text, "setAccessibleName", "Text to complete")
        layout.addWidget(self.text, 1)
        layout.addLayout(self._build_row())
        self.turn: Turn | None = None
        self._waits = False
        self._taken = 0
        """Characters of the turn's output that stand in the box."""
        self._before: list[str] = []
        """The text before each completion: they are taken back one by one."""
        self.text.sent.connect(self._go)
        self.text.textChanged.connect(self._show_state)
        look.changed.connect(self._restyle)
        changed.language.connect(self._show_state)
        self._show_state()

    def _build_row(self) -> FlowLayout:
        row = FlowLayout()
        self.go = QPushButton()
        self.go.setProperty("primary", True)
        self.go.clicked.connect(self._pressed)
        self.back = QPushButton()
        say(self.back, "setText", "Take back")
        self.back.clicked.connect(self._take_back)
        self.control = QCheckBox()
        say(self.control, "setText", "Names of control tokens are control tokens")
        self.most = QSpinBox()
        self.most.setRange(1, 1_000_000)
        self.most.setValue(LENGTH)
        say(self.most, "setAccessibleName", "Longest completion")
        say(self.most, "setToolTip", "Longest completion")
        say(self.most, "setSuffix", " tokens")
        self.take = Link("Take the prompt that is shown", self.prompt_wanted.emit)
        self.save = Link("Save this turn as a file …", self.saved.emit)
        leave = Link("Back to the conversation", self.left.emit)
        for widget in (self.go, self.back, self.most, self.control, self.take, self.save, leave):
            row.addWidget(widget)
        return row

    def take_prompt(self, text: str) -> None:
        """Go on from a prompt as a template made it: the names of control tokens in it are control tokens."""
        if not self.running:
            self._before.append(self.text.toPlainText())
            self.turn = None
            self.text.setPlainText(text)
            self.control.setChecked(True)
            self.text.moveCursor(QTextCursor.MoveOperation.End)
            self.text.setFocus()
            self._show_state()

    @property
    def running(self) -> bool:
        return self._waits or (self.turn is not None and self.turn.running)

    def _pressed(self) -> None:
        if self.running:
            self.stopped.emit()
        else:
            self._go()

    def _go(self) -> None:
        if self.running:
            return
        text = self.text.toPlainText()
        self._before.append(text)
        self._waits = True
        self._show_state()
        self.asked.emit(text, self.control.isChecked(), self.most.value())

    def begin(self, turn: Turn | None) -> None:
        """The turn that answers; None when there is none, because it was refused."""
        self._waits = False
        if turn is None:
            self._before.pop()
        self.turn, self._taken = turn, 0
        if turn is not None:
            self.grow(turn)
        self._show_state()

    def grow(self, turn: Turn) -> None:
        """Add what the turn has written since."""
        if turn is not self.turn:
            return
        fresh = turn.raw[self._taken :]
        if fresh:
            bar = self.text.verticalScrollBar()
            at_end = bar.value() >= bar.maximum()
            self._taken = len(turn.raw)
            cursor = QTextCursor(self.text.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(fresh, _written())
            if at_end:
                bar.setValue(bar.maximum())
        self._show_state()

    def _take_back(self) -> None:
        if self._before and not self.running:
            self.turn = None
            self.text.setPlainText(self._before.pop())
            self._show_state()

    def _show_state(self) -> None:
        running = self.running
        self.text.setReadOnly(running)
        self.go.setText(tr("Stop") if running else tr("Complete"))
        self.go.setToolTip("" if running else tr("Complete (Ctrl+Enter)"))
        self.back.setEnabled(bool(self._before) and not running)
        self.take.setEnabled(not running)
        self.save.setEnabled(self.turn is not None and not running)

    def _restyle(self) -> None:
        self.text.setFont(mono())
        cursor = QTextCursor(self.text.document())
        for start, end in list(self._written_runs()):
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(_written())

    def _written_runs(self) -> Iterator[tuple[int, int]]:
        """Where the model's text stands, by characters."""
        block = self.text.document().begin()
        while block.isValid():
            for run in block.textFormats():
                if run.format.hasProperty(WRITTEN):
                    start = block.position() + run.start
                    yield start, start + run.length
            block = block.next()


def _written() -> QTextCharFormat:
    """What the model wrote, in colour."""
    style = QTextCharFormat()
    style.setForeground(QColor(look.theme.accent))
    style.setProperty(WRITTEN, True)
    return style
