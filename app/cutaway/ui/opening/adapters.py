"""LoRA adapters that are loaded with a model: a file and a scale each."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDoubleSpinBox, QFileDialog, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from cutaway.ui.look.icons import icon
from cutaway.ui.look.theme import SPACE
from cutaway.ui.widgets.elided import Elided
from cutaway.ui.words import say, tr

Adapter = tuple[str, float]


class Adapters(QWidget):
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(SPACE)
        self.rows: list[_Row] = []
        self.more = QPushButton()
        say(self.more, "setText", "Add an adapter …")
        self.more.clicked.connect(self._browse)
        self._layout.addWidget(self.more)

    def show_adapters(self, adapters: tuple[Adapter, ...]) -> None:
        for row in self.rows:
            row.hide()
            row.deleteLater()
        self.rows = []
        for path, scale in adapters:
            self._add(path, scale)

    def adapters(self) -> tuple[Adapter, ...]:
        return tuple((row.path, round(row.scale.value(), 3)) for row in self.rows)

    def add(self, path: str) -> None:
        """One file more; the same file twice is one adapter."""
        if path not in [row.path for row in self.rows]:
            self._add(path, 1.0)
            self.changed.emit()

    def _add(self, path: str, scale: float) -> None:
        row = _Row(path, scale)
        row.scale.valueChanged.connect(lambda _: self.changed.emit())
        row.drop.clicked.connect(lambda: self._remove(row))
        self.rows.append(row)
        self._layout.insertWidget(self._layout.count() - 1, row)

    def _remove(self, row: _Row) -> None:
        self.rows.remove(row)
        row.hide()
        row.deleteLater()
        self.changed.emit()

    def _browse(self) -> None:
        dialog = QFileDialog(self, tr("Add a LoRA adapter"), "", "GGUF (*.gguf)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.add)
        dialog.open()


class _Row(QWidget):
    def __init__(self, path: str, scale: float) -> None:
        super().__init__()
        self.path = path
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        name = Elided(Path(path).name)
        name.setToolTip(path)
        name.setMinimumWidth(60)
        layout.addWidget(name, 1)
        self.scale = QDoubleSpinBox()
        self.scale.setRange(-10, 10)
        self.scale.setDecimals(2)
        self.scale.lineEdit().setTextMargins(SPACE, 0, 0, 0)
        self.scale.setSingleStep(0.1)
        self.scale.setKeyboardTracking(False)
        self.scale.setValue(scale)
        say(self.scale, "setAccessibleName", "Scale of {0}", Path(path).name)
        say(self.scale, "setToolTip", "How strongly it changes the model: 1 as it was trained, 0 not at all.")
        layout.addWidget(self.scale)
        self.drop = QToolButton()
        self.drop.setIcon(icon("close", "quiet"))
        say(self.drop, "setAccessibleName", "Remove {0}", Path(path).name)
        say(self.drop, "setToolTip", "Remove {0}", Path(path).name)
        layout.addWidget(self.drop)
