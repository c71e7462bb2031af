"""The strip above the conversation: a model that loads, with progress and Cancel; a problem and its way out."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QToolButton, QVBoxLayout, QWidget

from cutaway.ui.look.icons import icon
from cutaway.ui.look.theme import SPACE
from cutaway.ui.sentences import told
from cutaway.ui.words import changed, say

Action = tuple[str, Callable[[], object]]
"""A button's text, already translated, and what it does."""


class Banner(QFrame):
    """One sentence with at most a few buttons; it stays until it is closed, unless it was said for a time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        layout.setSpacing(SPACE)
        row = QHBoxLayout()
        self.label = QLabel()
        self.label.setWordWrap(True)
        row.addWidget(self.label, 1)
        self._sentence = ""
        self._buttons: list[QPushButton] = []
        self._row = row
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("close", "quiet"))
        say(self.close_button, "setAccessibleName", "Close this message")
        say(self.close_button, "setToolTip", "Close this message")
        self.close_button.clicked.connect(self.clear)
        row.addWidget(self.close_button)
        layout.addLayout(row)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setRange(0, 1000)
        layout.addWidget(self.progress)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.clear)
        changed.language.connect(self._say)
        self.hide()

    def tell(self, sentence: str, *actions: Action, error: bool = False, seconds: float = 0.0) -> None:
        self._set(sentence, actions, error=error)
        self.progress.hide()
        self.close_button.show()
        self._timer.stop()
        if seconds:
            self._timer.start(round(seconds * 1000))

    def show_progress(self, sentence: str, fraction: float, *actions: Action) -> None:
        if self._sentence != sentence or not self.isVisible():
            self._set(sentence, actions, error=False)
        self._timer.stop()
        self.close_button.hide()
        self.progress.show()
        self.progress.setValue(round(fraction * 1000))
        self.progress.setAccessibleName(sentence)

    def clear(self) -> None:
        self._sentence = ""
        self.label.setText("")
        self.hide()

    def _set(self, sentence: str, actions: tuple[Action, ...], *, error: bool) -> None:
        for button in self._buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._buttons = []
        for text, call in actions:
            button = QPushButton(text)
            button.clicked.connect(lambda _=False, call=call: call())
            self._row.insertWidget(self._row.count() - 1, button)
            self._buttons.append(button)
        self._sentence = sentence
        self._say()
        self.label.setProperty("error", error)
        self.label.style().polish(self.label)
        self.show()

    def _say(self) -> None:
        """What the layers below said is said in the window's language, also when that changes."""
        self.label.setText(told(self._sentence))
        self.setAccessibleName(self.label.text())
