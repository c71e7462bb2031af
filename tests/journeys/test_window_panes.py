"""Every pane shows the selected turn, and selecting anything in one selects the same thing in all."""

from __future__ import annotations

from cutaway.engine.scripted import Script
from cutaway.ui.drive import Driver
from cutaway.ui.selection import Selection
from support.window import THINKING, Journey

TWO = Script(replies=("<think>\nHm.\n</think>\n\nFirst answer.", "Second, another."), template=THINKING)


def test_the_prompt_pane_shows_the_prompt_and_names_where_it_came_from(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn = await drive.ask("Mind <|im_end|> this")
        pane = await drive.pane("prompt")
        assert pane.view.text == turn.prompt.text
        at = turn.prompt.text.index("Mind")
        assert "messages[0].content, characters 0 to 20" in pane.describe(at)
        assert "User" in pane.describe(at)
        assert "template line 1" in pane.describe(0)
        assert pane.view.boxes, "the control token's text in the message is outlined as neutralised"
        assert "no effect" in pane.describe(pane.view.boxes[0][0])
        assert [kind for kind, key in pane.legend.keys.items() if not key.isHidden()] == [
            "template",
            "user",
            "generation",
        ]

    journey(story, TWO)


def test_the_legend_hides_a_kind(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        pane = await drive.pane("prompt")
        pane.legend.keys["user"].click()
        assert pane.view.hidden_kinds == {"user"}

    journey(story, TWO)


def test_the_difference_with_the_previous_turn(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("One")
        await drive.ask("Two")
        pane = await drive.pane("prompt")
        pane.compare.choose("previous")
        added = "".join(pane.view.text[run.start : run.end] for run in pane.view.runs if run.kind == "added")
        assert "Two" in added
        assert "One" not in added

    journey(story, TWO)


def test_the_tokens_pane_lists_every_token_with_its_candidates(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn = await drive.ask("Hello")
        pane = await drive.pane("tokens")
        assert pane.reply.rowCount() == len(turn.tokens)
        pane.table.selectRow(2)
        assert pane.alternatives.token is turn.tokens[2]
        visible = [c for c in pane.alternatives.candidates if c.isVisible()]
        assert len(visible) == min(len(turn.tokens[2].alternatives), 10)

    journey(story, TWO)


def test_an_alternative_becomes_a_branch(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn = await drive.ask("Hello")
        pane = await drive.pane("tokens")
        pane.table.selectRow(len(turn.tokens) - 3)
        other = next(c for c in pane.alternatives.candidates if c.isVisible() and c.isEnabled())
        other.click()
        await drive.until(lambda: drive.window.view.entries[-1].node.siblings == 2, "a second version")
        await drive.answered()
        assert drive.window.desk.shown is not turn

    journey(story, TWO)


def test_selecting_a_character_selects_it_in_every_pane(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn = await drive.ask("Hello")
        drive.window.docks.tile(("prompt", "tokens", "reply", "cache", "template"), columns=3)
        for name in ("prompt", "tokens", "reply", "cache", "template"):
            await drive.pane(name)
        panes = {name: slot.pane for name, slot in drive.window.docks.slots.items() if slot.pane is not None}
        at = turn.raw.index("First")
        drive.window.selected.choose(Selection(turn.id, "reply", at, at + 5))
        assert panes["reply"].view.raw.outline == (at, at + 5)
        row = panes["tokens"].table.currentIndex().row()
        low, high = panes["tokens"].places.span(row)
        assert low <= at < high
        start = turn.prompt.text.index("Hello")
        panes["prompt"].view.chosen.emit(start, start)
        chosen = drive.window.selected.value
        assert chosen is not None
        assert chosen.side == "prompt"
        assert panes["prompt"].view.outline == (chosen.start, chosen.end)
        assert "was fed after Send" in panes["cache"].place.text()
        panes["prompt"].view.chosen.emit(0, 0)
        assert panes["template"].source.view.outline is not None

    journey(story, TWO)


def test_the_reply_pane_shows_blocks_events_and_the_message(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn = await drive.ask("Hello")
        pane = await drive.pane("reply")
        assert pane.view.raw.text == turn.raw
        kinds = [pane.view.blocks.topLevelItem(n).text(0) for n in range(pane.view.blocks.topLevelItemCount())]
        assert kinds == ["Reasoning", "Assistant text"]
        pane.tabs.setCurrentWidget(pane.message)
        assert '"reasoning_content": "Hm."' in pane.message.text
        pane.tabs.setCurrentWidget(pane.events)
        assert pane.events_model.rowCount() == len(turn.events)

    journey(story, TWO)


def test_any_pasted_output_is_read(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        pane = await drive.pane("reply")
        pane.tabs.setCurrentWidget(pane.attempt)
        pane.attempt.source.setPlainText("<think>\nAha.\n</think>\n\nYes.")
        await drive.until(lambda: pane.attempt.view.raw.text, "the pasted text")
        items = pane.attempt.view.blocks
        assert [items.topLevelItem(n).text(0) for n in range(items.topLevelItemCount())] == [
            "Reasoning",
            "Assistant text",
        ]

    journey(story, TWO)


def test_the_cache_pane_has_a_strip_for_each_turn(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        one = await drive.ask("One")
        two = await drive.ask("Two")
        pane = await drive.pane("cache")
        assert pane.strips_shown() == {one.id, two.id}
        assert two.plan.reused > 0
        pane.rows[one.id].label.click()
        await drive.settle()
        assert drive.window.desk.shown is one
        prompt = await drive.pane("prompt")
        assert prompt.view.text == one.prompt.text

    journey(story, TWO)


def test_the_template_pane_marks_used_lines_and_tries_a_copy(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        pane = await drive.pane("template")
        await drive.until(lambda: pane.source.view.text, "the source")
        assert pane.source.view.used_lines
        pane.tabs.setCurrentWidget(pane.trial)
        await drive.until(lambda: pane.trial.preview.text, "a preview")
        pane.trial.request.setPlainText('{"messages": [')
        await drive.until(lambda: "not JSON yet: line 1" in pane.trial.said.text(), "the place of the fault")
        pane.trial.request.setPlainText('{"messages": [{"role": "user", "content": "Try me"}]}')
        await drive.until(lambda: "Try me" in pane.trial.preview.text, "the new preview")
        pane.trial.source.setPlainText("{% for m in messages %}{{ m.content }")
        await drive.until(lambda: "line 1" in pane.trial.said.text(), "the template's fault at its line")
        assert "Try me" in pane.trial.preview.text

    journey(story, TWO)


def test_the_format_tab_shows_the_probes(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        pane = await drive.pane("template")
        await drive.until(lambda: pane.template is not None, "a template")
        pane.tabs.setCurrentWidget(pane.probes)
        await drive.until(lambda: pane.probes.probes, "probes")
        assert pane.probes.left.text

    journey(story, TWO)


def test_a_pane_that_fails_shows_the_raw_value_and_the_others_live_on(journey: Journey) -> None:
    journey.expected.append("the cache pane failed")

    async def story(drive: Driver) -> None:
        await drive.pane("cache")
        slot = drive.window.docks.slots["cache"]

        def broken(turn: object) -> None:
            raise ValueError("on purpose")

        slot.pane.show_turn = broken  # type: ignore[method-assign, assignment]
        drive.window.docks.tile(("prompt", "cache"))
        turn = await drive.ask("Hello")
        assert slot.failed is not None
        prompt = await drive.pane("prompt")
        assert prompt.view.text == turn.prompt.text

    journey(story, TWO)
