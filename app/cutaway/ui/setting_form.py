"""Settings as a form: each with its editor, a mark where it differs from what would hold, and a way back."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from cutaway.ui.look.theme import SPACE
from cutaway.ui.sentences import told
from cutaway.ui.setting_rows import ROWS, Row, read, shown
from cutaway.ui.words import choices, say, tr

if TYPE_CHECKING:
    from cutaway.workbench.settings import Setting

Change = Callable[[str, Any], Coroutine[Any, Any, None]]


class SettingRow(QWidget):
    """One setting."""

    def __init__(self, row: Row, change: Callable[[str, Any], None], reset: Callable[[str], None]) -> None:
        super().__init__()
        self.row = row
        self._change = change
        self._quiet = False
        self.changed = False
        """It differs from the program's default."""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, SPACE)
        layout.setSpacing(2)
        head = QHBoxLayout()
        self.title = QLabel()
        say(self.title, "setText", row.title)
        head.addWidget(self.title)
        head.addStretch()
        self.back = QPushButton()
        self.back.setProperty("link", True)
        say(self.back, "setText", "Reset")
        self.back.clicked.connect(lambda: reset(row.name))
        head.addWidget(self.back)
        layout.addLayout(head)
        self.editor = self._build()
        say(self.editor, "setAccessibleName", row.title)
        say(self.editor, "setAccessibleDescription", row.help)
        self.title.setBuddy(self.editor)
        layout.addWidget(self.editor)
        self.help = QLabel()
        self.help.setWordWrap(True)
        self.help.setProperty("quiet", True)
        say(self.help, "setText", row.help)
        layout.addWidget(self.help)

    def add(self, widget: QWidget, *, above: bool = False) -> None:
        """Something that belongs to this setting, below it or above it."""
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(0 if above else layout.count(), widget)

    def _build(self) -> QWidget:
        row = self.row
        if row.kind == "bool":
            check = QCheckBox()
            say(check, "setText", "On")
            check.toggled.connect(lambda on: self._edited(on))
            return check
        if row.kind == "choice":
            choice = QComboBox()
            choices(choice, [text for _, text in row.choices])
            choice.activated.connect(lambda index: self._edited(row.choices[index][0]))
            return choice
        if row.kind == "float":
            spin = QDoubleSpinBox()
            spin.setDecimals(3)
            spin.setRange(row.low, row.high)
            spin.setSingleStep(row.step)
            spin.setKeyboardTracking(False)
            spin.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            spin.valueChanged.connect(lambda value: self._edited(round(value, 4)))
            return spin
        if row.kind in ("text", "lines", "json"):
            box = _Box()
            box.setMaximumHeight(84)
            box.setTabChangesFocus(True)
            box.left = lambda: self._read(box.toPlainText())
            return box
        line = QLineEdit()
        line.editingFinished.connect(lambda: self._read(line.text()))
        return line

    def show_setting(self, setting: Setting) -> None:
        self._quiet = True
        value, editor = setting.value, self.editor
        if isinstance(editor, QCheckBox):
            editor.setChecked(bool(value))
        elif isinstance(editor, QComboBox):
            index = next((n for n, (v, _) in enumerate(self.row.choices) if v == value), 0)
            editor.setCurrentIndex(index)
        elif isinstance(editor, QDoubleSpinBox):
            editor.setValue(float(value))
        elif isinstance(editor, QPlainTextEdit):
            if not editor.hasFocus():
                editor.setPlainText(shown(self.row, value))
        elif isinstance(editor, QLineEdit):
            editor.setText(shown(self.row, value))
        changed = self.changed = setting.layer != "default"
        font = self.title.font()
        font.setBold(changed)
        self.title.setFont(font)
        self.back.setVisible(changed)
        self.back.setToolTip(tr("Set for the {0}; without it: {1}", tr(setting.layer), shown(self.row, setting.below)))
        self._quiet = False

    def _read(self, text: str) -> None:
        try:
            value = read(self.row, text)
        except ValueError as error:
            self.help.setText(told(str(error)))
            self.help.setProperty("error", True)
            self.help.style().polish(self.help)
            return
        self.help.setText(tr(self.row.help))
        self.help.setProperty("error", False)
        self.help.style().polish(self.help)
        self._edited(value)

    def _edited(self, value: Any) -> None:
        if not self._quiet:
            self._change(self.row.name, value)


class _Box(QPlainTextEdit):
    left: Callable[[], None] = staticmethod(lambda: None)

    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        self.left()


class SettingForm(QWidget):
    """All settings of one layer, searchable; `sift` offers to show only those that differ from the default."""

    def __init__(self, change: Callable[[str, Any], None], reset: Callable[[str], None], *, sift: bool = False) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        say(self.search, "setPlaceholderText", "Search the settings")
        say(self.search, "setAccessibleName", "Search the settings")
        self.search.textChanged.connect(self.look_for)
        layout.addWidget(self.search)
        self.sift = QCheckBox()
        say(self.sift, "setText", "Only what differs from the default")
        self.sift.toggled.connect(lambda _: self.look_for(self.search.text()))
        self.sift.setVisible(sift)
        layout.addWidget(self.sift)
        area = QScrollArea()
        area.setWidgetResizable(True)
        say(area, "setAccessibleName", "Settings")
        area.setFrameShape(QFrame.Shape.NoFrame)
        body = QWidget()
        self.body = QVBoxLayout(body)
        self.body.setContentsMargins(0, 0, 2 * SPACE, 0)
        self.extra: list[tuple[QWidget, str]] = []
        self.rows: dict[str, SettingRow] = {}
        self._heads: dict[str, QLabel] = {}
        for row in ROWS:
            if row.group not in self._heads:
                self._heads[row.group] = head(row.group)
                self.body.addWidget(self._heads[row.group])
            made = SettingRow(row, change, reset)
            self.rows[row.name] = made
            self.body.addWidget(made)
        self.body.addStretch()
        area.setWidget(body)
        layout.addWidget(area, 1)

    def show_settings(self, settings: list[Setting]) -> None:
        for setting in settings:
            row = self.rows.get(setting.name)
            if row is not None:
                row.show_setting(setting)

    def add(self, widget: QWidget, words: str, *, at: int) -> None:
        """Something of the window's own, found by `words`."""
        self.body.insertWidget(at, widget)
        self.extra.append((widget, words))

    def look_for(self, words: str) -> None:
        wanted = words.lower().split()
        used: set[str] = set()
        for made in self.rows.values():
            row = made.row
            text = f"{row.name} {tr(row.title)} {tr(row.help)} {tr(row.group)} {row.title}".lower()
            there = all(word in text for word in wanted) and (made.changed or not self.sift.isChecked())
            made.setVisible(there)
            used.update({row.group} if there else ())
        for group, label in self._heads.items():
            label.setVisible(group in used)
        for widget, text in self.extra:
            widget.setVisible(all(word in text.lower() for word in wanted))


def head(text: str) -> QLabel:
    label = QLabel()
    label.setProperty("quiet", True)
    label.setContentsMargins(0, 3 * SPACE, 0, 0)
    say(label, "setText", text)
    return label
