"""Editors of single settings that are chosen, not typed: the tool choice, the order of stages, favoured tokens.

Each has `show_value` and a signal `edited` with the setting's new value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import look
from cutaway.ui.setting_rows import STAGES
from cutaway.ui.words import changed, say, tr


class Editor(QWidget):
    edited = Signal(object)

    def show_value(self, value: Any) -> None:
        raise NotImplementedError

    def give_up(self) -> None:
        """Nothing that was begun and is not used yet has to stay."""


class ToolChoiceEditor(Editor):
    """Whether the model calls a tool: as it likes, surely, never, or one by name."""

    WAYS = (("auto", "As the model likes"), ("required", "At least one call"), ("none", "No calls"))

    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.box = QComboBox()
        self.box.activated.connect(lambda _: self.edited.emit(self.box.currentData()))
        layout.addWidget(self.box)
        self.setFocusProxy(self.box)
        self._value = "auto"
        self._tools: tuple[str, ...] = ()
        changed.language.connect(self._fill)
        self._fill()

    def offer(self, tools: Sequence[str]) -> None:
        """The names of the tools that there are."""
        if tuple(tools) != self._tools:
            self._tools = tuple(tools)
            self._fill()

    def show_value(self, value: Any) -> None:
        self._value = str(value)
        self._fill()

    def _fill(self) -> None:
        self.box.clear()
        for value, text in self.WAYS:
            self.box.addItem(tr(text), value)
        named = self._value.removeprefix("function:") if self._value.startswith("function:") else ""
        for name in dict.fromkeys([*self._tools, *([named] if named else [])]):
            there = name in self._tools
            words = tr("Call {0}", name) if there else tr("Call {0}, which is not among the tools", name)
            self.box.addItem(words, f"function:{name}")
        self.box.setCurrentIndex(max(self.box.findData(self._value), 0))


class OfferedEditor(Editor):
    """One of several values, those first that the model's template has; others are said to do nothing."""

    def __init__(self, choices: Sequence[tuple[Any, str]]) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.box = QComboBox()
        self.box.activated.connect(lambda index: self.edited.emit(self._values[index]))
        layout.addWidget(self.box)
        self.note = QLabel()
        self.note.setProperty("quiet", True)
        self.note.setWordWrap(True)
        self.note.hide()
        layout.addWidget(self.note)
        self.setFocusProxy(self.box)
        self._choices = dict(choices)
        self._value: Any = None
        self._offered: tuple[str, ...] | None = None
        self._values: list[Any] = []
        changed.language.connect(self._fill)
        self._fill()

    def offer(self, values: Sequence[str] | None) -> None:
        """What the template in force has; None where that is not known."""
        wanted = None if values is None else tuple(values)
        if wanted != self._offered:
            self._offered = wanted
            self._fill()

    def show_value(self, value: Any) -> None:
        self._value = value
        self._fill()

    def offered(self) -> list[tuple[Any, str]]:
        """The values that can be chosen, with their names."""
        return [(value, self._title(value)) for value in self._values]

    def _title(self, value: Any) -> str:
        title = self._choices.get(value)
        return tr(title) if title is not None else str(value)

    def _fill(self) -> None:
        offered = self._offered
        values = [value for value in self._choices if value is None or offered is None or value in offered]
        values += [value for value in offered or () if value not in values]
        odd = self._value not in values
        self._values = [*values, self._value] if odd else values
        self.box.clear()
        for value in self._values:
            self.box.addItem(self._title(value))
        self.box.setCurrentIndex(self._values.index(self._value))
        told = tr("This template has no switch for it.") if offered is not None and len(values) <= 2 else ""
        if odd and offered is not None:
            told = tr("This template does not know the value that is set.")
        self.note.setText(told)
        self.note.setVisible(bool(told))


class OrderEditor(Editor):
    """The stages in their order; those that are not checked are left out. Alt+Up and Alt+Down move one."""

    def __init__(self, stages: Sequence[str]) -> None:
        super().__init__()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self._stages = tuple(stages)
        self.list = _Stages()
        self.list.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.list.moved.connect(self.move_current)
        self.list.model().rowsMoved.connect(lambda *_: self._tell())
        self.list.itemChanged.connect(lambda _: self._tell())
        say(self.list, "setAccessibleName", "Order of the stages")
        changed.language.connect(self._name)
        layout.addWidget(self.list, 1)
        column = QVBoxLayout()
        for by, name in ((-1, "Move up"), (1, "Move down")):
            button = QToolButton()
            button.setText("↑" if by < 0 else "↓")
            say(button, "setAccessibleName", name)
            say(button, "setToolTip", name)
            button.clicked.connect(lambda _=False, by=by: self.move_current(by))
            column.addWidget(button)
        column.addStretch()
        layout.addLayout(column)
        self.setFocusProxy(self.list)
        self._quiet = False

    def show_value(self, value: Any) -> None:
        used = [str(stage) for stage in value]
        if self.value() == tuple(used) and self.list.count():
            return
        self._quiet = True
        row = self.list.currentRow()
        self.list.clear()
        for stage in [*used, *(stage for stage in self._stages if stage not in used)]:
            item = QListWidgetItem(tr(STAGES.get(stage, stage)))
            item.setData(Qt.ItemDataRole.UserRole, stage)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsDropEnabled)
            item.setCheckState(Qt.CheckState.Checked if stage in used else Qt.CheckState.Unchecked)
            self.list.addItem(item)
        self.list.setCurrentRow(max(row, 0))
        rows = self.list.count() * max(self.list.sizeHintForRow(0), 18)
        self.list.setFixedHeight(rows + 4)
        self._quiet = False

    def _name(self) -> None:
        self._quiet = True
        for item in map(self.list.item, range(self.list.count())):
            item.setText(tr(STAGES.get(item.data(Qt.ItemDataRole.UserRole), "")))
        self._quiet = False

    def value(self) -> tuple[str, ...]:
        items = [self.list.item(row) for row in range(self.list.count())]
        return tuple(
            item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() is Qt.CheckState.Checked
        )

    def move_current(self, by: int) -> None:
        row = self.list.currentRow()
        if row >= 0 and 0 <= row + by < self.list.count():
            self._quiet = True
            self.list.insertItem(row + by, self.list.takeItem(row))
            self.list.setCurrentRow(row + by)
            self._quiet = False
            self._tell()

    def _tell(self) -> None:
        if not self._quiet:
            self.edited.emit(self.value())


class _Stages(QListWidget):
    moved = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in steps:
            self.moved.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


class BiasEditor(Editor):
    """The tokens that were banned or favoured, each with a way to let it be. New ones come from the Tokens pane."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.lines: list[QWidget] = []
        self.drops: list[QToolButton] = []
        self._value: tuple[tuple[int, float], ...] = ()
        self.text_of: Callable[[int], str] = lambda token: f"#{token}"
        """What a token writes."""
        changed.language.connect(self._fill)
        look.changed.connect(self._fill)

    def show_value(self, value: Any) -> None:
        self._value = tuple((int(token), float(bias)) for token, bias in value)
        self._fill()

    def _fill(self) -> None:
        for line in self.lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.lines, self.drops = [], []
        for token, bias in self._value:
            self._add(token, bias)
        if not self._value:
            self._add_line(QLabel(tr("None. Choose a token in the Tokens pane to ban or favour it.")))

    def _add_line(self, line: QWidget) -> None:
        if isinstance(line, QLabel):
            line.setWordWrap(True)
            line.setProperty("quiet", True)
        self.lines.append(line)
        self._column.addWidget(line)

    def _add(self, token: int, bias: float) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        label = QLabel(f"{self._named(token)}: {bias_words(bias)}")
        label.setTextFormat(Qt.TextFormat.PlainText)
        row.addWidget(label, 1)
        drop = QToolButton()
        drop.setIcon(icon("close", "quiet"))
        name = tr("Leave this token alone") + f": {self._named(token)}"
        drop.setAccessibleName(name)
        drop.setToolTip(name)
        drop.clicked.connect(lambda: self.edited.emit(tuple(pair for pair in self._value if pair[0] != token)))
        row.addWidget(drop)
        self.drops.append(drop)
        self._add_line(line)

    def _named(self, token: int) -> str:
        text = self.text_of(token)
        return f"“{text if text.isprintable() else repr(text)[1:-1]}” ({token})"


def bias_words(bias: float) -> str:
    if bias == -math.inf:
        return tr("never")
    return tr("likelier by {0}", f"{bias:g}") if bias > 0 else tr("less likely by {0}", f"{-bias:g}")
