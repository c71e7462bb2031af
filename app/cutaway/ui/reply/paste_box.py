"""A box for pasted text of any length. What would take an editor minutes to lay out is kept aside and shown in part."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QPlainTextEdit

from cutaway.ui.words import tr

LONGEST = 100_000
LONGEST_LINE = 10_000
"""Characters that an editor lays out in no time; one line is dearer than many."""
SHOWN = 1000


class PasteBox(QPlainTextEdit):
    def __init__(self) -> None:
        super().__init__()
        self._whole = ""
        """The text of which only the beginning is shown."""
        self._part = ""

    def text(self) -> str:
        """The whole; what is shown of it where the person has changed that."""
        shown = self.toPlainText()
        return self._whole if self._whole and shown == self._part else shown

    def set_text(self, text: str) -> None:
        if not is_long(text):
            self._whole = self._part = ""
            self.setPlainText(text)
            return
        self._whole = text
        head = text[:SHOWN]
        self._part = f"{head}\n… " + tr("({0} characters in all are read; only these are shown)", f"{len(text):,}")
        self.setPlainText(self._part)

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text()
        if is_long(text):
            self.set_text(text)
        else:
            super().insertFromMimeData(source)


def is_long(text: str) -> bool:
    return len(text) > LONGEST or max(map(len, text.split("\n"))) > LONGEST_LINE
