"""The boundary lab: what a payload becomes in three ways, in any field, with another template."""

from __future__ import annotations

from cutaway.engine.scripted import Script
from cutaway.ui.drive import Driver
from cutaway.ui.panes.boundary import CHATML, FIELDS
from support import assets
from support.window import Journey

SCRIPT = Script(template=assets.template("Qwen-Qwen3-0.6B"))


def test_the_whole_text_lets_a_payload_change_roles_and_ours_does_not(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        pane = await drive.pane("boundary")
        for index, field in enumerate(FIELDS):
            pane.field.setCurrentIndex(index)
            await pane.run()
            assert pane.found is not None, (field, pane.verdict.text())
            whole, _, ours = pane.found.ways
            assert ours.role_changes == 0, field
            if field not in ("Earlier reasoning",):
                assert whole.role_changes == 2, field
        assert "2 whole" in pane.verdict.text()
        assert pane.results.topLevelItem(0).child(0).text(0).endswith("ends the turn")
        assert pane.view.boxes
        pane.results.setCurrentItem(pane.results.topLevelItem(2))
        assert not pane.view.boxes
        assert pane.rows.topLevelItemCount() > 0

    journey(story, SCRIPT)


def test_the_same_conversation_with_another_template(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        pane = await drive.pane("boundary")
        pane.template.setCurrentIndex(CHATML)
        await pane.run()
        assert pane.found is not None
        assert pane.found.prompt.text.startswith("<|im_start|>")
        other = next(path for path in assets.templates() if "gemma" in path.stem)
        await pane.take(str(other))
        assert "no control token" in pane.verdict.text()
        assert pane.template.currentText() != "Another …"

    journey(story, SCRIPT)
