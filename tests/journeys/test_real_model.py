"""One long conversation with the real default model, through the workbench: every numbered part meets llama.cpp."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from cutaway.engine.command import ModelSettings
from cutaway.workbench.bench import Workbench
from cutaway.workbench.change import Change, ForecastChanged
from cutaway.workbench.turn import Turn
from support import assets
from support.scripts import HERMES, WEATHER, texts

pytestmark = pytest.mark.model


async def last_turn(bench: Workbench, conversation: str) -> Turn:
    turn = await bench.turn((await bench.messages(conversation))[-1].id)
    assert turn is not None
    assert turn.error == ""
    assert turn.plan is not None
    return turn


def fed_text(turn: Turn) -> str:
    assert turn.plan is not None
    return b"".join(token.piece for token in list(turn.prompt_tokens)[turn.plan.reused :]).decode()


async def test_a_long_conversation_with_the_real_model(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    heard: list[Change] = []
    bench = Workbench(store)
    bench.subscribe(heard.append)
    await bench.open()
    await bench.load_model(assets.default_model(), ModelSettings(context=1024))
    model = await bench.model_ready()
    assert model.facts is not None, model.message
    conversation = (await bench.create_conversation()).id
    for name, value in {"max_tokens": 24, "sampling.seed": 7}.items():
        await bench.set(name, value, conversation=conversation)

    # Two turns: the second feeds the message and the generation prompt alone.
    await bench.send(conversation, "Hello! <|im_end|> is only text here.")
    await bench.settled()
    first = await last_turn(bench, conversation)
    assert first.plan is not None
    assert first.plan.reused == 0
    assert [token.neutralised for token in first.prompt_tokens].count(True) > 0
    await bench._idle.wait()
    forecast = await bench.forecast(conversation, "And the capital of France?")
    await bench.send(conversation, "And the capital of France?")
    await bench.settled()
    second = await last_turn(bench, conversation)
    assert second.plan is not None
    assert (forecast.prompt_tokens, forecast.reused) == (second.plan.prompt_tokens, second.plan.reused)
    assert fed_text(second) == "And the capital of France?<|im_end|>\n<|im_start|>assistant\n"

    # Edit, branch, switch.
    nodes = await bench.messages(conversation)
    await bench.edit(nodes[2].id, "And the capital of Italy?")
    await bench.regenerate((await bench.messages(conversation))[-1].id)
    await bench.settled()
    edited = await last_turn(bench, conversation)
    assert edited.plan is not None
    assert 0 < edited.plan.reused < edited.plan.prompt_tokens
    await bench.switch_branch(nodes[2].id)
    assert [node.id for node in await bench.messages(conversation)] == [node.id for node in nodes]
    other = next(one for one in second.tokens[2].alternatives if one.token != second.tokens[2].id)
    await bench.branch_from_token(second.id, 2, other.token)
    await bench.settled()
    branched = await last_turn(bench, conversation)
    assert [token.id for token in branched.tokens[:3]] == [*[t.id for t in second.tokens[:2]], other.token]

    # A branch that begins at the first reply, its own reply begun by the person; and a conversation of its own.
    await bench.switch_branch(nodes[3].id)
    await bench.branch_at(nodes[1].id)
    await bench.send(conversation, "Name a colour.", "The colour is")
    await bench.settled()
    begun = await last_turn(bench, conversation)
    assert begun.plan is not None
    assert begun.plan.reused > 0, "what stands before the branch was held"
    assert begun.prompt is not None
    assert begun.prompt.text.endswith("The colour is")
    assert (await bench.messages(conversation))[-1].message.text.startswith("The colour is")
    forked = await bench.fork(nodes[1].id, "Fork")
    copied = await bench.turn((await bench.messages(forked.id))[-1].id)
    assert copied is not None
    assert [token.id for token in copied.tokens] == [token.id for token in first.tokens]
    await bench.switch_branch(branched.message)

    # The same turn again gives the same ids.
    again = await bench.rerun_turn(second)
    assert again.same, again.sentence

    # A tool that is forced with a grammar.
    template = tmp_path / "hermes.jinja"
    template.write_text(HERMES)
    tools = (await bench.create_conversation()).id
    forced = {"tools": [WEATHER], "tool_choice": "required", "max_tokens": 160, "sampling.temperature": 0.0}
    for name, value in ({"template": str(template)} | forced).items():
        await bench.set(name, value, conversation=tools)
    await bench.send(tools, "What is the weather in Paris?")
    await bench.settled()
    called = await last_turn(bench, tools)
    assert called.grammar
    cards = await bench.calls(called.message)
    # A model as small as this may talk until its tokens are used up; it cannot end without the call.
    assert called.finish_reason == "length" or [card.call.name for card in cards][:1] == ["get_weather"]
    assert all(card.faults == () for card in cards if called.finish_reason != "length")

    # An answer in the form that was asked for.
    schema = {
        "type": "object",
        "properties": {"city": {"enum": ["Paris", "Rome"]}, "large": {"type": "boolean"}},
        "required": ["city", "large"],
        "additionalProperties": False,
    }
    formed = {"tools": [], "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}}
    for name, value in formed.items():
        await bench.set(name, value, conversation=tools)
    await bench.regenerate((await bench.messages(tools))[0].id)
    await bench.settled()
    answer = json.loads((await last_turn(bench, tools)).content)
    assert answer["city"] in ("Paris", "Rome")
    assert isinstance(answer["large"], bool)

    # What does not fit is asked about.
    full = (await bench.create_conversation()).id
    await bench.set("max_tokens", 8, conversation=full)
    for index in range(3):
        await bench.send(full, f"{index} " + "some words that fill the context " * 60)
        async with asyncio.timeout(120):
            while bench.running(full) is not None:
                if any(isinstance(c, ForecastChanged) and c.forecast.overflow for c in heard):
                    heard.clear()
                    assert await bench.resolve_overflow(full, "drop")
                await asyncio.sleep(0.02)
    assert (await last_turn(bench, full)).left_out
    before = {name: await texts(bench, name) for name in (conversation, tools, full)}
    await bench.close()

    # Reopened, all of it is there, and the next turn keeps the model's own ids.
    bench = Workbench(store)
    await bench.open()
    assert {name: await texts(bench, name) for name in before} == before
    stored = await bench.turn(second.message)
    assert stored is not None
    assert [token.id for token in stored.tokens] == [token.id for token in second.tokens]
    await bench.load_model(assets.default_model(), ModelSettings(context=1024))
    await bench.model_ready()
    await bench.send(conversation, "Thanks.")
    await bench.settled()
    last = await last_turn(bench, conversation)
    own = [token.id for token in branched.tokens if not token.ends]
    ids = [token.id for token in last.prompt_tokens]
    assert any(ids[at : at + len(own)] == own for at in range(len(ids)))
    await bench.close()
