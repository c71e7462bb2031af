"""A final message goes on exactly where it stopped, whatever the template would do with it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from cutaway.chat.demands import short_id
from cutaway.chat.read import read_request
from cutaway.chat.session import Prepared, prepare
from support.prepared import NAMES, prepared, shipped, shipped_format

TIME = datetime(2026, 11, 29)
ASKED: dict[str, Any] = {"role": "user", "content": "How high?"}


def goes_on(name: str, *messages: dict[str, Any], wish: bool | str = True) -> Prepared:
    request = read_request({"messages": [*messages], "continue_final_message": wish})
    return prepare(request, shipped(name), now=TIME, bos_token="<s>", format=shipped_format(name).format)


def assistant(content: str, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **more}


@pytest.mark.parametrize("name", NAMES)
def test_the_last_blank_is_kept(name: str) -> None:
    found = goes_on(name, ASKED, assistant("It is \n\n"))
    assert found.prompt.text.endswith("It is \n\n")
    assert found.continued_text == "It is \n\n"


@pytest.mark.parametrize("name", NAMES)
def test_thinking_inside_the_content_is_not_lost(name: str) -> None:
    found = goes_on(name, ASKED, assistant("<think>\neasy\n</think>\n\nSix "))
    assert "easy" in found.prompt.generation_prompt
    assert found.prompt.text.endswith("Six ")


@pytest.mark.parametrize("name", ["deepseek-ai-DeepSeek-R1-Distill-Qwen-32B", "llama-cpp-deepseek-r1"])
def test_thinking_that_the_template_would_cut_stands_between_its_own_tags(name: str) -> None:
    """Nothing is cut, and the opener, which the prompt leaves already, is not written twice."""
    found = goes_on(name, ASKED, assistant("<think>\neasy\n</think>\n\nSix "))
    assert found.prompt.generation_prompt == "<｜Assistant｜><think>\neasy\n</think>\n\nSix "
    assert (found.continued_reasoning, found.continued_text) == ("easy", "Six ")
    assert [
        span.text for span in found.prompt.spans if span.text.strip() in ("<think>", "</think>") and span.is_input
    ] == []


def test_what_a_template_demands_of_the_messages_before_is_repaired_here_too() -> None:
    call = {"id": "functions.f:0", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    result = {"role": "tool", "tool_call_id": "functions.f:0", "content": "6"}
    found = goes_on(
        "mistralai-Mistral-Nemo-Instruct-2407", ASKED, assistant("", tool_calls=[call]), result, assistant("Si")
    )
    assert found.prompt.text.endswith("Si")
    assert found.prompt.text.count(short_id("functions.f:0")) == 2
    joined = goes_on("google-gemma-2-2b-it", ASKED, ASKED, assistant("Si"))
    assert joined.prompt.text.endswith("<start_of_turn>model\nSi")
    assert [one.code for one in joined.warnings] == ["messages-joined"]


@pytest.mark.parametrize(
    ("name", "opener"),
    [
        ("Qwen-Qwen3-0.6B", "<|im_start|>assistant\n"),
        ("ByteDance-Seed-OSS", "<seed:bos>assistant\n"),
        ("meta-llama-Llama-3.1-8B-Instruct", "<|start_header_id|>assistant<|end_header_id|>\n\n"),
    ],
)
def test_a_message_with_nothing_before_it(name: str, opener: str) -> None:
    assert goes_on(name, assistant("Si")).prompt.generation_prompt.startswith(opener)
    assert goes_on(name, assistant("Si")).prompt.text.endswith("Si")


def test_a_template_that_wants_a_question_says_so() -> None:
    source = "{% if not messages or messages[0].role != 'user' %}{{ raise_exception('Ask first') }}{% endif %}"
    request = read_request({"messages": [assistant("Si")], "continue_final_message": True})
    with pytest.raises(Exception, match="Ask first"):
        prepare(request, prepared(source), now=TIME)
