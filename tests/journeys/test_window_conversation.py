"""A person's day with the window: write, send, stop, edit, regenerate, switch, delete, reopen."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from cutaway.engine.scripted import Script
from cutaway.ui.conversation.cards import CodeCard, FoldCard, HeadCard, NoteCard, TextCard
from cutaway.ui.conversation.editor_card import EditorCard
from cutaway.ui.drive import Driver, press
from cutaway.ui.models.conversations import ARCHIVED, NODE
from support.window import THINKING, Journey

ANSWERS = Script(replies=("First answer.", "Second answer.", "Third answer."))
SLOW = Script(replies=("word " * 400,), token_seconds=0.01)
SLOW_PREFILL = Script(prefill_tokens_per_second=200.0)


def roles(drive: Driver) -> list[str]:
    return [entry.node.message.role for entry in drive.window.view.entries]


def texts(drive: Driver) -> list[str]:
    return [entry.node.message.text for entry in drive.window.view.entries]


def shown(drive: Driver) -> str:
    """The text of every card on screen."""
    cards = [c for c in drive.window.view.viewport().findChildren(TextCard) if c.isVisible()]
    return "\n".join(card.document.toPlainText() for card in sorted(cards, key=lambda card: card.y()))


def test_the_cursor_is_in_the_composer_and_typing_goes_there(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        assert drive.window.composer.text.hasFocus()
        drive.type("Hello there")
        assert drive.window.draft() == "Hello there"
        press(drive.window.composer.text, Qt.Key.Key_Return)
        await drive.until(lambda: drive.window.desk.shown is not None, "the start of the reply")
        turn = await drive.answered()
        assert turn.content == "First answer."
        assert drive.window.draft() == ""
        assert roles(drive) == ["user", "assistant"]
        assert "Hello there" in shown(drive)
        assert "First answer." in shown(drive)

    journey(story, ANSWERS)


def test_shift_enter_begins_a_new_line(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        drive.type("one")
        press(drive.window.composer.text, Qt.Key.Key_Return, "\n", Qt.KeyboardModifier.ShiftModifier)
        drive.type("two")
        assert drive.window.draft() == "one\ntwo"

    journey(story, ANSWERS)


def test_stop_keeps_what_there_is(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        drive.send("Write a lot.")
        await drive.until(lambda: drive.running() is not None and len(drive.running().tokens) > 5, "tokens")
        assert drive.window.composer.button.accessibleName() == "Stop"
        drive.window.composer.button.click()
        turn = await drive.answered()
        assert turn.state == "stopped"
        assert 0 < len(turn.tokens) < 400
        assert drive.window.view.entries[-1].node.status == "stopped"
        notes = drive.window.view.viewport().findChildren(NoteCard)
        assert any("Stopped" in note.label.text() for note in notes if note.isVisible())
        assert drive.window.composer.button.accessibleName() == "Send"

    journey(story, SLOW)


def test_stop_in_prefill(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        drive.send("word " * 2000)
        await drive.until(lambda: drive.running() is not None and drive.running().state == "prefill", "prefill")
        drive.window.actions_.by_name["stop"].trigger()
        seconds = await drive.until(lambda: drive.running() is None, "the end")
        assert seconds < 2
        assert roles(drive)[0] == "user"

    journey(story, SLOW_PREFILL)


def test_edit_keeps_both_versions_and_the_switcher_goes_between_them(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Red")
        first = drive.window.view.entries[0].node.id
        drive.window.view.acted.emit("edit", first, "")
        await drive.settle()
        drive.window.view.acted.emit("save-run", first, "Blue")
        await drive.settle()
        await drive.answered()
        assert texts(drive) == ["Blue", "Second answer."]
        node = drive.window.view.entries[0].node
        assert (node.position, node.siblings) == (2, 2)
        head = next(c for c in drive.window.view.viewport().findChildren(HeadCard) if c.isVisible())
        assert head.version.text() == "2/2"
        head.back.click()
        await drive.settle()
        assert texts(drive) == ["Red", "First answer."]

    journey(story, ANSWERS)


def test_regenerate_keeps_the_old_reply(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Name one.")
        reply = drive.window.view.entries[-1].node.id
        drive.window.view.acted.emit("again", reply, "")
        await drive.until(lambda: drive.running() is not None, "a reply")
        await drive.answered()
        assert texts(drive)[-1] == "Second answer."
        drive.window.view.acted.emit("back", drive.window.view.entries[-1].node.id, "")
        await drive.settle()
        assert texts(drive)[-1] == "First answer."

    journey(story, ANSWERS)


def test_delete_and_undo(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("One")
        await drive.ask("Two")
        assert len(texts(drive)) == 4
        drive.window.view.acted.emit("delete", drive.window.view.entries[2].node.id, "")
        await drive.settle()
        assert texts(drive) == ["One", "First answer."]
        drive.window.actions_.by_name["undo"].trigger()
        await drive.settle()
        assert texts(drive) == ["One", "First answer.", "Two", "Second answer."]

    journey(story, ANSWERS)


def test_the_list_shows_searches_and_opens_conversations(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Talk about marmalade")
        drive.window.sidebar.new.click()
        await drive.settle()
        assert drive.window.view.entries == []
        await drive.ask("Talk about engines")
        model = drive.window.sidebar.model
        assert model.rowCount() == 2
        drive.window.sidebar.search.setText("marmalade")
        await drive.until(lambda: model.rowCount() == 1, "one hit")
        await drive.settle()
        drive.window.sidebar.list.clicked.emit(model.index(0))
        await drive.settle()
        assert texts(drive)[0] == "Talk about marmalade"

    journey(story, ANSWERS)


def test_reopening_finds_everything_again(journey: Journey) -> None:
    async def first(drive: Driver) -> None:
        await drive.ask("Remember me")
        drive.window.composer.set_text("a draft")
        drive.window.desk.typed("a draft")
        await drive.settle()

    async def second(drive: Driver) -> None:
        await drive.settle()
        assert texts(drive) == ["Remember me", "First answer."]
        assert drive.window.draft() == "a draft"
        assert drive.window.desk.shown is not None
        pane = await drive.pane("prompt")
        assert "Remember me" in pane.view.text

    journey(first, ANSWERS)
    journey(second, ANSWERS)


def test_reasoning_is_folded_with_its_length_and_opens(journey: Journey) -> None:
    script = Script(replies=("<think>\nSome thoughts here.\n</think>\n\nThe answer.",), template=THINKING)

    async def story(drive: Driver) -> None:
        turn = await drive.ask("Think.")
        assert turn.reasoning.strip() == "Some thoughts here."
        fold = next(c for c in drive.window.view.viewport().findChildren(FoldCard) if c.isVisible())
        assert "Reasoning" in fold.button.text()
        assert "Some thoughts" not in shown(drive)
        fold.button.click()
        await drive.settle()
        assert "Some thoughts here." in shown(drive)
        assert "The answer." in shown(drive)

    journey(story, script)


def test_code_is_a_block_with_a_copy_button(journey: Journey) -> None:
    script = Script(replies=("Look:\n\n```python\nprint('x')\n```\nDone.",))

    async def story(drive: Driver) -> None:
        await drive.ask("Code.")
        code = next(c for c in drive.window.view.viewport().findChildren(CodeCard) if c.isVisible())
        assert code.document.toPlainText() == "print('x')"
        code.copy.click()
        assert QGuiApplication.clipboard().text() == "print('x')"

    journey(story, script)


def test_a_reader_elsewhere_is_left_alone_while_the_reply_grows(journey: Journey) -> None:
    script = Script(replies=("line\n\n" * 200,), token_seconds=0.002)

    async def story(drive: Driver) -> None:
        drive.send("A lot of lines.")
        bar = drive.window.view.verticalScrollBar()
        await drive.until(lambda: bar.maximum() > 900, "a long reply")
        assert bar.value() == bar.maximum()
        bar.setValue(300)
        place = bar.value()
        await drive.until(lambda: bar.maximum() > 2000, "a longer reply")
        assert bar.value() == place
        await drive.window.desk.stop()
        await drive.answered()
        assert bar.value() == place

    journey(story, script)


def test_a_message_is_selected_and_copied_by_keyboard(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Copy this")
        view = drive.window.view
        view.setFocus()
        press(view, Qt.Key.Key_Up, "", Qt.KeyboardModifier.AltModifier)
        press(view, Qt.Key.Key_Up, "", Qt.KeyboardModifier.AltModifier)
        press(view, Qt.Key.Key_C, "", Qt.KeyboardModifier.ControlModifier)
        assert QGuiApplication.clipboard().text() == "Copy this"

    journey(story, ANSWERS)


def test_a_path_given_at_the_start_is_opened(journey: Journey, tmp_path: Path) -> None:
    path = tmp_path / "own.jinja"
    path.write_text("{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}", encoding="utf-8")

    async def story(drive: Driver) -> None:
        drive.window.requests.files.open_paths([str(path)])
        pane = await drive.pane("template")
        await drive.until(lambda: "m.role" in pane.source.view.text, "the template's source")

    journey(story, ANSWERS)


def editor(drive: Driver) -> EditorCard:
    return next(c for c in drive.window.view.viewport().findChildren(EditorCard) if c.isVisible())


def test_an_edit_may_keep_what_follows(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Red")
        await drive.ask("Green")
        drive.window.view.acted.emit("edit", drive.window.desk.nodes[0].id, "")
        await drive.settle()
        card = editor(drive)
        assert [name for name, button in card.buttons.items() if button.isVisible()] == [
            *("save-run", "save", "save-keep", "cancel-edit"),
        ]
        card.text.setPlainText("Crimson")
        card.buttons["save-keep"].click()
        await drive.settle()
        assert texts(drive) == ["Crimson", "First answer.", "Green", "Second answer."]
        assert drive.window.desk.nodes[0].siblings == 2
        drive.window.view.acted.emit("back", drive.window.desk.nodes[0].id, "")
        await drive.settle()
        assert texts(drive) == ["Red", "First answer.", "Green", "Second answer."]

    journey(story, ANSWERS)


def test_what_the_model_wrote_and_thought_is_edited_and_goes_on(journey: Journey) -> None:
    script = Script(replies=("<think>\nOld thought.\n</think>\n\nOld answer.", " It goes on."), template=THINKING)

    async def story(drive: Driver) -> None:
        await drive.ask("Think.")
        reply = drive.window.desk.nodes[-1]
        drive.window.view.acted.emit("edit", reply.id, "")
        await drive.settle()
        card = editor(drive)
        assert not card.buttons["save-run"].isVisible(), "a reply is not answered"
        assert not card.buttons["save-keep"].isVisible(), "nothing follows it"
        card.thought.setPlainText("New thought.")
        card.text.setPlainText("New answer.")
        card.buttons["save-go-on"].click()
        desk = drive.window.desk
        await drive.until(lambda: desk.shown and desk.shown.state == "done" and len(desk.turns) == 2, "more")
        await drive.settle()
        now = drive.window.desk.nodes[-1]
        assert (now.message.text, now.message.reasoning_content, now.siblings) == (
            *("New answer. It goes on.", "New thought.", 2),
        )
        drive.window.view.acted.emit("back", now.id, "")
        await drive.settle()
        assert drive.window.desk.nodes[-1].message == reply.message, "the old version is as it was"

    journey(story, script)


def test_an_archived_conversation_is_found_in_the_archive_and_comes_back(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        sidebar = drive.window.sidebar
        await drive.ask("Talk about marmalade")
        archived = drive.window.desk.conversation
        sidebar.asked.emit("archive", archived)
        await drive.settle()
        assert sidebar.model.rowCount() == 0
        assert drive.window.topbar.title.text() == "Talk about marmalade", "it is still open"
        sidebar.shelf.click()
        await drive.settle()
        assert sidebar.model.rowCount() == 1
        assert sidebar.model.index(0).data(ARCHIVED)
        sidebar.asked.emit("unarchive", archived)
        await drive.settle()
        assert sidebar.nothing.text() == "No conversation is archived."
        sidebar.shelf.click()
        await drive.settle()
        assert sidebar.model.rowCount() == 1

    journey(story, ANSWERS)


def test_a_search_leaves_the_open_conversations_title(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Talk about marmalade")
        drive.window.sidebar.search.setText("marmalade")
        await drive.until(lambda: drive.window.sidebar.model.index(0).data(NODE), "hits")
        await drive.settle()
        assert drive.window.topbar.title.text() == "Talk about marmalade"

    journey(story, ANSWERS)
