"""What the window remembers, its commands, its settings in words, its samples, its collector."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QKeySequence, QTextOption
from PySide6.QtWidgets import QDoubleSpinBox
from pytestqt.qtbot import QtBot

from cutaway.chat.read import read_request
from cutaway.engine.sampling import RANGES
from cutaway.ui.actions import COMMANDS, MENUS
from cutaway.ui.app import application
from cutaway.ui.collector import STARTED, Collector
from cutaway.ui.conversation.composer_rows import Box
from cutaway.ui.layouts import DEFAULT, PRESETS
from cutaway.ui.registry import KINDS
from cutaway.ui.remembered import Remembered
from cutaway.ui.setting_form import SettingRow
from cutaway.ui.setting_rows import ROWS, read, shown
from cutaway.ui.templates.samples import json_fault, samples
from cutaway.workbench.settings import NAMES, ChatSettings, Setting, value_of


def test_what_is_remembered_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "window.json"
    Remembered(path).set("theme", "dark")
    assert Remembered(path).get("theme", "system") == "dark"
    assert Remembered(path).get("theme", 3) == 3, "a value of another type is not taken"


def test_a_damaged_file_is_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "window.json"
    for text in ("", "{", "[1]", "\x00"):
        path.write_text(text, encoding="utf-8")
        assert Remembered(path).get("theme", "system") == "system"


def test_no_two_commands_have_one_shortcut() -> None:
    application()
    keys = [QKeySequence(command.shortcut).toString() for command in COMMANDS if command.shortcut]
    assert len(keys) == len(set(keys))
    assert all(keys)
    assert {command.menu for command in COMMANDS} == set(MENUS)


def test_every_pane_has_a_command_and_a_place() -> None:
    names = {kind.name for kind in KINDS}
    assert {c.name.removeprefix("pane.") for c in COMMANDS if c.name.startswith("pane.")} == names
    for layout in (*PRESETS.values(), DEFAULT):
        assert {name for group in layout.columns for name in group} <= names
    assert len(PRESETS) == 4


def test_every_setting_has_words() -> None:
    assert {row.name for row in ROWS} == set(NAMES)
    assert all(row.title and row.help.endswith(".") and row.group for row in ROWS)


def test_a_number_that_the_sampler_takes_is_shown_as_it_is(qtbot: QtBot) -> None:
    for row in ROWS:
        if row.kind != "float":
            continue
        made = SettingRow(row, lambda name, value: None, lambda name: None)
        qtbot.addWidget(made)
        assert isinstance(made.editor, QDoubleSpinBox)
        low, high = RANGES[row.name.removeprefix("sampling.")]
        assert (row.low, row.high) == (max(low, 0.0) if row.name == "sampling.temperature" else low, high)
        for value, text in ((row.high, f"{row.high:g}"), (0.0125, "0.0125"), (0.5, "0.5"), (0.9 / 3, "0.3")):
            made.show_setting(Setting(row.name, value, "model", 0.0))
            assert made.editor.text() == text


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_setting_survives_being_shown_and_read(row: object) -> None:
    from cutaway.ui.setting_rows import Row

    assert isinstance(row, Row)
    value = value_of(ChatSettings(), row.name)
    if row.name != "tools" and row.kind in ("text", "line", "lines", "json", "int"):
        again = read(row, shown(row, value))
        assert again == value or (not again and not value)
    if row.kind == "choice":
        assert value in [choice for choice, _ in row.choices]


def test_what_is_no_json_is_named_with_its_place() -> None:
    assert json_fault('{"a": 1}') is None
    assert str(json_fault('{\n"a": }')).startswith("line 2, column 6")
    row = next(row for row in ROWS if row.name == "kwargs")
    with pytest.raises(ValueError, match="line 1, column 2"):
        read(row, "{a")


def test_the_samples_are_requests() -> None:
    assert len(samples()) >= 12
    for _, body in samples():
        assert read_request(json.loads(json.dumps(body))).messages


def test_the_collector_takes_cycles_on_this_thread() -> None:
    application()
    collector = Collector(lambda: False)
    assert not gc.isenabled()

    class Ring:
        gone: list[int] = []  # noqa: RUF012

        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            Ring.gone.append(1)

    for _ in range(2000):
        Ring()
    collector.tick()
    collector.stop()
    assert gc.isenabled()
    assert Ring.gone


def test_what_the_start_left_is_set_aside_until_the_end() -> None:
    application()
    busy = [True]
    collector = Collector(lambda: busy[0])
    for _ in range(STARTED):
        collector.tick()
    assert gc.get_freeze_count() == 0, "not while a reply is running"
    busy[0] = False
    collector.tick()
    assert gc.get_freeze_count() > 0
    collector.stop()
    assert gc.get_freeze_count() == 0


def test_a_pasted_run_without_blanks_breaks_anywhere(qtbot: QtBot) -> None:
    """Qt looks for a word's end from each line's start: an encoded picture would hold the window for seconds."""
    box = Box()
    qtbot.addWidget(box)
    pasted = QMimeData()
    pasted.setText("x" * 3000)
    box.insertFromMimeData(pasted)
    assert box.toPlainText() == "x" * 3000
    assert box.wordWrapMode() == QTextOption.WrapMode.WrapAnywhere
    box.clear()
    assert box.wordWrapMode() == QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere
