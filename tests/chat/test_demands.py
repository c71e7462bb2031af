"""Repairs that a template demands, and the ids that some take only in one form."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from cutaway.chat.demands import short_id
from cutaway.chat.read import read_request
from cutaway.chat.session import prepare
from cutaway.chat.template.error import TemplateError
from support import assets
from support.prepared import prepared, shipped

TIME = datetime(2026, 11, 29)


def call(identity: str, name: str = "f") -> dict[str, Any]:
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": "{}"}}


def test_a_short_id_depends_on_the_long_one_only() -> None:
    ids = [f"call_0123456789abcdef{i}" for i in range(1000)]
    short = [short_id(one) for one in ids]
    assert len(set(short)) == 1000
    assert all(len(one) == 9 and one.isalnum() and one.isascii() for one in short)
    assert short == [short_id(one) for one in ids]


def test_a_call_and_its_result_carry_the_same_nine_characters() -> None:
    source = assets.template("Mistral-Small-3.2-24B-Instruct-2506")
    first, second = "call_123456789_a", "call_123456789_b"
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "tool_calls": [call(first), call(second)]},
        {"role": "tool", "tool_call_id": first, "content": "one"},
        {"role": "tool", "tool_call_id": second, "content": "two"},
    ]
    text = prepare(read_request({"messages": messages}), prepared(source), now=TIME).prompt.text
    for identity in (first, second):
        assert text.count(short_id(identity)) == 2
        assert identity not in text


def test_missing_ids_are_made_the_same_for_call_and_result() -> None:
    source = (
        "{% for m in messages %}{% for c in m.tool_calls or [] %}{% if c.id | length != 9 %}"
        "{{ raise_exception('nine') }}{% endif %}[{{ c.id }}]{% endfor %}{% if m.role == 'tool' %}({{ m.tool_call_id }})"
        "{% endif %}{% endfor %}"
    )
    function = {"type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages = [{"role": "assistant", "content": "", "tool_calls": [function]}, {"role": "tool", "content": "one"}]
    found = prepare(read_request({"messages": messages}), prepared(source), now=TIME)
    text = found.prompt.text
    assert text[1:10] == text[12:21]
    assert [one.code for one in found.warnings if "id" in one.code] == ["call-id-made", "call-id-made"]


def test_a_repair_that_is_not_needed_is_not_made() -> None:
    """Speakers are joined, as Mistral's template demands; the ids, which it takes, stay."""
    messages = [
        {"role": "user", "content": "one"},
        {"role": "user", "content": "two"},
        {"role": "assistant", "content": "", "tool_calls": [call("abcdefghi")]},
        {"role": "tool", "tool_call_id": "abcdefghi", "content": "x"},
    ]
    found = prepare(read_request({"messages": messages}), shipped("mistralai-Mistral-Nemo-Instruct-2407"), now=TIME)
    assert [one.code for one in found.warnings] == ["messages-joined"]
    assert "abcdefghi" in found.prompt.text


def test_the_first_refusal_stands_where_nothing_helps() -> None:
    source = "{% if messages[0].role != 'user' %}{{ raise_exception('The user begins') }}{% endif %}"
    messages = [{"role": "assistant", "content": "one"}, {"role": "assistant", "content": "two"}]
    with pytest.raises(TemplateError, match="The user begins"):
        prepare(read_request({"messages": messages}), prepared(source), now=TIME)


def test_a_repair_says_what_the_template_had_refused() -> None:
    messages = [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}]
    (warning,) = prepare(read_request({"messages": messages}), shipped("google-gemma-2-2b-it"), now=TIME).warnings
    assert "alternate" in warning.message


BARE = {"type": "function", "function": {"name": "f"}}


def test_a_tool_without_parameters_is_shown_as_it_is() -> None:
    for name in ("Qwen-Qwen3-0.6B", "GLM-4.6", "meta-llama-Llama-3.1-8B-Instruct"):
        request = read_request({"messages": [{"role": "user", "content": "go"}], "tools": [BARE]})
        found = prepare(request, shipped(name), now=TIME)
        assert "parameters" not in found.prompt.text.partition('"name": "f"')[2].partition("}")[0]
        assert found.warnings == ()


def test_a_template_that_walks_through_the_parameters_gets_some_and_nothing_else_is_changed() -> None:
    """Two repairs are needed here; the two users stay two."""
    source = (
        "{% for t in tools %}{{ t.function.name + t.function.description + '.' }}"
        "{{ t.function.parameters.properties | length }}"
        "{% endfor %}{% for m in messages %}<{{ m.content }}>{% endfor %}"
    )
    users = [{"role": "user", "content": "one"}, {"role": "user", "content": "two"}]
    found = prepare(read_request({"messages": users, "tools": [BARE]}), prepared(source), now=TIME)
    assert found.prompt.text == "f.0<one><two>"
    assert [one.code for one in found.warnings] == ["tool-without-parameters", "description-added"]
