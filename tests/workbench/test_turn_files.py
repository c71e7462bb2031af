"""A turn file that anyone may have written: it is shown, or refused with a sentence that names the place."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cutaway.engine.scripted import Script
from cutaway.workbench.turn import Turn
from cutaway.workbench.turn_read import TurnFileError, turn_from_json
from support.scripts import HERMES, WEATHER, bench_on, call

ODD = (None, -1, 10**12, "x", [], {}, float("nan"), [[1]])


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value, of long lists the first ones."""
    if at:
        yield at
    pairs = value.items() if isinstance(value, dict) else enumerate(value[:4]) if isinstance(value, list) else ()
    for key, one in pairs:
        yield from places(one, (*at, key))


def altered(value: Any, place: tuple[Any, ...], odd: Any) -> Any:
    made = copy.copy(value)
    made[place[0]] = altered(value[place[0]], place[1:], odd) if len(place) > 1 else odd
    return made


def check_turn(turn: Turn) -> None:
    """What the panes rely on."""
    prompt = turn.prompt
    text, spans = (prompt.text, len(prompt.spans)) if prompt is not None else ("", 0)
    for token in turn.prompt_tokens:
        assert 0 <= token.start <= token.end <= len(text)
        assert -1 <= token.first_span < spans
    if turn.reply is not None:
        for part in (*turn.reply.spans, *turn.reply.blocks, *turn.reply.repairs):
            assert 0 <= part.start <= part.end <= len(turn.reply.text)
    if turn.plan is not None:
        assert 0 <= turn.plan.reused <= turn.plan.prompt_tokens
        assert isinstance(turn.plan.reason, str)


async def test_a_file_with_anything_anywhere_is_shown_or_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    reply = "<think>\nhm\n</think>\n\nLook.\n" + call("get_weather", '{"city": "Paris"}')
    async with bench_on(Script((reply, "Fine."), template=HERMES)) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.set("tools", [WEATHER], conversation=conversation)
        await bench.send(conversation, "Weather?")
        await bench.settled()
        await bench.export_turn((await bench.messages(conversation))[-1].id, path)
    good = json.loads(path.read_text(encoding="utf-8"))
    check_turn(turn_from_json(good))
    refused = 0
    for place in places(good):
        for odd in ODD:
            try:
                turn = turn_from_json(altered(good, place, odd))
            except TurnFileError as error:
                refused += 1
                said = str(error)
                assert "`" in said or "." in said.split(" ")[0], said  # The place comes first, or stands in quotes.
            else:
                check_turn(turn)
    assert refused > 300


async def test_a_stored_turn_that_cannot_be_shown_is_as_if_there_were_none(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    async with bench_on(["One.", "Two."], store) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.send(conversation, "First")
        await bench.settled()
        node = (await bench.messages(conversation))[-1]
        broken = {"plan": {"held": "many"}}
        await bench._store.write(lambda database: database.finish_turn(node.turn, broken))
    async with bench_on(["Two."], store) as bench:
        assert await bench.turn(node.id) is None
        await bench.send(conversation, "Second")
        await bench.settled()
        assert len(await bench.messages(conversation)) == 4
