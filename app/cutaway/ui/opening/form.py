"""How a model is loaded: every setting of `ModelSettings` with its editor."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QFrame, QLabel, QScrollArea, QSpinBox, QWidget

from cutaway.engine.command import ModelSettings
from cutaway.ui.look.theme import SPACE
from cutaway.ui.opening.adapters import Adapters
from cutaway.ui.opening.devices import Devices
from cutaway.ui.words import choices, say

KV_TYPES = ("f16", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "bf16", "f32")
FLASH = ("auto", "on", "off")


class LoadForm(QScrollArea):
    """`changed` when the person changed something; what the form does not show of the settings stays as it was."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._base = ModelSettings()
        self._quiet = False
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        say(self, "setAccessibleName", "How to load it")
        self._build()

    def _build(self) -> None:
        fields = QWidget()
        form = QFormLayout(fields)
        form.setContentsMargins(0, 0, 2 * SPACE, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self.context = self._spin(0, 16_777_216, 1024)
        self.devices, self.adapters = Devices(), Adapters()
        self.layers = self._spin(-1, 10_000)
        self.kv_k, self.kv_v = QComboBox(), QComboBox()
        for box in (self.kv_k, self.kv_v):
            box.addItems(list(KV_TYPES))
        self.flash = QComboBox()
        choices(self.flash, ["Auto", "On", "Off"])
        self.threads, self.threads_batch = self._spin(0, 512), self._spin(0, 512)
        self.batch, self.micro_batch = self._spin(1, 1 << 20, automatic=False), self._spin(1, 1 << 20, automatic=False)
        for title, editor in (
            ("Context, tokens", self.context),
            ("Devices; none checked: chosen by the engine", self.devices),
            ("Layers on the graphics card", self.layers),
            ("KV cache, keys", self.kv_k),
            ("KV cache, values", self.kv_v),
            ("Flash attention", self.flash),
            ("Threads", self.threads),
            ("Threads for prompts", self.threads_batch),
            ("Batch, tokens", self.batch),
            ("Micro-batch, tokens", self.micro_batch),
            ("LoRA adapters", self.adapters),
        ):
            label = QLabel()
            say(label, "setText", title)
            say(editor, "setAccessibleName", title)
            if editor in (self.devices, self.adapters):
                form.addRow(label)
                form.addRow(editor)
            else:
                form.addRow(label, editor)
        self.mapped, self.locked, self.swa_full = QCheckBox(), QCheckBox(), QCheckBox()
        say(self.mapped, "setText", "Map the file into memory")
        say(self.locked, "setText", "Lock the memory")
        say(self.swa_full, "setText", "Full cache for sliding-window layers")
        for check in (self.mapped, self.locked, self.swa_full):
            form.addRow(check)
            check.toggled.connect(lambda _: self._edited())
        for box in (self.kv_k, self.kv_v, self.flash):
            box.currentIndexChanged.connect(lambda _: self._edited())
        self.devices.chosen.connect(self._edited)
        self.adapters.changed.connect(self._edited)
        self.setWidget(fields)
        self.setMinimumWidth(fields.minimumSizeHint().width())

    def _spin(self, low: int, high: int, step: int = 1, *, automatic: bool = True) -> QSpinBox:
        spin = QSpinBox()
        spin.setRange(low, high)
        spin.setSingleStep(step)
        spin.setKeyboardTracking(False)
        if automatic:
            say(spin, "setSpecialValueText", "Auto")
        spin.valueChanged.connect(lambda _: self._edited())
        return spin

    def _edited(self) -> None:
        if not self._quiet:
            self.changed.emit()

    def show_settings(self, settings: ModelSettings) -> None:
        self._quiet, self._base = True, settings
        self.context.setValue(settings.context or 0)
        self.layers.setValue(-1 if settings.gpu_layers is None else settings.gpu_layers)
        self.devices.choose(settings.devices)
        for box, kind in ((self.kv_k, settings.kv_type_k), (self.kv_v, settings.kv_type_v)):
            if box.findText(kind) < 0:
                box.addItem(kind)
            box.setCurrentText(kind)
        self.flash.setCurrentIndex(FLASH.index(settings.flash_attention))
        self.threads.setValue(settings.threads or 0)
        self.threads_batch.setValue(settings.threads_batch or 0)
        self.batch.setValue(settings.batch)
        self.micro_batch.setValue(settings.micro_batch)
        self.adapters.show_adapters(settings.loras)
        self.mapped.setChecked(settings.use_mmap)
        self.locked.setChecked(settings.use_mlock)
        self.swa_full.setChecked(settings.swa_full)
        self._quiet = False

    def settings(self) -> ModelSettings:
        """As the form shows them."""
        return replace(
            self._base,
            context=self.context.value() or None,
            gpu_layers=None if self.layers.value() < 0 else self.layers.value(),
            devices=self.devices.names(),
            kv_type_k=self.kv_k.currentText(),
            kv_type_v=self.kv_v.currentText(),
            flash_attention=FLASH[self.flash.currentIndex()],  # type: ignore[arg-type]
            threads=self.threads.value() or None,
            threads_batch=self.threads_batch.value() or None,
            batch=self.batch.value(),
            micro_batch=self.micro_batch.value(),
            loras=self.adapters.adapters(),
            use_mmap=self.mapped.isChecked(),
            use_mlock=self.locked.isChecked(),
            swa_full=self.swa_full.isChecked(),
        )
