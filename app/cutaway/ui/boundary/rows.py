"""The payloads as rows: a field, the text in it, and a button that takes the row away."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from cutaway.ui.boundary.payloads import FIELDS, PAYLOADS, meant, one_line
from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import choices, say


class PayloadRow(QWidget):
    left = Signal(object)
    changed = Signal()
    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        self.field, self.text, self.away = QComboBox(), QComboBox(), QToolButton()
        choices(self.field, FIELDS)
        say(self.field, "setAccessibleName", "Field")
        self.text.setEditable(True)
        self.text.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.text.addItems([one_line(payload) for payload in PAYLOADS])
        self.text.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.text.setMinimumContentsLength(10)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        say(self.text, "setAccessibleName", "Payload")
        say(self.text, "setToolTip", "The text that is put into the field; ↵ or \\n stands for a newline")
        say(self.away, "setAccessibleName", "Remove this payload")
        say(self.away, "setToolTip", "Remove this payload")
        row.addWidget(self.field)
        row.addWidget(self.text, 1)
        row.addWidget(self.away)
        self.field.currentIndexChanged.connect(lambda _: self.changed.emit())
        self.text.editTextChanged.connect(self._edited)
        line = self.text.lineEdit()
        if line is not None:
            line.returnPressed.connect(self.entered)
            line.setCursorPosition(0)
        self.away.clicked.connect(lambda: self.left.emit(self))
        look.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.text.setFont(mono())
        self.away.setIcon(icon("close", "quiet"))
        self.away.setIconSize(QSize(12, 12))

    def _edited(self, text: str) -> None:
        if "\n" in text:  # Pasted.
            self.text.setEditText(one_line(text))
            return
        self.changed.emit()

    @property
    def payload(self) -> str:
        return meant(self.text.currentText())


class PayloadRows(QWidget):
    """Each field once."""

    changed = Signal()
    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE)
        self._box = QVBoxLayout()
        self._box.setSpacing(SPACE)
        layout.addLayout(self._box)
        self.more = QPushButton()
        self.more.setProperty("link", True)
        say(self.more, "setText", "Another field …")
        self.more.clicked.connect(lambda: self.add())
        below = QHBoxLayout()
        below.addWidget(self.more)
        below.addStretch()
        self.below = below
        """Beside the button there is room for the pane's own."""
        layout.addLayout(below)
        self.rows: list[PayloadRow] = []
        self.add()

    def add(self, field: str = "", text: str = "") -> PayloadRow:
        """One more payload, in a field that is still free."""
        free = [index for index in range(len(FIELDS)) if index not in {row.field.currentIndex() for row in self.rows}]
        row = PayloadRow()
        row.field.setCurrentIndex(FIELDS.index(field) if field else free[0])
        if text:
            row.text.setEditText(one_line(text))
        row.left.connect(self._remove)
        row.changed.connect(self.changed)
        row.entered.connect(self.entered)
        self.rows.append(row)
        self._box.addWidget(row)
        self._show_buttons()
        self.changed.emit()
        return row

    def _remove(self, row: PayloadRow) -> None:
        self.rows.remove(row)
        self._box.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._show_buttons()
        self.changed.emit()

    def _show_buttons(self) -> None:
        for row in self.rows:
            row.away.setVisible(len(self.rows) > 1)
        self.more.setVisible(len(self.rows) < len(FIELDS))

    def texts(self) -> dict[str, str]:
        """Field → text; of two rows for one field the later counts."""
        return {FIELDS[row.field.currentIndex()]: row.payload for row in self.rows if row.payload}
