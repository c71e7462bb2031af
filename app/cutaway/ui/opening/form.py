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
        for title, tip, editor in (
            (
                "Context, tokens",
                "How much of the conversation the model sees at once; Auto takes what it was trained for, at most 8,192. "
                "The cache grows with it.",
                self.context,
            ),
            ("Devices; none checked: chosen by the engine", "", self.devices),
            (
                "Layers on the graphics card",
                "Auto puts all of them there; 0 none. Fewer need less of its memory and are slower.",
                self.layers,
            ),
            (
                "KV cache, keys",
                "The form that the cache keeps keys in: q8_0 takes half of f16's memory, q4_0 a quarter, and both lose "
                "precision.",
                self.kv_k,
            ),
            (
                "KV cache, values",
                "The form that the cache keeps values in. Other forms than f16, bf16 and f32 need flash attention.",
                self.kv_v,
            ),
            (
                "Flash attention",
                "A way to compute attention in less memory. Auto uses it on a graphics card; on the processor it slows down "
                "replies and short messages in long conversations, and speeds up long prompts a little.",
                self.flash,
            ),
            (
                "Threads",
                "Processor threads while a reply is written. Auto measures, and follows what other programs take.",
                self.threads,
            ),
            (
                "Threads for prompts",
                "Processor threads while a prompt is read. Auto measures, and follows what other programs take.",
                self.threads_batch,
            ),
            (
                "Batch, tokens",
                "How many tokens of a prompt are handed over at once.",
                self.batch,
            ),
            (
                "Micro-batch, tokens",
                "How many of them are computed at once: more is faster up to a point, and needs larger buffers. On the "
                "processor at most 128 while flash attention is on Auto.",
                self.micro_batch,
            ),
            ("LoRA adapters", "", self.adapters),
        ):
            label = QLabel()
            say(label, "setText", title)
            say(editor, "setAccessibleName", title)
            say(label, "setToolTip", tip)
            say(editor, "setToolTip", tip)
            say(editor, "setAccessibleDescription", tip)
            if editor in (self.devices, self.adapters):
                form.addRow(label)
                form.addRow(editor)
            else:
                form.addRow(label, editor)
        self.mapped, self.locked, self.swa_full = QCheckBox(), QCheckBox(), QCheckBox()
        for check, title, tip in (
            (
                self.mapped,
                "Map the file into memory",
                "The system reads the file as it is needed and shares it between programs. Off reads all of it at once.",
            ),
            (
                self.locked,
                "Lock the memory",
                "The system may not move the model to disk when memory is short.",
            ),
            (
                self.swa_full,
                "Full cache for sliding-window layers",
                "Takes more memory; any earlier place of the conversation can then be gone back to without feeding it again.",
            ),
        ):
            say(check, "setText", title)
            say(check, "setToolTip", tip)
            say(check, "setAccessibleDescription", tip)
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
        spin.lineEdit().setTextMargins(SPACE, 0, 0, 0)
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
