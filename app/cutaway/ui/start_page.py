"""What stands where a conversation will be: what to do first, with a model and without one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import say


class StartPage(QWidget):
    def __init__(self, call: Callable[[str], None]) -> None:
        """`call` is given a command's name."""
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6 * SPACE, 6 * SPACE, 6 * SPACE, 6 * SPACE)
        layout.setSpacing(3 * SPACE)
        layout.addStretch(2)
        self.without = _words(
            "No model is open yet. Those of LM Studio, Ollama, Hugging Face, Jan and GPT4All that are on this machine "
            "can be chosen; any other GGUF file can be opened, or dropped here."
        )
        self.about = _words(
            "Write below. What the model reads and writes, and what its cache keeps, is shown beside the conversation."
        )
        layout.addWidget(self.without)
        layout.addWidget(self.about)
        self.buttons = QWidget()
        row = QHBoxLayout(self.buttons)
        row.setContentsMargins(0, 0, 0, 0)
        self.choose, self.open = QPushButton(), QPushButton()
        say(self.choose, "setText", "Choose a model …")
        say(self.open, "setText", "Open a file …")
        self.choose.clicked.connect(lambda: call("model.load"))
        self.open.clicked.connect(lambda: call("model.open"))
        self.choose.setProperty("primary", True)
        row.addStretch()
        row.addWidget(self.choose)
        row.addWidget(self.open)
        row.addStretch()
        layout.addWidget(self.buttons)
        layout.addStretch(3)
        self.show_model(there=True)

    def show_model(self, *, there: bool) -> None:
        """`there` while a model loads, too."""
        self.without.setVisible(not there)
        self.buttons.setVisible(not there)
        self.about.setVisible(there)


def _words(text: str) -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setProperty("quiet", True)
    say(label, "setText", text)
    return label
