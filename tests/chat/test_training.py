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
    assert taught(seen) == ["Hello.<|im_end|>\n", "Well.<|im_end|>\n"]
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
    assert taught(seen)[-1] == "<think>\nHm.\n</think>\n\nWell.<|im_end|>\n"


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
