"""Settings as a form: each with its editor, a mark where it differs from what would hold, and a way back."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from cutaway.engine.sampling import DEFAULT_ORDER
from cutaway.ui.format_editor import FormatEditor
from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.sentences import told
from cutaway.ui.setting_editors import BiasEditor, Editor, OfferedEditor, OrderEditor, ToolChoiceEditor
from cutaway.ui.setting_rows import CHECKED, ROWS, Row, read, shown
from cutaway.ui.widgets.link import Link
from cutaway.ui.words import choices, say, tr

if TYPE_CHECKING:
    from cutaway.workbench.settings import Setting

Check = Callable[[str, str], Coroutine[Any, Any, tuple[Any, str]]]
PAUSE_MS = 250
"""After the last keystroke what is written is checked."""
LAYERS = {"default": "default", "file": "the model's file", "model": "this model", "conversation": "this conversation"}
"""Where a value comes from, in words."""
FOLDED = frozenset({"Repetition", "Advanced sampling", "Prompt"})
"""Groups that are closed at first."""


class SettingRow(QWidget):
    """One setting."""

    def __init__(self, row: Row, change: Callable[[str, Any], None], reset: Callable[[str], None]) -> None:
        super().__init__()
        self.row = row
        self._change = change
        self._reset = reset
        self._quiet = False
        self.changed = False
        """It differs from the program's default."""
        self.faulty = False
        """What was written cannot be used, and stands there still."""
        self.check: Check | None = None
        """Answers the value of a text and what to say of it; raises what is wrong with it."""
        self.start: Callable[[Coroutine[Any, Any, None]], object] = lambda work: work.close()
        self._text = ""
        self._asked = 0
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._look)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, SPACE)
        layout.setSpacing(2)
        head = QHBoxLayout()
        self.title = QLabel()
        say(self.title, "setText", row.title)
        head.addWidget(self.title)
        self.layer = QLabel()
        self.layer.setProperty("quiet", True)
        head.addWidget(self.layer)
        head.addStretch()
        self.back = Link("Reset", self._go_back)
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

    def choices(self) -> list[tuple[Any, str]]:
        """What can be chosen here, with its names; nothing where it is written."""
        if isinstance(self.editor, OfferedEditor):
            return self.editor.offered()
        return [(value, tr(text)) for value, text in self.row.choices]

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
            return self._build_spin()
        if row.kind in ("text", "lines", "json"):
            box = _Box()
            box.setMaximumHeight(84)
            box.setTabChangesFocus(True)
            box.left = lambda: self._read(box.toPlainText())
            box.textChanged.connect(lambda: self._typed(box.toPlainText()))
            return box
        made = self._build_chosen()
        if made is not None:
            made.edited.connect(self._edited)
            return made
        line = QLineEdit()
        line.setVisible(row.kind != "below")
        line.editingFinished.connect(lambda: self._read(line.text()))
        return line

    def _build_spin(self) -> QWidget:
        row = self.row
        spin = _Number()
        spin.setDecimals(6)
        spin.lineEdit().setTextMargins(SPACE, 0, 0, 0)
        spin.setRange(row.low, row.high)
        spin.setSingleStep(row.step)
        spin.setKeyboardTracking(False)
        spin.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        spin.setMinimumHeight(26)
        spin.valueChanged.connect(lambda value: self._edited(round(value, 6)))
        return spin

    def _build_chosen(self) -> Editor | None:
        """The editors that are not typed into."""
        match self.row.kind:
            case "tool choice":
                return ToolChoiceEditor()
            case "order":
                return OrderEditor(DEFAULT_ORDER)
            case "bias":
                return BiasEditor()
            case "offered":
                return OfferedEditor(self.row.choices)
            case "format":
                made = FormatEditor()
                made.typed.connect(self._typed)
                made.left.connect(self._read)
                return made
        return None

    def show_setting(self, setting: Setting) -> None:
        self._quiet = True
        if not self.faulty and not self._is_written():
            self._show_value(setting.value)
        changed = self.changed = setting.layer != "default"
        font = self.title.font()
        font.setBold(changed)
        self.title.setFont(font)
        self.layer.setText(f"· {tr(LAYERS[setting.layer])}" if changed else "")
        self.back.setVisible((changed and setting.layer != "file") or self.faulty)
        self.back.setToolTip(tr("Set for the {0}; without it: {1}", tr(setting.layer), shown(self.row, setting.below)))
        self._quiet = False

    def _is_written(self) -> bool:
        """The person is writing in it: what they have so far stays."""
        editor = self.editor
        box = editor.schema if isinstance(editor, FormatEditor) else editor
        return isinstance(box, QPlainTextEdit) and box.hasFocus()

    def _show_value(self, value: Any) -> None:
        editor = self.editor
        if isinstance(editor, QCheckBox):
            editor.setChecked(bool(value))
        elif isinstance(editor, QComboBox):
            index = next((n for n, (v, _) in enumerate(self.row.choices) if v == value), 0)
            editor.setCurrentIndex(index)
        elif isinstance(editor, QDoubleSpinBox):
            editor.setValue(float(value))
        elif isinstance(editor, QPlainTextEdit):
            if editor.toPlainText() != shown(self.row, value):
                editor.setPlainText(shown(self.row, value))
        elif isinstance(editor, QLineEdit):
            editor.setText(shown(self.row, value))
        elif isinstance(editor, Editor):
            editor.show_value(value)

    # -- What is written ------------------------------------------------------------------------

    def _typed(self, text: str) -> None:
        """Say how it stands once typing pauses; nothing is used before the editor is left."""
        if not self._quiet and self.check is not None and self.row.name in CHECKED:
            self._text = text
            self._pause.start()

    def _look(self) -> None:
        if self.check is not None:
            self.start(self._checked(self._text, use=False))

    def _read(self, text: str) -> None:
        self._pause.stop()
        if self.check is not None and self.row.name in CHECKED and text.strip():
            self.start(self._checked(text, use=True))
            return
        try:
            value = read(self.row, text)
        except ValueError as error:
            self._tell(told(str(error)), faulty=True)
            return
        self._tell(tr(self.row.help), faulty=False)
        self._edited(value)

    async def _checked(self, text: str, *, use: bool) -> None:
        """A text that cannot be used stays where it is, with what is wrong with it."""
        assert self.check is not None
        self._asked += 1
        asked = self._asked
        fault, value, words = "", None, ""
        try:
            if text.strip():
                value, words = await self.check(self.row.name, text)
        except Exception as error:
            fault = str(error)
        if asked != self._asked:
            return  # It was written on meanwhile.
        if fault:
            self._tell(told(fault), faulty=True)
            return
        self._tell(words or tr(self.row.help), faulty=False)
        if use:
            if isinstance(self.editor, Editor):
                self.editor.give_up()
            self._edited(value)

    def _tell(self, words: str, *, faulty: bool) -> None:
        self.faulty = faulty
        if faulty:
            self.back.show()
        self.help.setText(words)
        self.help.setProperty("error", faulty)
        self.help.style().polish(self.help)

    def _go_back(self) -> None:
        """What holds without this setting; what was written and could not be used is given up."""
        self._tell(tr(self.row.help), faulty=False)
        self._asked += 1
        if isinstance(self.editor, Editor):
            self.editor.give_up()
        self._reset(self.row.name)

    def _edited(self, value: Any) -> None:
        if not self._quiet:
            self._change(self.row.name, value)


class _Number(QDoubleSpinBox):
    """Shows no more digits than the number has."""

    def textFromValue(self, value: float) -> str:
        text, point = super().textFromValue(value), self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text else text


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
        body.setObjectName("body")
        self.body = QVBoxLayout(body)
        self.body.setContentsMargins(0, 0, 2 * SPACE, 0)
        self.groups: list[tuple[Fold, str, list[tuple[QWidget, tuple[str, ...]]]]] = []
        self._above: QLabel | None = None
        self._first = 0
        """Widgets above the settings."""
        self.rows: dict[str, SettingRow] = {}
        self.heads: dict[str, Fold] = {}
        for row in ROWS:
            if row.group not in self.heads:
                fold = self.heads[row.group] = Fold(row.group, is_open=row.group not in FOLDED)
                fold.toggled.connect(lambda _: self.look_for(self.search.text()))
                self.body.addWidget(fold)
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
        self.look_for(self.search.text())

    def add_head(self, text: str) -> None:
        """A line above all groups that were there from the first."""
        self._above = head(text)
        self.body.insertWidget(self._first, self._above)

    def add_group(
        self, title: str, rows: Sequence[tuple[QWidget, tuple[str, ...]]], *, first: bool = False, is_open: bool = True
    ) -> None:
        """Rows of the window's own, above the settings or below them; each is found by its English words and by
        their translations.
        """
        fold = Fold(title, is_open=is_open)
        fold.toggled.connect(lambda _: self.look_for(self.search.text()))
        at = self._first if first else self.body.count() - 1
        for offset, widget in enumerate((fold, *(row for row, _ in rows))):
            self.body.insertWidget(at + offset, widget)
        self._first += (len(rows) + 1) if first else 0
        self.groups.append((fold, title, list(rows)))

    def check_with(self, check: Check, start: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        """Have what is written by hand checked while it is written."""
        for row in self.rows.values():
            row.check, row.start = check, start

    def look_for(self, words: str) -> None:
        """Show the rows that hold all the words; without any, those of the open groups."""
        wanted = words.lower().split()
        sifted = self.sift.isChecked()
        used: set[str] = set()
        for made in self.rows.values():
            row = made.row
            there = _holds((row.name, row.title, row.help, row.group), wanted) and (made.changed or not sifted)
            used.update({row.group} if there else ())
            made.setVisible(there and (bool(wanted) or sifted or self.heads[row.group].isChecked()))
        for group, fold in self.heads.items():
            fold.setVisible(group in used)
        if self._above is not None:
            self._above.setVisible(bool(used))
        for fold, title, rows in self.groups:
            found = [_holds((title, *words), wanted) for _, words in rows]
            fold.setVisible(any(found))
            for (widget, _), there in zip(rows, found, strict=True):
                widget.setVisible(there and (bool(wanted) or fold.isChecked()))


def _holds(texts: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether all words that are looked for are in the texts, in English or as they are translated."""
    there = " ".join([*texts, *map(tr, texts)]).lower()
    return all(word in there for word in wanted)


class Fold(QToolButton):
    """A group's name; pressing it opens or closes the group."""

    def __init__(self, name: str, *, is_open: bool) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setChecked(is_open)
        self.setAutoRaise(True)
        self.setProperty("fold", True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        say(self, "setText", name)
        say(self, "setAccessibleName", name)
        self.toggled.connect(self._draw)
        look.changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self.setIcon(icon("down" if self.isChecked() else "right", "quiet"))


def head(text: str) -> QLabel:
    label = QLabel()
    label.setProperty("quiet", True)
    label.setContentsMargins(0, 3 * SPACE, 0, 0)
    say(label, "setText", text)
    return label
