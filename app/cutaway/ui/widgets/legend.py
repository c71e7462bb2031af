"""The legend: each kind with its colour, underline and tag; pressing one switches it off and on in the text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QWidget

from cutaway.ui.look.marks import Mark
from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.text.paint import underline
from cutaway.ui.widgets.flow import FlowLayout
from cutaway.ui.words import changed, tr


class _Key(QAbstractButton):
    def __init__(self, mark: Mark, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.mark, self._name = mark, name
        self.amount = -1
        self.setCheckable(True)
        self.setChecked(True)
        self._rename()
        changed.language.connect(self._rename)

    def _rename(self) -> None:
        self.setText(tr(self._name))
        self.setAccessibleName(tr("Show {0}", tr(self._name)))
        self.setToolTip(tr("{0}: press to hide or show", tr(self._name)))
        self.updateGeometry()

    def set_amount(self, amount: int) -> None:
        self.amount = amount
        self.updateGeometry()
        self.update()

    def _label(self) -> str:
        return f"{self.text()} {self.amount:,}" if self.amount >= 0 else self.text()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        tag = QFontMetricsF(mono(0.85)).horizontalAdvance(self.mark.tag)
        return QSize(round(metrics.horizontalAdvance(self._label()) + tag + 6 * SPACE), round(metrics.height()) + 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = look.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked()
        colour = QColor(theme.mark(self.mark) if on else theme.faint)
        if self.underMouse() or self.hasFocus():
            painter.setPen(QColor(theme.accent if self.hasFocus() else theme.line))
            painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1), 4, 4)
        font = mono(0.85)
        metrics = QFontMetricsF(font)
        width = metrics.horizontalAdvance(self.mark.tag) + SPACE
        tag = QRectF(SPACE, 3, width, self.height() - 6)
        painter.fillRect(tag, QColor(theme.behind(self.mark)) if on else QColor(theme.window))
        painter.setFont(font)
        painter.setPen(QColor(theme.text if on else theme.faint))
        base = (self.height() + metrics.ascent() - metrics.descent()) / 2 - 1
        painter.drawText(QPointF(tag.left() + SPACE / 2, base), self.mark.tag)
        underline(painter, self.mark.underline, colour, tag.left(), tag.right(), self.height() - 4.5)
        painter.setFont(self.font())
        painter.setPen(QColor(theme.text if on else theme.quiet))
        outer = QFontMetricsF(self.font())
        base = (self.height() + outer.ascent() - outer.descent()) / 2
        painter.drawText(QPointF(tag.right() + SPACE, base), self._label())
        painter.end()


class Legend(QWidget):
    changed = Signal()

    def __init__(self, marks: Sequence[Mark], names: Mapping[str, str] | None = None) -> None:
        """`names` are what some kinds are called here, where that is not their mark's name."""
        super().__init__()
        layout = FlowLayout(self, gap=2)
        self.keys = {mark.kind: _Key(mark, (names or {}).get(mark.kind, mark.name), self) for mark in marks}
        for key in self.keys.values():
            layout.addWidget(key)
            key.toggled.connect(lambda _: self.changed.emit())

    def set_amounts(self, amounts: dict[str, int]) -> None:
        """Show only the kinds that occur, each with its number."""
        for kind, key in self.keys.items():
            key.setVisible(amounts.get(kind, 0) > 0)
            key.set_amount(amounts.get(kind, 0))
        self.updateGeometry()

    def show_kinds(self, kinds: Collection[str]) -> None:
        """Show only these kinds, without numbers."""
        for kind, key in self.keys.items():
            if key.isVisibleTo(self) != (kind in kinds):
                key.setVisible(kind in kinds)
        self.updateGeometry()

    def hidden(self) -> frozenset[str]:
        return frozenset(kind for kind, key in self.keys.items() if not key.isChecked())
