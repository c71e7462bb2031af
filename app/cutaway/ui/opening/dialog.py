"""Opening a model: the files that are on this machine already, how to load one, and the memory that would take."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from cutaway import places
from cutaway.engine.command import ModelSettings
from cutaway.ui.look.theme import SPACE
from cutaway.ui.opening.folders import FoldersDialog
from cutaway.ui.opening.form import LoadForm
from cutaway.ui.sentences import told
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.engine.memory import Forecast
    from cutaway.ui.window import MainWindow
    from cutaway.workbench.models import KnownModel

PAUSE = 0.2
"""Seconds after the last change until the forecast is made."""


class ModelDialog(QDialog):
    def __init__(self, window: MainWindow, path: str = "") -> None:
        super().__init__(window)
        self._window, self._desk = window, window.desk
        self.path = ""
        self._asked: asyncio.Task[Any] | None = None
        self._found: list[KnownModel] = []
        say(self, "setWindowTitle", "Open a model")
        self.resize(min(860, max(window.width() - 40, 480)), min(620, max(window.height() - 60, 380)))
        columns = QHBoxLayout(self)
        columns.setSpacing(4 * SPACE)
        columns.addLayout(self._build_list(), 1)
        columns.addWidget(self._build_side(), 1)
        self.finished.connect(self._ended)
        self._desk.start(self._fill(path))

    def _build_list(self) -> QVBoxLayout:
        layout = QVBoxLayout()
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        say(self.search, "setPlaceholderText", "Search the models on this machine")
        say(self.search, "setAccessibleName", "Search the models on this machine")
        self.search.textChanged.connect(self._sift)
        layout.addWidget(self.search)
        self.list = QListWidget()
        say(self.list, "setAccessibleName", "Models")
        self.list.currentItemChanged.connect(lambda item, _: self._choose(item))
        self.list.itemActivated.connect(lambda _: self._load())
        layout.addWidget(self.list, 1)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setProperty("quiet", True)
        self.note.setText(tr("Looking through the folders of programs for local models …"))
        layout.addWidget(self.note)
        row = QHBoxLayout()
        row.addWidget(_button(self._browse, "Another file …"))
        row.addWidget(_button(self._show_folders, "Folders …"))
        row.addStretch()
        layout.addLayout(row)
        return layout

    def _build_side(self) -> QWidget:
        self.side = QWidget()
        layout = QVBoxLayout(self.side)
        layout.setContentsMargins(0, 0, 0, 0)
        self.name = QLabel()
        self.name.setWordWrap(True)
        layout.addWidget(self.name)
        self.form = LoadForm()
        self.form.changed.connect(self._changed)
        layout.addWidget(self.form, 1)
        self.memory = QLabel()
        self.memory.setWordWrap(True)
        layout.addWidget(self.memory)
        self.load = _button(self._load, "Load")
        self.load.setProperty("primary", True)
        self.load.setDefault(True)
        self.load.setEnabled(False)
        row = QHBoxLayout()
        row.addWidget(self.load)
        row.addWidget(_button(lambda: self.show_settings(ModelSettings()), "Defaults"))
        row.addStretch()
        layout.addLayout(row)
        return self.side

    # -- The files --------------------------------------------------------------------------------

    async def _fill(self, path: str) -> None:
        await self._desk.opened.wait()
        bench = self._desk.bench
        self.choose(path or (bench.model.facts.path if bench.model.facts is not None else ""))
        self.form.devices.show_devices(await bench.devices())
        self._changed()
        await self._find()

    async def _find(self) -> None:
        """List the models; the one that is chosen stays so."""
        self._found = await self._desk.bench.known_models()
        chosen = self.path
        self.list.blockSignals(True)
        self.list.clear()
        for model in self._found:
            item = QListWidgetItem(f"{model.name}\n{about_model(model)}")
            item.setData(Qt.ItemDataRole.UserRole, model.path)
            item.setToolTip(model.path)
            self.list.addItem(item)
            if model.path == chosen:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)
        count = self.list.count()
        nothing = tr("No model was found on this machine. Fetch a GGUF file and open it here, or add its folder.")
        self.note.setText(tr("{0} models found; they are read where they lie.", count) if count else nothing)
        self._sift(self.search.text())

    def _sift(self, words: str) -> None:
        wanted = words.lower().split()
        for row in range(self.list.count()):
            item = self.list.item(row)
            item.setHidden(not all(word in f"{item.text()} {item.toolTip()}".lower() for word in wanted))

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.choose(item.data(Qt.ItemDataRole.UserRole))

    def _browse(self) -> None:
        dialog = QFileDialog(self, tr("Open a model"), str(places.models()), "GGUF (*.gguf)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.choose)
        dialog.open()

    def _show_folders(self) -> None:
        dialog = FoldersDialog(self._desk.bench, self._found, self)
        dialog.changed.connect(lambda: self._desk.start(self._find()))
        dialog.open()

    def choose(self, path: str) -> None:
        """Show how a file was last loaded."""
        self.path = path
        self.name.setText(Path(path).name)
        self.name.setToolTip(path)
        self.load.setEnabled(bool(path))
        if path:
            self.show_settings(self._desk.bench.model_settings(path))

    # -- Settings and forecast ----------------------------------------------------------------------

    def show_settings(self, settings: ModelSettings) -> None:
        self.form.show_settings(settings)
        self._changed()

    def settings(self) -> ModelSettings:
        """As the dialog shows them."""
        return self.form.settings()

    def _changed(self) -> None:
        if not self.path:
            return
        if self._asked is not None:
            self._asked.cancel()
        self._asked = self._desk.start(self._forecast(self.path, self.settings()))

    async def _forecast(self, path: str, settings: ModelSettings) -> None:
        await asyncio.sleep(PAUSE)
        cards = " + ".join(device.name for device in self.form.devices.graphics())
        try:
            made = await self._desk.bench.memory_forecast(path, settings, cards or None)
        except Exception as error:  # Whatever the file is: it is told here and loading is not forbidden.
            self._tell(told(str(error)), error=True)
            return
        self._tell(*self._words(made))

    def _words(self, made: Forecast) -> tuple[str, bool]:
        lines = [tr("With a context of {0} tokens it would take:", f"{made.context:,}")]
        free = self._free()
        short = False
        for name, memory in made.devices.items():
            line = tr(
                "{0}: {1} GB (weights {2}, cache {3}, buffers {4})",
                name,
                f"{memory.total / 1e9:.2f}",
                f"{memory.weights / 1e9:.2f}",
                f"{(memory.kv + memory.states) / 1e9:.2f}",
                f"{(memory.total - memory.weights - memory.kv - memory.states) / 1e9:.2f}",
            )
            if free.get(name):
                line += " · " + tr("{0} GB free", f"{free[name] / 1e9:.1f}")
                short = short or memory.total > free[name]
            lines.append(line)
        facts = self._desk.bench.model.facts
        back = facts.memory.get("measured", 0) + facts.memory.get("measured_gpu", 0) if facts is not None else 0
        if back:
            lines.append(tr("The loaded model gives {0} GB back.", f"{back / 1e9:.2f}"))
        if 0 < made.trained_context < made.context:
            lines.append(
                tr("The model was trained for {0} tokens: beyond them it writes worse.", f"{made.trained_context:,}")
            )
        if short:
            lines.append(tr("That is more than is free: fewer layers or a smaller context would fit."))
        return "\n".join(lines), short

    def _free(self) -> dict[str, int]:
        """Bytes free on each device, and on all the cards together that layers would go to."""
        cards = self.form.devices.graphics()
        free = {device.name: device.memory_free for device in self.form.devices.known}
        together = sum(device.memory_free for device in cards) if all(device.memory_free for device in cards) else 0
        return {**free, " + ".join(device.name for device in cards): together}

    def _tell(self, words: str, error: bool) -> None:
        self.memory.setText(words)
        self.memory.setProperty("error", error)
        self.memory.style().polish(self.memory)

    def _load(self) -> None:
        if self.path:
            self._desk.start(self._desk.bench.load_model(self.path, self.settings()))
            self.accept()

    def _ended(self) -> None:
        if self._asked is not None:
            self._asked.cancel()
        self.deleteLater()


def about_model(model: KnownModel) -> str:
    """Size, quantisation, whose folder it is in."""
    size = f"{model.bytes / 1e9:.1f} GB" if model.bytes >= 1e9 else f"{model.bytes / 1e6:.{model.bytes < 1e7:d}f} MB"
    missing = "" if model.complete else tr("parts are missing")
    return " · ".join(filter(None, (size, model.quantisation, model.source, missing)))


def _button(call: Any, text: str) -> QPushButton:
    made = QPushButton()
    say(made, "setText", text)
    made.setAutoDefault(False)
    made.clicked.connect(call)
    return made
