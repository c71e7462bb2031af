"""Tools by hand and built-in ones: cards with checked arguments, results by id, approval, the loop's end."""

from __future__ import annotations

import asyncio
import json

import pytest

from cutaway.chat.message import Message, ToolCall
from cutaway.engine.scripted import Script
from cutaway.workbench.bench import Workbench
from cutaway.workbench.change import Change, Problem
from cutaway.workbench.library import MessageError
from support.scripts import HERMES, WEATHER, bench_on, call, texts

PARIS, ROME = call("get_weather", '{"city": "Paris"}'), call("get_weather", '{"city": "Rome"}')


def script(*replies: str) -> Script:
    return Script(replies=replies, template=HERMES)


async def asked(bench: Workbench, text: str = "Weather?", **settings: object) -> str:
    conversation = (await bench.create_conversation()).id
    for name, value in ({"tools": [WEATHER]} | settings).items():
        await bench.set(name, value, conversation=conversation)
    await bench.send(conversation, text)
    await bench.settled()
    return conversation


async def test_a_call_waits_for_its_result_and_then_the_model_goes_on() -> None:
    async with bench_on(script(PARIS, "It is sunny in Paris.")) as bench:
        conversation = await asked(bench)
        node = (await bench.messages(conversation))[-1]
        (card,) = await bench.calls(node.id)
        assert (card.call.name, card.call.arguments, card.faults, card.built_in, card.waits) == (
            *("get_weather", '{"city": "Paris"}', (), False, True),
        )
        await bench.respond_to_call(node.id, card.call.id or "0", "22 degrees")
        await bench.settled()
        assert await texts(bench, conversation) == [
            *("user: Weather?", "assistant: ", "tool: 22 degrees", "assistant: It is sunny in Paris."),
        ]
        (card,) = await bench.calls(node.id)
        assert card.result is not None
        assert card.result.message.text == "22 degrees"
        turn = await bench.turn((await bench.messages(conversation))[-1].id)
        assert turn is not None
        assert turn.prompt is not None
        assert "<tool_response>\n22 degrees\n</tool_response>" in turn.prompt.text


async def test_results_of_parallel_calls_are_bound_by_id_whichever_comes_first() -> None:
    async with bench_on(script(PARIS + "\n" + ROME, "Done.")) as bench:
        conversation = await asked(bench)
        node = (await bench.messages(conversation))[-1]
        first, second = await bench.calls(node.id)
        assert [card.call.arguments for card in (first, second)] == ['{"city": "Paris"}', '{"city": "Rome"}']
        await bench.respond_to_call(node.id, second.call.id or "1", "rome result")
        await bench.settled()
        assert len(await bench.messages(conversation)) == 3
        await bench.respond_to_call(node.id, first.call.id or "0", "paris result", error=True)
        await bench.settled()
        turn = await bench.turn((await bench.messages(conversation))[-1].id)
        assert turn is not None
        assert [m.text for m in turn.request.messages if m.role == "tool"] == ["paris result", "rome result"]
        cards = await bench.calls(node.id)
        assert [card.result.message.text for card in cards if card.result] == ["paris result", "rome result"]
        assert cards[0].result is not None
        assert cards[0].result.note == "error"


async def test_a_result_is_entered_once_and_only_for_a_call() -> None:
    async with bench_on(script(PARIS, "ok")) as bench:
        conversation = await asked(bench)
        node = (await bench.messages(conversation))[-1]
        call_id = (await bench.calls(node.id))[0].call.id or "0"
        with pytest.raises(MessageError, match="no call with the id"):
            await bench.respond_to_call(node.id, "nonsense", "x")
        with pytest.raises(MessageError, match="characters"):
            await bench.respond_to_call(node.id, call_id, "x" * 5_000_000)
        await bench.respond_to_call(node.id, call_id, "x")
        with pytest.raises(MessageError, match="already"):
            await bench.respond_to_call(node.id, call_id, "y")


async def test_arguments_are_checked_and_can_be_edited_first() -> None:
    async with bench_on(script(call("get_weather", '{"town": 3}'), "ok")) as bench:
        conversation = await asked(bench)
        node = (await bench.messages(conversation))[-1]
        (card,) = await bench.calls(node.id)
        assert any("city" in fault.message for fault in card.faults)
        await bench.edit_call(node.id, card.call.id or "0", '{"city": "Oslo"}')
        (card,) = await bench.calls(node.id)
        assert (card.call.arguments, card.faults) == ('{"city": "Oslo"}', ())


async def test_a_built_in_tool_answers_only_when_it_may() -> None:
    sums = call("calculator", '{"expression": "2 * 21"}')
    async with bench_on(script(sums, "It is 42.", sums, "Again 42.")) as bench:
        conversation = await asked(bench, tools=[], built_ins=["calculator"])
        node = (await bench.messages(conversation))[-1]
        (card,) = await bench.calls(node.id)
        assert (card.built_in, card.rule, card.waits) == (True, "ask", True)
        await bench.approve_call(node.id, card.call.id or "0", "always")
        await bench.settled()
        assert (await texts(bench, conversation))[-2:] == ["tool: 42", "assistant: It is 42."]
        await bench.send(conversation, "Once more")
        await bench.settled()
        assert (await texts(bench, conversation))[-2:] == ["tool: 42", "assistant: Again 42."]


async def test_a_denied_call_is_answered_with_that() -> None:
    async with bench_on(script(call("clock", "{}"), "Pity.")) as bench:
        conversation = await asked(bench, tools=[], built_ins=["clock"])
        node = (await bench.messages(conversation))[-1]
        await bench.approve_call(node.id, (await bench.calls(node.id))[0].call.id or "0", "deny")
        await bench.settled()
        assert (await texts(bench, conversation))[-2:] == [
            *("tool: The user did not allow this call.", "assistant: Pity."),
        ]


async def test_the_loop_ends_where_the_person_set_it() -> None:
    heard: list[Change] = []
    async with bench_on(script(call("calculator", '{"expression": "1"}')), heard=heard.append) as bench:
        await bench.set_approval("calculator", "always")
        conversation = await asked(bench, tools=[], built_ins=["calculator"], tool_rounds=3)
        roles = [node.message.role for node in await bench.messages(conversation)]
        assert roles == ["user", *["assistant", "tool"] * 3]
        assert ["limit" in change.sentence for change in heard if isinstance(change, Problem)] == [True]


async def test_a_single_call_ends_the_reply_where_parallel_ones_are_off() -> None:
    async with bench_on(script(PARIS + "\n" + ROME, "ok")) as bench:
        conversation = await asked(bench, parallel_tool_calls=False)
        node = (await bench.messages(conversation))[-1]
        assert len(node.message.tool_calls) == 1
        turn = await bench.turn(node.id)
        assert turn is not None
        assert turn.finish_reason == "tool_calls"


async def test_calls_keep_their_results_over_a_restart(tmp_path: object) -> None:
    path = f"{tmp_path}/store.db"
    async with bench_on(script(PARIS, "fine"), path) as bench:
        conversation = await asked(bench)
        node = (await bench.messages(conversation))[-1]
    async with bench_on(script("fine"), path) as bench:
        (card,) = await bench.calls(node.id)
        assert card.waits
        await bench.respond_to_call(node.id, card.call.id or "0", "rain")
        await asyncio.sleep(0)
        await bench.settled()
        assert (await texts(bench, conversation))[-2:] == ["tool: rain", "assistant: fine"]


async def test_tools_stay_in_the_order_in_which_the_conversation_first_sent_them() -> None:
    async with bench_on(script("One.", "Two.")) as bench:
        conversation = await asked(bench, built_ins=["clock"])
        await bench.set("tools", [], conversation=conversation)
        await bench.set("built_ins", ["calculator", "clock"], conversation=conversation)
        await bench.send(conversation, "Again?")
        await bench.settled()
        turn = await bench.turn((await bench.messages(conversation))[-1].id)
        assert turn is not None
        assert [tool.name for tool in turn.request.tools] == ["clock", "calculator"]

        await bench.set("tools", [WEATHER], conversation=conversation)
        await bench.send(conversation, "And now?")
        await bench.settled()
        turn = await bench.turn((await bench.messages(conversation))[-1].id)
        assert turn is not None
        assert [tool.name for tool in turn.request.tools] == ["get_weather", "clock", "calculator"]


async def test_two_calls_of_one_id_have_a_result_each() -> None:
    async with bench_on(script("Both are known.")) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.set("tools", [WEATHER], conversation=conversation)
        twice = tuple(ToolCall("get_weather", json.dumps({"city": city}), id="same") for city in ("Paris", "Rome"))
        question = await bench._library.add(conversation, None, Message("user", "Weather?"))
        node = await bench._library.add(conversation, question.id, Message("assistant", "", tool_calls=twice))
        first, second = await bench.calls(node.id)
        assert first.key != second.key
        with pytest.raises(MessageError, match="of the first one first"):
            await bench.respond_to_call(node.id, second.key, "rome result")
        await bench.respond_to_call(node.id, first.key, "paris result")
        first, second = await bench.calls(node.id)
        assert (first.waits, second.waits) == (False, True)
        await bench.edit_call(node.id, second.key, '{"city": "Oslo"}')
        await bench.respond_to_call(node.id, second.key, "oslo result")
        await bench.settled()
        assert (await texts(bench, conversation))[-1] == "assistant: Both are known."
        assert [card.call.arguments for card in await bench.calls(node.id)] == ['{"city": "Paris"}', '{"city": "Oslo"}']


async def test_a_persons_own_tool_is_never_answered_by_a_built_in_of_its_name() -> None:
    own = {"type": "function", "function": {"name": "clock", "parameters": {"type": "object", "properties": {}}}}
    async with bench_on(script(call("clock", "{}"), "Late.")) as bench:
        await bench.set_approval("clock", "always")
        conversation = await asked(bench, tools=[own], built_ins=["clock"])
        node = (await bench.messages(conversation))[-1]
        (card,) = await bench.calls(node.id)
        assert (card.built_in, card.waits) == (False, True)
        with pytest.raises(MessageError, match="no built-in tool"):
            await bench.approve_call(node.id, card.key, "once")


async def test_the_marks_of_a_result_stand_beside_each_other() -> None:
    long = "word " * 400
    async with bench_on(Script((PARIS, "Fine."), template=HERMES, context=600)) as bench:
        conversation = (await bench.create_conversation()).id
        for name, value in (("tools", [WEATHER]), ("overflow", "shorten")):
            await bench.set(name, value, conversation=conversation)
        await bench.send(conversation, "Weather?")
        await bench.settled()
        node = (await bench.messages(conversation))[-1]
        (card,) = await bench.calls(node.id)
        await bench.respond_to_call(node.id, card.key, long, error=True)
        await bench.settled()
        result = (await bench.messages(conversation))[2]
        assert result.note == "error, shortened"
        assert result.message.text == long, "nothing of it is lost"
        assert (await texts(bench, conversation))[-1] == "assistant: Fine."
