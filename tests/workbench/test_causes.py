"""A turn's plan is explained by the turn that filled the cache before it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from cutaway.chat.read import read_request
from cutaway.chat.session import prepare
from cutaway.chat.template.prepared import prepare_template
from cutaway.chat.template.sources import TemplateSource
from cutaway.engine.cache import Ledger, plan_feed
from cutaway.engine.command import ModelSettings
from cutaway.engine.event import Timings, Token
from cutaway.engine.plan import Plan
from cutaway.engine.scripted import ScriptedBackend
from cutaway.engine.tokens import tokenise
from cutaway.workbench.causes import Causes, Load, side_of
from cutaway.workbench.turn import TemplateInfo, Turn
from support import assets
from support.vocabularies import QWEN35, vocabulary

QUESTION = {"role": "user", "content": "One?"}


def turn(messages: list[dict[str, Any]], reply: str = "", **more: Any) -> Turn:
    source = TemplateSource(assets.template("Qwen3.5-4B"), "given")
    prepared = prepare(
        read_request({"messages": messages, "enable_thinking": False}),
        prepare_template(source),
        now=datetime(2026, 11, 29, 12),
    )
    found = vocabulary(QWEN35)
    info = TemplateInfo("given", "default", source.sha256, source.text)
    made = Turn("t", "c", "m", prepared.request, template=info, model="m.gguf", prompt=prepared.prompt, **more)
    made.prompt_tokens = tokenise(prepared.prompt, found)
    for index, token in enumerate(found.encode(reply, special=True)):
        made.tokens.append(Token(index, token, found.piece(token), 1.0, 0, (), 0.0, 0.0, ends=found.is_end(token)))
    return made


def planned(before: Turn, after: Turn) -> Plan:
    return plan_feed(Ledger(side_of(before).all_ids), side_of(after).all_ids)


def test_the_empty_thinking_block_is_named() -> None:
    first = turn([QUESTION], "Uno.<|im_end|>", timings=Timings(20, 0, 20, 3, 1000.0, 1000.0, 100.0))
    second = turn([QUESTION, {"role": "assistant", "content": "Uno."}, {"role": "user", "content": "Two?"}])
    causes = Causes()
    causes.filled(first, Load())
    plan = causes.explainer(second, Load())(planned(first, second))
    (broken,) = plan.breaks
    assert (plan.reason, broken.reason) == ("M14", "M14")
    assert broken.seconds == broken.fed / 20


def test_the_end_token_is_not_held() -> None:
    found = side_of(turn([QUESTION], "Uno.<|im_end|>"))
    assert found.reply_text == "Uno."


def test_a_saved_state_that_could_not_be_restored_stays_named() -> None:
    first = turn([QUESTION])
    causes = Causes()
    causes.filled(first, Load())
    failed = replace(plan_feed(Ledger(), [1]), reason="M31", detail="It could not be restored.")
    assert causes.explainer(first, Load())(failed).reason == "M31"


def test_after_idle_work_the_evidence_is_what_that_left_in_the_cache() -> None:
    talk = [QUESTION, {"role": "assistant", "content": "Uno, dos."}, {"role": "user", "content": "Two?"}]
    first, idle = turn([QUESTION], "Uno, dos.<|im_end|>"), side_of(turn(talk))
    edited = turn([QUESTION, {"role": "assistant", "content": "Uno, tres."}, talk[2]])
    causes = Causes()
    causes.filled(first, Load())
    causes.refilled("c", idle, Load())
    (broken,) = causes.explainer(edited, Load())(plan_feed(Ledger(idle.all_ids), side_of(edited).all_ids)).breaks
    assert (broken.reason, broken.held_place, broken.held_text[:4]) == ("M9", "messages[1].content", "dos.")

    other = turn([{"role": "user", "content": "Three?"}])
    (broken,) = causes.explainer(other, Load())(plan_feed(Ledger(idle.all_ids), side_of(other).all_ids)).breaks
    assert (broken.reason, broken.held_place) == ("M9", "messages[0].content")


def test_another_conversation_explains_nothing() -> None:
    causes = Causes()
    first = turn([QUESTION])
    assert causes.explainer(first, Load())(plan_feed(Ledger(), [1])).reason == "M1"
    causes.filled(first, Load())
    assert causes.explainer(first, Load())(plan_feed(Ledger(), [1])).reason == "M28"
    reloaded = ScriptedBackend().load("m.gguf", ModelSettings(), lambda _: True)
    assert causes.explainer(first, Load(reloaded))(plan_feed(Ledger(), [1])).reason == "M3"


def test_a_token_chosen_in_the_middle_of_a_reply() -> None:
    first, second = turn([QUESTION], "Uno, dos."), turn([QUESTION], "Uno, tres")
    causes = Causes()
    causes.filled(first, Load())
    (broken,) = causes.explainer(second, Load())(planned(first, second)).breaks
    assert broken.reason == "M10"
