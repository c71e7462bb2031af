"""An edited copy of a template: which samples' history it rewrites, and where it departs from the model's training."""

from __future__ import annotations

from cutaway.engine.scripted import Script
from cutaway.ui.drive import Driver
from cutaway.ui.templates.samples import samples
from support import assets
from support.window import Journey

SCRIPT = Script(template=assets.template("Qwen-Qwen3-0.6B"))


def test_there_are_samples_of_each_kind() -> None:
    assert len(samples()) >= 12


def test_a_copy_is_judged_over_the_samples(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        pane = await drive.pane("template")
        await pane.load()
        pane.tabs.setCurrentWidget(pane.trial)
        trial = pane.trial
        await drive.until(lambda: "samples" in trial.verdict.text(), "the verdict on the model's own template")
        assert "⚠" not in trial.verdict.text()
        trial.source.setPlainText(
            "{%- for m in messages -%}<|turn|>{{ m.role }} {{ m.content if loop.last else '' }}\n{%- endfor -%}"
            "{%- if add_generation_prompt -%}<|turn|>model {%- endif -%}"
        )
        await drive.until(lambda: "<|turn|>" in trial.verdict.text(), "the verdict on the copy")
        said = trial.verdict.text()
        assert "rewritten in" in said
        assert "generation prompt is '<|turn|>model'" in said

    journey(story, SCRIPT)
