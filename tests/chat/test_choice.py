"""Which format is taken: the named, the hand-written, the derived; and what is said where there is none."""

from __future__ import annotations

import pytest

from cutaway.chat.choice import find_format, format_named, verify_formats
from cutaway.chat.message import Message, Request, Tool, ToolChoice
from cutaway.chat.plain import RequestError
from cutaway.chat.session import Prepared, expect, prepare
from support.prepared import DAY, prepared, shipped

DERIVED = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}"
    "{% for c in m.tool_calls or [] %}<call>{{ c.function | tojson }}</call>{% endfor %}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
SILENT = "{% for m in messages %}<|{{ m.role }}|>{{ m.content or '' }}<|end|>{% endfor %}"


def test_a_family_that_is_known_is_read_by_its_hand_written_format() -> None:
    found = find_format(shipped("openai-gpt-oss-120b"), now=DAY)
    assert (found.origin, found.format.name) == ("hand-written", "gpt-oss")


def test_a_template_of_no_known_family_is_derived() -> None:
    found = find_format(prepared(DERIVED), now=DAY)
    assert (found.origin, found.format.name) == ("derived", "derived")
    assert found.derived.evidence


def test_a_hand_written_format_gives_way_to_what_the_template_writes() -> None:
    source = DERIVED.replace("<call>", "[TOOL_CALLS]<call>") + "{# [SYSTEM_PROMPT] [ARGS] #}"
    assert find_format(prepared(source), now=DAY).origin == "derived"


def test_a_format_can_be_asked_for_by_name() -> None:
    assert format_named("kimi-k2", prepared(DERIVED)).name == "kimi-k2"
    with pytest.raises(RequestError, match="no format 'klingon'"):
        format_named("klingon", prepared(DERIVED))


def _asked(source: str, choice: ToolChoice) -> Prepared:
    tool = Tool("ping", raw={"type": "function", "function": {"name": "ping", "parameters": {}}})
    request = Request(messages=(Message("user", "Hello"),), tools=(tool,), tool_choice=choice)
    template = prepared(source)
    return expect(prepare(request, template, now=DAY), find_format(template, now=DAY).format)


def test_where_tools_are_off_the_cause_and_the_ways_out_are_said() -> None:
    warning = next(one for one in _asked(SILENT, ToolChoice()).warnings if one.code == "tools-off")
    assert "writes nothing of a tool call" in warning.message
    for way in ("format by name", "simpler template", "plain text"):
        assert way in warning.message


def test_nothing_is_said_of_tools_that_nobody_may_call() -> None:
    assert not [one for one in _asked(SILENT, ToolChoice("none")).warnings if one.code == "tools-off"]
    assert not [one for one in _asked(DERIVED, ToolChoice()).warnings if one.code == "tools-off"]


def test_of_two_formats_the_one_that_passes_is_used_and_the_other_is_shown() -> None:
    verified = verify_formats(shipped("Kimi-K3"), now=DAY)
    assert (verified.chosen.origin, verified.chosen.verification.failed) == ("hand-written", 0)
    assert [other.origin for other in verified.others] == ["derived"]
    assert "the derived format reads otherwise" in verified.disagreements[0]


def test_a_published_format_that_fails_is_shown_not_used() -> None:
    published = format_named("kimi-k2", prepared(DERIVED))
    verified = verify_formats(prepared(DERIVED), now=DAY, published=(published,))
    assert verified.chosen.origin == "derived"
    assert any("kimi-k2 reads otherwise" in sentence for sentence in verified.disagreements)


def test_what_stands_in_the_way_of_deriving_is_said() -> None:
    source = (
        "{% macro odd(x) %}{{ x }}{% endmacro %}{{ strftime_now('%Y') }}{{ documents }}"
        "{% for m in messages %}{{ m.content or '' }}"
        "{% for c in m.tool_calls or [] %}{{ odd(c.function.name) }}{{ c.function.name }}{% endfor %}{% endfor %}"
    )
    note = find_format(prepared(source), now=DAY).format.notes[0]
    for cause in ("1 macro", "documents", "the time"):
        assert cause in note
