"""Labels that paint themselves: one that ends in dots where there is no room, one in a colour of its own."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel


class Elided(QLabel):
    """The whole text is its tool tip."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
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
