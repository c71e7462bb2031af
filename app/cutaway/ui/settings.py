"""One searchable page for everything: look, language, shortcuts, and what new conversations begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QKeySequenceEdit,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from cutaway.ui import words
from cutaway.ui.actions import COMMANDS
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.setting_form import SettingForm, head
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.ui.window import MainWindow


class SettingsDialog(QDialog):
    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window_ = window
        say(self, "setWindowTitle", "Settings")
        self.resize(560, min(720, max(window.height() - 40, 320)))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 4 * SPACE, 2 * SPACE, 3 * SPACE)
        self.form = SettingForm(self._change, self._reset)
        self.form.add(head("Look and language"), "look theme language text size", at=0)
        self.form.add(self._build_look(), "look theme light dark language text size 语言", at=1)
        self.form.add(head("Keyboard shortcuts"), "keyboard shortcut shortcuts", at=2)
        self.form.add(self._build_shortcuts(), "keyboard shortcut shortcuts " + tr("Shortcut"), at=3)
        self.form.add(head("What new conversations begin with"), "", at=4)
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

    def _build_look(self) -> QWidget:
        body = QWidget()
        form = QFormLayout(body)
        form.setContentsMargins(0, 0, 0, 0)
        theme = QComboBox()
        for value, text in (("system", "As the system"), ("light", "Light"), ("dark", "Dark")):
            theme.addItem(tr(text), value)
        theme.setCurrentIndex(max(theme.findData(look.choice), 0))
        theme.activated.connect(lambda _: self.window_.requests.set_theme(theme.currentData()))
        language = QComboBox()
        for code, name in words.LANGUAGES.items():
            language.addItem(name, code)
        language.setCurrentIndex(max(language.findData(words.language()), 0))
        language.activated.connect(lambda _: self.window_.requests.set_language(language.currentData()))
        size = QDoubleSpinBox()
        size.setRange(0, 32)
        size.setSpecialValueText(tr("As the system"))
        size.setValue(look.text_size)
        size.setKeyboardTracking(False)
        size.valueChanged.connect(self._set_size)
        for title, widget in (("Theme", theme), ("Language", language), ("Text size", size)):
            say(widget, "setAccessibleName", title)
            label = QLabel()
            say(label, "setText", title)
            form.addRow(label, widget)
        return body

    def _set_size(self, points: float) -> None:
        look.choose(look.choice, points)
        self.window_.remembered.set("text_size", points)

    def _build_shortcuts(self) -> QWidget:
        body = QWidget()
        form = QFormLayout(body)
        form.setContentsMargins(0, 0, 0, 0)
        self.clash = QLabel()
        self.clash.setProperty("error", True)
        self.clash.hide()
        form.addRow(self.clash)
        for command in COMMANDS:
            edit = QKeySequenceEdit(self.window_.actions_.by_name[command.name].shortcut())
            edit.setMaximumSequenceLength(1)
            edit.setClearButtonEnabled(True)
            edit.setAccessibleName(tr("Shortcut for {0}", tr(command.title)))
            edit.editingFinished.connect(lambda edit=edit, name=command.name: self._bind(edit, name))
            label = QLabel()
            say(label, "setText", command.title)
            form.addRow(label, edit)
        return body

    def _bind(self, edit: QKeySequenceEdit, name: str) -> None:
        keys = edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        other = self.window_.actions_.clash(name, keys)
        self.clash.setVisible(bool(other))
        if other:
            self.clash.setText(tr("{0} is the shortcut of “{1}” already.", keys, other))
            edit.setKeySequence(self.window_.actions_.by_name[name].shortcut())
            return
        self.window_.actions_.bind(name, keys)
        bound = dict(self.window_.remembered.get("shortcuts", {}))
        bound[name] = keys
        self.window_.remembered.set("shortcuts", bound)
