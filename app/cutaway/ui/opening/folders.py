"""Where models are looked for: the folders of other programs, read in place, and the person's own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cutaway.workbench.bench import Workbench
    from cutaway.workbench.models import KnownModel

OWN = Qt.ItemDataRole.UserRole


class FoldersDialog(QDialog):
    changed = Signal()
    """Another folder is looked through, or one fewer."""

    def __init__(self, bench: Workbench, found: Sequence[KnownModel], parent: QWidget) -> None:
        super().__init__(parent)
        self._bench = bench
        self._found = Counter(model.source for model in found)
        say(self, "setWindowTitle", "Folders of models")
        self.resize(560, 380)
        layout = QVBoxLayout(self)
        about = QLabel()
        about.setWordWrap(True)
        about.setProperty("quiet", True)
        say(about, "setText", "Models are read where they lie: nothing is copied or moved. Folders of other programs "
            "that are on this machine are looked through as well.")  # fmt: skip
        layout.addWidget(about)
        self.list = QListWidget()
        say(self.list, "setAccessibleName", "Folders of models")
        self.list.currentItemChanged.connect(lambda item, _: self.drop.setEnabled(bool(item and item.data(OWN))))
        layout.addWidget(self.list, 1)
        layout.addLayout(self._build_buttons())
        self._fill()

    def _build_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2 * SPACE)
        more, self.drop = QPushButton(), QPushButton()
        say(more, "setText", "Add a folder …")
        more.clicked.connect(self._browse)
        say(self.drop, "setText", "Remove it from the list")
        self.drop.setEnabled(False)
        self.drop.clicked.connect(self._remove)
        row.addWidget(more)
        row.addWidget(self.drop)
        row.addStretch()
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.close)
        row.addWidget(close)
        return row

    def _fill(self) -> None:
        self.list.clear()
        for place in self._bench.model_places():
            count = self._found.get(place.source, 0)
            words = f"{place.folder}\n" + (tr("Your own") if place.own else place.source)
            item = QListWidgetItem(f"{words} · {tr('{0} models', count)}" if count else words)
            item.setData(OWN, place.source if place.own else "")
            self.list.addItem(item)

    def _browse(self) -> None:
        dialog = QFileDialog(self, tr("Add a folder"), str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self.add)
        dialog.open()

    def add(self, folder: str) -> None:
        self._keep([*self._bench.model_folders(), folder])

    def _remove(self) -> None:
        item = self.list.currentItem()
        if item is not None and item.data(OWN):
            self._keep([folder for folder in self._bench.model_folders() if folder != item.data(OWN)])

    def _keep(self, folders: list[str]) -> None:
        self._bench.set_model_folders(folders)
        self._fill()
        self.changed.emit()
