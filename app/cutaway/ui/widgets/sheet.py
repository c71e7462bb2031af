"""A sheet: rows of a few columns whose cells wrap, under headings. A row is copied as text with Ctrl+C.

A tone is the name of a colour: one of the theme's (`quiet`, `error`, `accent`) or of a kind's mark. It is
looked up when the row is painted, so that a change of theme needs no new rows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFont, QGuiApplication, QKeyEvent, QPainter, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import say, tr

PLACE = Qt.ItemDataRole.UserRole
"""What a row stands for: the pane's own value."""
_TONE = Qt.ItemDataRole.UserRole + 1
_HEADING = Qt.ItemDataRole.UserRole + 2
MOST_LINES = 12
"""Lines of a cell; the rest is in its tool tip, and is copied."""
LONGEST = 4000
"""Characters of a cell that are laid out."""
_PAD = 6
"""Pixels at the left of a cell: as in the header."""
_DOTS = 16
"""Pixels that the last line leaves for the dots."""
NARROW = {1: 0.42, 2: 0.27, 3: 0.22}
"""Of the sheet's width: a column that is as wide as its text takes at most so much, by how many such there are."""

Index = QModelIndex | QPersistentModelIndex


class Sheet(QTreeWidget):
    def __init__(self, name: str, columns: int, stretched: Sequence[int] = (), *, code: Sequence[int] = ()) -> None:
        """`stretched` columns share the room that the others leave; `code` columns are in the monospaced font."""
        super().__init__()
        say(self, "setAccessibleName", name)
        self.code = frozenset(code)
        self.setColumnCount(columns)
        self.setIndentation(3 * SPACE)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(False)
        self.setWordWrap(True)
        self.setVerticalScrollMode(self.ScrollMode.ScrollPerPixel)
        self.setItemDelegate(_Wrapping(self))
        wide = frozenset(stretched or (columns - 1,))
        self.most = NARROW.get(columns - len(wide), 0.2)
        head = self.header()
        head.setStretchLastSection(False)
        head.setMinimumSectionSize(6 * SPACE)
        for column in range(columns):
            modes = QHeaderView.ResizeMode
            head.setSectionResizeMode(column, modes.Stretch if column in wide else modes.ResizeToContents)
        self._resized = QTimer(self)
        self._resized.setSingleShot(True)
        self._resized.timeout.connect(self.scheduleDelayedItemsLayout)
        head.sectionResized.connect(lambda *_: self._resized.start())
        look.changed.connect(self.scheduleDelayedItemsLayout)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)

    def set_heads(self, heads: Sequence[str]) -> None:
        self.setHeaderLabels(list(heads))

    def heading(self, title: str, *, place: object = None) -> QTreeWidgetItem:
        """A title over the rows that are put under it."""
        item = QTreeWidgetItem([title])
        item.setData(0, _HEADING, True)
        if place is not None:
            item.setData(0, PLACE, place)
        self.addTopLevelItem(item)
        item.setFirstColumnSpanned(True)
        item.setExpanded(True)
        self.setRootIsDecorated(True)
        return item

    def put(
        self,
        cells: Sequence[str],
        under: QTreeWidgetItem | None = None,
        *,
        tones: Mapping[int, str] | None = None,
        tips: Mapping[int, str] | None = None,
        place: object = None,
    ) -> QTreeWidgetItem:
        """`tips` are what cells stand for that show less than that; they are copied in their place."""
        item = QTreeWidgetItem(list(cells))
        if place is not None:
            item.setData(0, PLACE, place)
        self.fill(item, cells, tones)
        for column, tip in (tips or {}).items():
            item.setToolTip(column, tip)
        if under is None:
            self.addTopLevelItem(item)
        else:
            under.addChild(item)
        return item

    @staticmethod
    def fill(item: QTreeWidgetItem, cells: Sequence[str], tones: Mapping[int, str] | None = None) -> None:
        for column, text in enumerate(cells):
            item.setText(column, text)
            item.setToolTip(column, text if len(text) > 80 or text.count("\n") >= MOST_LINES else "")
            item.setData(column, _TONE, (tones or {}).get(column))

    def rows(self) -> list[list[str]]:
        """What stands in it, headings left out."""
        found: list[list[str]] = []
        stack = [self.topLevelItem(index) for index in reversed(range(self.topLevelItemCount()))]
        while stack:
            item = stack.pop()
            if item is None:
                continue
            if not item.data(0, _HEADING):
                found.append([item.text(column) for column in range(self.columnCount())])
            stack += [item.child(index) for index in reversed(range(item.childCount()))]
        return found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and event.key() == Qt.Key.Key_C:
            self.copy_row()
        else:
            super().keyPressEvent(event)

    def copy_row(self) -> None:
        item = self.currentItem()
        if item is not None:
            cells = [item.toolTip(column) or item.text(column) for column in range(self.columnCount())]
            QGuiApplication.clipboard().setText("\t".join(cell for cell in cells if cell))

    def _menu(self, place: QPoint) -> None:
        item = self.currentItem()
        if item is None:
            return
        menu = QMenu(self)
        menu.addAction(tr("Copy this row")).triggered.connect(self.copy_row)
        menu.exec(self.viewport().mapToGlobal(place))
        menu.deleteLater()


class _Wrapping(QStyledItemDelegate):
    """Paints a cell's text over as many lines as it takes."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet)
        self._sheet = sheet

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.initStyleOption(option, index)
        option.text = ""
        widget: QWidget = self._sheet
        style = widget.style() or QApplication.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, widget)
        owner = self._owner(index)
        text = str(owner.data() or "")
        if not text:
            return
        head = self._sheet.header()
        left = option.rect.left() + head.sectionPosition(owner.column()) - head.sectionPosition(index.column())
        if owner.column() == 0 and index.column() > 0:
            left += self._indent(owner)
        painter.save()
        painter.setClipRect(option.rect)
        painter.setPen(self._colour(owner))
        _draw(painter, text, self._font(owner), left + _PAD, option.rect.top() + SPACE - 1, self._room(owner))
        painter.restore()

    def _owner(self, index: Index) -> Index:
        """The cell whose text is seen here: an empty one at a row's end belongs to what stands before it."""
        at = index
        while at.column() > 0 and not at.data() and self._ends_at(at):
            at = at.sibling(at.row(), at.column() - 1)
        return at

    def _ends_at(self, index: Index) -> bool:
        """Whether nothing stands at or behind this column."""
        later = range(index.column(), self._sheet.columnCount())
        return not any(index.sibling(index.row(), column).data() for column in later)

    def _indent(self, index: Index) -> int:
        depth, parent = 0, index.parent()
        while parent.isValid():
            depth, parent = depth + 1, parent.parent()
        return (depth + int(self._sheet.rootIsDecorated())) * self._sheet.indentation()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        text, font = str(index.data() or ""), self._font(index)
        height = sum(_lines(text, font, self._room(index))) + 2 * SPACE - 2
        lines = text[:LONGEST].split("\n") if self._is_alone(index) else []
        widest = max((_natural(part, font) for part in lines), default=0.0)
        most = self._sheet.most * self._sheet.viewport().width()
        return QSize(round(min(widest, most)) + _PAD + 4, round(height))

    def _is_alone(self, index: Index) -> bool:
        """Whether the cell has to do with its own column's width: another stands behind it, or it is the last."""
        column = index.column()
        return (
            column == 0
            or column + 1 == self._sheet.columnCount()
            or not self._ends_at(index.sibling(index.row(), column + 1))
        )

    def _room(self, index: Index) -> float:
        sheet = self._sheet
        if sheet.isFirstColumnSpanned(index.row(), index.parent()):
            return float(sheet.viewport().width() - _PAD - 2 - self._indent(index))
        width = sheet.columnWidth(index.column())
        column = index.column() + 1
        if index.data() and column < sheet.columnCount() and self._ends_at(index.sibling(index.row(), column)):
            width += sum(sheet.columnWidth(later) for later in range(column, sheet.columnCount()))
        if index.column() == 0:
            width -= self._indent(index)
        return float(max(width - _PAD - 2, 8))

    def _font(self, index: Index) -> QFont:
        if index.column() in self._sheet.code and not index.data(_HEADING):
            return mono()
        font = QFont(self._sheet.font())
        font.setBold(bool(index.data(_HEADING)))
        return font

    def _colour(self, index: Index) -> QColor:
        theme = look.theme
        tone = index.data(_TONE)
        if isinstance(tone, str):
            return QColor(getattr(theme, tone, None) or theme.kind(tone))
        return QColor(theme.quiet if index.data(_HEADING) else theme.text)


_LONG_WORD = re.compile(r"\S{14,}")
_JOINT = re.compile(r"(?<=[=/_,:.)\]}>-])(?=\w)")


def _breakable(text: str) -> str:
    """Lines as Qt parts them; long words may break behind their signs."""
    lines = text.replace("\n", "\u2028")
    return _LONG_WORD.sub(lambda word: _JOINT.sub("\u200b", word[0]), lines)


def _laid_out(text: str, font: QFont, width: float) -> tuple[QTextLayout, bool]:
    """The text in lines, and whether it was cut."""
    layout = QTextLayout(_breakable(text[:LONGEST]), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    top, count, cut = 0.0, 0, len(text) > LONGEST
    while (line := layout.createLine()).isValid():
        if count == MOST_LINES:
            cut = True
            break
        line.setLineWidth(max(width - _DOTS, 8) if count == MOST_LINES - 1 else width)
        line.setPosition(QPointF(0, top))
        top, count = top + line.height(), count + 1
    layout.endLayout()
    return layout, cut


def _lines(text: str, font: QFont, width: float) -> list[float]:
    layout, _ = _laid_out(text or " ", font, width)
    return [layout.lineAt(index).height() for index in range(min(layout.lineCount(), MOST_LINES))]


def _natural(text: str, font: QFont) -> float:
    layout, _ = _laid_out(text, font, 1e6)
    return layout.lineAt(0).naturalTextWidth() if layout.lineCount() else 0.0


def _draw(painter: QPainter, text: str, font: QFont, left: float, top: float, width: float) -> None:
    layout, cut = _laid_out(text, font, width)
    count = min(layout.lineCount(), MOST_LINES)
    for index in range(count):
        line = layout.lineAt(index)
        line.draw(painter, QPointF(left, top))
        if cut and index == count - 1:
            at = QPointF(left + line.naturalTextWidth() + 1, top + line.y() + line.ascent())
            painter.setFont(font)
            painter.drawText(at, "…")
