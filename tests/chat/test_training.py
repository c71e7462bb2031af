"""A conversation as training data, beside the prompt that it was answered from."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from cutaway.chat.read import read_request
from cutaway.chat.template.sources import given
from cutaway.chat.training import TrainingView, training_view
from support import assets
from support.prepared import prepared

TIME = datetime(2026, 11, 29)
TALK = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello."},
    {"role": "user", "content": "And?"},
    {"role": "assistant", "content": "Well."},
]


def view(source: str, messages: list[dict[str, Any]] = TALK, bos: str = "") -> TrainingView | None:
    template = prepared(given(source).default.text)
    return training_view(read_request({"messages": messages}), template, now=TIME, bos_token=bos)


def taught(seen: TrainingView) -> list[str]:
    return [seen.text[start:end] for start, end in seen.assistant_spans]


def test_what_the_assistant_is_to_write_by_provenance() -> None:
    seen = view("chatml")
    assert seen is not None
    assert taught(seen) == ["Hello.<|im_end|>", "Well.<|im_end|>"]
    assert seen.found_by == "provenance"
    assert seen.first_difference is None


def test_generation_blocks_say_it_themselves() -> None:
    source = (
        "{% for m in messages %}<{{ m.role }}>{% if m.role == 'assistant' %}{% generation %}{{ m.content }}</s>"
        "{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}"
    )
    seen = view(source)
    assert seen is not None
    assert taught(seen) == ["Hello.</s>", "Well.</s>"]
    assert seen.found_by == "generation blocks"


def test_reasoning_and_its_tags_are_part_of_what_is_learned() -> None:
    messages = [*TALK[:4], {"role": "assistant", "content": "Well.", "reasoning_content": "Hm."}]
    seen = view(assets.template("Qwen-Qwen3-0.6B"), messages)
    assert seen is not None
    assert taught(seen)[-1] == "<think>\nHm.\n</think>\n\nWell.<|im_end|>"


def test_an_opener_that_the_prompt_has_written_is_not_learned() -> None:
    messages = [*TALK[:4], {"role": "assistant", "content": "Well.", "reasoning_content": "Hm."}]
    seen = view(assets.template("Qwen3.5-4B"), messages)
    assert seen is not None
    assert taught(seen)[-1] == "Hm.\n</think>\n\nWell.<|im_end|>"
    assert seen.inference_prefix == seen.text[: seen.assistant_spans[-1][0]]


def test_the_first_difference_from_the_prompt() -> None:
    """DeepSeek's distillates open the reasoning in the prompt, and leave it out of past messages."""
    seen = view(assets.template("deepseek-ai-DeepSeek-R1-Distill-Llama-8B"))
    assert seen is not None
    assert seen.first_difference is not None
    assert seen.inference_prefix[seen.first_difference :] == "<think>\n"


def test_two_beginnings() -> None:
    seen = view("{{ bos_token }}<s>{% for m in messages %}{{ m.content }}{% endfor %}", bos="<s>")
    assert seen is not None
    assert [one.code for one in seen.warnings] == ["double-bos"]


def test_only_what_the_assistant_ends() -> None:
    assert view("chatml", TALK[:4]) is None


@pytest.mark.parametrize("path", assets.templates(), ids=lambda path: path.stem)
def test_spans_lie_in_the_text_and_hold_the_answers(path: Any) -> None:
    seen = view(path.read_text(encoding="utf-8"), TALK[1:])
    assert seen is not None
    assert all(0 <= start < end <= len(seen.text) for start, end in seen.assistant_spans)
    assert all(one[1] <= other[0] for one, other in zip(seen.assistant_spans, seen.assistant_spans[1:], strict=False))
    if seen.found_by == "provenance":
        assert ["Hello." in taught(seen)[0], "Well." in taught(seen)[-1]] == [True, True]
    assert not any("And?" in one for one in taught(seen))


def call(identity: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


WORK: list[dict[str, Any]] = [
    {"role": "user", "content": "ask ⴰ"},
    {"role": "assistant", "content": "", "tool_calls": [call("abcdefgh1", "look", '{"at": "sea"}')]},
    {"role": "tool", "tool_call_id": "abcdefgh1", "content": "seen ⴰ"},
    {"role": "assistant", "content": "Six."},
    {"role": "user", "content": "more ⴰ"},
    {"role": "assistant", "content": "Seven."},
]

TURNS = [
    ("Qwen-Qwen3-0.6B", '<tool_call>\n{"name": "look", "arguments": {"at": "sea"}}\n</tool_call><|im_end|>'),
    ("Qwen3-Coder", "<tool_call>\n<function=look>\n<parameter=at>\nsea\n</parameter>\n</function>\n</tool_call><|im_end|>"),
    ("openai-gpt-oss-120b", ' to=functions.look<|channel|>commentary json<|message|>{"at": "sea"}<|call|>'),
    ("mistralai-Mistral-Nemo-Instruct-2407",
     '[TOOL_CALLS][{"name": "look", "arguments": {"at": "sea"}, "id": "abcdefgh1"}]'),
    ("Kimi-K2-Instruct",
     '<|tool_calls_section_begin|><|tool_call_begin|>functions.look:0<|tool_call_argument_begin|>{"at": "sea"}'
     "<|tool_call_end|><|tool_calls_section_end|><|im_end|>"),
    ("google-gemma-4-31B-it-interleaved", '<|tool_call>call:look{at:<|"|>sea<|"|>}<tool_call|>'),
    ("CohereForAI-c4ai-command-r7b-12-2024-tool_use",
     '<|START_THINKING|><|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "look", '
     '"parameters": {"at": "sea"}}\n]<|END_ACTION|><|END_OF_TURN_TOKEN|>'),
]  # fmt: skip


@pytest.mark.parametrize(("name", "turn"), TURNS)
def test_a_turn_of_calls_is_learned_with_its_markers_and_its_end(name: str, turn: str) -> None:
    seen = view(assets.template(name), WORK, bos="<s>")
    assert seen is not None
    assert taught(seen)[0] == turn


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        ("openai-gpt-oss-120b", ["<|channel|>final<|message|>Six.<|end|>", "<|channel|>final<|message|>Seven.<|return|>"]),
        ("microsoft-Phi-3.5-mini-instruct", ["Six.<|end|>", "Seven.<|end|>"]),
        ("fireworks-ai-llama-3-firefunction-v2", ["Six.<|eot_id|>", "Seven.<|eot_id|>"]),
        ("CohereForAI-c4ai-command-r-plus-tool_use", ["Six.<|END_OF_TURN_TOKEN|>", "Seven.<|END_OF_TURN_TOKEN|>"]),
        ("mistralai-Mistral-Nemo-Instruct-2407", ["Six.</s>", "Seven.</s>"]),
        ("GLM-4.6", ["\n<think></think>\nSix.", "\n<think></think>\nSeven."]),
    ],
)  # fmt: skip
def test_a_turn_ends_where_the_next_begins(name: str, turns: list[str]) -> None:
    """However the template ends the last turn, and although some open the next in any case."""
    request = read_request({"messages": [WORK[0], WORK[3], WORK[4], WORK[5]]})
    seen = training_view(
        request, prepared(assets.template(name)), now=TIME, eos_token="</s>" if "istral" in name else ""
    )
    assert seen is not None
    assert taught(seen) == turns


@pytest.mark.parametrize("path", assets.templates(), ids=lambda path: path.stem)
def test_what_others_wrote_is_never_learned(path: Any) -> None:
    source = path.read_text(encoding="utf-8")
    seen = view(source, WORK) or view(source, [WORK[0], *WORK[3:]])
    assert seen is not None
    learned = "".join(taught(seen))
    assert "ⴰ" not in learned
    assert "Six." in learned
    assert "Seven." in learned
    if seen.found_by == "provenance" and '"sea"' in seen.text:
        assert '"sea"' in learned
