"""Where a grammar woke is what the engine told, counted in the turn's own tokens and characters, and it is kept."""

from __future__ import annotations

from pathlib import Path

from cutaway.engine.scripted import Script
from cutaway.ui.models.grammar import hold_at
from cutaway.workbench.turn import Turn, Woke
from support import assets
from support.scripts import WEATHER, bench_on

CALL = '<think>\nHm.\n</think>\n\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
SCRIPT = Script(replies=(CALL,), template=assets.template("Qwen-Qwen3-0.6B"))


async def answered(store: Path, tools: list[object]) -> tuple[Turn, Turn]:
    """The turn that was made, and the same turn as another workbench reads it from the store."""
    async with bench_on(SCRIPT, store) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.set("tools", tools, conversation=conversation)
        await bench.send(conversation, "Weather?")
        await bench.settled()
        node = (await bench.messages(conversation))[-1]
        turn = await bench.turn(node.id)
    async with bench_on(SCRIPT, store) as bench:
        stored = await bench.turn(node.id)
    assert turn is not None
    assert stored is not None
    return turn, stored


async def test_a_lazy_grammar_wakes_at_its_trigger(tmp_path: Path) -> None:
    turn, stored = await answered(tmp_path / "store.db", [WEATHER])
    woke = turn.woke
    assert woke is not None
    assert woke.trigger == "<tool_call>"
    assert turn.raw[woke.character :].startswith("<tool_call>")
    assert turn.tokens[woke.token].piece == b"<tool_call>"
    assert hold_at(turn, woke.token) == "asleep"
    assert hold_at(turn, woke.token + 1) == "holds"
    assert stored.woke == Woke(woke.token, woke.character, woke.trigger)


async def test_without_a_grammar_nothing_holds(tmp_path: Path) -> None:
    turn, stored = await answered(tmp_path / "store.db", [])
    assert turn.woke is None is stored.woke
    assert hold_at(turn, 5) == ""
