"""What is wrong is said in place, at its line, and the window lives on: templates, JSON, a megabyte on one line."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from cutaway.engine.scripted import Script
from cutaway.ui.drive import Driver
from cutaway.ui.templates.field_place import field_line
from support.window import THINKING, Journey

MEGABYTE = "x" * 1_000_000
TEMPLATES = {
    "raises": ("\n{{ raise_exception('No such role') }}", "No such role", 2),
    "loops": ("{% macro f() %}{{ f() }}{% endmacro %}\n\n{{ f() }}", "levels deep", 1),
    "floods": ("{% for i in range(90000) %}{{ 'x' * 1000 }}{% endfor %}", "characters", 1),
    "unfinished": ("{% for m in messages %}\n{{ m.content }", "unexpected", 2),
}
REQUESTS = {
    "typed": ('{"messages": [\n {"role": "us', "not JSON yet: line 2, column 11", 2),
    "a list": ("[1, 2]", "A request is an object", 1),
    "a number": ('{\n"messages": [\n{"role": "user",\n"content": 5}]}', "messages[0].content must be", 4),
    "nested": ("[" * 100_000, "not JSON yet", 1),
}


async def trial(drive: Driver) -> Any:
    pane = await drive.pane("template")
    await drive.until(lambda: pane.template is not None, "a template")
    pane.tabs.setCurrentWidget(pane.trial)
    await drive.until(lambda: pane.trial.preview.text, "the first preview")
    return pane.trial


async def tried(drive: Driver, page: Any) -> None:
    """Wait until what is in the editors was tried."""
    await drive.until(lambda: not page._wait.isActive(), "the editors to rest")
    await drive.window.desk.idle()


def test_a_template_that_fails_is_marked_at_its_line(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        page = await trial(drive)
        before = page.preview.text
        for name, (source, words, line) in TEMPLATES.items():
            page.source.setPlainText(source)
            await tried(drive, page)
            assert words in page.said.text(), name
            assert page.said.text(), name
            assert page.source.wrong == line, (name, page.said.text())
            assert page.editors.tabText(1).startswith("⚠"), name
            assert page.preview.text == before, "the last good preview stays"

    journey(story, Script(template=THINKING))


def test_json_being_typed_is_marked_at_its_line(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        page = await trial(drive)
        for name, (text, words, line) in REQUESTS.items():
            page.request.setPlainText(text)
            await tried(drive, page)
            assert words in page.said.text(), name
            assert page.request.wrong == line, (name, page.said.text())
        page.request.setPlainText('{"messages": []}')
        await tried(drive, page)
        assert page.request.wrong == 0

    journey(story, Script(template=THINKING))


def test_a_megabyte_on_one_line_is_shown_in_every_pane(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        drive.window.docks.tile(("prompt", "tokens", "reply", "cache"), columns=2)
        turn = await drive.ask("Go", 30)
        assert len(turn.raw) == len(MEGABYTE)
        pane = await drive.pane("reply")
        assert pane.view.raw.text == MEGABYTE
        for page, _ in pane._pages:
            pane.tabs.setCurrentWidget(page)
            await drive.settle()
        began = time.perf_counter()
        pane.attempt.own.click()
        await drive.until(lambda: len(pane.attempt.view.raw.text) == len(MEGABYTE), "the pasted text")
        assert time.perf_counter() - began < 5
        assert "1,000,000 characters in all" in pane.attempt.source.toPlainText()

    journey(story, Script(replies=(MEGABYTE,), template=THINKING))


@pytest.mark.parametrize("name", ["empty.jinja", "binary.jinja", "short.gguf", "tokenizer_config.json"])
def test_a_file_that_is_no_template_is_a_sentence(journey: Journey, tmp_path: Path, name: str) -> None:
    contents = {"empty.jinja": b"", "binary.jinja": b"\0\1", "short.gguf": b"GGUF", "tokenizer_config.json": b"{"}
    file = tmp_path / name
    file.write_bytes(contents[name])

    async def story(drive: Driver) -> None:
        await drive.pane("template")
        drive.window.open_template(str(file))
        await drive.settle()
        slot = drive.window.docks.slots["template"]
        assert slot.failed is None
        shown = drive.window.notice
        assert shown.isVisible() or "chatml" in slot.pane.head.text()

    journey(story)


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("messages", 2),
        ("messages[1].content", 4),
        ("messages[1].content[0].text", 4),
        ("messages[7].content", 2),
        ("tools[0].function.name", 6),
        ("nothing", 1),
    ],
)
def test_a_field_has_its_line(field: str, line: int) -> None:
    text = (
        '{\n"messages": [\n{"role": "user"},\n{"content": [{"text": "a"}]}\n],\n"tools": [{"function": {"name": "f"}}]}'
    )
    assert field_line(text, field) == line
    assert field_line(text[:-1], field) in (0, line)
