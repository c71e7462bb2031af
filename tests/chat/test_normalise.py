"""The same conversation, said in different ways, gives the same prompt."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from cutaway.chat.read import read_request
from cutaway.chat.session import prepare
from cutaway.chat.template.error import TemplateError
from support import assets
from support.prepared import NAMES, shipped

TIME = datetime(2026, 11, 29)
HI = {"role": "user", "content": "Hi"}
ON = {"role": "user", "content": "And?"}


def prompt(name: str, messages: list[dict[str, Any]], **more: Any) -> str:
    request = read_request({"messages": messages, **more})
    try:
        return prepare(request, shipped(name), now=TIME, bos_token="<s>", eos_token="</s>").prompt.text
    except TemplateError as error:
        return f"refused: {error.message}"


@pytest.mark.parametrize("name", [name for name in NAMES if "reasoning_content" in assets.template(name)])
def test_reasoning_inside_the_content_or_beside_it(name: str) -> None:
    inside = {"role": "assistant", "content": "<think>\nHm.\n</think>\n\nYo."}
    beside = {"role": "assistant", "content": "Yo.", "reasoning_content": "Hm."}
    for after in ([], [ON]):
        assert prompt(name, [HI, inside, *after]) == prompt(name, [HI, beside, *after])


@pytest.mark.parametrize("name", NAMES)
def test_reasoning_under_any_of_its_names(name: str) -> None:
    given = [
        prompt(name, [HI, {"role": "assistant", "content": "Yo.", key: "Hm."}, ON]) for key in ("reasoning", "thinking")
    ]
    assert given[0] == given[1]


@pytest.mark.parametrize("name", NAMES)
def test_text_as_a_string_or_as_one_part(name: str) -> None:
    part = {"role": "user", "content": [{"type": "text", "text": "Hi"}]}
    assert prompt(name, [HI]) == prompt(name, [part])


@pytest.mark.parametrize("name", NAMES)
def test_arguments_as_text_or_as_an_object(name: str) -> None:
    def messages(arguments: Any) -> list[dict[str, Any]]:
        call = {"id": "abcdefghi", "type": "function", "function": {"name": "f", "arguments": arguments}}
        result = {"role": "tool", "content": "1", "tool_call_id": "abcdefghi", "name": "f"}
        return [HI, {"role": "assistant", "content": "", "tool_calls": [call]}, result]

    assert prompt(name, messages('{"b": 1, "a": "ä"}')) == prompt(name, messages({"b": 1, "a": "ä"}))


@pytest.mark.parametrize("name", NAMES)
def test_no_tools_in_every_way_of_saying_so(name: str) -> None:
    assert prompt(name, [HI]) == prompt(name, [HI], tools=[]) == prompt(name, [HI], tools=None)


@pytest.mark.parametrize("name", NAMES)
def test_a_result_named_by_its_id_or_by_its_name(name: str) -> None:
    call = {"id": "abcdefghi", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    said = {"role": "assistant", "content": "", "tool_calls": [call]}
    bound = {"role": "tool", "content": "1", "tool_call_id": "abcdefghi"}
    assert prompt(name, [HI, said, bound]) == prompt(name, [HI, said, {**bound, "name": "look"}])
