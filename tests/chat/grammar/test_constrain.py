"""What the sampler gets for a request: the grammar, when it wakes, and what is refused."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from cutaway.chat.formats.format import (
    CallId,
    Calls,
    DictCall,
    Format,
    JsonCall,
    Marker,
    NamedCall,
    PythonCall,
    Reasoning,
    TaggedCall,
    Wrapper,
)
from cutaway.chat.grammar.accept import accepts
from cutaway.chat.grammar.constrain import Constraint, ConstraintError, constrain
from cutaway.chat.message import Request, Tool, ToolChoice
from support.sampling import sample

TIDES = Tool(
    "lookup_tide",
    "Tide table",
    {
        "type": "object",
        "properties": {"port": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["m", "ft"]}},
        "required": ["port"],
    },
)
PING = Tool("ping")
THINK = Reasoning(Marker("<think>"), Marker("</think>"))
TAGS = (Marker("<tool_call>"), Marker("</tool_call>"))
HERMES = Format("hermes", THINK, calls=Calls(JsonCall(), call_open=TAGS[0], call_close=TAGS[1]))
CODER = Format(
    "coder",
    THINK,
    calls=Calls(
        TaggedCall("<function=", ">\n", "<parameter=", ">\n", "", "\n</parameter>\n", "</function>\n"),
        call_open=TAGS[0],
        call_close=TAGS[1],
    ),
)
NEMO = Format(
    "nemo",
    calls=Calls(
        JsonCall(id_key="id", order=("name", "arguments", "id")),
        section_open=Marker("[TOOL_CALLS]"),
        array=True,
        separator=",",
        id=CallId("nine", "in_json"),
    ),
)
KIMI = Format(
    "kimi",
    calls=Calls(
        NamedCall("functions.", "<|arg|>"),
        section_open=Marker("<|calls|>"),
        section_close=Marker("<|/calls|>"),
        call_open=Marker("<|call|>"),
        call_close=Marker("<|/call|>"),
        id=CallId("composed", "in_name", ":"),
    ),
)
LFM = Format("lfm", calls=Calls(PythonCall(), Marker("<|start|>"), Marker("<|end|>"), separator=", "))
GEMMA = Format("gemma", calls=Calls(DictCall(), call_open=Marker("<|tool_call>"), call_close=Marker("<tool_call|>")))
BARE = Format("bare", calls=Calls(JsonCall(arguments_key="parameters")))
FORMATS = [HERMES, CODER, NEMO, KIMI, LFM, GEMMA, BARE]


def demanded(format: Format, mode: Any = "required", **more: Any) -> Constraint:
    made = constrain(Request(tools=(TIDES, PING), tool_choice=ToolChoice(mode), **more), format)
    assert made is not None
    return made


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
@pytest.mark.parametrize("mode", ["auto", "required"])
def test_its_own_samples_are_accepted(format: Format, mode: str) -> None:
    made = demanded(format, mode)
    seed = random.Random(format.name + mode)
    for _ in range(40):
        assert accepts(made.grammar, sample(made.grammar, seed))


@pytest.mark.parametrize(
    ("format", "text"),
    [
        (HERMES, '<tool_call>\n{"name": "lookup_tide", "arguments": {"days": 2, "port": "Brest"}}\n</tool_call>'),
        (HERMES, '<think>\na < b, </thin\n</think>\n\n<tool_call>{"name":"ping","arguments":{}}</tool_call>'),
        (
            CODER,
            "<tool_call>\n<function=lookup_tide>\n<parameter=port>\nÎle </param> d'Yeu\n</parameter>\n</function>\n</tool_call>",
        ),
        (
            CODER,
            "<tool_call>\n<function=ping>\n</function>\n</tool_call>\n<tool_call>\n<function=ping>\n</function>\n</tool_call>",
        ),
        (
            NEMO,
            '[TOOL_CALLS][{"name": "ping", "arguments": {}, "id": "a1b2c3d4e"}, {"name": "ping", "arguments": {}, "id": "a1b2c3d4f"}]',
        ),
        (KIMI, '<|calls|><|call|>functions.lookup_tide:0<|arg|>{"port": "x"}<|/call|><|/calls|>'),
        (LFM, "<|start|>[lookup_tide(port='Brest', days=2), ping()]<|end|>"),
        (GEMMA, '<|tool_call>call:lookup_tide{port:<|"|>Br"est<|"|>,days:2}<tool_call|>'),
        (BARE, '{"name": "lookup_tide", "parameters": {"unit": "ft", "port": ""}}'),
    ],
    ids=lambda value: value.name if isinstance(value, Format) else "",
)
def test_calls_as_their_templates_write_them(format: Format, text: str) -> None:
    assert accepts(demanded(format).grammar, text)


@pytest.mark.parametrize(
    "text",
    [
        "I would rather talk.",
        'First I talk. <tool_call>{"name": "ping", "arguments": {}}</tool_call>',
        '<tool_call>{"name": "unknown", "arguments": {}}</tool_call>',
        '<tool_call>{"name": "lookup_tide", "arguments": {}}</tool_call>',
        '<tool_call>{"name": "lookup_tide", "arguments": {"port": 3}}</tool_call>',
        '<tool_call>{"name": "lookup_tide", "arguments": {"port": "x", "unit": "mile"}}</tool_call>',
        '<tool_call>{"name": "lookup_tide", "arguments": {"port": "x", "port": "y"}}</tool_call>',
        '<tool_call>{"name": "ping", "arguments": {}}</tool_call> Done.',
    ],
)
def test_what_was_not_asked_for_is_not_accepted(text: str) -> None:
    assert not accepts(demanded(HERMES).grammar, text)


def test_one_named_tool_leaves_no_other() -> None:
    made = constrain(Request(tools=(TIDES, PING), tool_choice=ToolChoice("named", "ping")), HERMES)
    assert made is not None
    assert accepts(made.grammar, '<tool_call>{"name": "ping", "arguments": {}}</tool_call>')
    assert not accepts(made.grammar, '<tool_call>{"name": "lookup_tide", "arguments": {"port": "x"}}</tool_call>')


def test_single_calls_where_parallel_ones_are_not_wanted() -> None:
    call = '<tool_call>{"name": "ping", "arguments": {}}</tool_call>'
    assert accepts(demanded(HERMES).grammar, call + call)
    assert not accepts(demanded(HERMES, parallel_tool_calls=False).grammar, call + call)


@pytest.mark.parametrize(
    ("start", "text", "fits"),
    [
        ("open", "so </think>\n\n<tool_call>", True),
        ("open", "<tool_call>", False),
        ("closed", "<tool_call>", True),
        ("closed", "<think>", True),  # after a closed block the model only speaks: `<think>` would be text
        ("none", "<think>so</think><tool_call>", True),
        ("none", "<tool_call>", True),
    ],
)
def test_the_grammar_begins_where_the_prompt_ends(start: Any, text: str, fits: bool) -> None:
    made = constrain(Request(tools=(PING,), tool_choice=ToolChoice("required")), HERMES, start)
    assert made is not None
    whole = text + '{"name": "ping", "arguments": {}}</tool_call>'
    expected = fits and "<tool_call>" in text
    assert accepts(made.grammar, whole) == expected


def test_lazy_grammars_wait_for_the_opener() -> None:
    made = demanded(HERMES, "auto")
    assert made.lazy
    assert made.triggers == (("word", "<tool_call>"),)
    assert "<think>" in made.preserved


@pytest.mark.parametrize(
    ("text", "wakes"),
    [
        ('{"name": "ping"', True),
        ('  {\n "name" : "x"', True),
        ("A set {x} is", False),
        ('Example: {"name": 1}', False),
        ('{"a": "name"}', False),
    ],
)
def test_bare_calls_wake_it_at_the_start_only(text: str, wakes: bool) -> None:
    ((kind, pattern),) = demanded(BARE, "auto").triggers
    assert kind == "pattern"
    assert bool(re.search(pattern, text)) == wakes


def test_names_that_look_alike_have_rules_of_their_own() -> None:
    tools = (Tool("foo.bar"), Tool("foo-bar"), Tool("foo_bar"))
    made = constrain(Request(tools=tools, tool_choice=ToolChoice("required")), HERMES)
    assert made is not None
    for tool in tools:
        assert accepts(made.grammar, f'<tool_call>{{"name": "{tool.name}", "arguments": {{}}}}</tool_call>')


def test_many_tools_grow_the_grammar_no_faster_than_their_number() -> None:
    def size(count: int) -> int:
        properties = {key: {"type": "string"} for key in "abcde"}
        tools = tuple(Tool(f"tool{index}", "", {"type": "object", "properties": properties}) for index in range(count))
        made = constrain(Request(tools=tools), HERMES)
        assert made is not None
        return len(made.text)

    assert size(500) < 6 * size(100)


def test_a_response_format_is_followed_with_reasoning_before_it() -> None:
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    made = constrain(Request(response_format=wanted), HERMES)
    assert made is not None
    assert not made.lazy
    assert accepts(made.grammar, '<think>hm</think>\n{"ok": true}')
    assert not accepts(made.grammar, '{"ok": 1}')
    assert {entry.keyword for entry in made.coverage["response_format"]} >= {"type", "properties", "required"}


def test_an_end_that_is_a_token_is_not_spelled() -> None:
    wanted = {"type": "json_object"}
    format = replace(HERMES, ends=("<|end|>",))
    spelled = constrain(Request(response_format=wanted), format)
    left = constrain(Request(response_format=wanted), format, end_tokens=("<|end|>",))
    assert spelled is not None
    assert left is not None
    assert accepts(spelled.grammar, "{}<|end|>")
    assert accepts(left.grammar, "{}")
    assert not accepts(left.grammar, "{}<|end|>")


def test_tools_or_an_answer_of_the_schema() -> None:
    wanted = {"type": "json_schema", "json_schema": {"schema": {"type": "array", "items": {"type": "integer"}}}}
    made = constrain(Request(tools=(PING,), response_format=wanted), HERMES)
    assert made is not None
    assert accepts(made.grammar, "[1, 2]")
    assert accepts(made.grammar, '<tool_call>{"name": "ping", "arguments": {}}</tool_call>')
    assert not accepts(made.grammar, "Hello")


def test_an_answer_stands_in_its_wrapper() -> None:
    format = Format("wrapped", content=(Wrapper(Marker("<response>"), Marker("</response>")),))
    made = constrain(Request(response_format={"type": "json_object"}), format)
    assert made is not None
    assert accepts(made.grammar, '<response>{"a": 1}</response>')


@pytest.mark.parametrize(
    ("request_", "format", "said"),
    [
        (Request(tools=(PING,), grammar='root ::= "x"'), HERMES, "cannot be enforced together"),
        (
            Request(response_format={"type": "json_object"}, grammar='root ::= "x"'),
            HERMES,
            "cannot be enforced together",
        ),
        (Request(grammar="root ::= x"), HERMES, "not defined"),
        (Request(tool_choice=ToolChoice("required")), HERMES, "no tools were given"),
        (Request(tools=(PING,), tool_choice=ToolChoice("named", "pong")), HERMES, "'pong'"),
        (Request(tools=(PING,), tool_choice=ToolChoice("required")), Format("plain"), "not known"),
        (Request(response_format={"type": "xml"}), HERMES, "'xml'"),
        (Request(response_format={"type": "json_schema"}), HERMES, "holds no json_schema"),
        (Request(response_format={"type": "json_schema", "json_schema": {"schema": False}}), HERMES, "no value"),
    ],
)
def test_what_cannot_be_enforced_is_refused(request_: Request, format: Format, said: str) -> None:
    with pytest.raises(ConstraintError, match=re.escape(said)):
        constrain(request_, format)


def test_nothing_is_constrained_that_was_not_asked_for() -> None:
    assert constrain(Request(), HERMES) is None
    assert constrain(Request(tools=(PING,), tool_choice=ToolChoice("none")), HERMES) is None
    assert constrain(Request(response_format={"type": "text"}), HERMES) is None
    own = constrain(Request(tools=(PING,), tool_choice=ToolChoice("none"), grammar='root ::= "x"'), HERMES)
    assert own is not None
