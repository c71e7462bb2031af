"""Formats by name, and the one that a template shows."""

from __future__ import annotations

import pytest

from cutaway.chat.formats.format import PLAIN
from cutaway.chat.formats.registry import by_name, choose, handwritten, named
from support import assets

CHOSEN = {
    "openai-gpt-oss-120b": "gpt-oss",
    "muse-glimmer": "muse-glimmer",
    "meetkai-functionary-medium-v3.1": "functionary-v3.1",
    "meetkai-functionary-medium-v3.2": "functionary-v3.2",
    "moonshotai-Kimi-K2": "kimi-k2",
    "Kimi-K2-Thinking": "kimi-k2",
    "Kimi-K3": "kimi-k3",
    "inclusionai-ling-3.0-flash": "ling3",
    "Cohere2MoE": "cohere2-moe",
    "CohereForAI-c4ai-command-r7b-12-2024-tool_use": "command-r7b",
    "LFM2-8B-A1B": "lfm2",
    "LFM2.5-Instruct": "lfm2",
    "GigaChat3-10B-A1.8B": "gigachat3",
    "MiniMax-M3": "minimax-m3",
    "deepseek-ai-DeepSeek-V3.2": "deepseek-v3.2",
    "deepseek-ai-DeepSeek-V4": "deepseek-v4",
    "google-gemma-4-31B-it": "gemma4",
    "openbmb-MiniCPM5-1B": "minicpm5",
    "mistralai-Ministral-3-14B-Reasoning-2512": "ministral3",
    "Mistral-Small-3.2-24B-Instruct-2506": "mistral-small3.2",
    "Qwen3-Coder": "qwen3-coder",
    "Qwen3.5-4B": "qwen3-coder",
    "upstage-Solar-Open-100B": "solar-open",
    "Apertus-8B-Instruct": "apertus",
    "ibm-granite-granite-3.3-2B-Instruct": "granite3.3",
    "meta-llama-Llama-3.1-8B-Instruct": "llama3-json",
}


@pytest.mark.parametrize("template", CHOSEN)
def test_the_template_shows_its_format(template: str) -> None:
    format = choose(assets.template(template))
    assert format is not None
    assert format.name == CHOSEN[template]


@pytest.mark.parametrize("template", ["google-gemma-2-2b-it", "microsoft-Phi-3.5-mini-instruct", "Qwen-Qwen3-0.6B"])
def test_what_can_be_derived_is_left_to_derivation(template: str) -> None:
    assert choose(assets.template(template)) is None


def test_every_format_has_a_name_of_its_own_and_is_found_by_it() -> None:
    names = [entry.name for entry in handwritten()]
    assert set(names) == set(by_name())
    for name in names:
        format = named(name)
        assert format is not None
        assert format.name == name
    assert named("plain") is PLAIN
    assert named("no such thing") is None


def test_reasoning_is_the_templates_own() -> None:
    coder, thinker = named("qwen3-coder", assets.template("Qwen3-Coder")), named("qwen3-coder", "<think> <tool_call>")
    assert coder is not None
    assert thinker is not None
    assert (coder.thinking_start, thinker.thinking_start) == ("", "<think>")


def test_a_checkpoints_suffix_is_read_off_its_template() -> None:
    format = named("hunyuan-hy3", "<think:preview> arg_key")
    assert format is not None
    assert format.calls is not None
    assert format.thinking_start == "<think:preview>"
    assert format.calls.call_open.text == "<tool_call:preview>"


def test_modes_say_a_format_in_five_words() -> None:
    modes = {name: format.modes for name in by_name() if (format := named(name)) is not None}
    assert modes["gpt-oss"].reasoning == "channels"
    assert modes["kimi-k2"].call_id == "composed"
    assert modes["cohere2-moe"].content == "wrapped"
    assert {
        modes[name].tools for name in ("hermes", "qwen3-coder", "lfm2", "gemma4", "minimax-m3", "kimi-k2", "jamba")
    } == {
        "json",
        "tags",
        "python",
        "dict",
        "tree",
        "name and json",
        "json array",
    }
