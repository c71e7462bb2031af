"""The shortcuts of all commands, each of which can be bound anew."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QKeySequenceEdit, QLabel, QPushButton, QVBoxLayout, QWidget

from cutaway.ui.actions import COMMANDS, Actions, Command
from cutaway.ui.remembered import Remembered
from cutaway.ui.words import say, tr


class ShortcutRow(QWidget):
    def __init__(self, command: Command, actions: Actions, remembered: Remembered) -> None:
        super().__init__()
        self._command, self._actions, self._remembered = command, actions, remembered
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        label = QLabel()
        say(label, "setText", command.title)
        row.addWidget(label, 1)
        self.back = QPushButton()
        self.back.setProperty("link", True)
        say(self.back, "setText", "Reset")
        self.back.clicked.connect(self._reset)
        row.addWidget(self.back)
        self.edit = QKeySequenceEdit()
        self.edit.setMaximumSequenceLength(1)
        self.edit.setClearButtonEnabled(True)
        self.edit.setFixedWidth(190)
        say(self.edit, "setAccessibleName", "Shortcut for {0}", tr(command.title))
        self.edit.editingFinished.connect(self._bind)
        row.addWidget(self.edit)
        layout.addLayout(row)
        self.clash = QLabel()
        self.clash.setWordWrap(True)
        self.clash.setProperty("error", True)
        self.clash.hide()
        layout.addWidget(self.clash)
        self._show()

    def _show(self) -> None:
        keys = self._actions.by_name[self._command.name].shortcut()
        self.edit.setKeySequence(keys)
        self.back.setVisible(keys != QKeySequence(self._command.shortcut))

    def _bind(self) -> None:
        keys = self.edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        other = self._actions.clash(self._command.name, keys)
        self.clash.setVisible(bool(other))
        if other:
            self.clash.setText(tr("{0} is the shortcut of “{1}” already.", keys, other))
        else:
            self._keep(keys)
        self._show()

    def _reset(self) -> None:
        self.edit.setKeySequence(QKeySequence(self._command.shortcut))
        self._bind()

    def _keep(self, keys: str) -> None:
        """Only what differs from the program's own is remembered."""
        self._actions.bind(self._command.name, keys)
        bound = {**self._remembered.get("shortcuts", {}), self._command.name: keys}
        if QKeySequence(keys) == QKeySequence(self._command.shortcut):
            del bound[self._command.name]
        self._remembered.set("shortcuts", bound)


def shortcut_rows(actions: Actions, remembered: Remembered) -> list[tuple[ShortcutRow, tuple[str, ...]]]:
    """A row a command, and the English words by which it is found."""
    return [
        (ShortcutRow(command, actions, remembered), (command.title, "Keyboard shortcuts", command.menu))
        for command in COMMANDS
    ]
