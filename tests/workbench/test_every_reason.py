"""Each cause of a broken prefix that can come about here, brought about by what a person does, with its evidence.

Two cannot come about. M29: a context is never shifted while the model writes; what does not fit is left out in whole
turns, which is M12. M33: no image or sound reaches the engine.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from cutaway.chat.message import Message
from cutaway.engine.command import ModelSettings
from cutaway.engine.plan import ANOTHER, Break, Plan
from cutaway.engine.remedies import NAMES
from cutaway.engine.scripted import CHATML, Script, ScriptedBackend
from cutaway.workbench.bench import Workbench
from support.scripts import HERMES, THINKING, WEATHER, bench_on, call

LONG = " ".join(f"word{index}" for index in range(60))


@asynccontextmanager
async def talking(script: Script, *words: str, store: Path | str = ":memory:") -> AsyncIterator[tuple[Workbench, str]]:
    """A bench without idle work on which a conversation began."""
    async with bench_on(script, store) as bench:
        await bench.set("idle_prefill", False)
        conversation = (await bench.create_conversation()).id
        for text in words:
            await say(bench, conversation, text)
        yield bench, conversation


async def say(bench: Workbench, conversation: str, text: str) -> Plan:
    await bench.send(conversation, text)
    return await planned(bench, conversation)


async def planned(bench: Workbench, conversation: str) -> Plan:
    await bench.settled()
    turn = await bench.turn((await bench.messages(conversation))[-1].id)
    assert turn is not None
    assert turn.plan is not None
    assert not turn.error
    return turn.plan


async def answer_again(bench: Workbench, conversation: str, index: int = -1) -> Plan:
    await bench.regenerate((await bench.messages(conversation))[index].id)
    return await planned(bench, conversation)


async def change(bench: Workbench, conversation: str, index: int, text: str, *, follow: bool = False) -> Plan:
    """Edit a message and have the end of the branch answered again."""
    node = (await bench.messages(conversation))[index]
    await bench.edit(node.id, text, keep_following=follow)
    return await say(bench, conversation, "And now?") if follow else await answer_again(bench, conversation)


# -- Nothing is held ---------------------------------------------------------------------------------------------


async def first_prompt() -> Plan:
    async with talking(Script()) as (bench, talk):
        return await say(bench, talk, "One")


async def another_model() -> Plan:
    async with talking(Script(), "One") as (bench, talk):
        await bench.load_model("another.gguf")
        await bench.model_ready()
        return await say(bench, talk, "Two")


async def loaded_again() -> Plan:
    async with talking(Script(), "One") as (bench, talk):
        await bench.load_model("scripted.gguf")
        await bench.model_ready()
        return await say(bench, talk, "Two")


async def other_load_settings() -> Plan:
    async with talking(Script(), "One") as (bench, talk):
        await bench.load_model("scripted.gguf", ModelSettings(kv_type_k="q8_0"))
        await bench.model_ready()
        return await say(bench, talk, "Two")


async def given_up() -> Plan:
    async with talking(Script(), "One") as (bench, talk):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("cutaway.engine.cache_states.SavedStates.has_room", lambda states, size: False)
            await say(bench, (await bench.create_conversation()).id, LONG)
            return await say(bench, talk, "Two")


async def damaged_state(folder: Path) -> Plan:
    async with talking(Script(), "One", store=folder / "store.db") as (_, talk):
        pass
    (file,) = (folder / "states").glob("*.kv")
    file.write_bytes(file.read_bytes()[:-1])
    async with bench_on(Script(), folder / "store.db") as bench:
        return await say(bench, talk, "Two")


# -- What a person did -------------------------------------------------------------------------------------------


async def other_knob() -> Plan:
    template = CHATML.replace("'<|im_start|>' +", "('fast ' if enable_thinking is false else '') + '<|im_start|>' +")
    async with talking(Script(template=template), "One") as (bench, talk):
        await bench.set("thinking", "off", conversation=talk)
        return await say(bench, talk, "Two")


async def other_template(folder: Path) -> Plan:
    file = folder / "other.jinja"
    file.write_text(CHATML.replace("'<|im_end|>", "' <|im_end|>"), encoding="utf-8")
    async with talking(Script(), "One") as (bench, talk):
        await bench.set("template", str(file), conversation=talk)
        return await say(bench, talk, "Two")


async def same_again() -> Plan:
    async with talking(Script(), "One") as (bench, talk):
        return await answer_again(bench, talk)


async def all_held() -> Plan:
    async with talking(Script(replies=("",)), "One") as (bench, talk):
        return await answer_again(bench, talk)


async def extended() -> Plan:
    async with talking(Script(), "One") as (bench, talk):
        return await say(bench, talk, "Two")


async def other_system() -> Plan:
    async with talking(Script(), "One") as (bench, talk):
        await bench.set("system", "Be brief.", conversation=talk)
        return await say(bench, talk, "Two")


async def other_tools() -> Plan:
    async with talking(Script(template=HERMES), "One") as (bench, talk):
        await bench.set("tools", [WEATHER], conversation=talk)
        return await say(bench, talk, "Two")


async def edited() -> Plan:
    async with talking(Script(), "One", "Two", "Three") as (bench, talk):
        return await change(bench, talk, 2, "Twenty")


async def branch_left() -> Plan:
    async with talking(Script(), "One", "Two", "Three") as (bench, talk):
        return await answer_again(bench, talk, 1)


async def inserted() -> Plan:
    """A branch that was entered by hand has the same messages behind one more."""
    async with talking(Script(replies=("Yes.",)), "One", "Two") as (bench, talk):
        first, _, second, _ = await bench.messages(talk)
        node = await bench._library.add(talk, first.id, Message("user", "[From the files]"))
        for message in (Message("assistant", "Yes."), second.message):
            node = await bench._library.add(talk, node.id, message)
        await bench.switch_branch(node.id)
        return await answer_again(bench, talk)


async def shortened_history() -> Plan:
    async with talking(Script(context=700), f"{LONG} 0", f"{LONG} 1") as (bench, talk):
        await bench.set("overflow", "drop")
        return await say(bench, talk, f"{LONG} 2")


# -- What the template did -----------------------------------------------------------------------------------------


async def stripped_reasoning() -> Plan:
    script = Script(replies=("<think>\na b c\n</think>\n\nfine",), template=THINKING)
    async with talking(script, "One") as (bench, talk):
        return await say(bench, talk, "Two")


async def opener_not_repeated() -> Plan:
    template = CHATML.replace("assistant\\n' }}{%- endif", "assistant\\n<think>\\n\\n</think>\\n\\n' }}{%- endif")
    async with talking(Script(template=template), "One") as (bench, talk):
        return await say(bench, talk, "Two")


async def clock_moved() -> Plan:
    minutes = itertools.count()
    template = "It is {{ strftime_now('%H:%M') }}.\n" + CHATML
    bench = Workbench(
        ":memory:",
        lambda: ScriptedBackend(Script(template=template)),
        now=lambda: datetime(2026, 7, 26, 12) + timedelta(minutes=next(minutes)),
    )
    await bench.open()
    try:
        await bench.load_model("scripted.gguf")
        await bench.model_ready()
        await bench.set("idle_prefill", False)
        talk = (await bench.create_conversation()).id
        await say(bench, talk, "One")
        return await say(bench, talk, "Two")
    finally:
        await bench.close()


async def hint_moved() -> Plan:
    hinted = CHATML.replace("message.content +", "message.content + (' (Think hard.)' if loop.last else '') +")
    async with talking(Script(template=hinted), "One") as (bench, talk):
        return await say(bench, talk, "Two")


async def other_end() -> Plan:
    ended = CHATML.replace("'<|im_end|>\\n'", "('<|endoftext|>' if loop.last else '<|im_end|>\\n')")
    async with talking(Script(template=ended), "One") as (bench, talk):
        return await say(bench, talk, "Two")


async def cycle_closed() -> Plan:
    template = HERMES.replace(
        "<|im_start|>assistant\n{{ m.content or '' }}",
        "<|im_start|>assistant\n{% if m.reasoning_content and loop.index > loop.length - 2 %}<think>\n"
        "{{ m.reasoning_content }}\n</think>\n\n{% endif %}{{ m.content or '' }}",
    )
    script = Script(replies=("<think>\nlook\n</think>\n\n" + call("get_weather", "{}"), "Dry."), template=template)
    async with talking(script) as (bench, talk):
        await bench.set("tools", [WEATHER])
        await say(bench, talk, "Rain?")
        node = (await bench.messages(talk))[-1]
        await bench.respond_to_call(node.id, (await bench.calls(node.id))[0].call.id or "0", "none")
        await planned(bench, talk)
        return await say(bench, talk, "Sure?")


async def other_introduction() -> Plan:
    template = "{% if messages | length < 3 %}You are a helper.\n{% else %}You help on.\n{% endif %}" + CHATML
    async with talking(Script(template=template), "One") as (bench, talk):
        return await say(bench, talk, "Two")


# -- What tokens and characters did ---------------------------------------------------------------------------------


async def other_tokens() -> Plan:
    async with talking(Script(replies=("\n\nFine.",)), "One") as (bench, talk):
        return await change(bench, talk, 1, "\n\nFine.", follow=True)


async def call_written_anew() -> Plan:
    script = Script(replies=('<tool_call>\n{"name": "get_weather","arguments": {"city":"Rome"}}\n</tool_call>', "Dry."))
    async with talking(replace(script, template=HERMES)) as (bench, talk):
        await bench.set("tools", [WEATHER])
        await say(bench, talk, "Rain?")
        node = (await bench.messages(talk))[-1]
        await bench.respond_to_call(node.id, (await bench.calls(node.id))[0].call.id or "0", "none")
        return await planned(bench, talk)


async def trimmed() -> Plan:
    trimming = CHATML.replace("message.content +", "message.content | trim +")
    async with talking(Script(template=trimming, replies=(" Fine. ",)), "One") as (bench, talk):
        return await say(bench, talk, "Two")


async def other_line_ends() -> Plan:
    folding = CHATML.replace("message.content +", "message.content.replace('\\r\\n', '\\n') +")
    async with talking(Script(template=folding, replies=("One.\r\nTwo.",)), "One") as (bench, talk):
        return await say(bench, talk, "Two")


async def cut_reply() -> Plan:
    async with talking(Script(replies=("one two STOP HERE three",))) as (bench, talk):
        await bench.set("stops", ["STOP HERE"])
        await say(bench, talk, "One")
        return await say(bench, talk, "Two")


# -- What the memory did ----------------------------------------------------------------------------------------------


async def window_moved() -> Plan:
    async with talking(Script(memory="sliding", window=8, replies=(LONG,)), "One", "Two") as (bench, talk):
        return await change(bench, talk, 1, LONG.replace("word9 ", "word "), follow=True)


async def no_checkpoint() -> Plan:
    async with talking(Script(memory="hybrid", replies=(LONG,)), "One", "Two") as (bench, talk):
        return await change(bench, talk, 1, LONG.replace("word9 ", "word "), follow=True)


async def memory_refuses() -> Plan:
    async with talking(Script(), "One", "Two") as (bench, talk):
        with pytest.MonkeyPatch.context() as patch:
            keep = ScriptedBackend.keep
            patch.setattr(ScriptedBackend, "keep", lambda backend, length: keep(backend, 0))
            return await answer_again(bench, talk)


async def cannot_move() -> Plan:
    async with talking(Script(memory="recurrent", replies=(LONG,)), "One", "Two") as (bench, talk):
        await bench.set("chunk_reuse", 4)
        return await change(bench, talk, 0, "Other", follow=True)


async def stopped_prefill() -> Plan:
    async with talking(Script(prefill_tokens_per_second=400)) as (bench, talk):
        await bench.send(talk, LONG * 4)
        turn = bench.running(talk)
        while turn is not None and turn.prefilled < 1:
            await asyncio.sleep(0.01)
        await bench.stop(talk)
        await bench.settled()
        return await answer_again(bench, talk)


Scenario = Callable[[], Awaitable[Plan]] | Callable[[Path], Awaitable[Plan]]
COLD: dict[str, list[Scenario]] = {
    "M1": [first_prompt],
    "M2": [another_model],
    "M3": [loaded_again],
    "M4": [other_load_settings],
    "M28": [given_up],
    "M31": [damaged_state],
}
WHOLE: dict[str, list[Scenario]] = {"M6": [extended], "M30": [stopped_prefill]}
BROKEN: dict[str, list[Scenario]] = {
    "M4": [other_knob, other_template],
    "M5": [same_again],
    "M7": [other_system],
    "M8": [other_tools],
    "M9": [edited],
    "M10": [branch_left],
    "M11": [inserted],
    "M12": [shortened_history],
    "M13": [stripped_reasoning],
    "M14": [opener_not_repeated],
    "M15": [clock_moved, hint_moved],
    "M16": [other_end],
    "M17": [cycle_closed],
    "M18": [other_introduction],
    "M19": [other_tokens],
    "M20": [call_written_anew],
    "M21": [trimmed],
    "M22": [other_line_ends],
    "M23": [cut_reply],
    "M24": [window_moved],
    "M25": [no_checkpoint],
    "M26": [memory_refuses],
    "M27": [cannot_move],
    "M32": [all_held],
}
BY_CHOICE = {"M5", "M9", "M10", "M26", "M27", "M32"}
"""Nothing would avoid these: the person wanted it so, or the memory is what it is."""
DEPARTING = {"M13", "M14", "M16", "M17", "M20", "M21"}


def cases(table: dict[str, list[Scenario]]) -> list[object]:
    return [pytest.param(code, one, id=f"{code}-{one.__name__}") for code, found in table.items() for one in found]


async def play(scenario: Scenario, folder: Path) -> Plan:
    takes_folder = scenario.__code__.co_argcount > 0
    return await (scenario(folder) if takes_folder else scenario())  # type: ignore[arg-type,call-arg]


@pytest.mark.parametrize(("code", "scenario"), cases(COLD))
async def test_why_nothing_is_held(code: str, scenario: Scenario, tmp_path: Path) -> None:
    plan = await play(scenario, tmp_path)
    assert (plan.reason, plan.breaks) == (code, ())
    assert plan.held == 0 or plan.restored_from == ANOTHER
    assert plan.detail.endswith(".")


@pytest.mark.parametrize(("code", "scenario"), cases(WHOLE))
async def test_nothing_held_is_lost(code: str, scenario: Scenario, tmp_path: Path) -> None:
    plan = await play(scenario, tmp_path)
    assert (plan.reason, plan.breaks, plan.reused) == (code, (), plan.held)


@pytest.mark.parametrize(("code", "scenario"), cases(BROKEN))
async def test_a_break_is_named_with_its_evidence(code: str, scenario: Scenario, tmp_path: Path) -> None:
    plan = await play(scenario, tmp_path)
    found = [one for one in plan.breaks if one.reason == code]
    assert len(found) == 1, [(one.reason, one.detail) for one in plan.breaks]
    check_evidence(found[0], code)


def check_evidence(one: Break, code: str) -> None:
    assert one.detail.endswith(".")
    assert one.held or one.wanted
    if code not in ("M24", "M25", "M26", "M27", "M32"):
        assert one.held_place, "where the held text came from"
        assert one.wanted_place
        assert one.held_text != one.wanted_text or code in ("M5", "M19")
    assert one.fed > 0 or code == "M27"
    assert one.seconds is None or one.seconds > 0
    assert (one.avoidable_by is None) == (code in BY_CHOICE)
    assert one.departs == (code in DEPARTING)


def test_every_cause_is_brought_about() -> None:
    assert {*COLD, *WHOLE, *BROKEN} == {*NAMES} - {"M29", "M33"}
