"""Malformed requests name the field that is wrong; odd but usable ones are read."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutaway.chat.plain import DEPTH_LIMIT, RequestError
from cutaway.chat.read import read_request

HI = {"role": "user", "content": "Hi"}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
TOOL = {"type": "function", "function": {"name": "f"}}


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"a": value}
    return value


def circle() -> Any:
    value: dict[str, Any] = {}
    value["again"] = {"inside": value}
    return value


def shared(levels: int) -> Any:
    """A small object that says a huge one."""
    value: Any = [0]
    for _ in range(levels):
        value = [value] * 100
    return value


MALFORMED: list[tuple[Any, str]] = [
    ({"messages": {}}, "messages"),
    ({"messages": "Hi"}, "messages"),
    ({"messages": [5]}, "messages[0]"),
    ({"messages": [None]}, "messages[0]"),
    ({"messages": [{"content": "Hi"}]}, "messages[0].role"),
    ({"messages": [{"role": 3, "content": "Hi"}]}, "messages[0].role"),
    ({"messages": [{"role": "", "content": "Hi"}]}, "messages[0].role"),
    ({"messages": [HI, {"role": "user"}]}, "messages[1].content"),
    ({"messages": [HI, {"role": "user", "content": 12}]}, "messages[1].content"),
    ({"messages": [HI, {"role": "user", "content": {"text": "Hi"}}]}, "messages[1].content"),
    ({"messages": [{"role": "user", "content": ["Hi"]}]}, "messages[0].content[0]"),
    ({"messages": [{"role": "user", "content": [{"text": "Hi"}]}]}, "messages[0].content[0].type"),
    ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "messages[0].content[0].text"),
    ({"messages": [{"role": "user", "content": [{"type": "text", "text": 1}]}]}, "messages[0].content[0].text"),
    ({"messages": [{**HI, "reasoning_content": []}]}, "messages[0].reasoning_content"),
    ({"messages": [{**HI, "name": 5}]}, "messages[0].name"),
    ({"messages": [{**HI, "tool_call_id": 5}]}, "messages[0].tool_call_id"),
    ({"messages": [{**HI, "tool_calls": {}}]}, "messages[0].tool_calls"),
    ({"messages": [{**HI, "tool_calls": [1]}]}, "messages[0].tool_calls[0]"),
    ({"messages": [{**HI, "tool_calls": [{"type": "function"}]}]}, "messages[0].tool_calls[0].function"),
    ({"messages": [{**HI, "tool_calls": [{**CALL, "type": "web"}]}]}, "messages[0].tool_calls[0].type"),
    ({"messages": [{**HI, "tool_calls": [{**CALL, "id": 7}]}]}, "messages[0].tool_calls[0].id"),
    (
        {"messages": [{**HI, "tool_calls": [{"function": {"arguments": "{}"}}]}]},
        "messages[0].tool_calls[0].function.name",
    ),
    (
        {"messages": [{**HI, "tool_calls": [{"function": {"name": "f"}}]}]},
        "messages[0].tool_calls[0].function.arguments",
    ),
    (
        {"messages": [{**HI, "tool_calls": [{"function": {"name": "f", "arguments": 5}}]}]},
        "messages[0].tool_calls[0].function.arguments",
    ),
    ({"messages": [{**HI, "more": circle()}]}, "messages[0].more.again.inside"),
    ({"messages": [{**HI, "more": deep(DEPTH_LIMIT + 1)}]}, "messages[0].more.a.a.a"),
    ({"messages": [{**HI, "more": shared(6)}]}, "messages[0].more[0][0][0]"),
    ({"messages": [{**HI, "more": math.nan}]}, "messages[0].more"),
    ({"messages": [{**HI, "more": 10**5000}]}, "messages[0].more"),
    ({"messages": [{**HI, "more": {1: 2}}]}, "messages[0].more"),
    ({"messages": [{**HI, "more": object()}]}, "messages[0].more"),
    ({"tools": "f"}, "tools"),
    ({"tools": [1]}, "tools[0]"),
    ({"tools": [{"function": {"name": "f"}}]}, "tools[0].type"),
    ({"tools": [{"type": "web_search"}]}, "tools[0].type"),
    ({"tools": [{"type": "function"}]}, "tools[0].function"),
    ({"tools": [{"type": "function", "function": {}}]}, "tools[0].function.name"),
    ({"tools": [{"type": "function", "function": {"name": "f", "parameters": []}}]}, "tools[0].function.parameters"),
    ({"tools": [{"type": "function", "function": {"name": "f", "description": 1}}]}, "tools[0].function.description"),
    ({"tools": [TOOL, TOOL]}, "tools[1].function.name"),
    ({"tools": [{"type": "function", "function": {"name": "f", "x": circle()}}]}, "tools[0].function.x.again.inside"),
    ({"tool_choice": "maybe"}, "tool_choice"),
    ({"tool_choice": "required"}, "tool_choice"),
    ({"tools": [TOOL], "tool_choice": {"type": "allowed_tools"}}, "tool_choice.type"),
    (
        {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "g"}}},
        "tool_choice.function.name",
    ),
    ({"parallel_tool_calls": "yes"}, "parallel_tool_calls"),
    ({"response_format": "json"}, "response_format"),
    ({"response_format": {}}, "response_format.type"),
    ({"response_format": {"type": "xml"}}, "response_format.type"),
    ({"response_format": {"type": "json_schema"}}, "response_format.json_schema"),
    ({"response_format": {"type": "json_schema", "json_schema": {}}}, "response_format.json_schema.schema"),
    ({"grammar": 5}, "grammar"),
    ({"grammar": "root ::= .", "tools": [TOOL]}, "grammar"),
    ({"grammar": "root ::= .", "response_format": {"type": "json_object"}}, "grammar"),
    ({"chat_template_kwargs": []}, "chat_template_kwargs"),
    ({"chat_template_kwargs": {"a": math.inf}}, "chat_template_kwargs.a"),
    ({"chat_template_kwargs": {"a b": {2: 3}}}, 'chat_template_kwargs["a b"]'),
    ({"add_generation_prompt": 1}, "add_generation_prompt"),
    ({"enable_thinking": "no"}, "enable_thinking"),
    ({"thinking": True}, "thinking"),
    ({"thinking": ""}, "thinking"),
    ({"reasoning_format": "deep"}, "reasoning_format"),
    ({"messages": [HI], "continue_final_message": True}, "continue_final_message"),
    ({"messages": [HI], "continue_final_message": "both"}, "continue_final_message"),
    (
        {"messages": [{"role": "assistant", "content": "", "tool_calls": [CALL]}], "continue_final_message": True},
        "continue_final_message",
    ),
    (
        {"messages": [{"role": "assistant", "content": "x"}], "continue_final_message": "reasoning_content"},
        "messages[0].reasoning_content",
    ),
    ({"profile": "kind"}, "profile"),
    ({"control_tokens": 1}, "control_tokens"),
    ({"format": []}, "format"),
    ([], ""),
    (None, ""),
]


@pytest.mark.parametrize(("body", "field"), MALFORMED, ids=[f"{i}-{field}" for i, (_, field) in enumerate(MALFORMED)])
def test_the_error_names_the_field(body: Any, field: str) -> None:
    with pytest.raises(RequestError) as raised:
        read_request(body)
    assert raised.value.field == field
    assert raised.value.message.endswith(".")


def test_what_a_client_sends_is_kept() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a":1}'}, "index": 0}
    request = read_request(
        {
            "messages": [
                {
                    "role": "user",
                    "content": [{"type": "text", "text": "a", "cache": True}],
                    "name": "Ann",
                    "mood": "good",
                },
                {"role": "assistant", "content": None, "thinking": "hm", "tool_calls": [call]},
                {"role": "tool", "content": "1", "tool_call_id": "c1"},
            ],
            "tools": [
                {"type": "function", "function": {"name": "f", "description": "d", "parameters": {}, "strict": True}}
            ],
            "tool_choice": {"type": "function", "function": {"name": "f"}},
        }
    )
    user, assistant, tool = request.messages
    assert user.extra == {"mood": "good"}
    assert user.name == "Ann"
    assert user.text == "a"
    assert isinstance(user.content, tuple)
    assert user.content[0].extra == {"cache": True}
    assert assistant.reasoning_content == "hm"
    assert assistant.reasoning_key == "thinking"
    assert assistant.tool_calls[0].arguments == '{"a":1}'
    assert assistant.tool_calls[0].extra == {"index": 0}
    assert tool.tool_call_id == "c1"
    assert request.tools[0].raw["function"]["strict"] is True
    assert (request.tool_choice.mode, request.tool_choice.name) == ("named", "f")


def test_arguments_as_an_object_are_read_and_told() -> None:
    function = {"name": "f", "arguments": {"b": 1, "a": "ä"}}
    request = read_request({"messages": [{"role": "assistant", "tool_calls": [{"function": function}]}]})
    assert request.messages[0].tool_calls[0].arguments == '{"b": 1, "a": "ä"}'
    assert [one.code for one in request.warnings] == ["arguments-as-object"]


def test_the_effort_of_the_api_is_a_wish_to_think() -> None:
    assert read_request({"reasoning_effort": "none"}).thinking == "off"
    assert read_request({"reasoning_effort": "high"}).thinking == "high"
    assert read_request({"reasoning_effort": "high", "thinking": "on"}).thinking == "on"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
KEYS = ["messages", "tools", "tool_choice", "response_format", "grammar", "chat_template_kwargs", "thinking", "format"]
INNER = ["role", "content", "tool_calls", "type", "function", "name", "arguments", "text", "parameters", "id"]


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(KEYS),
        json_values
        | st.lists(
            st.dictionaries(st.sampled_from(INNER), json_values | st.sampled_from(["user", "function"])), max_size=2
        ),
    )
)
def test_anything_is_read_or_refused_with_a_field(body: Any) -> None:
    fields = []
    try:
        read_request(body)
    except RequestError as error:
        fields.append(error.field.split(".")[0].split("[")[0])
    assert set(fields) <= set(KEYS)


def test_text_in_parts_of_other_apis_is_text() -> None:
    parts = [{"type": "input_text", "text": "a"}, {"type": "output_text", "text": "b"}, {"type": "text", "text": "c"}]
    request = read_request({"messages": [{"role": "user", "content": parts}]})
    assert request.messages[0].text == "a\nb\nc"
    assert [one.code for one in request.warnings] == ["part-as-text", "part-as-text"]
