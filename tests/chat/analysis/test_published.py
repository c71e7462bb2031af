"""Response templates, as the makers of models ship them, become formats or are refused with a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from cutaway.chat.analysis.published import PublishedError, published_format
from cutaway.chat.choice import verify_formats
from support.formats import describe
from support.prepared import DAY, shipped

FUNCTION = {"type": "function", "function": "{content}"}
NAMED = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}


def template(**fields: Any) -> dict[str, Any]:
    return {"start_anchor": "<|im_start|>assistant\n", "fields": fields}


THINKING = {"open": "<think>", "close": "</think>", "content": "text"}
ANSWER = {"close": "<|im_end|>", "content": "text"}
JSON_CALLS = {
    "open": "<tool_call>",
    "close": "</tool_call>",
    "repeats": True,
    "content": "json",
    "transform": FUNCTION,
}


def test_json_calls_between_tags() -> None:
    found = published_format(template(thinking=THINKING, tool_calls=JSON_CALLS, content=ANSWER))
    assert describe(found) == (
        "reasoning '<think>…</think>'; object of , call '<tool_call>…</tool_call>', between ''; ends <|im_end|>"
    )


def test_an_array_with_keys_of_its_own() -> None:
    calls = {
        "open": "<|START_ACTION|>",
        "close": "<|END_ACTION|>",
        "content": "json",
        "transform_each": True,
        "transform": {"type": "function", "function": {"name": "{tool_name}", "arguments": "{parameters}"}},
    }
    found = published_format(template(tool_calls=calls)).calls
    assert found is not None
    assert (found.array, found.section_open.text) == (True, "<|START_ACTION|>")
    assert (found.body.name_key, found.body.arguments_key) == ("tool_name", "parameters")  # type: ignore[union-attr]


def test_a_name_in_the_pattern_of_the_opener() -> None:
    calls = {
        "open_pattern": r"\[TOOL_CALLS\](?P<name>[^\[]+)\[ARGS\]",
        "repeats": True,
        "content": "json",
        "transform": NAMED,
    }
    assert describe(published_format(template(tool_calls=calls))).startswith("'NAME[ARGS]JSON', call '[TOOL_CALLS]…'")


def test_arguments_in_tags() -> None:
    calls = {
        "open_pattern": r"<tool_call>\s*<function=(?P<name>\w+)>",
        "close": "</tool_call>",
        "repeats": True,
        "content": "xml-inline",
        "content_args": {"tag_pattern": r"<parameter=(?P<key>\w+)>\s*(?P<value>.*?)\s*</parameter>"},
        "transform": NAMED,
    }
    assert describe(published_format(template(tool_calls=calls))).startswith(
        "'<function=NAME>(<parameter=KEY>VALUE</parameter>)', call '<tool_call>…</tool_call>'"
    )


@pytest.mark.parametrize(
    "broken",
    [
        None,
        [],
        {"fields": []},
        template(thinking="x"),
        template(thinking={"open": "<think>"}),
        template(thinking={"open": 3, "close": "x"}),
        template(tool_calls={"open": "<c>", "content": "kv-lines"}),
        template(tool_calls={"open_pattern": "<(a|b)>(?P<name>x)", "content": "json"}),
        template(tool_calls={"open_pattern": "<c>", "content": "json"}),
        template(tool_calls={"open_pattern": "(?P<name>\\w+)", "content": "xml-inline", "content_args": 1}),
    ],
)
def test_what_cannot_be_said_is_refused(broken: object) -> None:
    with pytest.raises(PublishedError, match=r"\.$"):
        published_format(broken)


def test_a_published_format_is_checked_against_the_derived_one() -> None:
    right = published_format(template(thinking=THINKING, tool_calls=JSON_CALLS, content=ANSWER))
    wrong = published_format(template(thinking=THINKING, tool_calls={**JSON_CALLS, "open": "<call>"}, content=ANSWER))
    verified = verify_formats(shipped("Qwen-Qwen3-0.6B"), now=DAY, published=(right, wrong))
    assert verified.chosen.origin == "derived"
    assert [other.verification.failed > 0 for other in verified.others] == [False, True]
    assert any("response-template reads otherwise" in sentence for sentence in verified.disagreements)
