"""A small map of the conversation: every message of every branch as a dot, the current branch marked.

A dot is pressed, or reached with the arrow keys and chosen with Enter, to go to its branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
)

from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.branches import HUES, Branches, Place
from cutaway.ui.widgets.close_button import CloseButton
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.workbench.turn import Node

WIDTH = 260
ROW, COLUMN = 24, 22
DOT = 4.5
WORDS = 120
"""Pixels that the words beside the dots have at least."""

Shape = tuple[tuple[str, str | None, int, str], ...]


class _Grid(QTableView):
    """The dots are painted over the cells; everything else of a table (keys, selection, names) is Qt's own."""

    def __init__(self, branches: Branches) -> None:
        super().__init__()
        self.branches = branches
        self.setModel(branches)
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        for head in (self.horizontalHeader(), self.verticalHeader()):
            head.hide()
            head.setMinimumSectionSize(8)
            head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW)
        say(self, "setAccessibleName", "Map of branches")
        branches.modelReset.connect(self.fit)

    def fit(self) -> None:
        """Narrow columns for the dots; the words have the rest."""
        for column in range(self.branches.columns):
            self.setColumnWidth(column, COLUMN)
        if self.branches.rows:
            rest = self.viewport().width() - self.branches.columns * COLUMN
            self.setColumnWidth(self.branches.columns, max(rest, WORDS))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Up and down along a branch, left and right between the branches beside it."""
        moves = QAbstractItemView.CursorAction
        place = self.branches.place_at(self.currentIndex())
        if place is None:
            return super().moveCursor(action, modifiers)
        to: tuple[int, int] | None = (place.row, place.column)
        if action is moves.MoveUp:
            to = place.parent
        elif action is moves.MoveDown:
            below = self.branches.below.get(place.node.id, [])
            follows = next((one for one in below if one.node.id in self.branches.path), below[0] if below else None)
            to = (follows.row, follows.column) if follows is not None else None
        elif action in (moves.MoveLeft, moves.MoveRight):
            row = sorted(column for at, column in self.branches.places if at == place.row)
            beside = row.index(place.column) + (1 if action is moves.MoveRight else -1)
            to = (place.row, row[beside]) if 0 <= beside < len(row) else None
        else:
            return super().moveCursor(action, modifiers)
        return self.model().index(*to) if to is not None else self.currentIndex()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        first = max(self.rowAt(0), 0)
        last = self.rowAt(self.viewport().height())
        rows = range(first, (self.branches.rows if last < 0 else last + 1) + 1)
        seen = [place for place in self.branches.places.values() if place.row in rows]
        for on_path in (False, True):
            self._paint_lines(painter, [place for place in seen if (place.node.id in self.branches.path) is on_path])
        for place in seen:
            self._paint_dot(painter, place)
        painter.end()

    def _centre(self, row: int, column: int) -> QPointF:
        x = self.columnViewportPosition(column) + COLUMN / 2
        return QPointF(x, self.verticalHeader().sectionViewportPosition(row) + ROW / 2)

    def _paint_lines(self, painter: QPainter, places: Sequence[Place]) -> None:
        theme = look.theme
        for place in places:
            if place.parent is None:
                continue
            marked = place.node.id in self.branches.path
            painter.setPen(QPen(QColor(theme.accent if marked else theme.faint), 2.0 if marked else 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            start, end = self._centre(*place.parent), self._centre(place.row, place.column)
            line = QPainterPath(start)
            if place.parent[1] != place.column:
                middle = (start.y() + end.y()) / 2
                line.quadTo(start.x(), middle, start.x() + 6, middle)
                line.lineTo(end.x() - 6, middle)
                line.quadTo(end.x(), middle, end.x(), middle + 6)
            line.lineTo(end)
            painter.drawPath(line)

    def _paint_dot(self, painter: QPainter, place: Place) -> None:
        """Round for the model, square for the person, a diamond for the rest: the colour is not the only cue."""
        theme, centre, role = look.theme, self._centre(place.row, place.column), place.node.message.role
        colour = QColor(theme.kind(HUES.get(role, "system")))
        marked = place.node.id in self.branches.path
        painter.setPen(QPen(colour, 1.5))
        painter.setBrush(colour if marked else QColor(theme.side))
        box = QRectF(centre.x() - DOT, centre.y() - DOT, 2 * DOT, 2 * DOT)
        if role == "assistant":
            painter.drawEllipse(box)
        elif role == "user":
            painter.drawRoundedRect(box, 2, 2)
        else:
            painter.drawPolygon([centre + QPointF(*at) for at in ((0, -DOT), (DOT, 0), (0, DOT), (-DOT, 0))])
        if self.currentIndex() == self.model().index(place.row, place.column) and self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(theme.text), 1.2))
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 4, 4)


class BranchMap(QFrame):
    """`chosen` is the message whose branch is wanted."""

    chosen = Signal(str)
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sheet")
        self.setFixedWidth(WIDTH)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 2 * SPACE, SPACE, 2 * SPACE)
        layout.addLayout(self._build_head())
        self.branches = Branches()
        self.grid = _Grid(self.branches)
        layout.addWidget(self.grid, 1)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setProperty("quiet", True)
        layout.addWidget(self.words)
        self._shape: Shape = ()
        self._path: tuple[str, ...] = ()
        self.grid.clicked.connect(self._choose)
        self.grid.activated.connect(self._choose)
        self.grid.selectionModel().currentChanged.connect(lambda *_: self._tell())
        look.changed.connect(self.grid.viewport().update)
        changed.language.connect(self._tell)
        self._tell()
        self.hide()

    def _build_head(self) -> QHBoxLayout:
        row = QHBoxLayout()
        title = QLabel()
        say(title, "setText", "Map of branches")
        row.addWidget(title, 1)
        row.addWidget(CloseButton("Close the map", self.closed.emit))
        return row

    def show_tree(self, nodes: Sequence[Node], path: Sequence[str]) -> None:
        """All messages, parents before children, and the ids of the current branch."""
        shape = tuple((node.id, node.parent, node.position, node.message.text[:200]) for node in nodes)
        current = self.branches.place_at(self.grid.currentIndex())
        if shape != self._shape:
            self._shape = shape
            self.branches.show(nodes, path)
        elif tuple(path) != self._path:
            self.branches.show_path(path)
        kept = current.node.id if current is not None and self.grid.hasFocus() else ""
        self._put_current(kept if kept in self.branches.of else path[-1] if path else "")
        self._path = tuple(path)
        self.grid.viewport().update()
        self._tell()

    def _put_current(self, node: str) -> None:
        place = self.branches.of.get(node)
        if place is not None:
            index = self.branches.index(place.row, place.column)
            self.grid.setCurrentIndex(index)
            self.grid.scrollTo(index)

    def _choose(self, index: QModelIndex) -> None:
        place = self.branches.place_at(index)
        if place is not None:
            self.chosen.emit(place.node.id)

    def _tell(self) -> None:
        """Below the map: the message that the keys or the mouse went to."""
        place = self.branches.place_at(self.grid.currentIndex())
        if place is not None:
            self.words.setText(self.branches.told(place))
        else:
            self.words.setText(tr("Every message of every branch is shown here, once there is one."))
