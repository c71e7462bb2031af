"""A template by itself: a file, a Hugging Face folder with variants, a GGUF whose weights are not loaded."""

from __future__ import annotations

import json
from pathlib import Path

from cutaway.engine.scripted import Script
from cutaway.ui.drive import Driver
from cutaway.ui.files import Files
from cutaway.ui.templates.samples import samples
from support import assets
from support.window import THINKING, Journey

PLAIN = "{% for m in messages %}[{{ m.role }}] {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}[assistant] {% endif %}"
WITH_TOOLS = "{% for t in tools %}{{ t | tojson }}\n{% endfor %}" + PLAIN


def folder_with_variants(folder: Path) -> Path:
    templates = [{"name": "default", "template": PLAIN}, {"name": "tool_use", "template": WITH_TOOLS}]
    config = {"chat_template": templates, "bos_token": "<s>", "eos_token": "</s>"}
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return folder


def test_every_kind_opens_without_a_model(journey: Journey, tmp_path: Path) -> None:
    file = tmp_path / "plain.jinja"
    file.write_text(PLAIN)
    model = assets.default_model()

    async def story(drive: Driver) -> None:
        await drive.window.desk.bench.unload()
        pane = await drive.pane("template")
        for path, origin in ((file, "plain.jinja"), (model, model.name)):
            drive.window.open_template(str(path))
            await drive.until(lambda origin=origin: origin in pane.head.text(), origin)  # type: ignore[misc]
            pane.tabs.setCurrentWidget(pane.trial)
            await drive.until(lambda: "What is a chat template" in pane.trial.preview.text, "a preview")
        assert drive.window.desk.bench.model.state == "none"
        pane.trial.use.click()
        await drive.until(lambda: "Open a model first" in drive.window.notice.label.text(), "a sentence")

    journey(story)


def test_a_folder_with_variants(journey: Journey, tmp_path: Path) -> None:
    async def story(drive: Driver) -> None:
        pane = await drive.pane("template")
        Files(drive.window).open_paths([str(folder_with_variants(tmp_path) / "tokenizer_config.json")])
        await drive.until(lambda: pane.source.view.text == PLAIN, "the default variant")
        assert [pane.variant.itemText(n) for n in range(pane.variant.count())] == ["default", "tool_use"]
        assert pane.variant.isVisible()
        pane.variant.setCurrentIndex(1)
        pane.variant.activated.emit(1)
        await drive.until(lambda: pane.source.view.text == WITH_TOOLS, "the other variant")
        await pane._close()
        await drive.until(lambda: pane.source.view.text == THINKING, "the model's own again")
        assert not pane.variant.isVisible()

    journey(story, Script(template=THINKING))


def test_a_copy_is_used_and_given_back(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        pane = await drive.pane("template")
        await drive.until(lambda: pane.template is not None, "a template")
        pane.tabs.setCurrentWidget(pane.trial)
        await drive.until(lambda: pane.trial.preview.text, "a preview")
        pane.trial.source.setPlainText(PLAIN)
        await drive.until(lambda: "[user]" in pane.trial.preview.text, "the copy's preview")
        pane.trial.use.click()
        await drive.settle()
        turn = await drive.ask("Hello")
        assert turn.prompt.text == "[user] Hello\n[assistant] "
        assert pane.source.view.text == PLAIN
        await pane.open("chatml")
        pane.trial.source.setPlainText(THINKING)
        pane.trial.use.click()
        await drive.settle()
        assert "<|im_start|>" in (await drive.ask("Again")).prompt.text

    journey(story, Script(template=THINKING))


def test_a_place_of_the_preview_has_its_line(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        pane = await drive.pane("template")
        await drive.until(lambda: pane.template is not None, "a template")
        pane.tabs.setCurrentWidget(pane.trial)
        page = pane.trial
        await drive.until(lambda: page.preview.text, "a preview")
        at = page.preview.text.index("What")
        page.preview.chosen.emit(at, at)
        assert page.editors.currentWidget() is page.request
        assert page.request._shown == 5
        page.preview.chosen.emit(0, 0)
        assert page.editors.currentWidget() is page.source
        assert page.source._shown == 1
        assert "template line 1" in page.place.text()
        page.results.setCurrentIndex(2)
        page.source.setPlainText(THINKING + "!")
        await drive.until(lambda: "1 added" in page.said.text(), "what was edited")
        assert page.edits.text.endswith("!")

    journey(story, Script(template=THINKING))


def test_there_are_samples_of_each_kind() -> None:
    names = {name for name, _ in samples()}
    wanted = ("System prompt", "Several turns", "Tools offered", "Parallel calls", "Reasoning in history")
    assert len(names) >= 12
    assert names.issuperset((*wanted, "Content in parts", "Unicode and blanks", "Injection through a tool"))
