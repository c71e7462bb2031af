"""Files that go out of the window and come into it, recent ones, a second start; in both languages."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit

from cutaway.engine.scripted import Script
from cutaway.ui import words
from cutaway.ui.app import _raised
from cutaway.ui.drive import Driver
from cutaway.ui.files import EXPORTS, file_name, form_of
from cutaway.ui.instance import Listener, address, hand_over
from support.window import THINKING, Journey

SCRIPT = Script(replies=("<think>\nHm.\n</think>\n\nThe answer.",), template=THINKING)


@pytest.fixture(params=["en", "zh_CN"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    yield request.param
    words.choose("en")


async def chosen(drive: Driver, command: str, path: Path, kind: str = "") -> None:
    """A command of the menu that asks for a file, and the file that is chosen then."""
    drive.window.actions_.by_name[command].trigger()
    await drive.settle()
    dialog = drive.window.requests.files.asked
    assert isinstance(dialog, QFileDialog)
    if kind:
        dialog.findChild(QComboBox, "fileTypeCombo").setFocus()
        wanted = next(one for one in dialog.nameFilters() if f"(*{kind})" in one)
        dialog.selectNameFilter(wanted)
        dialog.filterSelected.emit(wanted)
        assert dialog.selectedFiles()[0].endswith(kind)
    dialog.findChild(QLineEdit, "fileNameEdit").setText(str(path))
    dialog.accept()
    await drive.settle()


def said(drive: Driver) -> str:
    return drive.window.notice.label.text()


def texts(drive: Driver) -> list[str]:
    return [node.message.text for node in drive.window.desk.nodes]


def test_a_conversation_goes_out_in_every_form_and_comes_back(journey: Journey, tmp_path: Path, language: str) -> None:
    async def story(drive: Driver) -> None:
        drive.window.requests.set_language(language)
        await drive.ask("First, with a\u2028line")
        await drive.ask("Second")
        drive.window.actions_.by_name["message.again"].trigger()
        await drive.until(lambda: drive.window.desk.nodes[-1].siblings == 2, "the other reply")
        await drive.answered()
        before = texts(drive)
        assert before[-1] == "The answer."
        for form, (_, ending) in EXPORTS.items():
            path = tmp_path / f"c{ending}"
            await chosen(drive, "conversation.export", path, ending)
            await drive.until(path.is_file, f"the {form} file")
            await drive.settle()
            assert words.tr("Saved: {0}", path) in said(drive)
        assert (tmp_path / "c.md").read_text(encoding="utf-8").startswith("# ")
        line = json.loads((tmp_path / "c.jsonl").read_text(encoding="utf-8"))
        learned = "".join(line["text"][start:end] for start, end in line["assistant_spans"])
        assert learned.count("The answer.") == 2
        assert "Second" not in learned
        for ending, versions in ((".json", 1), (".jsonl", 1), (".cutaway.json", 2)):
            await chosen(drive, "conversation.import", tmp_path / f"c{ending}")
            await drive.until(lambda: words.tr("{0} conversations imported.", 1) in said(drive), f"the {ending}")
            await drive.settle()
            assert texts(drive) == before
            assert drive.window.desk.nodes[-1].siblings == versions
            drive.window.notice.clear()

    journey(story, SCRIPT)


@pytest.mark.parametrize("what", ["broken", "hostile"])
def test_what_cannot_be_read_is_said_with_its_place(journey: Journey, tmp_path: Path, language: str, what: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(
        {"broken": '{"messages": [}', "hostile": '{"messages": [{"role": "user", "content": "x"}, {"role": 4}]}'}[what]
    )

    async def story(drive: Driver) -> None:
        drive.window.requests.set_language(language)
        await drive.ask("Still here")
        drive.window.requests.files.open_paths([str(path)])
        await drive.until(lambda: "bad.json" in said(drive), "the sentence")
        place = {"broken": {"en": "line 1, column 15", "zh_CN": "第 1 行第 15 列"}}.get(what, {})
        assert place.get(language, "messages[1].role") in said(drive)
        assert drive.window.notice.label.property("error")
        assert texts(drive)[0] == "Still here"
        assert len(await drive.window.desk.bench.conversations()) == 1

    journey(story, SCRIPT)


def test_what_is_dropped_is_opened_as_what_it_is(journey: Journey, tmp_path: Path) -> None:
    template, turn = tmp_path / "own.jinja", tmp_path / "turn.json"
    template.write_text("{% for m in messages %}[{{ m.role }}]{% endfor %}", encoding="utf-8")
    (tmp_path / "c.json").write_text('{"title": "Dropped", "messages": [{"role": "user", "content": "in"}]}')

    async def story(drive: Driver) -> None:
        await drive.ask("First")
        await chosen(drive, "turn.export", turn)
        await drive.until(turn.is_file, "the turn's file")
        drop(drive, tmp_path / "c.json", template)
        await drive.until(lambda: texts(drive) == ["in"], "the conversation")
        pane = await drive.pane("template")
        await drive.until(lambda: "m.role" in pane.source.view.text, "the template's source")
        drop(drive, turn)
        await drive.until(lambda: drive.window.desk.shown is not None, "the turn")
        assert drive.window.desk.shown.reply is not None
        assert len(await drive.window.desk.bench.conversations()) == 2
        drop(drive, tmp_path / "other.gguf")
        bench = drive.window.desk.bench
        await drive.until(lambda: bench.model.path.endswith("other.gguf") and bench.model.state == "ready", "the model")

    journey(story, SCRIPT)


def drop(drive: Driver, *paths: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    drive.window.dropEvent(QDropEvent(QPointF(10, 10), Qt.DropAction.CopyAction, mime, *none))


def test_recent_models_are_in_the_menu_the_newest_first(journey: Journey, tmp_path: Path, language: str) -> None:
    models = [tmp_path / f"{name}.gguf" for name in ("one", "two")]
    for path in models:
        path.touch()

    async def story(drive: Driver) -> None:
        drive.window.requests.set_language(language)
        bench = drive.window.desk.bench
        for path in (*models, models[0]):
            drive.window.requests.files.open_paths([str(path)])
            await drive.until(lambda path=path: (bench.model.path, bench.model.state) == (str(path), "ready"), "it")
        models[1].unlink()
        drive.window.requests.files.fill_recent()
        entries = drive.window.recent.actions()
        assert [entry.text() for entry in entries][:2] == ["one.gguf", "two.gguf"]
        assert [entry.isEnabled() for entry in entries][:2] == [True, False]
        assert drive.window.recent.title() == {"en": "Recent models", "zh_CN": "最近的模型"}[language]

    journey(story, SCRIPT, model=None)


def test_a_second_start_raises_the_window_and_opens_its_files(
    journey: Journey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "c.json").write_text('{"messages": [{"role": "user", "content": "handed over"}]}')

    async def story(drive: Driver) -> None:
        where = address(tmp_path / "store.db")
        program = type("Program", (), {"window": drive.window})()
        listener = Listener(where, lambda paths: _raised(program, paths))
        drive.window.showMinimized()
        answers: list[bool] = []
        second = threading.Thread(target=lambda: answers.append(hand_over(where, [str(tmp_path / "c.json")])))
        second.start()
        await drive.until(lambda: texts(drive) == ["handed over"], "the file")
        second.join()
        listener.close()
        assert answers == [True]
        assert not drive.window.isMinimized()

    journey(story, SCRIPT)


def test_window_panes_and_conversation_are_remembered(journey: Journey, language: str) -> None:
    async def story(drive: Driver) -> None:
        drive.window.requests.set_language(language)
        await drive.ask("Remember me")
        drive.window.resize(1200, 700)
        drive.window.actions_.by_name["layout.cache"].trigger()
        drive.window.actions_.by_name["view.sidebar"].trigger()
        await drive.settle()

    async def again(drive: Driver) -> None:
        await drive.until(lambda: texts(drive)[:1] == ["Remember me"], "the conversation")
        assert drive.window.sidebar.isHidden()
        assert drive.window.docks.slots["cache"].isVisible()
        assert words.language() == language
        assert drive.window.menus["File"].title() == {"en": "File", "zh_CN": "文件"}[language]

    journey(story, SCRIPT)
    journey(again, SCRIPT)


def test_a_long_reply_that_ends_elsewhere_is_told(
    journey: Journey, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr("cutaway.ui.notification.LONG", 0.0)

    async def story(drive: Driver) -> None:
        drive.window.requests.set_language(language)
        monkeypatch.setattr(drive.window, "isActiveWindow", lambda: False)
        await drive.ask("Long question")
        assert drive.window.notification.said == words.tr("The reply to “{0}” is there.", "Long question")
        drive.window.notification.said = ""
        drive.window.remembered.set("notify", False)
        await drive.ask("Another")
        assert drive.window.notification.said == ""

    journey(story, SCRIPT)


@pytest.mark.skipif(os.name == "nt", reason="folders are made read-only otherwise there")
def test_a_place_that_cannot_be_written_is_a_sentence(journey: Journey, tmp_path: Path, language: str) -> None:
    folder = tmp_path / "file"
    folder.write_text("no folder")

    async def story(drive: Driver) -> None:
        drive.window.requests.set_language(language)
        await drive.ask("Keep me")
        drive.window.desk.start(
            drive.window.requests.files._export(drive.window.desk.conversation, str(folder / "c.md"), ".md")
        )
        await drive.until(lambda: str(folder) in said(drive), "the sentence")
        assert {"en": "cannot be written", "zh_CN": "无法写入"}[language] in said(drive)
        await asyncio.sleep(0)
        assert texts(drive)[0] == "Keep me"

    journey(story, SCRIPT)


@pytest.mark.parametrize(
    ("title", "name"),
    [("", "Conversation"), ("a/b:c?", "a b c"), ("..", "Conversation"), ("名字", "名字"), ("x" * 99, "x" * 60)],
)
def test_titles_become_names_of_files(title: str, name: str) -> None:
    assert file_name(title) == name


def test_the_ending_says_the_form() -> None:
    assert [form_of(name) for name in ("a.md", "a.JSON", "a.jsonl", "a.cutaway.json", "a.txt")] == [
        *("markdown", "openai", "jsonl", "cutaway", None),
    ]
