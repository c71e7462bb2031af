"""What a model is computed on: one check box a device, with its memory; none checked leaves it to the engine."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from cutaway.engine.device import Device
from cutaway.ui.words import say, tr

CPU = "CPU"
"""llama.cpp's name of the processor: chosen alone, it is told to use nothing else."""


class Devices(QListWidget):
    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.known: list[Device] = []
        self._names: tuple[str, ...] = ()
        say(self, "setAccessibleName", "Devices")
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.itemChanged.connect(lambda _: self._changed())
        self._fill()

    def show_devices(self, known: Sequence[Device]) -> None:
        self.known = list(known)
        self._fill()

    def choose(self, names: tuple[str, ...]) -> None:
        """Names that are not here stay in the list, so that they can be seen and taken out."""
        self._names = names
        self._fill()

    def names(self) -> tuple[str, ...]:
        """In the order they were chosen in, then that of the list."""
        return self._names

    def graphics(self) -> list[Device]:
        """The devices beside the processor that layers would go to."""
        return [
            device
            for device in self.known
            if device.kind != "cpu" and (not self._names or device.name in self._names)
        ]  # fmt: skip

    def _fill(self) -> None:
        self.blockSignals(True)
        self.clear()
        for device in self.known:
            words = f"{device.name}: {device.description}"
            if device.memory_free:
                words += " · " + tr("{0} GB free", f"{device.memory_free / 1e9:.1f}")
            self._add(device.name, words)
        here = {device.name for device in self.known}
        for name in self._names:
            if name not in here and self.known:
                self._add(name, f"{name} · " + tr("not here now"))
        height = sum(max(self.sizeHintForRow(row), 20) for row in range(max(self.count(), 1)))
        self.setFixedHeight(min(height, 132) + 2 * self.frameWidth() + 4)
        self.blockSignals(False)

    def _add(self, name: str, words: str) -> None:
        item = QListWidgetItem(words)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if name in self._names else Qt.CheckState.Unchecked)
        item.setData(Qt.ItemDataRole.UserRole, name)
        item.setToolTip(words)
        self.addItem(item)

    def _changed(self) -> None:
        items = [self.item(row) for row in range(self.count())]
        checked = [item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() is Qt.CheckState.Checked]
        kept = [name for name in self._names if name in checked]
        self._names = (*kept, *(name for name in checked if name not in kept))
        self.chosen.emit()
