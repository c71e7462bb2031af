"""The page of all settings: everything on it is found by its words, has its effect, and is there after a restart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox, QSpinBox, QWidget

from cutaway.ui import words
from cutaway.ui.actions import COMMANDS
from cutaway.ui.drive import Driver
from cutaway.ui.look.style import look
from cutaway.ui.setting_rows import ROWS
from cutaway.ui.settings import SettingsDialog
from cutaway.ui.shortcut_rows import ShortcutRow
from cutaway.ui.window_rows import RuntimeRow
from support.window import Journey


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTAWAY_HOME", str(tmp_path / "home"))


async def opened(drive: Driver, command: str = "settings") -> SettingsDialog:
    drive.window.actions_.by_name[command].trigger()
    await drive.settle()
    dialog = drive.window.findChild(SettingsDialog)
    assert isinstance(dialog, SettingsDialog)
    return dialog


def rows_shown(dialog: SettingsDialog) -> list[QWidget]:
    own = [widget for _, _, rows in dialog.form.groups for widget, _ in rows]
    return [row for row in (*dialog.form.rows.values(), *own) if not row.isHidden()]


def of_window(dialog: SettingsDialog, title: str, kind: type[QWidget]) -> QWidget:
    """The editor of a row of the window's own."""
    found = [
        widget
        for _, _, rows in dialog.form.groups
        for row, words_ in rows
        if title in words_
        for widget in row.findChildren(kind)
    ]
    return found[0]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_setting_is_found_by_its_words(journey: Journey, language: str) -> None:
    async def story(drive: Driver) -> None:
        drive.window.requests.set_language(language)
        dialog = await opened(drive)
        titles = {row.name: row.title for row in ROWS}
        for name, title in titles.items():
            for asked in (title, words.tr(title)):
                dialog.look_for(asked)
                assert dialog.form.rows[name] in rows_shown(dialog), asked
        for title in ("Theme", "Language", "Text size", "Folders of models", "Engine", "Keyboard shortcuts"):
            for asked in (title, words.tr(title)):
                dialog.look_for(asked)
                assert rows_shown(dialog), asked
        dialog.look_for("no such setting at all")
        assert rows_shown(dialog) == []
        dialog.close()
        drive.window.requests.set_language("en")

    journey(story)


def test_every_command_can_be_bound_anew_and_back(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        dialog = await opened(drive, "shortcuts")
        rows = {row._command.name: row for row in rows_shown(dialog) if isinstance(row, ShortcutRow)}
        assert set(rows) == {command.name for command in COMMANDS}
        action = drive.window.actions_.by_name["theme.next"]
        rows["theme.next"].edit.setKeySequence("Ctrl+N")
        rows["theme.next"]._bind()
        assert not rows["theme.next"].clash.isHidden()
        assert "New conversation" in rows["theme.next"].clash.text()
        assert action.shortcut().toString() == "Ctrl+Shift+L"
        rows["theme.next"].edit.setKeySequence("Ctrl+Alt+D")
        rows["theme.next"]._bind()
        assert action.shortcut().toString() == "Ctrl+Alt+D"
        assert rows["theme.next"].clash.isHidden()
        assert json.loads(drive.window.remembered.path.read_text())["shortcuts"] == {"theme.next": "Ctrl+Alt+D"}
        rows["theme.next"].back.click()
        assert action.shortcut().toString() == "Ctrl+Shift+L"
        assert drive.window.remembered.get("shortcuts", {}) == {}
        rows["theme.next"].edit.setKeySequence("Ctrl+Alt+D")
        rows["theme.next"]._bind()
        dialog.close()

    async def again(drive: Driver) -> None:
        assert drive.window.actions_.by_name["theme.next"].shortcut().toString() == "Ctrl+Alt+D"

    journey(story)
    journey(again)


def test_the_window_s_own_settings_have_their_effect_and_stay(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        dialog = await opened(drive)
        theme = of_window(dialog, "Theme", QComboBox)
        assert isinstance(theme, QComboBox)
        theme.setCurrentIndex(2)
        theme.activated.emit(2)
        assert look.theme.dark
        notify = of_window(dialog, "Notification", QCheckBox)
        assert isinstance(notify, QCheckBox)
        notify.setChecked(False)
        idle = of_window(dialog, "Unload the model after so many idle minutes", QSpinBox)
        assert isinstance(idle, QSpinBox)
        idle.setValue(7)
        await drive.settle()
        dialog.close()

    async def again(drive: Driver) -> None:
        assert look.theme.dark
        dialog = await opened(drive)
        notify = of_window(dialog, "Notification", QCheckBox)
        idle = of_window(dialog, "Unload the model after so many idle minutes", QSpinBox)
        assert isinstance(notify, QCheckBox)
        assert isinstance(idle, QSpinBox)
        assert (notify.isChecked(), idle.value()) == (False, 7)
        assert drive.window.desk.bench.preference("idle_unload_minutes") == 7
        dialog.close()

    journey(story)
    journey(again)


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_what_is_no_runtime_is_a_sentence(journey: Journey, tmp_path: Path, language: str) -> None:
    async def story(drive: Driver) -> None:
        drive.window.requests.set_language(language)
        dialog = await opened(drive)
        row = next(row for row in rows_shown(dialog) if isinstance(row, RuntimeRow))
        await row.add(str(tmp_path))
        assert "runtime.json" in row.said.text()
        assert ("请重新安装" in row.said.text()) == (language == "zh_CN")
        assert row.choice.count() == 1
        dialog.close()
        drive.window.requests.set_language("en")

    journey(story)
