"""The settings of the window and of the machine: look, language, notification; idle models, their folders, the engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from cutaway.engine.runtime import RuntimeFault
from cutaway.ui import words
from cutaway.ui.look.style import look
from cutaway.ui.sentences import told
from cutaway.ui.words import choices, say, tr

if TYPE_CHECKING:
    from cutaway.ui.window import MainWindow

Found = tuple[QWidget, tuple[str, ...]]
"""A row, and the English words by which it is found beside its own."""
THEMES = (("system", "As the system"), ("light", "Light"), ("dark", "Dark"))


def window_rows(window: MainWindow) -> list[Found]:
    theme = QComboBox()
    choices(theme, [text for _, text in THEMES])
    theme.setCurrentIndex(max([code for code, _ in THEMES].index(look.choice), 0))
    theme.activated.connect(lambda index: window.requests.set_theme(THEMES[index][0]))
    language = QComboBox()
    for code, name in words.LANGUAGES.items():
        language.addItem(name, code)
    language.setCurrentIndex(max(language.findData(words.language()), 0))
    language.activated.connect(lambda _: window.requests.set_language(language.currentData()))
    size = QDoubleSpinBox()
    size.setRange(0, 32)
    size.setDecimals(1)
    say(size, "setSpecialValueText", "As the system")
    size.setValue(look.text_size)
    size.setKeyboardTracking(False)
    size.valueChanged.connect(lambda points: _set_size(window, points))
    notify = QCheckBox()
    notify.setChecked(window.remembered.get("notify", True))
    notify.toggled.connect(lambda on: window.remembered.set("notify", on))
    return [
        (_row("Theme", theme), ("Theme", "Light", "Dark")),
        (_row("Language", language), ("Language", *words.LANGUAGES.values())),
        (_row("Text size", size), ("Text size",)),
        (_row("Say when a reply has ended while I was elsewhere", notify),
            ("Say when a reply has ended while I was elsewhere", "Notification")),
    ]  # fmt: skip


def _set_size(window: MainWindow, points: float) -> None:
    look.choose(look.choice, points)
    window.remembered.set("text_size", points)


def machine_rows(window: MainWindow) -> list[Found]:
    """What is kept in the store waits until that is open."""
    desk = window.desk
    idle = QSpinBox()
    idle.setRange(0, 24 * 60)
    say(idle, "setSpecialValueText", "Never")
    idle.setKeyboardTracking(False)
    idle.setEnabled(desk.opened.is_set())
    if desk.opened.is_set():
        kept = desk.bench.preference("idle_unload_minutes", 0)
        idle.setValue(int(kept) if isinstance(kept, int | float) else 0)
    idle.valueChanged.connect(lambda minutes: desk.bench.set_preference("idle_unload_minutes", minutes))
    folders = QPushButton()
    say(folders, "setText", "Folders …")
    folders.setEnabled(desk.opened.is_set())
    folders.clicked.connect(lambda: desk.start(_show_folders(window, folders)))
    return [
        (_row("Unload the model after so many idle minutes", idle), ("Unload the model after so many idle minutes",)),
        (_row("Folders of models", folders), ("Folders of models",)),
        (RuntimeRow(window), ("Engine", "llama.cpp", "runtime", "GPU", "CUDA", "Vulkan", "Add a runtime …")),
    ]


async def _show_folders(window: MainWindow, beside: QWidget) -> None:
    from cutaway.ui.opening.folders import FoldersDialog

    FoldersDialog(window.desk.bench, await window.desk.bench.known_models(), beside.window()).open()


def _row(title: str, editor: QWidget) -> QWidget:
    made = QWidget()
    layout = QHBoxLayout(made)
    layout.setContentsMargins(0, 0, 0, 0)
    label = QLabel()
    label.setWordWrap(True)
    say(label, "setText", title)
    say(editor, "setAccessibleName", title)
    label.setBuddy(editor)
    layout.addWidget(label, 1)
    editor.setMinimumWidth(190 if not isinstance(editor, QCheckBox) else 0)
    layout.addWidget(editor)
    return made


class RuntimeRow(QWidget):
    """Which llama.cpp computes: what the program came with, or one that was added for a graphics card."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self._desk = window.desk
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.choice = QComboBox()
        layout.addWidget(_row("Engine", self.choice))
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setProperty("quiet", True)
        layout.addWidget(self.said)
        self.more = QPushButton()
        say(self.more, "setText", "Add a runtime …")
        say(self.more, "setToolTip", "A folder with runtime.json and llama.cpp's libraries, built for a graphics card.")
        self.more.clicked.connect(self._browse)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(self.more)
        layout.addLayout(row)
        self.choice.activated.connect(lambda _: self._desk.start(self._choose(self.choice.currentData())))
        self._desk.start(self._fill())

    async def _fill(self) -> None:
        await self._desk.opened.wait()
        found = await self._desk.bench.runtimes()
        self.choice.clear()
        self.choice.addItem(tr("As installed"), "")
        for name in found.names:
            self.choice.addItem(name, name)
        self.choice.setCurrentIndex(max(self.choice.findData(found.wanted), 0))
        self.choice.setEnabled(not found.forced)
        if found.forced:
            self.said.setText(tr("The variable CUTAWAY_RUNTIME says which one is used."))
        self.said.setVisible(found.forced)

    async def _choose(self, name: str) -> None:
        await self._desk.bench.choose_runtime(name)
        self._say(tr("It is used from the next start on."))

    def _browse(self) -> None:
        dialog = QFileDialog(self, tr("Add a runtime"), str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda folder: self._desk.start(self.add(folder)))
        dialog.open()

    async def add(self, folder: str) -> None:
        """Try a runtime and take it in; it is chosen then."""
        self._say(tr("Trying it …"))
        try:
            name = await self._desk.bench.add_runtime(folder)
        except (RuntimeFault, OSError) as error:
            self._say(told(str(error)), error=True)
            return
        await self._desk.bench.choose_runtime(name)
        await self._fill()
        self._say(tr("It is used from the next start on."))

    def _say(self, text: str, *, error: bool = False) -> None:
        self.said.setText(text)
        self.said.setProperty("error", error)
        self.said.style().polish(self.said)
        self.said.show()
