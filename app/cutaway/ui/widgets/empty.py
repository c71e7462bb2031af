"""What an empty pane shows: one sentence that says what it will show, and a button that makes it happen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import say


class Empty(QWidget):
    def __init__(self, sentence: str, button: str = "", action: Callable[[], object] | None = None) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 6 * SPACE)
        layout.addStretch(2)
        label = QLabel()
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setProperty("quiet", True)
        say(label, "setText", sentence)
        layout.addWidget(label)
        if button and action is not None:
            press = QPushButton()
            say(press, "setText", button)
            press.clicked.connect(lambda: action())
            layout.addSpacing(2 * SPACE)
            layout.addWidget(press, alignment=Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(3)
