"""Opening a model: the files that are on this machine already, how to load one, and the memory that would take."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from cutaway import places
from cutaway.engine.command import ModelSettings
from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import choices, say, tr

if TYPE_CHECKING:
    from cutaway.engine.device import Device
    from cutaway.engine.memory import Forecast
    from cutaway.ui.window import MainWindow

KV_TYPES = ("f16", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "bf16", "f32")
FLASH = ("auto", "on", "off")
PAUSE = 0.2
"""Seconds after the last change until the forecast is made."""


class ModelDialog(QDialog):
    def __init__(self, window: MainWindow, path: str = "") -> None:
        super().__init__(window)
        self._window, self._desk = window, window.desk
        self.path = ""
        self._asked: asyncio.Task[Any] | None = None
        self._base = ModelSettings()
        """What is remembered for the file: what this dialog does not show of it stays."""
        self._quiet = False
        self.devices: list[Device] = []
        say(self, "setWindowTitle", "Open a model")
        self.resize(min(820, max(window.width() - 40, 480)), min(560, max(window.height() - 60, 380)))
        columns = QHBoxLayout(self)
        columns.setSpacing(4 * SPACE)
        columns.addLayout(self._build_list(), 3)
        columns.addWidget(self._build_form(), 2)
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
        return layout

    def _build_form(self) -> QWidget:
        self.side = QWidget()
        layout = QVBoxLayout(self.side)
        layout.setContentsMargins(0, 0, 0, 0)
        self.name = QLabel()
        self.name.setWordWrap(True)
        layout.addWidget(self.name)
        fields = QWidget()
        form = QFormLayout(fields)
        form.setContentsMargins(0, 0, 2 * SPACE, 0)
        self.context = self._spin(0, 16_777_216, 1024)
        self.layers = self._spin(-1, 10_000)
        self.device = QComboBox()
        self.device.addItem(tr("Chosen by the engine"), "")
        self.device.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.device.setMinimumContentsLength(17)
        self.kv_k, self.kv_v = QComboBox(), QComboBox()
        for box in (self.kv_k, self.kv_v):
            box.addItems(list(KV_TYPES))
        self.threads, self.threads_batch = self._spin(0, 512), self._spin(0, 512)
        self.batch, self.micro_batch = self._spin(1, 1 << 20, automatic=False), self._spin(1, 1 << 20, automatic=False)
        self.flash = QComboBox()
        choices(self.flash, ["Auto", "On", "Off"])
        self.mapped, self.locked, self.swa_full = QCheckBox(), QCheckBox(), QCheckBox()
        say(self.mapped, "setText", "Map the file into memory")
        say(self.locked, "setText", "Lock the memory")
        say(self.swa_full, "setText", "Full cache for sliding-window layers")
        for title, editor in (
            ("Context, tokens", self.context),
            ("Layers on the graphics card", self.layers),
            ("Device", self.device),
            ("KV cache, keys", self.kv_k),
            ("KV cache, values", self.kv_v),
            ("Threads", self.threads),
            ("Threads for prompts", self.threads_batch),
            ("Flash attention", self.flash),
            ("Batch, tokens", self.batch),
            ("Micro-batch, tokens", self.micro_batch),
        ):
            label = QLabel()
            say(label, "setText", title)
            say(editor, "setAccessibleName", title)
            form.addRow(label, editor)
        for check in (self.mapped, self.locked, self.swa_full):
            form.addRow(check)
            check.toggled.connect(lambda _: self._changed())
        for box in (self.device, self.kv_k, self.kv_v, self.flash):
            box.currentIndexChanged.connect(lambda _: self._changed())
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(fields)
        area.setMinimumWidth(fields.minimumSizeHint().width())
        say(area, "setAccessibleName", "How to load it")
        layout.addWidget(area, 1)
        self.memory = QLabel()
        self.memory.setWordWrap(True)
        layout.addWidget(self.memory)
        layout.addLayout(self._build_buttons())
        return self.side

    def _spin(self, low: int, high: int, step: int = 1, *, automatic: bool = True) -> QSpinBox:
        spin = QSpinBox()
        spin.setRange(low, high)
        spin.setSingleStep(step)
        spin.setKeyboardTracking(False)
        if automatic:
            spin.setSpecialValueText(tr("Auto"))
        spin.valueChanged.connect(lambda _: self._changed())
        return spin

    def _build_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.load = QPushButton()
        self.load.setProperty("primary", True)
        say(self.load, "setText", "Load")
        self.load.setDefault(True)
        self.load.setEnabled(False)
        self.load.clicked.connect(self._load)
        browse = QPushButton()
        say(browse, "setText", "Another file …")
        browse.clicked.connect(self._browse)
        plain = QPushButton()
        say(plain, "setText", "Defaults")
        plain.clicked.connect(lambda: self.show_settings(ModelSettings()))
        for button in (self.load, browse, plain):
            row.addWidget(button)
        row.addStretch()
        return row

    # -- The files --------------------------------------------------------------------------------

    async def _fill(self, path: str) -> None:
        await self._desk.opened.wait()
        bench = self._desk.bench
        self.choose(path or (bench.model.facts.path if bench.model.facts is not None else ""))
        self.devices = [device for device in await bench.devices() if device.kind != "cpu"]
        for device in self.devices:
            self.device.addItem(f"{device.name}: {device.description}", device.name)
        self.show_settings(self._base)
        for model in await bench.known_models():
            words = f"{model.name}\n{model.bytes / 1e9:.1f} GB · {model.quantisation or '?'} · {model.source}"
            item = QListWidgetItem(words if model.complete else words + " · " + tr("parts are missing"))
            item.setData(Qt.ItemDataRole.UserRole, model.path)
            item.setToolTip(model.path)
            self.list.addItem(item)
        count = self.list.count()
        self.note.setText(tr("{0} models found; they are read where they lie.", count) if count else tr("None found."))
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
        self._quiet, self._base = True, settings
        self.context.setValue(settings.context or 0)
        self.layers.setValue(-1 if settings.gpu_layers is None else settings.gpu_layers)
        self.device.setCurrentIndex(max(self.device.findData(next(iter(settings.devices), "")), 0))
        for box, kind in ((self.kv_k, settings.kv_type_k), (self.kv_v, settings.kv_type_v)):
            if box.findText(kind) < 0:
                box.addItem(kind)
            box.setCurrentText(kind)
        self.threads.setValue(settings.threads or 0)
        self.flash.setCurrentIndex(FLASH.index(settings.flash_attention))
        self.threads_batch.setValue(settings.threads_batch or 0)
        self.batch.setValue(settings.batch)
        self.micro_batch.setValue(settings.micro_batch)
        self.mapped.setChecked(settings.use_mmap)
        self.locked.setChecked(settings.use_mlock)
        self.swa_full.setChecked(settings.swa_full)
        self._quiet = False
        self._changed()

    def settings(self) -> ModelSettings:
        """As the dialog shows them."""
        device = self.device.currentData()
        kept = self._base.devices if self._base.devices[:1] == (device,) else ()
        return replace(
            self._base,
            context=self.context.value() or None,
            gpu_layers=None if self.layers.value() < 0 else self.layers.value(),
            devices=kept or ((device,) if device else ()),
            kv_type_k=self.kv_k.currentText(),
            kv_type_v=self.kv_v.currentText(),
            threads=self.threads.value() or None,
            flash_attention=FLASH[self.flash.currentIndex()],  # type: ignore[arg-type]
            threads_batch=self.threads_batch.value() or None,
            batch=self.batch.value(),
            micro_batch=self.micro_batch.value(),
            use_mmap=self.mapped.isChecked(),
            use_mlock=self.locked.isChecked(),
            swa_full=self.swa_full.isChecked(),
        )

    def _changed(self) -> None:
        if self._quiet or not self.path:
            return
        if self._asked is not None:
            self._asked.cancel()
        self._asked = self._desk.start(self._forecast(self.path, self.settings()))

    async def _forecast(self, path: str, settings: ModelSettings) -> None:
        await asyncio.sleep(PAUSE)
        gpu = next(iter(settings.devices), "") or next((device.name for device in self.devices), "")
        try:
            made = await self._desk.bench.memory_forecast(path, settings, gpu or None)
        except Exception as error:  # Whatever the file is: it is told here and loading is not forbidden.
            self._tell(str(error), error=True)
            return
        self._tell(*self._words(made))

    def _words(self, made: Forecast) -> tuple[str, bool]:
        lines = [tr("With a context of {0} tokens it would take:", f"{made.context:,}")]
        free = {device.name: device.memory_free for device in self.devices}
        short = False
        for name, memory in made.devices.items():
            line = tr(
                "{0}: {1} GB (weights {2}, cache {3})",
                name,
                f"{memory.total / 1e9:.2f}",
                f"{memory.weights / 1e9:.2f}",
                f"{(memory.kv + memory.states) / 1e9:.2f}",
            )
            if free.get(name):
                line += " · " + tr("{0} GB free", f"{free[name] / 1e9:.1f}")
                short = short or memory.total > free[name]
            lines.append(line)
        facts = self._desk.bench.model.facts
        back = facts.memory.get("measured", 0) + facts.memory.get("measured_gpu", 0) if facts is not None else 0
        if back:
            lines.append(tr("The loaded model gives {0} GB back.", f"{back / 1e9:.2f}"))
        if short:
            lines.append(tr("That is more than is free: fewer layers or a smaller context would fit."))
        return "\n".join(lines), short

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
