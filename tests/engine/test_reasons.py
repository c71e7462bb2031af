"""Every cause of a broken prefix is told from the others, by what both prompts know. Real templates where one does it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from cutaway.chat.prompt import Origin, Prompt, Span
from cutaway.chat.read import read_request
from cutaway.chat.reply import CallBlock, Reply, ReplySpan
from cutaway.engine.backend import MemoryKind
from cutaway.engine.cache import Ledger, plan_feed
from cutaway.engine.plan import Break, Plan
from cutaway.engine.reasons import Circumstances, explain
from cutaway.engine.remedies import NAMES, remedy
from cutaway.engine.side import Side
from cutaway.engine.tokens import tokenise
from support import assets
from support.sides import CHATML, CLOCK, SYSTEM, WEATHER, Messages, explained, said, side
from support.vocabularies import QWEN35, vocabulary


def only(plan: Plan) -> Break:
    (broken,) = plan.breaks
    assert broken.reason in NAMES
    assert broken.detail.endswith(".")
    assert plan.reason == broken.reason
    assert plan.detail == broken.detail
    return broken


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **more}


# -- Nothing held, nothing lost ------------------------------------------------------------------------------


def test_first_prompt() -> None:
    plan = explained(None, side(CHATML, [user("Hi")]))
    assert (plan.reason, plan.breaks) == ("M1", ())
    assert plan.detail


@pytest.mark.parametrize(
    ("reason", "before", "facts"),
    [
        ("M2", {"model": "a", "context": "1"}, Circumstances(reloaded=True)),
        ("M3", {"model": "b"}, Circumstances(reloaded=True)),
        ("M4", {"model": "b", "context": "1"}, Circumstances(reloaded=True)),
        ("M28", {"model": "b"}, Circumstances(evicted=True)),
        ("M30", {"model": "b"}, Circumstances(stopped=True)),
        ("M33", {"model": "b"}, Circumstances(media=True)),
    ],
)
def test_why_nothing_is_held(reason: str, before: dict[str, str], facts: Circumstances) -> None:
    wanted = side(CHATML, [user("Hi")], keys={"model": "b", "context": "2"})
    plan = explain(plan_feed(Ledger(), wanted.ids), replace(wanted, keys=before), wanted, facts)
    assert (plan.reason, plan.breaks) == (reason, ())


def test_an_extended_conversation_breaks_nothing() -> None:
    held = side(CHATML, [user("Hi")], said("Hello!"))
    plan = explained(held, side(CHATML, [user("Hi"), assistant("Hello!"), user("And?")]))
    assert (plan.reason, plan.breaks) == ("M6", ())


def test_a_stopped_prefill_loses_nothing_and_is_named() -> None:
    held = side(CHATML, [user("Hi there, this is long")])
    plan = explain(plan_feed(Ledger(held.ids[:4]), held.ids), held, held, Circumstances(stopped=True))
    assert (plan.reason, plan.breaks) == ("M30", ())


def test_the_same_prompt_again() -> None:
    held = side(CHATML, [user("Hi")], said("Hello!"))
    assert only(explained(held, side(CHATML, [user("Hi")]))).reason == "M5"
    assert only(explained(side(CHATML, [user("Hi")]), side(CHATML, [user("Hi")]))).reason == "M32"


# -- What a person changed -----------------------------------------------------------------------------------

TALK = [user("One?"), assistant("Uno."), user("Two?"), assistant("Dos."), user("Three?")]


def test_an_edited_message() -> None:
    held = side(CHATML, TALK, said("Tres."))
    broken = only(explained(held, side(CHATML, [*TALK[:2], user("Twenty?"), *TALK[3:]])))
    assert broken.reason == "M9"
    assert "Message 3 (user)" in broken.detail
    assert (broken.held_place, broken.wanted_place) == ("messages[2].content", "messages[2].content")
    assert broken.held_text.startswith("o?")
    assert broken.wanted_text.startswith("enty?")
    assert broken.avoidable_by is None


def test_an_edited_reply() -> None:
    held = side(CHATML, TALK[:1], said("Uno, my friend."))
    broken = only(explained(held, side(CHATML, [TALK[0], assistant("Uno, your friend."), TALK[2]])))
    assert broken.reason == "M9"
    assert broken.held_place == "the reply"
    assert broken.wanted_place == "messages[1].content"


@pytest.mark.parametrize(
    ("before", "after"),
    [([SYSTEM], [{"role": "system", "content": "Be long."}]), ([SYSTEM], []), ([], [SYSTEM])],
)
def test_a_changed_system_text(before: Messages, after: Messages) -> None:
    held = side(CHATML, [*before, *TALK[:1]], said("Uno."))
    broken = only(explained(held, side(CHATML, [*after, *TALK[:1]])))
    assert broken.reason == "M7"
    assert broken.avoidable_by


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ([WEATHER], [WEATHER, CLOCK], "clock came"),
        ([WEATHER, CLOCK], [CLOCK], "weather went"),
        ([WEATHER, CLOCK], [CLOCK, WEATHER], "another order"),
        ([WEATHER], [{**WEATHER, "function": {**WEATHER["function"], "description": "Sun?"}}], "definition of weather"),
        ([], [WEATHER], "weather came"),
        ([WEATHER], [], "weather went"),
    ],
)
def test_changed_tools(before: Messages, after: Messages, words: str) -> None:
    template = assets.template("Qwen3.5-4B")
    held = side(template, TALK[:1], said("Uno."), tools=before)
    broken = only(explained(held, side(template, TALK[:3], tools=after)))
    assert broken.reason == "M8"
    assert words in broken.detail


def test_a_shorter_conversation() -> None:
    held = side(CHATML, TALK, said("Tres."))
    broken = only(explained(held, side(CHATML, TALK[:3])))
    assert broken.reason == "M10"


def test_a_reply_left_out() -> None:
    held = side(CHATML, TALK[:1], said("Uno."))
    assert only(explained(held, side(CHATML, [TALK[0], user("Again, please")]))).reason == "M10"


def test_messages_deleted_in_the_middle() -> None:
    held = side(CHATML, [*TALK, assistant("Tres."), user("Four?")], said("Cuatro."))
    wanted = side(CHATML, [*TALK[:2], *TALK[4:], assistant("Tres."), user("Four?")])
    broken = only(explained(held, wanted))
    assert broken.reason == "M10"
    assert "2 messages" in broken.detail


def test_an_inserted_message() -> None:
    held = side(CHATML, TALK, said("Tres."))
    broken = only(explained(held, side(CHATML, [*TALK[:2], user("[From the files: 2 = dos]"), *TALK[2:]])))
    assert broken.reason == "M11"


def test_old_turns_dropped() -> None:
    held = side(CHATML, [SYSTEM, *TALK], said("Tres."))
    assert only(explained(held, side(CHATML, [SYSTEM, *TALK[2:], assistant("Tres."), user("4?")]))).reason == "M12"
    summary = user("Summary: one and two were asked.")
    assert only(explained(held, side(CHATML, [SYSTEM, summary, *TALK[4:]]))).reason == "M12"


def test_a_changed_template_or_switch() -> None:
    held = side(CHATML, TALK[:1], said("Uno."), keys={"template": "1"})
    other = side(CHATML.replace("im_start|>{{", "im_start|> {{"), TALK[:3], keys={"template": "2"})
    broken = only(explained(held, other))
    assert broken.reason == "M4"
    assert "template" in broken.detail
    minimax = assets.template("MiniMax-M3")
    thinking = side(minimax, TALK[:1], said("Uno."), thinking="on")
    broken = only(explained(thinking, side(minimax, TALK[:3], thinking="off")))
    assert broken.reason == "M4"
    assert "Thinking" in broken.detail or "thinking" in broken.detail


# -- What the template changed -------------------------------------------------------------------------------


def test_reasoning_stripped_from_history() -> None:
    template = assets.template("Qwen3.5-4B")
    held = side(template, TALK[:1], said("Uno.", "One is uno."), enable_thinking=True)
    sent = [TALK[0], assistant("Uno.", reasoning_content="One is uno."), TALK[2]]
    broken = only(explained(held, side(template, sent, enable_thinking=True)))
    assert broken.reason == "M13"
    assert "template leaves" in broken.detail
    assert broken.departs
    unsent = only(explained(held, side(template, TALK[:3], enable_thinking=True)))
    assert unsent.reason == "M13"
    assert "not sent" in unsent.detail
    with_knob = only(
        explained(held, side(template, sent, enable_thinking=True), Circumstances(reasoning_knob="preserve_thinking"))
    )
    assert not with_knob.departs
    assert "preserve_thinking" in (with_knob.avoidable_by or "")


def test_reasoning_that_the_model_opened_itself() -> None:
    template = assets.template("Qwen-Qwen3-0.6B")
    held = side(template, TALK[:1], said("Uno.", "One is uno.", opener="<think>\n"))
    sent = [TALK[0], assistant("Uno.", reasoning_content="One is uno."), TALK[2]]
    assert only(explained(held, side(template, sent))).reason == "M13"


def test_an_empty_thinking_block_not_repeated() -> None:
    template = assets.template("Qwen3.5-4B")
    held = side(template, TALK[:1], said("Uno."), enable_thinking=False)
    broken = only(explained(held, side(template, TALK[:3], enable_thinking=False)))
    assert broken.reason == "M14"
    assert broken.held_place.startswith("the generation prompt, line ")
    assert broken.wanted_place == "messages[1].content"
    assert broken.departs
    assert broken.held_text.startswith("<think>\n\n</think>\n\n")


def test_reasoning_dropped_when_a_newer_message_comes() -> None:
    """Qwen keeps the reasoning of a tool cycle until the next question."""
    template = assets.template("Qwen3.5-4B")
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{}"}}
    asked = [user("Rain?"), {"role": "assistant", "content": "", "reasoning_content": "Look.", "tool_calls": [call]}]
    result = {"role": "tool", "tool_call_id": "c1", "content": "no"}
    held = side(template, [*asked, result], said("No rain.", "It says no."), tools=[WEATHER], enable_thinking=True)
    later = [*asked, result, assistant("No rain.", reasoning_content="It says no."), user("Wind?")]
    broken = only(explained(held, side(template, later, tools=[WEATHER], enable_thinking=True)))
    assert broken.reason == "M17"
    assert "message 2" in broken.detail


DATED = "{% if x %}{% endif %}Today is {{ strftime_now('%d %B %Y, %H:%M') }}.\n" + CHATML


def test_a_date_that_moved() -> None:
    held = side(DATED, TALK[:1], said("Uno."))
    broken = only(explained(held, side(DATED, TALK[:3], now=datetime(2026, 11, 29, 12, 7))))
    assert broken.reason == "M15"
    assert broken.held_place.startswith("line 1 of the template")


def test_a_hint_that_moved() -> None:
    hinted = CHATML.replace("{{ message.content }}", "{{ message.content }}{% if loop.last %} (Think hard.){% endif %}")
    held = side(hinted, TALK[:1], said("Uno."))
    assert only(explained(held, side(hinted, TALK[:3]))).reason == "M15"


def test_another_end_of_message() -> None:
    held = side(CHATML, TALK[:1], said("Uno."), end="<|endoftext|>")
    broken = only(explained(held, side(CHATML, TALK[:3])))
    assert broken.reason == "M16"
    assert broken.departs


def test_a_default_system_text() -> None:
    template = "{% if messages|length < 2 %}You are a helper.\n{% else %}You help.\n{% endif %}" + CHATML
    held = side(template, TALK[:1], said("Uno."))
    assert only(explained(held, side(template, TALK[:3]))).reason == "M18"


def test_a_call_written_anew() -> None:
    template = assets.template("Qwen3.5-4B")
    text = "<tool_call>\n<function=weather>\n<parameter=place>\nRome \n</parameter>\n</function>\n</tool_call>"
    start = text.index("Rome")
    spans = (
        ReplySpan(0, start, "markup"),
        ReplySpan(start, start + 5, "call_args"),
        ReplySpan(start + 5, len(text), "markup"),
    )
    reply = Reply(text, (CallBlock("weather", '{"place": "Rome"}', "c1", 0, len(text)),), spans)
    held = side(template, TALK[:1], reply, tools=[WEATHER], enable_thinking=False)
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"place": "Rome"}'}}
    held = replace(held, prompt=_without_think(held.prompt), ids=[], starts=[])
    found = vocabulary(QWEN35)
    tokens = tokenise(held.prompt, found)
    held = replace(held, ids=tokens.ids.tolist(), starts=tokens.starts.tolist())
    sent = [TALK[0], {"role": "assistant", "content": "", "tool_calls": [call]}]
    sent += [{"role": "tool", "tool_call_id": "c1", "content": "sun"}]
    wanted = side(template, sent, tools=[WEATHER], enable_thinking=False)
    wanted = replace(wanted, prompt=_without_think(wanted.prompt))
    tokens = tokenise(wanted.prompt, found)
    wanted = replace(wanted, ids=tokens.ids.tolist(), starts=tokens.starts.tolist())
    broken = only(explained(held, wanted))
    assert broken.reason == "M20"


def _without_think(prompt: Prompt) -> Prompt:
    """The prompt without empty thinking blocks, which would break the prefix before the call does."""
    spans = tuple(replace(span, text=span.text.replace("<think>\n\n</think>\n\n", "")) for span in prompt.spans)
    whole = sum(len(span.text) for span in spans)
    tail = len(prompt.generation_prompt.replace("<think>\n\n</think>\n\n", ""))
    return Prompt(spans, whole - tail)


# -- What tokens and characters changed ----------------------------------------------------------------------


def test_other_tokens_for_the_same_text() -> None:
    found = vocabulary(QWEN35)
    held = side(CHATML, TALK[:1], said("Uno.\n\nDone."))
    pieces = [b"U", b"no", b".", b"\n", b"\n", b"Done", b".", b"<|im_end|>"]
    ids = [found.encode(piece.decode(), special=True)[0] for piece in pieces]
    held = replace(held, reply_ids=ids, reply_pieces=pieces)
    broken = only(explained(held, side(CHATML, [TALK[0], assistant("Uno.\n\nDone."), TALK[2]])))
    assert broken.reason == "M19"
    assert broken.held != broken.wanted
    assert not broken.departs
    assert broken.avoidable_by


@pytest.mark.parametrize(
    ("wrote", "sent", "reason"),
    [
        ("Uno. \n Dos.", "Uno.\nDos.", "M21"),
        ("Uno.\r\nDos.", "Uno.\nDos.", "M22"),
        ("ﬁne", "fine", "M22"),
        ("Uno. Dos. Tres", "Uno. Dos.", "M23"),
        ("Uno", "Uno, dos", "M9"),
    ],
)
def test_a_reply_that_came_back_different(wrote: str, sent: str, reason: str) -> None:
    held = side(CHATML, TALK[:1], said(wrote))
    assert only(explained(held, side(CHATML, [TALK[0], assistant(sent), TALK[2]]))).reason == reason


def test_a_template_that_trims() -> None:
    trimming = CHATML.replace("{{ message.content }}", "{{ message.content | trim }}")
    held = side(trimming, TALK[:1], said(" Uno."))
    broken = only(explained(held, side(trimming, [TALK[0], assistant(" Uno."), TALK[2]])))
    assert broken.reason == "M21"


# -- What the memory cannot ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "reason"), [("sliding", "M24"), ("recurrent", "M25"), ("hybrid", "M25")])
def test_a_memory_that_has_to_go_further_back(kind: MemoryKind, reason: str) -> None:
    held = side(CHATML, TALK, said("Tres."))
    wanted = side(CHATML, [*TALK[:4], user("Thirty?")])
    plan = explained(held, wanted, kind=kind, floor=len(held.all_ids))
    assert [broken.reason for broken in plan.breaks] == ["M9", reason]
    assert plan.reused == 0
    assert plan.reason == reason


def test_chunks_that_cannot_be_moved() -> None:
    plan = plan_feed(Ledger((1, 2, 3, 4), floor=4), [1, 9, 3, 4], kind="recurrent", chunk=1)
    assert "M27" in [broken.reason for broken in plan.breaks]


# -- Evidence ------------------------------------------------------------------------------------------------


def test_a_break_has_a_price() -> None:
    held = side(CHATML, TALK, said("Tres."))
    wanted = side(CHATML, [user("Uno?"), *TALK[1:]])
    broken = only(explained(held, wanted, Circumstances(tokens_per_second=10.0)))
    assert broken.fed == len(wanted.ids) - broken.at_token
    assert broken.seconds == pytest.approx(broken.fed / 10)
    assert only(explained(held, wanted)).seconds is None


def test_without_the_held_prompt_the_tokens_still_speak() -> None:
    wanted = side(CHATML, TALK[:1])
    plan = explain(plan_feed(Ledger((1, 2, 3)), wanted.ids), None, wanted)
    assert (plan.breaks[0].reason, plan.breaks[0].held) == ("M10", (1, 2, 3))
    assert "prepared" in plan.breaks[0].detail


def test_what_was_fed_ahead_of_a_turn_that_is_known_is_named() -> None:
    held, wanted = side(CHATML, TALK[:1], said("Uno."), end=""), side(CHATML, TALK[:3])
    plan = plan_feed(Ledger((*held.all_ids, *wanted.ids[len(held.all_ids) : -4], 1, 2)), wanted.ids)
    broken = only(explain(plan, held, wanted))
    assert (broken.reason, broken.lost) == ("M10", 2)
    assert broken.held_place == "behind the reply"


def test_every_cause_has_a_name_and_only_known_ones_a_remedy() -> None:
    assert sorted(NAMES, key=lambda code: int(code[1:])) == [f"M{number}" for number in range(1, 34)]
    assert not remedy("M9").text
    assert all(remedy(code).text or not remedy(code).departs for code in NAMES)


def test_places_of_a_side() -> None:
    spans = (
        Span("<s>", Origin("template", line=3, column=1)),
        Span("Hi", Origin("input", "messages[0].content", 0, 2)),
    )
    found = Side(Prompt((*spans, Span("ai:", Origin("template", line=4, column=1))), 5), read_request({}), [], [])
    assert [found.place(at) for at in (0, 3, 5, 8)] == [
        "line 3 of the template",
        "messages[0].content",
        "the generation prompt, line 4 of the template",
        "behind the prompt",
    ]
