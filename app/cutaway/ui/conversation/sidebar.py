"""The conversations' list: search, new, open, rename, pin, archive, delete with undo."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import RADIUS, SPACE
from cutaway.ui.models.conversations import ARCHIVED, ID, NODE, PINNED, SECOND, Conversations
from cutaway.ui.widgets.link import Link
from cutaway.ui.words import changed, say, tr

Index = QModelIndex | QPersistentModelIndex


class _Row(QStyledItemDelegate):
    """Two lines: the title, and when or where."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, 2 * option.fontMetrics.height() + 3 * SPACE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = look.theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRect(option.rect).adjusted(SPACE, 1, -SPACE, -1)
        state = option.state
        if state & QStyle.StateFlag.State_Selected or state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            selected = bool(state & QStyle.StateFlag.State_Selected)
            painter.setBrush(QColor(theme.selected if selected else theme.raised))
            painter.drawRoundedRect(rect, RADIUS, RADIUS)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QColor(theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(0, 0, -1, -1), RADIUS, RADIUS)
        inner = rect.adjusted(2 * SPACE, SPACE, -2 * SPACE, -SPACE)
        metrics = option.fontMetrics
        painter.setPen(QColor(theme.text))
        title = ("• " if index.data(PINNED) else "") + str(index.data()).replace("\n", " ")
        end = Qt.TextElideMode.ElideRight
        painter.setFont(option.font)
        painter.drawText(inner.left(), inner.top() + metrics.ascent(), metrics.elidedText(title, end, inner.width()))
        small = QFont(option.font)
        small.setPointSizeF(max(small.pointSizeF() * 0.88, 6))
        painter.setFont(small)
        painter.setPen(QColor(theme.quiet))
        second = str(index.data(SECOND) or "").replace("\n", " ")
        base = inner.top() + metrics.height() + metrics.ascent() + 1
        painter.drawText(inner.left(), base, painter.fontMetrics().elidedText(second, end, inner.width()))
        painter.restore()


class _List(QListView):
    asked = Signal(str)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = {Qt.Key.Key_Delete: "delete", Qt.Key.Key_F2: "rename"}
        action = keys.get(Qt.Key(event.key()))
        if action:
            self.asked.emit(action)
        else:
            super().keyPressEvent(event)


class Sidebar(QFrame):
    opened = Signal(str, str)
    """A conversation, and the message in it (empty for none)."""
    asked = Signal(str, str)
    """What is asked of a conversation: `new`, `rename`, `pin`, `archive`, `delete`, `export`; and which. `shelf`: the
    archived ones are wanted instead of the others, or the others again."""
    searched = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2 * SPACE, 0, 0)
        layout.setSpacing(2 * SPACE)
        layout.addLayout(self._build_top())
        self.model = Conversations()
        self.list = _List()
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Row(self.list))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        say(self.list, "setAccessibleName", "Conversations")
        self.list.customContextMenuRequested.connect(self._menu)
        self.list.clicked.connect(self._open)
        self.list.activated.connect(self._open)
        self.list.asked.connect(self._ask)
        layout.addWidget(self.list, 1)
        self.nothing = QLabel()
        self.nothing.setWordWrap(True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.nothing.setContentsMargins(4 * SPACE, 4 * SPACE, 4 * SPACE, 4 * SPACE)
        self.nothing.setProperty("quiet", True)
        layout.addWidget(self.nothing)
        self.undo = QPushButton()
        say(self.undo, "setText", "Undo delete")
        self.undo.hide()
        self.undo.clicked.connect(lambda: self.asked.emit("undo", ""))
        layout.addWidget(self.undo)
        self.shelf = Link(call=lambda: self.asked.emit("shelf", ""))
        layout.addWidget(self.shelf, alignment=Qt.AlignmentFlag.AlignLeft)
        self._archived = False
        changed.language.connect(self._name_shelf)
        self._name_shelf()
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(120)
        self._wait.timeout.connect(lambda: self.searched.emit(self.search.text().strip()))

    def _build_top(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        say(self.search, "setPlaceholderText", "Search all conversations")
        say(self.search, "setAccessibleName", "Search all conversations")
        self.search.textChanged.connect(lambda _: self._wait.start())
        row.addWidget(self.search, 1)
        self.new = QToolButton()
        self.new.setIcon(icon("new"))
        say(self.new, "setToolTip", "New conversation (Ctrl+N)")
        say(self.new, "setAccessibleName", "New conversation")
        self.new.clicked.connect(lambda: self.asked.emit("new", ""))
        row.addWidget(self.new)
        look.changed.connect(self._restyle)
        return row

    def _restyle(self) -> None:
        self.new.setIcon(icon("new"))

    def show_rows(self, rows: list, chosen: str) -> None:  # type: ignore[type-arg]
        self.model.set_rows(rows)
        self.nothing.setVisible(not rows)
        self.list.setVisible(bool(rows))
        row = self.model.row_of(chosen)
        if row >= 0:
            self.list.setCurrentIndex(self.model.index(row))
        else:
            self.list.clearSelection()

    def show_shelf(self, archived: bool) -> None:
        """Whether the list is that of the archived conversations."""
        self._archived = archived
        self._name_shelf()

    def _name_shelf(self) -> None:
        self.shelf.setText(tr("Back from the archive") if self._archived else tr("Archived conversations"))
        words = tr("No conversation is archived.") if self._archived else tr("Your conversations will be listed here.")
        self.nothing.setText(words)

    def offer_undo(self, offer: bool) -> None:
        self.undo.setVisible(offer)

    def current(self) -> str:
        index = self.list.currentIndex()
        return str(index.data(ID)) if index.isValid() else ""

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(str(index.data(ID)), str(index.data(NODE) or ""))

    def _ask(self, action: str) -> None:
        if self.current():
            self.asked.emit(action, self.current())

    def _menu(self, place: QPoint) -> None:
        index = self.list.indexAt(place)
        if not index.isValid():
            return
        conversation = str(index.data(ID))
        menu = QMenu(self)
        pinned = bool(index.data(PINNED))
        for text, action in (
            (tr("Rename …"), "rename"),
            (tr("Unpin") if pinned else tr("Pin"), "unpin" if pinned else "pin"),
            (tr("Take out of the archive"), "unarchive") if index.data(ARCHIVED) else (tr("Archive"), "archive"),
            (tr("Export …"), "export"),
            (tr("Delete"), "delete"),
        ):
            menu.addAction(text).triggered.connect(lambda _=False, action=action: self.asked.emit(action, conversation))
        menu.exec(self.list.viewport().mapToGlobal(place))
        menu.deleteLater()
