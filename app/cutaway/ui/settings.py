"""One searchable page for everything: the window, the machine, what new conversations begin with, shortcuts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout

from cutaway.ui.look.theme import SPACE
from cutaway.ui.setting_form import SettingForm
from cutaway.ui.shortcut_rows import shortcut_rows
from cutaway.ui.window_rows import machine_rows, window_rows
from cutaway.ui.words import say

if TYPE_CHECKING:
    from cutaway.ui.window import MainWindow


class SettingsDialog(QDialog):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window_ = window
        say(self, "setWindowTitle", "Settings")
        self.resize(min(620, max(window.width() - 40, 400)), min(760, max(window.height() - 40, 320)))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 2 * SPACE, 3 * SPACE)
        self.form = SettingForm(self._change, self._reset)
        self.form.add_group("Look and language", window_rows(window), first=True)
        self.form.add_group("Models and engine", machine_rows(window), first=True)
        self.form.add_head("What new conversations begin with")
        shortcuts = shortcut_rows(window.actions_, window.remembered)
        self.form.add_group("Keyboard shortcuts", shortcuts, is_open=False)
        self.form.look_for("")
        layout.addWidget(self.form, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        layout.addWidget(buttons)
        self.refresh()

    def look_for(self, text: str) -> None:
        self.form.search.setText(text)

    def refresh(self) -> None:
        desk = self.window_.desk
        if desk.opened.is_set():
            self.form.show_settings(desk.bench.list_settings())

    def _change(self, name: str, value: Any) -> None:
        desk = self.window_.desk
        desk.start(self._then_refresh(desk.set(name, value, None)))

    def _reset(self, name: str) -> None:
        desk = self.window_.desk
        desk.start(self._then_refresh(desk.bench.reset(name)))

    async def _then_refresh(self, work: Any) -> None:
        await work
        self.refresh()
