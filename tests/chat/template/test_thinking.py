"""One wish to think, translated to each template's own switches."""

from __future__ import annotations

from datetime import datetime

import pytest

from cutaway.chat.read import read_request
from cutaway.chat.session import prepare
from cutaway.chat.template.prefill import read_prefill
from support import assets
from support.prepared import shipped

TIME = datetime(2026, 11, 29)
MESSAGES = [{"role": "user", "content": "Hi"}]


template = shipped


def generation_prompt(name: str, wish: str) -> str:
    request = read_request({"messages": MESSAGES, "thinking": wish})
    return prepare(request, template(name), now=TIME).prompt.generation_prompt


EXPECTED = [
    ("Qwen-Qwen3-0.6B", "on", "<|im_start|>assistant\n"),
    ("Qwen-Qwen3-0.6B", "off", "<|im_start|>assistant\n<think>\n\n</think>\n\n"),
    ("Qwen3.5-4B", "on", "<|im_start|>assistant\n<think>\n"),
    ("deepseek-ai-DeepSeek-V3.1", "on", "<｜Assistant｜><think>"),
    ("deepseek-ai-DeepSeek-V3.1", "off", "<｜Assistant｜><think></think>"),
    ("MiniMax-M3", "on", "]~b]ai\n<mm:think>"),
    ("MiniMax-M3", "off", "]~b]ai\n</mm:think>"),
    ("MiniMax-M3", "auto", "]~b]ai\n"),
    ("tencent-Hy3", "off", "<｜hy_Assistant:opensource｜><think:opensource></think:opensource>"),
    ("tencent-Hy3", "on", "<｜hy_Assistant:opensource｜><think:opensource>"),
    ("upstage-Solar-Open-100B", "off", "<|begin|>assistant<|think|><|end|><|begin|>assistant"),
    ("upstage-Solar-Open-100B", "on", "<|begin|>assistant"),
    ("poolside-Laguna-S-2.1", "off", "<assistant></think>"),
    ("google-gemma-4-31B-it", "off", "<|turn>model\n<|channel>thought\n<channel|>"),
    ("Bielik-11B-v3.0-Instruct", "on", "<|im_start|>assistant\n<think>\n"),
]


@pytest.mark.parametrize(("name", "wish", "expected"), EXPECTED)
def test_a_wish_and_its_generation_prompt(name: str, wish: str, expected: str) -> None:
    assert generation_prompt(name, wish) == expected


def test_the_table_says_what_costs_the_cache() -> None:
    rows = {row.thinking: row for row in template("MiniMax-M3").thinking_table}
    assert {wish: row.prefill for wish, row in rows.items()} == {"auto": "none", "on": "open", "off": "bare closer"}
    assert [rows[wish].changes_prompt for wish in ("auto", "on", "off")] == [False, True, True]
    qwen = {row.thinking: row for row in template("Qwen-Qwen3-0.6B").thinking_table}
    assert not qwen["off"].changes_prompt


def test_effort_levels() -> None:
    rows = {row.thinking: row.kwargs for row in template("openai-gpt-oss-120b").thinking_table}
    assert {"low", "medium", "high"} <= set(rows)
    deepseek = {row.thinking: row for row in template("deepseek-ai-DeepSeek-V4").thinking_table}
    assert deepseek["max"].prefill == "open", "an effort level means thinking"


def test_what_cannot_be_had_is_said() -> None:
    def codes(name: str, wish: str) -> list[str]:
        prepared = prepare(read_request({"messages": MESSAGES, "thinking": wish}), template(name), now=TIME)
        return [one.code for one in prepared.warnings]

    assert codes("deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "off") == ["thinking-not-switchable"]
    assert codes("deepseek-ai-DeepSeek-R1-Distill-Llama-8B", "on") == [], "it always thinks"
    assert codes("Qwen-Qwen3-0.6B", "high") == ["thinking-level-unknown"]
    assert codes("meta-llama-Llama-3.1-8B-Instruct", "off") == [], "it never thinks"
    assert codes("meta-llama-Llama-3.1-8B-Instruct", "on") == ["thinking-not-switchable"]


def test_a_variable_of_the_user_wins_over_the_wish() -> None:
    request = read_request({"messages": MESSAGES, "thinking": "off", "chat_template_kwargs": {"enable_thinking": True}})
    assert prepare(request, template("Qwen3.5-4B"), now=TIME).prefill == "open"


@pytest.mark.parametrize("path", assets.templates(), ids=lambda path: path.stem)
def test_every_row_holds(path: object) -> None:
    """The table's prefill is what a prompt with the row's wish really leaves."""
    prepared = template(path.stem)  # type: ignore[attr-defined]
    for row in prepared.thinking_table:
        request = read_request({"messages": MESSAGES, "thinking": row.thinking})
        assert prepare(request, prepared, now=TIME).prefill == row.prefill, row.thinking


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("<|im_start|>assistant\n", "none"),
        ("<|im_start|>assistant\n<think>\n", "open"),
        ("<|im_start|>assistant\n<think>\n\n</think>\n\n", "closed"),
        ("<assistant></think>", "bare closer"),
        ("[THINK]", "open"),
        ("<|end|><|start|>assistant", "none"),
        ("<|begin|>assistant<|think|><|end|><|begin|>assistant", "closed"),
        ("<|channel>thought\n", "open"),
        ("<seed:think>\n</seed:think>", "closed"),
        ("<think:high>", "open"),
    ],
)
def test_reading_a_prefill(text: str, state: str) -> None:
    assert read_prefill(text).state == state


def test_earlier_reasoning_and_the_variable_that_keeps_it() -> None:
    laguna = template("LFM2.5-8B-A1B").history
    assert (laguna.kept, laguna.keep, laguna.drop) == (False, {"preserve_thinking": True}, {})
    assert template("deepseek-ai-DeepSeek-V4").history.keep == {"drop_thinking": False}
    assert template("Qwen-Qwen3-0.6B").history.keep is None, "it cannot"
    assert template("MiniMax-M3").history.kept
