"""A bar of parts: how much each of them is of the whole, each with its colour, name and number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from cutaway.ui import access
from cutaway.ui.look.style import look


@dataclass(frozen=True, slots=True)
class Part:
    key: str
    name: str
    amount: int
    colour: str


@dataclass(frozen=True, slots=True)
class Notch:
    """A place on the bar where something broke."""

    at: int
    name: str


class Bar(QWidget):
    """Parts from left to right; `total` wider than their sum leaves room free."""

    pressed = Signal(str)
    """The part that was pressed, by its key."""
    placed = Signal(int)
    """The place that was pressed, in the parts' own units from the left."""

    def __init__(self, name: str = "", height: int = 12, parent: QWidget | None = None) -> None:
        access.install()
        super().__init__(parent)
        self._parts: tuple[Part, ...] = ()
        self._notches: tuple[Notch, ...] = ()
        self._total = 0
        self._mark = -1
        self._height = height
        self.track = "raised"
        """The theme's colour of what is left free."""
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_parts(self, parts: Sequence[Part], notches: Sequence[Notch] = (), total: int = 0) -> None:
        self._parts = tuple(part for part in parts if part.amount > 0)
        self._notches = tuple(notches)
        self._total = max(total, sum(part.amount for part in self._parts))
        self.setAccessibleDescription("; ".join(f"{part.name}: {part.amount:,}" for part in self._parts))
        self.update()

    def set_mark(self, at: int) -> None:
        """Mark a place, in the parts' units; -1 marks none."""
        if at != self._mark:
            self._mark = at
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, self._height + (6 if self._notches else 0))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, top = look.theme, 6.0 if self._notches else 0.0
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(0, top, self.width(), self._height), 3, 3)
        painter.setClipPath(shape)
        painter.fillRect(self.rect(), QColor(getattr(theme, self.track) if self._total else theme.window))
        for part, left, right in self._places():
            painter.fillRect(QRectF(left, top, max(right - left, 1.0), self._height), QColor(part.colour))
            painter.fillRect(QRectF(right - 0.5, top, 1.0, self._height), QColor(theme.window))
        painter.setClipping(False)
        if self._mark >= 0:
            left, width = self._x(self._mark), max(self._x(self._mark + 1) - self._x(self._mark), 2.0)
            painter.fillRect(QRectF(min(left, self.width() - 2.0), top, width, self._height), QColor(theme.text))
        for notch in self._notches:
            self._paint_notch(painter, self._x(notch.at), top)
        painter.end()

    def _paint_notch(self, painter: QPainter, x: float, top: float) -> None:
        colour, x = QColor(look.theme.error), min(max(x, 4.0), self.width() - 4.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF([QPointF(x - 4, 0), QPointF(x + 4, 0), QPointF(x, 6)]))
        painter.fillRect(QRectF(x - 0.75, top - 1, 1.5, self._height + 1), colour)

    def _x(self, amount: int) -> float:
        return self.width() * amount / self._total if self._total else 0.0

    def _places(self) -> list[tuple[Part, float, float]]:
        at, places = 0, []
        for part in self._parts:
            places.append((part, self._x(at), self._x(at + part.amount)))
            at += part.amount
        return places

    def _part_at(self, x: float) -> Part | None:
        return next((part for part, left, right in self._places() if left <= x < right), None)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            part = self._part_at(event.pos().x())
            text = f"{part.name}: {part.amount:,}" if part else ""
            near = [n.name for n in self._notches if abs(self._x(n.at) - event.pos().x()) < 6]
            QToolTip.showText(event.globalPos(), "\n".join([*near, text]).strip(), self)
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        part = self._part_at(event.position().x())
        if part:
            self.pressed.emit(part.key)
            self.placed.emit(int(event.position().x() * self._total / max(self.width(), 1)))
