"""Completion mode: raw text in, tokens out, and the same panes."""

from __future__ import annotations

from pathlib import Path

from cutaway.engine.scripted import Script
from cutaway.ui.completion import Completion
from cutaway.ui.drive import Driver
from cutaway.ui.look.style import look
from support.window import Journey

SCRIPT = Script(replies=(" upon a time there was a cache.", " It was warm."))


async def complete(drive: Driver, page: Completion) -> None:
    before = page.turn
    page.go.click()
    await drive.until(lambda: page.turn is not before and not page.running, "the end of the completion")
    await drive.settle()


def test_a_text_goes_on_where_it_stands(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        window = drive.window
        window.requests.call("completion")
        page = window.pages.completion
        assert page is not None
        assert page.isVisible()
        assert not window.composer.isVisible()
        page.text.setPlainText("Once")
        await complete(drive, page)
        assert page.text.toPlainText() == "Once upon a time there was a cache."
        await complete(drive, page)
        assert page.text.toPlainText().endswith("cache. It was warm.")
        page.back.click()
        assert page.text.toPlainText() == "Once upon a time there was a cache."

    journey(story, SCRIPT)


def test_the_panes_show_its_prompt_as_input_only(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        drive.window.requests.call("completion")
        page = drive.window.pages.completion
        assert page is not None
        page.text.setPlainText("Once")
        await complete(drive, page)
        shown = drive.window.desk.shown
        assert shown is page.turn
        assert shown is not None
        assert shown.prompt is not None
        assert shown.prompt.text == "Once"
        await drive.pane("prompt")
        await drive.pane("tokens")
        assert await drive.window.desk.bench.conversations() == [], "no conversation came of it"

    journey(story, SCRIPT)


def test_the_conversation_is_as_it_was(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        window = drive.window
        turn = await drive.ask("Hello")
        window.requests.call("completion")
        page = window.pages.completion
        assert page is not None
        page.text.setPlainText("Once")
        await complete(drive, page)
        window.requests.call("completion")
        await drive.settle()
        assert window.view.isVisible()
        assert window.composer.isVisible()
        assert window.desk.shown is turn
        assert len(window.view.entries) == 2

    journey(story, SCRIPT)


def test_without_a_model_it_is_a_sentence_and_the_text_stays(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        drive.window.requests.call("completion")
        page = drive.window.pages.completion
        assert page is not None
        page.text.setPlainText("Once")
        page.go.click()
        await drive.until(lambda: drive.window.notice.isVisible(), "a sentence")
        assert "No model is loaded" in drive.window.notice.label.text()
        assert page.text.toPlainText() == "Once"
        assert not page.running

    journey(story, SCRIPT, model=None)


def test_a_prompt_is_taken_as_its_template_made_it_and_goes_on(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        window = drive.window
        turn = await drive.ask("Hello")
        window.requests.call("completion")
        page = window.pages.completion
        assert page is not None
        page.take.click()
        assert page.text.toPlainText() == turn.prompt.text
        assert page.control.isChecked()
        await complete(drive, page)
        shown = window.desk.shown
        assert [token.id for token in shown.prompt_tokens] == [token.id for token in turn.prompt_tokens]
        assert all(span.is_input for span in shown.prompt.spans), "what the template wrote is input now"
        page.back.click()
        page.back.click()
        assert page.text.toPlainText() == "", "the text from before is there again"

    journey(story, SCRIPT)


def test_a_completion_is_kept_as_a_file_and_opened_again(journey: Journey, tmp_path: Path) -> None:
    path = tmp_path / "completion.json"

    async def story(drive: Driver) -> None:
        window = drive.window
        window.requests.call("completion")
        page = window.pages.completion
        assert page is not None
        assert not page.save.isEnabled()
        page.text.setPlainText("Once")
        await complete(drive, page)
        page.save.click()
        await drive.settle()
        dialog = window.requests.files.asked
        assert dialog is not None
        dialog.fileSelected.emit(str(path))
        dialog.close()
        await drive.until(path.exists, "the file")
        await drive.settle()
        window.requests.files.open_paths([str(path)])
        await drive.until(lambda: window.desk.shown is not page.turn, "the turn from the file")
        assert window.desk.shown.content == page.turn.content
        assert window.desk.shown.prompt.text == "Once"
        pane = await drive.pane("prompt")
        assert "Once" in pane.view.text

    journey(story, SCRIPT)


def test_what_the_model_wrote_has_the_themes_colour(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        window = drive.window
        window.requests.call("completion")
        page = window.pages.completion
        assert page is not None
        page.text.setPlainText("Once")
        await complete(drive, page)
        window.requests.set_theme("dark")
        (run,) = page._written_runs()
        assert page.text.toPlainText()[slice(*run)] == page.turn.raw
        cursor = page.text.textCursor()
        cursor.setPosition(run[1])
        assert cursor.charFormat().foreground().color().name() == look.theme.accent

    journey(story, SCRIPT)
