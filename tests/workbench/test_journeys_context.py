"""The context: forecasts, idle prefill, overflow and its remedies, completion, stops, turns made again."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from cutaway.engine.backend import LoadError, MemoryKind
from cutaway.engine.command import ModelSettings
from cutaway.engine.event import ModelFacts
from cutaway.engine.memory import read_shape
from cutaway.engine.scripted import Script, ScriptedBackend
from cutaway.workbench.bench import Workbench
from cutaway.workbench.change import Change, ForecastChanged, IdleChanged
from cutaway.workbench.forecast import Remedy
from cutaway.workbench.overflow import Cost, plan_overflow
from cutaway.workbench.turn import Turn
from cutaway.workbench.turns import TurnError
from support.scripts import HERMES, THINKING, bench_on, call, texts
from support.tiny_models import tiny_model

LONG = " ".join(f"word{index}" for index in range(60))


async def talked(bench: Workbench, *words: str) -> str:
    conversation = (await bench.create_conversation()).id
    for text in words:
        await bench.send(conversation, text)
        await bench.settled()
    return conversation


async def last_turn(bench: Workbench, conversation: str) -> Turn:
    turn = await bench.turn((await bench.messages(conversation))[-1].id)
    assert turn is not None
    assert turn.plan is not None
    return turn


async def idle(bench: Workbench) -> None:
    await bench._idle.wait()


async def test_the_next_turn_feeds_the_message_and_the_generation_prompt_alone() -> None:
    async with bench_on(["one two three", "four"]) as bench:
        conversation = await talked(bench, "First message")
        await idle(bench)
        await bench.send(conversation, "Second message")
        await bench.settled()
        turn = await last_turn(bench, conversation)
        fed = "".join(token.piece.decode() for token in list(turn.prompt_tokens)[turn.plan.reused :])
        assert fed == "Second message<|im_end|>\n<|im_start|>assistant\n"
        assert turn.idle_fed == 5


async def test_idle_work_brings_a_cache_back_from_reasoning_that_the_template_drops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("cutaway.workbench.idle.PATIENCE", 0.01)
    heard: list[Change] = []
    replies = ("<think>\na b c d\n</think>\n\nfine", "<think>\ne\n</think>\n\nwell")
    async with bench_on(Script(replies=replies, template=THINKING), heard=heard.append) as bench:
        conversation = await talked(bench, "First")
        await idle(bench)
        await bench.send(conversation, "Second")
        await bench.settled()
        turn = await last_turn(bench, conversation)
        fed = "".join(token.piece.decode() for token in list(turn.prompt_tokens)[turn.plan.reused :])
        assert fed == "Second<|im_end|>\n<|im_start|>assistant\n"
        assert any(isinstance(change, IdleChanged) and not change.running for change in heard)


async def test_idle_work_is_off_on_demand() -> None:
    async with bench_on(["one", "two"]) as bench:
        await bench.set("idle_prefill", False)
        conversation = await talked(bench, "First")
        await idle(bench)
        await bench.send(conversation, "Second")
        await bench.settled()
        turn = await last_turn(bench, conversation)
        fed = "".join(token.piece.decode() for token in list(turn.prompt_tokens)[turn.plan.reused :])
        assert fed.startswith("<|im_end|>\n<|im_start|>user\nSecond")


async def test_a_forecast_says_what_sending_will_cost() -> None:
    heard: list[Change] = []
    async with bench_on(["one two three", "four"], heard=heard.append) as bench:
        await bench.set("typing_prefill", False)
        conversation = await talked(bench, "First")
        await idle(bench)
        forecast = await bench.forecast(conversation, "Second message")
        await bench.send(conversation, "Second message")
        await bench.settled()
        turn = await last_turn(bench, conversation)
        assert (forecast.prompt_tokens, forecast.reused, forecast.fed) == (
            *(turn.plan.prompt_tokens, turn.plan.reused, turn.plan.fed),
        )
        assert sum(count for _, count in forecast.by_origin) == forecast.prompt_tokens
        assert any(isinstance(change, ForecastChanged) for change in heard)


async def test_a_forecast_for_regenerating_an_earlier_reply() -> None:
    async with bench_on(["one", "two"]) as bench:
        conversation = await talked(bench, "First", "Second")
        reply = (await bench.messages(conversation))[1]
        forecast = await bench.forecast(conversation, node=reply.id)
        turn = await bench.turn(reply.id)
        assert turn is not None
        assert forecast.prompt_tokens == len(turn.prompt_tokens)
        assert forecast.fed == 1
        assert [one.reason for one in forecast.breaks] == ["M10"]


async def test_a_forecast_names_what_an_edit_gives_up() -> None:
    async with bench_on(["one", "two", "three"]) as bench:
        conversation = await talked(bench, "First", "Second")
        await idle(bench)
        nodes = await bench.messages(conversation)
        assert [node.in_cache for node in nodes] == [True] * 4
        edited = await bench.edit(nodes[0].id, "Other words")
        (broken,) = (await bench.forecast(conversation)).breaks
        assert (broken.reason, broken.held_place) == ("M9", "messages[0].content")
        assert broken.detail
        assert [node.in_cache for node in await bench.messages(conversation)] == [False]
        await bench.regenerate(edited.id)
        await bench.settled()
        assert (await last_turn(bench, conversation)).plan.breaks[0].reason == "M9"


async def test_a_newer_forecast_takes_the_place_of_an_older_one() -> None:
    async with bench_on() as bench:
        conversation = await talked(bench, "First")
        older = asyncio.ensure_future(bench.forecast(conversation, "a"))
        await asyncio.sleep(0)
        newer = await bench.forecast(conversation, "a longer draft")
        with pytest.raises(asyncio.CancelledError):
            await older
        assert newer.prompt_tokens > 0


async def test_a_template_that_raises_is_a_sentence_in_the_forecast() -> None:
    async with bench_on(Script(template="{{ raise_exception('no') }}")) as bench:
        conversation = (await bench.create_conversation()).id
        assert "no" in (await bench.forecast(conversation, "x")).problem


async def overflowing(bench: Workbench, heard: list[Change]) -> str:
    """Sends until a prompt does not fit; answers the conversation that waits."""
    async with asyncio.timeout(20):
        conversation = await talked(bench, f"{LONG} 0", f"{LONG} 1")
        await bench.send(conversation, f"{LONG} 2")
        while not any(isinstance(change, ForecastChanged) and change.forecast.overflow for change in heard):
            await asyncio.sleep(0.01)
    return conversation


@pytest.mark.parametrize(("remedy", "left_out", "status"), [("drop", 2, "whole"), ("stop", 0, "failed")])
async def test_what_does_not_fit_is_asked_about_before_it_is_sent(remedy: Remedy, left_out: int, status: str) -> None:
    heard: list[Change] = []
    async with bench_on(Script(replies=("short reply",), context=700), heard=heard.append) as bench:
        conversation = await overflowing(bench, heard)
        told = next(c.forecast for c in heard if isinstance(c, ForecastChanged) and c.forecast.overflow)
        assert told.overflow is not None
        assert told.prompt_tokens + 175 - 700 == told.overflow.excess
        offered = {offer.remedy: offer for offer in told.overflow.offers}
        assert "raise" not in offered
        assert await bench.resolve_overflow(conversation, remedy)
        await bench.settled()
        nodes = await bench.messages(conversation)
        assert nodes[-1].status == status
        assert [node.note for node in nodes].count("left out") == left_out
        if remedy == "drop":
            turn = await last_turn(bench, conversation)
            assert turn.left_out == tuple(node.id for node in nodes[:2])
            assert turn.request.messages[0].text == f"{LONG} 1"
            assert len(turn.prompt_tokens) == offered["drop"].tokens


async def test_a_larger_context_is_offered_with_its_memory_loaded_and_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shape = read_shape(tiny_model("attention"))
    monkeypatch.setattr("cutaway.workbench.model_desk.read_shape", lambda path: shape)
    heard: list[Change] = []
    script = Script(replies=("short reply",), context=700, trained_context=4000)
    async with bench_on(script, heard=heard.append) as bench:
        conversation = await overflowing(bench, heard)
        told = next(c.forecast for c in heard if isinstance(c, ForecastChanged) and c.forecast.overflow)
        assert told.overflow is not None
        (offer,) = [offer for offer in told.overflow.offers if offer.remedy == "raise"]
        assert (offer.tokens, offer.fits) == (1024, True)
        assert re.search(r"takes about \d+ MB more memory; [\d,]+ MB are free\.$", offer.sentence)
        assert await bench.resolve_overflow(conversation, "raise")
        await bench.settled()
        nodes = await bench.messages(conversation)
        assert (nodes[-1].status, nodes[-1].message.text) == ("whole", "short reply")
        assert not any(node.note for node in nodes)
        assert bench.model.facts is not None
        assert bench.model.facts.context == bench.model_settings("scripted.gguf").context == 1024
        plan = (await last_turn(bench, conversation)).plan
        assert plan is not None
        assert (plan.reason, "context size" in plan.detail) == ("M4", True)


async def test_where_a_larger_context_cannot_be_loaded_the_model_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    load = ScriptedBackend.load

    def refuse(backend: ScriptedBackend, path: str, settings: ModelSettings, progress: Any) -> ModelFacts:
        if settings.context:
            raise LoadError("There is no memory for the context.")
        return load(backend, path, settings, progress)

    monkeypatch.setattr(ScriptedBackend, "load", refuse)
    heard: list[Change] = []
    script = Script(replies=("short reply",), context=700, trained_context=4000)
    async with bench_on(script, heard=heard.append) as bench:
        conversation = await overflowing(bench, heard)
        assert await bench.resolve_overflow(conversation, "raise")
        await bench.settled()
        node = (await bench.messages(conversation))[-1]
        assert (node.status, "loaded as before" in node.note) == ("failed", True)
        assert bench.model.facts is not None
        assert bench.model.facts.context == 700
        assert bench.model_settings("scripted.gguf").context is None


async def test_whole_turns_go_with_their_calls_and_the_system_text_stays() -> None:
    script = Script(replies=(call("f", "{}"), "done", *["well"] * 4), template=HERMES, context=900)
    async with bench_on(script) as bench:
        tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
        await bench.set("tools", [tool])
        await bench.set("system", "Be kind.")
        await bench.set("overflow", "drop")
        conversation = await talked(bench, "Go")
        node = (await bench.messages(conversation))[-1]
        await bench.respond_to_call(node.id, (await bench.calls(node.id))[0].call.id or "0", LONG)
        await bench.settled()
        for index in range(3):
            await bench.send(conversation, f"{LONG} {index}")
            await bench.settled()
        nodes = await bench.messages(conversation)
        dropped = [node for node in nodes if node.note == "left out"]
        assert [node.message.role for node in dropped[:4]] == ["user", "assistant", "tool", "assistant"]
        turn = await last_turn(bench, conversation)
        assert [message.role for message in turn.request.messages[:2]] == ["system", "user"]
        assert turn.left_out == tuple(node.id for node in dropped)
        called = {call.id for message in turn.request.messages for call in message.tool_calls}
        assert {message.tool_call_id for message in turn.request.messages if message.role == "tool"} == called


async def test_a_long_tool_result_is_shortened() -> None:
    script = Script(replies=(call("f", "{}"), "done"), template=HERMES, context=1600)
    async with bench_on(script) as bench:
        tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
        await bench.set("tools", [tool])
        await bench.set("overflow", "shorten")
        conversation = await talked(bench, "Go")
        node = (await bench.messages(conversation))[-1]
        await bench.respond_to_call(node.id, (await bench.calls(node.id))[0].call.id or "0", f"{LONG} " * 15)
        await bench.settled()
        nodes = await bench.messages(conversation)
        assert (nodes[-1].message.text, nodes[-2].note) == ("done", "shortened")
        turn = await last_turn(bench, conversation)
        sent = turn.request.messages[-1].text
        assert len(sent) < len(nodes[-2].message.text) / 2
        assert "shortened" in sent


async def test_what_was_given_up_for_a_prompt_that_does_not_fit_all_the_same_is_not_given_up() -> None:
    async with bench_on(Script(replies=("short reply",), context=1000)) as bench:
        await bench.set("overflow", "drop")
        conversation = await talked(bench, f"{LONG} 0", " ".join([LONG] * 8))
        nodes = await bench.messages(conversation)
        assert (nodes[-1].status, "nothing was sent" in nodes[-1].note) == ("failed", True)
        assert not any(node.note for node in nodes[:-1])
        assert (await bench.forecast(conversation)).overflow is not None
        edited = await bench.edit(nodes[2].id, "Small")
        await bench.regenerate(edited.id)
        await bench.settled()
        assert (await last_turn(bench, conversation)).left_out == ()


def test_a_result_that_is_as_short_as_it_gets_is_not_offered_to_be_shortened() -> None:
    for characters, offered in ((200, False), (4000, True)):
        plan = plan_overflow([Cost("a", "user", 5, 9), Cost("b", "tool", 600, characters)], 900, 1000, 1000, 250)
        assert plan is not None
        assert any(offer.remedy == "shorten" for offer in plan.offers) == offered


async def test_stop_strings_end_a_reply_and_are_not_part_of_it() -> None:
    async with bench_on(["one two STOP three"]) as bench:
        await bench.set("stops", ["STOP"])
        conversation = await talked(bench, "Go")
        assert (await texts(bench, conversation))[-1] == "assistant: one two "


async def test_the_number_of_tokens_is_limited() -> None:
    async with bench_on(["a b c d e f"]) as bench:
        await bench.set("max_tokens", 3)
        conversation = await talked(bench, "Go")
        turn = await last_turn(bench, conversation)
        assert (turn.content, turn.finish_reason) == ("a b c", "length")


async def test_completion_mode_goes_on_with_raw_text() -> None:
    async with bench_on([" upon a time."]) as bench:
        turn = await bench.complete("Once <|im_end|>")
        await bench.settled()
        assert turn.content == " upon a time."
        assert turn.prompt is not None
        assert [(span.text, span.is_input) for span in turn.prompt.spans] == [("Once <|im_end|>", True)]
        assert not any(token.control for token in turn.prompt_tokens)
        seen = await bench.complete("Once <|im_end|>", control=True)
        await bench.settled()
        assert any(token.control for token in seen.prompt_tokens)


async def test_completion_needs_a_model() -> None:
    async with bench_on(load=False) as bench:
        with pytest.raises(TurnError, match="No model is loaded"):
            await bench.complete("x")


async def test_a_turn_is_made_again_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    async with bench_on(["same words"]) as bench:
        conversation = await talked(bench, "Go")
        await bench.export_turn((await bench.messages(conversation))[-1].id, path)
        turn = await bench.open_turn(path)
        assert turn.content == "same words"
        again = await bench.rerun_turn(turn)
        assert (again.same, again.first_difference) == (True, None)
    async with bench_on(["same other"]) as bench:
        again = await bench.rerun_turn(turn)
        assert not again.same


async def test_own_ids_survive_a_restart(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    async with bench_on(["one two"], store) as bench:
        conversation = await talked(bench, "First")
        ids = [token.id for token in (await last_turn(bench, conversation)).tokens]
    async with bench_on(["three"], store) as bench:
        # Another program: the scripted vocabulary numbers words as it meets them, so the ids spell other words now.
        await bench.send(conversation, "Second")
        await bench.settled()
        turn = await last_turn(bench, conversation)
        assert turn.prompt is not None
        spelled = b"".join(token.piece for token in turn.prompt_tokens).decode()
        assert spelled == turn.prompt.text
        assert ids


async def test_load_settings_are_remembered_for_each_file(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    async with bench_on(store=store, load=False) as bench:
        await bench.load_model("a.gguf", ModelSettings(context=2048, threads=2))
        await bench.model_ready()
    async with bench_on(store=store, load=False) as bench:
        assert bench.model_settings("a.gguf") == ModelSettings(context=2048, threads=2)
        assert bench.model_settings("b.gguf") == ModelSettings()


@pytest.mark.parametrize("memory", ["hybrid", "recurrent"])
async def test_without_idle_work_a_checkpoint_waits_where_the_next_turn_leaves_the_prompt(memory: MemoryKind) -> None:
    opened = THINKING.replace("'<|im_start|>assistant\\n'", "'<|im_start|>assistant\\n<think>\\n'")
    replies = ("a b c d\n</think>\n\nfine", "e\n</think>\n\nwell")
    async with bench_on(Script(replies=replies, template=opened, memory=memory)) as bench:
        await bench.set("idle_prefill", False)
        conversation = await talked(bench, "First", "Second")
        turn = await last_turn(bench, conversation)
        fed = "".join(token.piece.decode() for token in list(turn.prompt_tokens)[turn.plan.reused :])
        assert fed == "fine<|im_end|>\n<|im_start|>user\nSecond<|im_end|>\n<|im_start|>assistant\n<think>\n"
        assert turn.plan.reused == turn.plan.shared


async def test_an_edit_and_a_new_conversation_find_their_checkpoints() -> None:
    async with bench_on(Script(memory="hybrid")) as bench:
        await bench.set("idle_prefill", False)
        await bench.set("system", "You are kind.")
        conversation = await talked(bench, "First", "Second", "Third")
        second = (await bench.messages(conversation))[2]
        edited = await bench.edit(second.id, "Other")
        await bench.regenerate(edited.id)
        await bench.settled()
        assert await fed_text(bench, conversation) == "Other<|im_end|>\n<|im_start|>assistant\n"

        other = await talked(bench, "Elsewhere")
        assert await fed_text(bench, other) == "Elsewhere<|im_end|>\n<|im_start|>assistant\n"


WITH_THE_LAST = (
    "{%- set text = messages[0].content -%}{%- for m in messages[1:] -%}{{- '<|im_start|>' + m.role + '\\n' -}}"
    "{%- if loop.last and m.role == 'user' -%}{{- '(' + text + ') ' -}}{%- endif -%}{{- m.content + '<|im_end|>\\n' -}}"
    "{%- endfor -%}{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}"
)
"""Writes the system text into the newest message of the person, so that each turn moves it."""


@pytest.mark.parametrize("typed", [False, True])
async def test_work_ahead_leaves_a_checkpoint_where_the_turn_after_it_leaves_the_prompt(
    typed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cutaway.workbench.idle.PATIENCE", 0.01)
    async with bench_on(Script(memory="hybrid", template=WITH_THE_LAST)) as bench:
        await bench.set("system", "You are kind.")
        await bench.set("idle_prefill", not typed)
        conversation = (await bench.create_conversation()).id
        for text in ("First words here", "Second words here", "Third words here"):
            if typed:
                await bench.forecast(conversation, text)
            await idle(bench)
            await bench.send(conversation, text)
            await bench.settled()
        await idle(bench)
        edited = await bench.edit((await bench.messages(conversation))[2].id, "Other")
        await bench.regenerate(edited.id)
        await bench.settled()
        assert await fed_text(bench, conversation) == "(You are kind.) Other<|im_end|>\n<|im_start|>assistant\n"


async def fed_text(bench: Workbench, conversation: str) -> str:
    turn = await last_turn(bench, conversation)
    assert turn.plan is not None
    return "".join(token.piece.decode() for token in list(turn.prompt_tokens)[turn.plan.reused :])


async def test_held_text_behind_a_message_that_is_left_out_is_moved_on_demand() -> None:
    async with bench_on([LONG, "two", "three"]) as bench:
        await bench.set("typing_prefill", False)
        conversation = await talked(bench, "First", "Second")
        await idle(bench)
        before = await bench.forecast(conversation, "Third")
        await bench.set("chunk_reuse", 2, conversation=conversation)
        first = (await bench.messages(conversation))[0]
        bench._settings.keep("conversation", conversation, "left_out", [first.id])
        forecast = await bench.forecast(conversation, "Third")
        await bench.send(conversation, "Third")
        await bench.settled()
        plan = (await last_turn(bench, conversation)).plan
        assert plan is not None
        assert plan.moved > 60
        assert plan.fed == forecast.fed < before.prompt_tokens - plan.moved


@pytest.mark.parametrize("memory", ["attention", "sliding", "recurrent", "hybrid"])
async def test_a_message_is_fed_while_it_is_typed_as_far_as_it_is_whole(memory: MemoryKind) -> None:
    async with bench_on(Script(memory=memory)) as bench:
        conversation = await talked(bench, "First")
        await idle(bench)
        for draft in ("Second", "Second message", "Second message, long"):
            await bench.forecast(conversation, draft)
            await idle(bench)
        await bench.send(conversation, "Second message, longer now")
        await bench.settled()
        assert await fed_text(bench, conversation) == " longer now<|im_end|>\n<|im_start|>assistant\n"
        turn = await last_turn(bench, conversation)
        assert (turn.plan.breaks, turn.plan.reason) == ((), "M6")
        assert turn.idle_fed == 5 + 3


@pytest.mark.parametrize("memory", ["attention", "sliding", "recurrent", "hybrid"])
async def test_a_draft_that_changed_gives_up_only_itself(memory: MemoryKind) -> None:
    async with bench_on(Script(memory=memory)) as bench:
        conversation = await talked(bench, "First")
        await idle(bench)
        await bench.forecast(conversation, "Second message, long")
        await idle(bench)
        await bench.send(conversation, "Another message")
        await bench.settled()
        assert await fed_text(bench, conversation) == "Another message<|im_end|>\n<|im_start|>assistant\n"
        (broken,) = (await last_turn(bench, conversation)).plan.breaks
        assert (broken.reason, broken.held_place) == ("M9", "messages[2].content")
        assert "while you typed" in broken.detail


async def test_nothing_is_read_along_on_battery_on_demand_or_while_a_reply_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with bench_on(Script(replies=("one two three four five six",), token_seconds=0.02)) as bench:
        conversation = await talked(bench, "First")
        await idle(bench)
        before = bench.idle_fed(conversation)
        await bench.set("typing_prefill", False)
        await bench.forecast(conversation, "Second message, long")
        await idle(bench)
        await bench.set("typing_prefill", True)
        monkeypatch.setattr("cutaway.workbench.idle.on_battery", lambda: True)
        await bench.forecast(conversation, "Second message, long")
        await idle(bench)
        monkeypatch.setattr("cutaway.workbench.idle.on_battery", lambda: False)
        assert bench.idle_fed(conversation) == before
        await bench.send(conversation, "Second")
        await bench.forecast(conversation, "Third message, long")
        assert not bench._idle._tasks
        await bench.settled()


async def test_reading_along_gives_way_to_send_at_once() -> None:
    script = Script(prefill_tokens_per_second=40.0, replies=("fine",))
    async with bench_on(script) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.forecast(conversation, LONG)
        await asyncio.sleep(0.2)
        began = asyncio.get_running_loop().time()
        await bench.send(conversation, "Go")
        await bench.settled()
        assert asyncio.get_running_loop().time() - began < 1.0
        turn = await last_turn(bench, conversation)
        assert turn.content == "fine"


async def test_typing_elsewhere_puts_no_conversation_out_of_the_cache() -> None:
    async with bench_on() as bench:
        first = await talked(bench, "First")
        await idle(bench)
        other = (await bench.create_conversation()).id
        await bench.forecast(other, "Elsewhere, and more")
        await idle(bench)
        assert bench.idle_fed(other) > 0
        (broken,) = (await bench.forecast(first)).breaks
        assert (broken.reason, broken.lost) == ("M10", 2)
        await bench.send(first, "Second")
        await bench.settled()
        assert await fed_text(bench, first) == "Second<|im_end|>\n<|im_start|>assistant\n"
