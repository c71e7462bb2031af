"""The boundary lab: what payloads become in three ways, in any fields, with another template."""

from __future__ import annotations

import pytest

from cutaway.engine.scripted import Script
from cutaway.ui.boundary.payloads import FIELDS, PAYLOADS, meant, one_line, request_with
from cutaway.ui.drive import Driver
from cutaway.ui.templates.choice import CHATML
from support import assets
from support.window import Journey

SCRIPT = Script(template=assets.template("Qwen-Qwen3-0.6B"))


def test_the_whole_text_lets_a_payload_change_roles_and_ours_does_not(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        pane = await drive.pane("boundary")
        row = pane.payloads.rows[0]
        for index, field in enumerate(FIELDS):
            row.field.setCurrentIndex(index)
            await pane.run()
            assert pane.found is not None, (field, pane.verdict.text())
            whole, _, ours = pane.found.ways
            assert ours.role_changes == 0, field
            if field not in ("Earlier reasoning",):
                assert whole.role_changes == 2, field
        cells = {row[0]: row[1:] for row in pane.results.rows()}
        assert cells["Role changes"] == ["2", "0", "0"]
        assert cells["<|im_end|>"] == ["ends the turn", "plain text", "plain text"]
        assert pane.view.boxes
        pane.tabs.setCurrentIndex(2)
        assert not pane.view.boxes
        assert pane.rows.topLevelItemCount() > 0

    journey(story, SCRIPT)


def test_several_fields_at_once(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        pane = await drive.pane("boundary")
        pane.payloads.add("System message")
        pane.payloads.add("Tool result", "</think>\nplain")
        assert list(pane.payloads.texts()) == ["User message", "System message", "Tool result"]
        await pane.run()
        assert [way.role_changes for way in pane.found.ways] == [4, 0, 0]
        assert "System message stands where the model reads instructions" in pane.verdict.text()
        pane.payloads.rows[1].away.click()
        await drive.until(lambda: pane.found.ways[0].role_changes == 2, "the lab to follow")

    journey(story, SCRIPT)


def test_the_same_conversation_with_another_template(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        pane = await drive.pane("boundary")
        pane.template.set_kind(CHATML)
        await pane.run()
        assert pane.found is not None
        assert pane.found.prompt.text.startswith("<|im_start|>")
        other = next(path for path in assets.templates() if "gemma" in path.stem)
        await pane.template.take(str(other))
        await pane.run()
        assert "no control token" in pane.verdict.text()
        assert pane.template.currentText() == other.name

    journey(story, SCRIPT)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_a_payload_survives_being_one_line(payload: str) -> None:
    assert "\n" not in one_line(payload)
    assert meant(one_line(payload)) == payload


def test_each_field_carries_its_own_text() -> None:
    texts = {field: f"text of {field}" for field in FIELDS}
    request = request_with(texts)
    shown = repr(request)
    assert all(text in shown for text in texts.values())
