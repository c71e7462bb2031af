"""Branches: begun at any message, seen in the map, gone to by mouse and keys; replies that begin with given words."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible

from cutaway.engine.scripted import Script
from cutaway.ui.branch_map import BranchMap
from cutaway.ui.drive import Driver, press
from support import assets
from support.window import THINKING, Journey

ANSWERS = Script(replies=("One.", "Two.", "Three.", "Four."))


def texts(drive: Driver) -> list[str]:
    return [entry.node.message.text for entry in drive.window.view.entries]


async def branched(drive: Driver) -> BranchMap:
    """Two turns, and another second question; the map is open."""
    await drive.ask("First")
    await drive.ask("Second")
    drive.window.view.acted.emit("branch", drive.window.desk.nodes[1].id, "")
    await drive.settle()
    await drive.ask("Other second")
    drive.window.requests.call("conversation.map")
    await drive.settle()
    return drive.window.sheets.map


def test_a_branch_begins_below_a_message_and_what_followed_stays(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        note = drive.window.composer.branch
        await drive.ask("First")
        await drive.ask("Second")
        reply = drive.window.desk.nodes[1].id
        drive.window.view.acted.emit("branch", reply, "")
        await drive.settle()
        assert texts(drive) == ["First", "One."]
        assert note.isVisible()
        note.back.click()
        await drive.settle()
        assert texts(drive) == ["First", "One.", "Second", "Two."]
        assert not note.isVisible()
        drive.window.view.acted.emit("branch", reply, "")
        await drive.settle()
        await drive.ask("Other second")
        assert texts(drive) == ["First", "One.", "Other second", "Three."]
        assert not note.isVisible()
        drive.window.view.acted.emit("back", drive.window.desk.nodes[2].id, "")
        await drive.settle()
        assert texts(drive)[2:] == ["Second", "Two."]

    journey(story, ANSWERS)


def test_the_map_shows_every_branch_and_goes_to_it(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        sheet = await branched(drive)
        branches = sheet.branches
        assert [branches.of[node.id].column for node in drive.window.desk.nodes] == [0, 0, 1, 1]
        assert len(branches.of) == 6
        assert [row for row in range(branches.rows) if (row, 1) in branches.places] == [2, 3]
        other = branches.places[2, 0]
        assert other.node.id not in branches.path
        sheet.grid.clicked.emit(branches.index(2, 0))
        await drive.settle()
        assert texts(drive) == ["First", "One.", "Second", "Two."]
        assert other.node.id in branches.path, "the map follows"
        assert drive.window.view.current == other.node.id
        await drive.ask("Third")
        assert branches.rows == 6, "and grows with the conversation"

    journey(story, ANSWERS)


def test_the_map_is_walked_by_keys_and_read_aloud(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        sheet = await branched(drive)
        grid = sheet.grid
        assert grid.hasFocus()
        press(grid, Qt.Key.Key_Up)
        assert sheet.words.text() == "You: Other second · Version 2 of 2 · on the current branch"
        press(grid, Qt.Key.Key_Left)
        assert sheet.words.text() == "You: Second · Version 1 of 2"
        press(grid, Qt.Key.Key_Down)
        assert sheet.words.text() == "Model: Two."
        read = QAccessible.queryAccessibleInterface(grid)
        assert read.text(QAccessible.Text.Name) == "Map of branches"
        place = grid.currentIndex()
        assert sheet.branches.data(place, Qt.ItemDataRole.AccessibleTextRole) == "Model: Two."
        press(grid, Qt.Key.Key_Return)
        await drive.settle()
        assert texts(drive)[2:] == ["Second", "Two."]
        press(grid, Qt.Key.Key_Up)
        press(grid, Qt.Key.Key_Up)
        press(grid, Qt.Key.Key_Up)
        press(grid, Qt.Key.Key_Up)
        assert sheet.words.text().startswith("You: First"), "the top is the end"

    journey(story, ANSWERS)


def test_a_conversation_forks(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("First")
        await drive.ask("Second")
        first = drive.window.desk.conversation
        drive.window.view.set_current(drive.window.desk.nodes[1].id)
        drive.window.requests.call("message.fork")
        await drive.until(lambda: drive.window.desk.conversation != first, "another conversation")
        await drive.settle()
        assert texts(drive) == ["First", "One."]
        assert drive.window.topbar.title.text() == "First (branch)"
        assert drive.window.desk.shown.content == "One.", "its turns can be looked at"

    journey(story, ANSWERS)


def test_a_reply_begins_with_given_words_and_the_prompt_shows_whose_they_are(journey: Journey) -> None:
    script = Script(replies=(" it rains.", " count.\n</think>\n\nTwo."), template=assets.template("Qwen-Qwen3-0.6B"))

    async def story(drive: Driver) -> None:
        begins = drive.window.composer.begins
        drive.window.requests.call("composer.begin")
        assert begins.text.hasFocus()
        begins.text.setPlainText("Because")
        turn = await drive.ask("Why?")
        assert texts(drive)[-1] == "Because it rains."
        last = turn.prompt.spans[-1]
        assert (last.text, last.is_input, last.origin.source) == ("Because", True, "messages[1].content")
        pane = await drive.pane("prompt")
        assert pane.legend.keys["continuation"].amount > 0
        begins.field.setCurrentIndex(1)
        begins.text.setPlainText("I shall")
        drive.window.view.acted.emit("again", drive.window.desk.nodes[-1].id, "")
        desk = drive.window.desk
        await drive.until(lambda: drive.running() or (desk.shown and len(desk.shown.tokens) > 5), "a reply")
        await drive.answered()
        reply = drive.window.desk.nodes[-1].message
        assert (reply.reasoning_content.strip(), reply.text) == ("I shall count.", "Two.")
        assert begins._close.accessibleName() == "Let the reply begin freely"
        begins._close.click()
        assert begins.words() == ("", "")

    journey(story, script)


def test_a_thought_that_was_stopped_goes_on(journey: Journey) -> None:
    script = Script(
        replies=("<think>\n" + "hm " * 200 + "\n</think>\n\nDone.",), template=THINKING, token_seconds=0.004
    )

    async def story(drive: Driver) -> None:
        drive.send("Think")
        await drive.until(lambda: (turn := drive.running()) is not None and len(turn.reasoning) > 12, "a thought")
        drive.window.composer.button.click()
        turn = await drive.answered()
        stopped = drive.window.desk.nodes[-1]
        assert (stopped.status, stopped.message.text) == ("stopped", "")
        drive.window.view.acted.emit("continue", stopped.id, "")
        await drive.until(lambda: (now := drive.running()) is not None and now is not turn, "more of it")
        await drive.answered()
        grown = drive.window.desk.nodes[-1]
        assert grown.id == stopped.id
        assert len(grown.message.reasoning_content) > len(stopped.message.reasoning_content)

    journey(story, script)


def test_a_turn_is_made_again_and_compared(journey: Journey, tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    script = Script(replies=lambda prompt: "A cache." if "First" in prompt else "Else.")

    async def story(drive: Driver) -> None:
        window = drive.window
        turn = await drive.ask("First")
        window.requests.call("turn.again")
        await drive.until(lambda: window.notice.isVisible(), "what came of it")
        assert window.notice.label.text() == f"Made again: the same {len(turn.tokens)} tokens."
        assert window.desk.shown is not turn
        window.notice._buttons[0].click()
        await drive.settle()
        assert window.desk.shown is turn
        await window.desk.bench.export_turn(turn, path)
        value = json.loads(path.read_text(encoding="utf-8"))
        value["outcome"]["tokens"][1][0], value["outcome"]["tokens"][1][1] = 99_999, " dog"
        path.write_text(json.dumps(value), encoding="utf-8")
        await window.requests.files._show_turn(path)
        assert window.desk.shown.content == "A cache."
        window.notice.clear()
        window.requests.call("turn.again")
        await drive.until(lambda: window.notice.isVisible(), "what came of it")
        assert window.notice.label.text() == (
            "Made again: the first 1 tokens are the same. Then came “ dog”, now “ cache”."
        )
        assert len(window.desk.nodes) == 2, "nothing of the conversation changed"

    journey(story, script)


def test_a_turn_file_changes_no_setting_and_a_broken_one_is_a_sentence(journey: Journey, tmp_path: Path) -> None:
    path = tmp_path / "turn.json"

    async def story(drive: Driver) -> None:
        window = drive.window
        turn = await drive.ask("First")
        await window.desk.bench.export_turn(turn, path)
        good = json.loads(path.read_text(encoding="utf-8"))
        good["document"]["settings"] = {"system": "Obey.", "template": "/elsewhere.jinja", "sampling.temperature": 5}
        good["template_source"] = "{{ 1 / 0 }}"
        path.write_text(json.dumps(good), encoding="utf-8")
        before = window.desk.bench.settings(window.desk.conversation)
        await window.requests.files._show_turn(path)
        assert window.desk.bench.settings(window.desk.conversation) == before
        assert window.desk.bench.settings() == before
        for place, wrong, said in (
            ("document", {**good["document"], "version": 99}, "document.version is 99"),
            ("outcome", {**good["outcome"], "tokens": [[1, 2]]}, "outcome.tokens[0]"),
            ("document", {**good["document"], "prompt": {"spans": 3}}, "document.prompt"),
            ("model_file", "x", "model_file"),
        ):
            path.write_text(json.dumps({**good, place: wrong}), encoding="utf-8")
            window.notice.clear()
            shown = window.desk.shown
            window.desk.start(window.requests.files._show_turn(path))
            await drive.until(lambda: window.notice.isVisible(), "a sentence")
            assert said in window.notice.label.text()
            assert window.notice._buttons == [], "our own error, not a fault to report"
            assert window.desk.shown is shown
        path.write_text('{"cutaway": "turn", ', encoding="utf-8")
        window.notice.clear()
        window.desk.start(window.requests.files._show_turn(path))
        await drive.until(lambda: window.notice.isVisible(), "a sentence")
        assert "line 1" in window.notice.label.text()

    journey(story, ANSWERS)
