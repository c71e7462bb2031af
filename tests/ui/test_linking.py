"""One selection in all panes, in every direction: a character of the prompt or the reply, a token, a template's line."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QTreeWidgetItem

from cutaway.engine.scripted import Script
from cutaway.ui.drive import Driver
from support import assets
from support.window import THINKING, Journey

ONE = Script(replies=("<think>\nHm.\n</think>\n\nFirst answer.",), template=THINKING)
PANES = ("prompt", "tokens", "reply", "cache", "template")


async def opened(drive: Driver) -> tuple[Any, dict[str, Any]]:
    """The turn, and all the panes side by side."""
    turn = await drive.ask("Hello")
    drive.window.docks.tile(PANES, columns=3)
    panes = {name: await drive.pane(name) for name in PANES}
    await drive.until(lambda: panes["template"].source.view.text, "the template's source")
    return turn, panes


def assert_prompt_place(panes: dict[str, Any], turn: Any, start: int, end: int) -> None:
    """Characters of the prompt are shown as selected in every pane."""
    low, high = panes["prompt"].view.outline
    assert low <= start < end <= high
    tokens = panes["tokens"]
    assert tokens.table.model() is tokens.prompt
    token = turn.prompt_tokens[tokens.table.currentIndex().row()]
    assert token.start <= start < token.end
    assert panes["template"].source.view.outline is not None
    assert f"token {tokens.table.currentIndex().row()} of" in panes["cache"].place.text()


def assert_reply_place(panes: dict[str, Any], start: int) -> None:
    low, high = panes["reply"].view.raw.outline
    assert low <= start < high
    tokens = panes["tokens"]
    assert tokens.table.model() is tokens.reply
    begin, end = tokens.places.span(tokens.table.currentIndex().row())
    assert begin <= start < end
    assert "was generated" in panes["cache"].place.text()


def test_from_a_character_of_the_prompt(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn, panes = await opened(drive)
        at = turn.prompt.text.index("Hello")
        panes["prompt"].view.chosen.emit(at, at)
        assert_prompt_place(panes, turn, at, at + 1)

    journey(story, ONE)


def test_from_a_token_of_the_prompt(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn, panes = await opened(drive)
        panes["tokens"].which.setCurrentIndex(1)
        row = next(n for n, token in enumerate(turn.prompt_tokens) if token.piece == b"Hello")
        panes["tokens"].table.selectRow(row)
        token = turn.prompt_tokens[row]
        assert_prompt_place(panes, turn, token.start, token.end)

    journey(story, ONE)


def test_from_a_line_of_the_template(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn, panes = await opened(drive)
        panes["template"].source.line_chosen.emit(1)
        chosen = drive.window.selected.value
        assert chosen is not None
        assert_prompt_place(panes, turn, chosen.start, chosen.start + 1)

    journey(story, ONE)


def test_from_a_character_of_the_reply(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn, panes = await opened(drive)
        at = turn.raw.index("First")
        panes["reply"].view.chosen.emit(at, at + 5)
        assert_reply_place(panes, at)
        item = panes["reply"].view.blocks.currentItem()
        assert item.text(0) == "Assistant text"

    journey(story, ONE)


def test_from_a_token_of_the_reply(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn, panes = await opened(drive)
        panes["tokens"].which.setCurrentIndex(0)
        at = turn.raw.index("First")
        row = panes["tokens"].places.token_at(at)
        panes["tokens"].table.selectRow(row)
        assert_reply_place(panes, at)
        item = panes["reply"].view.blocks.currentItem()
        assert item.text(0) == "Assistant text"

    journey(story, ONE)


def test_from_a_block_of_the_reply(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn, panes = await opened(drive)
        blocks = panes["reply"].view.blocks
        items: list[QTreeWidgetItem] = [blocks.topLevelItem(n) for n in range(blocks.topLevelItemCount())]
        blocks.setCurrentItem(next(item for item in items if item.text(0) == "Reasoning"))
        assert_reply_place(panes, turn.raw.index("Hm."))

    journey(story, ONE)


def test_from_a_place_in_the_cache(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn, panes = await opened(drive)
        strip = panes["cache"].rows[turn.id]
        row = next(n for n, token in enumerate(turn.prompt_tokens) if token.piece == b"Hello")
        strip.bar.placed.emit(strip.given_up + row)
        await drive.settle()
        token = turn.prompt_tokens[row]
        assert_prompt_place(panes, turn, token.start, token.end)
        assert strip.bar._mark == strip.given_up + row
        at = turn.raw.index("First")
        reply_row = panes["tokens"].places.token_at(at)
        strip.bar.placed.emit(strip.given_up + len(turn.prompt_tokens) + reply_row)
        await drive.settle()
        assert_reply_place(panes, at)

    journey(story, ONE)


def test_nothing_of_another_turn_is_marked(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn, panes = await opened(drive)
        at = turn.raw.index("First")
        panes["reply"].view.chosen.emit(at, at + 5)
        await drive.ask("Again")
        assert panes["reply"].view.raw.outline in (None, (-1, -1))
        assert panes["cache"].place.text() == ""

    journey(story, ONE)


def test_from_a_message_and_back(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn, panes = await opened(drive)
        asked, answer = (entry.node.id for entry in drive.window.view.entries)
        drive.window.view.chosen.emit(asked)
        await drive.settle()
        at = turn.prompt.text.index("Hello")
        assert_prompt_place(panes, turn, at, at + 5)
        assert drive.window.view.current == asked
        drive.window.view.chosen.emit(answer)
        await drive.settle()
        assert panes["reply"].view.raw.outline == (0, len(turn.raw))
        assert drive.window.view.current == answer
        panes["prompt"].view.chosen.emit(at, at)
        assert drive.window.view.current == asked
        panes["reply"].view.chosen.emit(3, 4)
        assert drive.window.view.current == answer

    journey(story, ONE)


def test_a_place_in_the_strip_of_another_turn_selects_it_there(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        first, panes = await opened(drive)
        await drive.ask("Again")
        strip = panes["cache"].rows[first.id]
        row = next(n for n, token in enumerate(first.prompt_tokens) if token.piece == b"Hello")
        strip.bar.placed.emit(strip.given_up + row)
        await drive.settle()
        assert drive.window.desk.shown is first
        token = first.prompt_tokens[row]
        assert_prompt_place(panes, first, token.start, token.end)

    journey(story, ONE)


def test_a_difference_is_linked_as_well(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        _, panes = await opened(drive)
        turn = await drive.ask("Again")
        pane = panes["prompt"]
        pane.compare.choose("previous")
        at = pane.view.text.index("Again")
        pane.view.chosen.emit(at, at)
        chosen = drive.window.selected.value
        assert chosen is not None
        assert turn.prompt.text[chosen.start : chosen.end] == "Again"
        assert pane.view.text[slice(*pane.view.outline)] == "Again"

    journey(story, ONE)


CALL = '<think>\nHm.\n</think>\n\nLook.\n<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
WITH_CALL = Script(replies=(CALL,), template=assets.template("Qwen-Qwen3-0.6B"))


def test_from_a_call_and_from_an_event_and_back(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.window.desk.set("tools", "def weather(city: str) -> str", None)
        turn, panes = await opened(drive)
        reply = panes["reply"]
        reply.tabs.setCurrentWidget(reply.calls)
        argument = reply.calls.topLevelItem(0).child(0)
        reply.calls.setCurrentItem(argument)
        call = turn.reply.calls[0]
        assert reply.view.raw.outline == (call.start, call.end)
        assert_reply_place(panes, call.start)
        reply.tabs.setCurrentWidget(reply.events)
        at = turn.raw.index("Look")
        row = next(n for n, event in enumerate(turn.events) if getattr(event, "text", "") == "Look")
        reply.events.setCurrentIndex(reply.events_model.index(row, 0))
        assert reply.view.raw.outline == (at, at + 4)
        assert_reply_place(panes, at)
        panes["tokens"].table.selectRow(panes["tokens"].places.token_at(turn.raw.index("Hm")))
        assert turn.events[reply.events.currentIndex().row()].text == "Hm"

    journey(story, WITH_CALL)


def test_pointing_outlines_without_selecting(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn, panes = await opened(drive)
        panes["template"].source.line_pointed.emit(1)
        low, high = panes["prompt"].view.outline
        assert 0 <= low < high <= len(turn.prompt.text)
        panes["reply"].view.raw.pointed.emit(turn.raw.index("First"))
        assert panes["reply"].view.raw.outline is not None
        panes["reply"].view.raw.pointed.emit(-1)
        assert panes["prompt"].view.outline is None
        assert drive.window.selected.value is None

    journey(story, ONE)
