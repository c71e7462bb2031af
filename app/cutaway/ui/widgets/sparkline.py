"""A line of many numbers in little room: each pixel column shows the mean of what falls into it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from cutaway.ui import access
from cutaway.ui.look.style import look


class Sparkline(QWidget):
    def __init__(self, colour: str, parent: QWidget | None = None) -> None:
        """`colour` is the name of a theme's colour."""
        access.install()
        super().__init__(parent)
        self._values: Sequence[float] = ()
        self._top = 1.0
        self._label = ""
        self._colour = colour
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_values(self, values: Sequence[float], top: float, label: str) -> None:
        """`values` in order, `top` what the upper edge stands for, `label` the words beside it."""
        self._values, self._top, self._label = values, max(top, 1e-9), label
        self.setAccessibleName(label)
        self.setToolTip(label)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.fontMetrics().height() + 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme = look.theme
        metrics = self.fontMetrics()
        painter.setPen(QColor(theme.quiet))
        label = metrics.elidedText(self._label, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(0, metrics.ascent(), label)
        top, height = metrics.height() + 1, self.height() - metrics.height() - 3
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(theme.line))
        points = self._points(top, max(height, 1))
        if len(points) > 1:
            painter.setPen(QPen(QColor(getattr(theme, self._colour)), 1.25))
            painter.drawPolyline(QPolygonF(points))
        painter.end()

    def _points(self, top: float, height: float) -> list[QPointF]:
        count, width = len(self._values), self.width()
        if not count:
            return []
        columns = max(min(count, width // 2), 1)
        points = []
        for column in range(columns):
            low, high = column * count // columns, max((column + 1) * count // columns, column * count // columns + 1)
            mean = sum(self._values[low:high]) / (high - low)
            x = width * (column + 0.5) / columns
            points.append(QPointF(x, top + height * (1 - min(mean / self._top, 1.0))))
        return points
