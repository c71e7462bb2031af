"""Steering a conversation: saved system prompts, presets, what differs, what a schema enforces, what a choice costs."""

from __future__ import annotations

import asyncio

from cutaway.engine.sampling import PRESETS
from cutaway.engine.scripted import Script
from cutaway.ui.drive import Driver
from cutaway.ui.setting_form import SettingForm
from support import assets
from support.window import Journey

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
        assert len(lines) == 7
        assert any("of them fed" in line for line in lines)

    journey(story, SCRIPT)
