"""The command palette: every command by a few letters of its name."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import say, tr


class Palette(QDialog):
    def __init__(self, actions: list[QAction], parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._actions = actions
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        self.search = QLineEdit()
        say(self.search, "setPlaceholderText", "Type a few letters of a command")
        say(self.search, "setAccessibleName", "Command")
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._run)
        self.search.installEventFilter(self)
        layout.addWidget(self.search)
        self.list = QListWidget()
        say(self.list, "setAccessibleName", "Commands")
        self.list.itemActivated.connect(lambda _: self._run())
        self.list.itemClicked.connect(lambda _: self._run())
        layout.addWidget(self.list)
        self.setAccessibleName(tr("All commands"))
        self._filter("")

    def open_over(self, window: QWidget) -> None:
        width = min(window.width() - 40, 520)
        self.resize(width, min(window.height() - 80, 420))
        self.move(window.mapToGlobal(QPoint((window.width() - width) // 2, 48)))
        self.show()
        self.search.setFocus()

    def _filter(self, words: str) -> None:
        self.list.clear()
        wanted = words.lower().split()
        for action in self._actions:
            name = action.text().replace("&", "")
            if action.isEnabled() and all(word in f"{name} {action.data()}".lower() for word in wanted):
                keys = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
                item = QListWidgetItem(f"{name}    {keys}" if keys else name)
                item.setData(Qt.ItemDataRole.UserRole, action)
                self.list.addItem(item)
        self.list.setCurrentRow(0)

    def _run(self) -> None:
        item = self.list.currentItem()
        self.close()
        if item is not None:
            action: QAction = item.data(Qt.ItemDataRole.UserRole)
            action.trigger()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
            if step:
                self.list.setCurrentRow(min(max(self.list.currentRow() + step, 0), self.list.count() - 1))
                return True
        return super().eventFilter(watched, event)
