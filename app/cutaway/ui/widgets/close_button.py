"""A small cross."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QToolButton

from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import look
from cutaway.ui.words import say


class CloseButton(QToolButton):
    """A small cross that does what `name` says."""

    def __init__(self, name: str, call: Callable[[], None]) -> None:
        super().__init__()
        say(self, "setAccessibleName", name)
        say(self, "setToolTip", name)
        self.clicked.connect(call)
        look.changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self.setIcon(icon("close", "quiet"))
