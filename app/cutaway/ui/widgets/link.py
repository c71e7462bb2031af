"""A button that looks like a link: a quiet way to do something about what stands beside it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton

from cutaway.ui.words import say


class Link(QPushButton):
    def __init__(self, text: str = "", call: Callable[[], object] | None = None) -> None:
        """`text` is translated; without it the one who made the link names it."""
        super().__init__()
        self.setProperty("link", True)
        if text:
            say(self, "setText", text)
        if call is not None:
            self.clicked.connect(lambda: call())
