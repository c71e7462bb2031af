"""Two templates side by side: facts, truth tables, generation prompts, and one call of each read by both."""

from __future__ import annotations

from cutaway.engine.scripted import Script
from cutaway.ui.drive import Driver
from support import assets
from support.window import Journey

SCRIPT = Script(template=assets.template("Qwen-Qwen3-0.6B"))


def test_a_call_of_each_is_read_by_both(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        pane = await drive.pane("compare")
        other = next(path for path in assets.templates() if "meta-llama-Llama-3.1" in path.stem)
        await pane.take(1, str(other))
        written = pane.calls.rows()
        assert "<tool_call>" in written[0][1]
        assert "<|im_end|>" not in written[0][1]
        assert 'get_weather({"city": "Paris"})' in written[1][1]
        assert 'get_weather({"city": "Paris"})' in written[2][2]
        facts = {row[0]: row[1:] for row in pane.facts.rows()}
        assert facts["Generation prompt"][0].startswith("<|im_start|>assistant↵")
        assert facts["Generation prompt"][1].startswith("<|start_header_id|>assistant")

    journey(story, SCRIPT)


def test_the_truth_tables_stand_side_by_side(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        pane = await drive.pane("compare")
        same = next(path for path in assets.templates() if path.stem == "Qwen-Qwen3-0.6B")
        await pane.take(1, str(same))
        assert "same prompt" in pane.said.text()
        thinking = pane.thinking.rows()
        assert pane.thinking.topLevelItemCount() >= 2
        assert all(first == second for _, first, second in thinking)
        assert "enable_thinking=False" in {first for _, first, _ in thinking}

    journey(story, SCRIPT)
