"""Labels that paint themselves: one that ends in dots where there is no room, one in a colour of its own."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class Elided(QLabel):
    """One line in the room that it is given: a new text lays nothing out again, however often it comes."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self._words = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def text(self) -> str:
        return self._words

    def setText(self, text: str) -> None:
        """QLabel's own would ask the whole window for a new layout."""
        if text != self._words:
            self._words = text
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._words), metrics.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), self.alignment(), text)
        painter.end()


class Tinted(QLabel):
    """One word in a colour of its own: a style sheet for it would be worked out anew for every label."""

    colour = ""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(QColor(self.colour) if self.colour else self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), self.alignment(), self.text())
        painter.end()
