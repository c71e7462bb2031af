"""Steering a conversation: saved system prompts, presets, what differs, what a schema enforces, what a choice costs."""

from __future__ import annotations

import asyncio
import json
import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel

from cutaway.engine.sampling import PRESETS
from cutaway.engine.scripted import Script
from cutaway.ui import words
from cutaway.ui.drive import Driver, press
from cutaway.ui.format_editor import FormatEditor
from cutaway.ui.setting_editors import BiasEditor, OfferedEditor, OrderEditor, ToolChoiceEditor
from cutaway.ui.setting_form import SettingForm
from support import assets
from support.window import THINKING, Journey

SCRIPT = Script(replies=("Yes.",), template=assets.template("Qwen-Qwen3-0.6B"))
SCHEMA = {
    "type": "json_schema",
    "json_schema": {
        "name": "point",
        "schema": {
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "multipleOf": 7}},
            "required": ["x", "y"],
        },
    },
}


async def sheet(drive: Driver) -> SettingForm:
    await drive.ask("Hello")
    drive.window.requests.call("conversation.steering")
    await drive.settle()
    form = drive.window.steering.form
    assert form is not None
    return form


def test_a_system_prompt_is_saved_chosen_and_deleted(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await sheet(drive)
        desk, steering = drive.window.desk, drive.window.steering
        await desk.set("system", "Answer in rhymes.", desk.conversation)
        await drive.settle()
        steering.library.keep("Poet")
        await desk.set("system", "", desk.conversation)
        await drive.settle()
        box = steering.library.box
        assert box.currentData() is None
        box.activated.emit(box.findData("Poet"))
        await drive.settle()
        assert desk.bench.settings(desk.conversation).system == "Answer in rhymes."
        assert box.currentData() == "Poet"
        steering.library.delete.click()
        assert box.findData("Poet") < 0
        assert desk.bench.settings(desk.conversation).system == "Answer in rhymes.", "only the saved copy is gone"

    journey(story, SCRIPT)


def test_a_preset_sets_all_sampling_and_only_what_differs_is_shown(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        form = await sheet(drive)
        desk, box = drive.window.desk, drive.window.steering.presets.box
        box.activated.emit(box.findText("Surprising"))
        await drive.settle()
        await drive.settle()
        assert desk.bench.settings(desk.conversation).sampling == PRESETS["Surprising"]
        assert box.currentText() == "Surprising"
        form.sift.setChecked(True)
        shown = {name for name, row in form.rows.items() if not row.isHidden()}
        assert "sampling.xtc_probability" in shown
        assert "sampling.mirostat" not in shown
        assert "stops" not in shown

    journey(story, SCRIPT)


def test_what_a_schema_enforces_is_told(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await sheet(drive)
        desk, steering = drive.window.desk, drive.window.steering
        await desk.set("response_format", SCHEMA, desk.conversation)
        await drive.settle()
        report = steering.told[2]
        report.link.click()
        await drive.until(lambda: not report.answer.isHidden(), "the report")
        assert "multipleOf" in report.answer.text()
        assert "keywords enforced" in report.answer.text()

    journey(story, SCRIPT)


def test_each_choice_of_thinking_has_its_cost(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await sheet(drive)
        cost = drive.window.steering.told[0]
        await asyncio.wait_for(cost.tell(), 10)
        lines = cost.answer.text().split("\n")
        assert [line.split(":")[0] for line in lines] == ["As the template does", "On", "Off", "Auto"]
        assert any("of them fed" in line for line in lines)

    journey(story, SCRIPT)


def test_the_tool_choice_is_chosen_among_the_tools_there_are(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        form = await sheet(drive)
        desk, row = drive.window.desk, form.rows["tool_choice"]
        choice = row.editor
        assert isinstance(choice, ToolChoiceEditor)
        await desk.set("tools", "def weather(city: str) -> str", desk.conversation)
        await drive.settle()
        await drive.settle()
        index = choice.box.findData("function:weather")
        assert choice.box.itemText(index) == "Call weather"
        choice.box.setCurrentIndex(index)
        choice.box.activated.emit(index)
        await drive.settle()
        assert desk.bench.settings(desk.conversation).tool_choice == "function:weather"
        turn = await drive.ask("What is the weather?")
        assert turn.request.tool_choice.name == "weather"
        assert turn.grammar
        await desk.bench.reset("tools", conversation=desk.conversation)
        await drive.settle()
        await drive.settle()
        assert "not among the tools" in choice.box.currentText(), "what is set is shown, though it cannot be met"

    journey(story, SCRIPT)


def test_a_schema_is_pasted_and_checked_while_it_is_written(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        form = await sheet(drive)
        desk, row = drive.window.desk, form.rows["response_format"]
        editor = row.editor
        assert isinstance(editor, FormatEditor)
        editor.way.setCurrentIndex(2)
        editor.way.activated.emit(2)
        editor.schema.setPlainText('{"type": "object",')
        await drive.until(lambda: row.faulty, "what is wrong")
        assert "line 1" in row.help.text()
        editor.schema.left.emit()
        await drive.settle()
        assert editor.schema.toPlainText() == '{"type": "object",', "what cannot be used stays"
        assert desk.bench.settings(desk.conversation).response_format is None
        editor.schema.setPlainText(json.dumps(SCHEMA["json_schema"]["schema"]))
        await drive.until(lambda: not row.faulty, "a sound schema")
        assert "keywords enforced" in row.help.text()
        assert "multipleOf" in row.help.text()
        editor.schema.left.emit()
        await drive.settle()
        wanted = desk.bench.settings(desk.conversation).response_format
        assert wanted["type"] == "json_schema"
        assert row.changed
        turn = await drive.ask("A point, please.")
        assert turn.grammar
        editor.way.setCurrentIndex(0)
        editor.way.activated.emit(0)
        await drive.settle()
        assert desk.bench.settings(desk.conversation).response_format is None

    journey(story, SCRIPT)


def test_malformed_tools_stay_where_they_were_written(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        form = await sheet(drive)
        desk, row = drive.window.desk, form.rows["tools"]
        row.editor.setPlainText("def weather(city: str) -> str\ndef clock(")
        await drive.until(lambda: row.faulty, "what is wrong")
        assert "Line 2" in row.help.text()
        await desk.set("max_tokens", 50, desk.conversation)
        await drive.settle()
        assert row.editor.toPlainText().endswith("def clock("), "another setting's change does not take it away"
        row.editor.setPlainText("def weather(city: str) -> str")
        await drive.until(lambda: "weather" in row.help.text(), "the tools by name")
        row.editor.left()
        await drive.settle()
        assert len(desk.bench.settings(desk.conversation).tools) == 1
        row.editor.setPlainText("def weather(")
        row.editor.left()
        await drive.until(lambda: row.faulty, "what is wrong")
        row.back.click()
        await drive.settle()
        assert row.editor.toPlainText() == "", "given up on demand"
        assert desk.bench.settings(desk.conversation).tools == ()

    journey(story, SCRIPT)


def test_thinking_offers_what_the_template_has(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        form = await sheet(drive)
        thinking = form.rows["thinking"].editor
        assert isinstance(thinking, OfferedEditor)
        box = thinking.box
        assert [box.itemText(n) for n in range(box.count())] == ["As the template does", "On", "Off", "Auto"]
        await drive.window.desk.set("thinking", "high", drive.window.desk.conversation)
        await drive.settle()
        await drive.settle()
        assert box.currentText() == "High effort"
        assert "does not know" in thinking.note.text()

    journey(story, SCRIPT)


def test_stages_are_moved_and_left_out_and_a_banned_token_is_let_be(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        form = await sheet(drive)
        desk = drive.window.desk
        order, bias = form.rows["sampling.order"].editor, form.rows["sampling.logit_bias"].editor
        assert isinstance(order, OrderEditor)
        assert isinstance(bias, BiasEditor)
        first, second = order.value()[:2]
        order.list.setCurrentRow(0)
        press(order.list, Qt.Key.Key_Down, "", Qt.KeyboardModifier.AltModifier)
        await drive.settle()
        assert desk.bench.settings(desk.conversation).sampling.order[:2] == (second, first)
        order.list.item(0).setCheckState(Qt.CheckState.Unchecked)
        await drive.settle()
        assert desk.bench.settings(desk.conversation).sampling.order[0] == first
        token = drive.window.desk.shown.tokens[0]
        await desk.favour(token.id, -math.inf)
        await drive.settle()
        await drive.settle()
        words = [label.text() for line in bias.lines for label in line.findChildren(QLabel)]
        assert words == [f"“{token.piece.decode()}” ({token.id}): never"]
        bias.drops[0].click()
        await drive.settle()
        assert desk.bench.settings(desk.conversation).sampling.logit_bias == ()

    journey(story, SCRIPT)


def test_how_the_model_thinks_is_chosen_beside_the_text_with_what_it_costs(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        window = drive.window
        window.quick.menu.aboutToShow.emit()
        await drive.settle()
        choices = window.quick.choices
        assert list(choices) == [None, "auto", "on", "off"]
        assert choices[None].isChecked()
        assert all("of them fed" in choice.text() for choice in choices.values())
        choices["off"].trigger()
        await drive.settle()
        assert window.desk.bench.settings(window.desk.conversation).thinking == "off"
        turn = await drive.ask("And now?")
        assert turn.prompt.text.endswith("<think>\n\n</think>\n\n")
        window.quick.menu.aboutToShow.emit()
        await drive.settle()
        window.quick.choices[None].trigger()
        await drive.settle()
        assert window.desk.bench.settings(window.desk.conversation).thinking is None

    journey(story, SCRIPT)


def test_the_gauge_counts_by_origin_from_the_first_word_on(journey: Journey) -> None:
    script = Script(replies=("<think>\na thought of some length\n</think>\n\nYes.",), template=THINKING)

    async def story(drive: Driver) -> None:
        window, gauge = drive.window, drive.window.composer.gauge
        await window.desk.set("system", "Answer in one word, please.", None)
        assert window.desk.conversation == ""
        drive.type("May I?")
        await drive.until(lambda: "Your messages" in gauge.words(), "the gauge before anything is sent")
        parts = {part.key: part.amount for part in gauge._parts}
        assert parts["system"] > 0
        assert parts["user"] > 0
        assert window.desk.conversation == "", "nothing is stored yet"
        turn = await drive.ask("May I?")
        window.desk.typed("Why?")
        await drive.settle()
        parts = {part.key: part.amount for part in gauge._parts}
        assert parts["reasoning"] >= 5
        assert sum(parts.values()) > len(turn.prompt_tokens)
        read = QAccessible.queryAccessibleInterface(gauge)
        assert read.text(QAccessible.Text.Name) == "Context"
        assert "Old reasoning" in read.text(QAccessible.Text.Description)
        words.choose("zh_CN")
        assert "模板: " in gauge.words()
        words.choose("en")

    journey(story, script)


def test_what_was_written_for_a_new_conversation_is_kept(journey: Journey) -> None:
    async def first(drive: Driver) -> None:
        await drive.ask("Hello")
        drive.window.requests.call("conversation.new")
        await drive.settle()
        drive.type("not yet")
        await drive.settle()
        rows = drive.window.sidebar.model
        drive.window.sidebar.list.clicked.emit(rows.index(0))
        await drive.settle()
        assert drive.window.draft() == ""
        drive.window.requests.call("conversation.new")
        await drive.settle()
        assert drive.window.draft() == "not yet"

    async def second(drive: Driver) -> None:
        await drive.settle()
        assert drive.window.draft() == "not yet"
        await drive.ask("not yet")
        drive.window.requests.call("conversation.new")
        await drive.settle()
        assert drive.window.draft() == "", "it was sent"

    journey(first, SCRIPT)
    journey(second, SCRIPT)


def test_what_differs_says_where_it_was_set_and_can_hold_for_the_model(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        form = await sheet(drive)
        desk, steering = drive.window.desk, drive.window.steering
        await desk.set("stops", ["END"], None)
        await desk.set("sampling.temperature", 0.25, desk.conversation)
        await drive.settle()
        said = {name: row.layer.text() for name, row in form.rows.items() if row.changed}
        assert said == {"stops": "· this model", "sampling.temperature": "· this conversation"}
        assert steering.keep.isVisible()
        steering.keep.click()
        await drive.settle()
        assert form.rows["sampling.temperature"].layer.text() == "· this model"
        assert desk.bench.settings().sampling.temperature == 0.25, "new conversations begin with it"
        assert not steering.keep.isVisible()

    journey(story, SCRIPT)


def test_the_seed_of_a_turn_is_taken(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await sheet(drive)
        desk = drive.window.desk
        drive.window.steering.refresh()
        drive.window.steering.seeds.take.click()
        await drive.settle()
        assert desk.bench.settings(desk.conversation).sampling.seed == desk.shown.seed

    journey(story, SCRIPT)
