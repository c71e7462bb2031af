"""The side sheet: how this conversation steers the model, with what differs from the default marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout

from cutaway.ui.look.icons import icon
from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import say

if TYPE_CHECKING:
    from cutaway.ui.desk import Desk
    from cutaway.ui.setting_form import SettingForm

WIDTH = 300


class Steering(QFrame):
    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.setObjectName("sheet")
        self.setFixedWidth(WIDTH)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 2 * SPACE, SPACE, 2 * SPACE)
        row = QHBoxLayout()
        title = QLabel()
        say(title, "setText", "Settings of this conversation")
        row.addWidget(title, 1)
        close = QToolButton()
        close.setIcon(icon("close", "quiet"))
        say(close, "setAccessibleName", "Close the settings")
        close.clicked.connect(self.hide)
        row.addWidget(close)
        layout.addLayout(row)
        self.form: SettingForm | None = None
        self.hide()

    def showEvent(self, event: object) -> None:
        """Made when it is first seen: it has some forty editors."""
        if self.form is None:
            from cutaway.ui.setting_form import SettingForm

            self.form = SettingForm(self._change, self._reset)
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self.form)
        self.refresh()
        self.form.search.setFocus()

    def refresh(self) -> None:
        if self.form is not None and not self.isHidden() and self._desk.opened.is_set():
            self.form.show_settings(self._desk.bench.list_settings(self._desk.conversation or None))

    def _change(self, name: str, value: Any) -> None:
        self._desk.start(self._desk.set(name, value, self._desk.conversation or None))

    def _reset(self, name: str) -> None:
        self._desk.start(self._desk.bench.reset(name, conversation=self._desk.conversation or None))
