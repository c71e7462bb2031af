"""How a run is painted: its tint, its underline, its box, in the colours of the theme in force."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from cutaway.ui.look.colour import mix
from cutaway.ui.look.marks import MARKS, Underline
from cutaway.ui.look.theme import Theme


@dataclass(frozen=True, slots=True)
class Brush:
    """What a kind of run looks like. None leaves that part out."""

    behind: QColor | None = None
    line: QColor | None = None
    underline: Underline = Underline.NONE
    text: QColor | None = None
    bold: bool = False


def brushes(theme: Theme) -> dict[str, Brush]:
    """The brush of every mark, and of what a text view itself knows: `added`, `removed`, `used`, syntax."""
    made = {mark.kind: Brush(QColor(theme.behind(mark)), QColor(theme.mark(mark)), mark.underline) for mark in MARKS}
    green, red = theme.kind("tool_definition"), theme.kind("unparsed")
    made["added"] = Brush(QColor(mix(green, theme.window, 0.22)), QColor(green), Underline.SOLID)
    made["removed"] = Brush(QColor(mix(red, theme.window, 0.2)), QColor(red), Underline.DASHED)
    made["same"] = Brush(text=QColor(theme.quiet))
    for kind, colour in (
        ("keyword", theme.kind("reasoning")),
        ("string", theme.kind("tool_definition")),
        ("comment", theme.quiet),
        ("number", theme.kind("assistant")),
        ("name", theme.kind("system")),
        ("operator", theme.quiet),
    ):
        made[kind] = Brush(text=QColor(colour), bold=kind == "keyword")
    made["plain"] = Brush()
    return made


def underline(painter: QPainter, style: Underline, colour: QColor, left: float, right: float, base: float) -> None:
    """Draw one underline from `left` to `right`; `base` is the y just below the letters."""
    if style in (Underline.NONE, Underline.BOX):
        return
    width = 2.0 if style is Underline.THICK else 1.0
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if style in _DASHES:
        pen.setDashPattern(_DASHES[style])
    painter.setPen(pen)
    if style is Underline.WAVY:
        painter.drawPath(_wave(left, right, base))
        return
    painter.drawLine(QPointF(left, base), QPointF(right, base))
    if style is Underline.DOUBLE:
        painter.drawLine(QPointF(left, base + 2), QPointF(right, base + 2))


_DASHES = {Underline.DOTTED: [1.0, 2.0], Underline.DASHED: [4.0, 2.0], Underline.DASH_DOT: [4.0, 2.0, 1.0, 2.0]}


def _wave(left: float, right: float, base: float) -> QPainterPath:
    path = QPainterPath(QPointF(left, base))
    x, up = left, True
    while x < right:
        x = min(x + 2.0, right)
        path.lineTo(x, base - 1.5 if up else base + 1.0)
        up = not up
    return path


def box(painter: QPainter, colour: QColor, left: float, right: float, top: float, bottom: float) -> None:
    painter.setPen(QPen(colour, 1.0))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(QRectF(left + 0.5, top + 0.5, right - left - 1, bottom - top - 1), 3, 3)
