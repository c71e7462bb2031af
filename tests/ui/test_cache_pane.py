"""The Cache pane: what idle work fed is what it reported, and a remedy that is a setting is one press."""

from __future__ import annotations

from cutaway.engine.plan import Break
from cutaway.engine.scripted import Script
from cutaway.ui.cache.break_card import BreakCard
from cutaway.ui.drive import Driver
from support.window import THINKING, Journey

TWO = Script(replies=("<think>\nHm.\n</think>\n\nFirst answer.", "Second, another."), template=THINKING)


def test_what_was_fed_while_idle_is_what_idle_work_reported(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("One")
        await drive.window.desk.bench.rested()
        turn = await drive.ask("Two")
        pane = await drive.pane("cache")
        parts = {part.key: part.amount for part in pane.rows[turn.id].bar._parts}
        assert turn.idle_fed > 0
        assert parts["idle"] == min(turn.idle_fed, turn.plan.reused)
        assert parts.get("reused", 0) + parts.get("restored", 0) + parts["idle"] == turn.plan.reused

    journey(story, TWO)


def test_a_remedy_that_is_a_setting_is_applied_by_one_press(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn = await drive.ask("One")
        pane = await drive.pane("cache")
        broken = Break(4, "M13", "Reasoning is left out.", avoidable_by="Set keep_reasoning.")
        card = BreakCard(broken, turn.conversation, pane.context)
        assert card.apply is not None
        card.apply.click()
        bench = drive.window.desk.bench
        await drive.until(lambda: bench.settings(turn.conversation).keep_reasoning is True, "the setting")
        for other in (Break(4, "M14", "…", avoidable_by="…", departs=True), Break(4, "M7", "…", avoidable_by="…")):
            assert BreakCard(other, turn.conversation, pane.context).apply is None

    journey(story, TWO)
