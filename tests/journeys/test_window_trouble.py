"""Bad input in the window: a sentence that says what happened and what to do, and the conversation still there."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutaway.engine.scripted import Script
from cutaway.ui.drive import Driver
from support.window import Journey

RAISES = "{{ raise_exception('Only one message, please') if messages | length > 1 else messages[0].content }}"


def said(drive: Driver) -> str:
    window = drive.window
    labels = [banner.label.text() for banner in (window.banner, window.notice) if banner.isVisible()]
    notes = [entry.node.note for entry in window.view.entries]
    return " ".join([*labels, *notes])


def test_a_model_that_cannot_be_loaded(journey: Journey) -> None:
    script = Script(load_error="This file is no GGUF. Choose another file.")

    async def story(drive: Driver) -> None:
        await drive.until(lambda: "no GGUF" in said(drive), "the sentence")
        assert drive.window.banner._buttons, "there is a way out"
        drive.type("still usable")
        assert drive.window.draft() == "still usable"

    journey(story, script)


def test_sending_without_a_model_keeps_the_words(journey: Journey) -> None:
    script = Script(load_error="This file is no GGUF. Choose another file.")

    async def story(drive: Driver) -> None:
        drive.send("Do not lose me")
        await drive.settle()
        await drive.until(lambda: said(drive), "a sentence")
        texts = [entry.node.message.text for entry in drive.window.view.entries]
        assert "Do not lose me" in [*texts, drive.window.draft()]

    journey(story, script)


@pytest.mark.parametrize(
    ("language", "words_"), [("en", "is full or cannot be written"), ("zh_CN", "磁盘已满或无法写入")]
)
def test_a_full_disk_keeps_the_words_and_says_what_to_do(journey: Journey, language: str, words_: str) -> None:
    async def limit(drive: Driver, pages: str) -> None:
        store = drive.window.desk.bench._store
        count = await store.read(lambda database: database._run("PRAGMA page_count").fetchone()[0])
        most = pages or count
        await store.read(lambda database: database._run(f"PRAGMA max_page_count = {most}").fetchone())

    async def story(drive: Driver) -> None:
        drive.window.requests.set_language(language)
        await drive.ask("First")
        await limit(drive, "")
        text = "Do not lose me " * 2_000
        drive.send(text)
        await drive.until(lambda: words_ in said(drive), "the sentence")
        await drive.settle()
        assert drive.window.draft() == text
        drive.window.requests.set_language("en" if language == "zh_CN" else "zh_CN")
        assert words_ not in said(drive), "the sentence speaks the new language"
        await limit(drive, "1000000")
        drive.window.composer.set_text("")
        assert (await drive.ask("Second")).state == "done"
        drive.window.requests.set_language("en")

    journey(story)


def test_a_first_start_says_what_to_do(journey: Journey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTAWAY_MODELS", str(tmp_path / "empty"))

    async def story(drive: Driver) -> None:
        page = drive.window.empty
        await drive.until(lambda: page.choose.isVisible() and page.open.isVisible(), "the way to a model")
        assert page.without.isVisible()
        assert not page.about.isVisible()
        drive.send("Kept until there is a model")
        await drive.until(lambda: "Your message is kept" in said(drive), "the sentence")

    journey(story, usual=True)


def test_the_model_used_last_is_gone(journey: Journey, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUTAWAY_MODELS", str(tmp_path / "empty"))
    (tmp_path / "window.json").write_text('{"model": "/nowhere/my-model.gguf"}')

    async def story(drive: Driver) -> None:
        assert "/nowhere/my-model.gguf" in said(drive)
        assert drive.window.empty.choose.isVisible()

    journey(story, usual=True)


def test_a_template_that_raises(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("One")
        drive.send("Two")
        await drive.until(lambda: "Only one message, please" in said(drive), "the template's own words")
        await drive.settle()
        texts = [entry.node.message.text for entry in drive.window.view.entries]
        assert texts[:3:2] == ["One", "Two"]

    journey(story, Script(template=RAISES))


def test_an_engine_that_fails_in_the_middle(journey: Journey) -> None:
    script = Script(replies=("one two three four five six seven",), fail_at_token=3)

    async def story(drive: Driver) -> None:
        drive.send("Go")
        await drive.until(lambda: drive.window.view.entries and drive.running() is None, "the end")
        await drive.settle()
        assert drive.window.view.entries[-1].node.status in ("failed", "stopped")
        turn = await drive.ask("Again")
        assert turn.state == "done"

    journey(story, script)


def test_loading_shows_progress_and_can_be_cancelled(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        bench = drive.window.desk.bench
        drive.window.requests.files.open_paths([str(Path("other.gguf"))])
        await drive.until(lambda: bench.model.state == "loading", "loading")
        await drive.until(lambda: drive.window.banner.progress.isVisible(), "progress")
        drive.type("usable meanwhile")
        assert drive.window.draft() == "usable meanwhile"
        drive.window.banner._buttons[0].click()
        await drive.until(lambda: bench.model.state != "loading", "the end of loading")
        assert not drive.window.banner.progress.isVisible()

    journey(story, Script(load_seconds=0.5))


def test_an_uncaught_exception_is_a_sentence(journey: Journey) -> None:
    journey.expected += ["ValueError", "uncaught"]

    async def story(drive: Driver) -> None:
        async def broken() -> None:
            raise ValueError("no such thing")

        drive.window.desk.start(broken())
        await drive.until(lambda: "no such thing" in said(drive), "a sentence")
        assert [button.text() for button in drive.window.notice._buttons] == ["Copy the error"]
        turn = await drive.ask("Go on")
        assert turn.state == "done"

    journey(story)


def test_a_megabyte_on_one_line(journey: Journey) -> None:
    script = Script(replies=("x" * 1_000_000,))

    async def story(drive: Driver) -> None:
        await drive.pane("reply")
        turn = await drive.ask("Flood", seconds=60)
        assert len(turn.raw) >= 1_000_000
        assert drive.window.docks.slots["reply"].failed is None
        drive.type("alive")
        assert drive.window.draft() == "alive"

    journey(story, script)
