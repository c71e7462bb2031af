"""Kinds of faults that were reported of other engines' grammars, each in our own words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cutaway.chat.formats.format import Calls, Format, JsonCall, Marker, Reasoning
from cutaway.chat.grammar.accept import accepts
from cutaway.chat.grammar.constrain import Constraint, constrain
from cutaway.chat.grammar.gbnf import read, write
from cutaway.chat.message import Request, Tool, ToolChoice

THINKS = Format(
    "thinks",
    Reasoning(Marker("<think>"), Marker("</think>")),
    calls=Calls(JsonCall(), call_open=Marker("<call>"), call_close=Marker("</call>")),
)


def answering(schema: dict[str, Any], start: Any = "none") -> Constraint:
    wanted = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    made = constrain(Request(response_format=wanted), THINKS, start)
    assert made is not None
    assert write(read(made.text)) == made.text
    return made


def calling(tool: Tool) -> Constraint:
    made = constrain(Request(tools=(tool,), tool_choice=ToolChoice("required")), THINKS)
    assert made is not None
    assert write(read(made.text)) == made.text
    return made


def call(name: str, arguments: Any) -> str:
    return f"<call>{json.dumps({'name': name, 'arguments': arguments}, ensure_ascii=False)}</call>"


def test_an_enum_behind_a_reference_stays_an_enum() -> None:
    schema = {"$defs": {"unit": {"enum": ["m", "ft"]}}, "type": "object", "properties": {"u": {"$ref": "#/$defs/unit"}}}
    made = answering(schema)
    assert accepts(made.grammar, '{"u": "ft"}')
    assert not accepts(made.grammar, '{"u": {}}')


def test_definitions_may_refer_to_one_another() -> None:
    schema = {
        "$defs": {
            "port": {"type": "object", "properties": {"tides": {"type": "array", "items": {"$ref": "#/$defs/tide"}}}},
            "tide": {"type": "object", "properties": {"at": {"anyOf": [{"$ref": "#/$defs/port"}, {"type": "null"}]}}},
        },
        "$ref": "#/$defs/port",
    }
    assert accepts(answering(schema).grammar, '{"tides": [{"at": {"tides": []}}, {"at": null}]}')


def test_long_bounds_and_loose_patterns_compile() -> None:
    deep: dict[str, Any] = {"type": "string", "maxLength": 1_000_000}
    for _ in range(12):
        deep = {"type": "object", "properties": {"d": deep, "p": {"type": "string", "pattern": "a(b|c(d|e)+)*f"}}}
    assert accepts(answering(deep).grammar, '{"p": "xx abcdf yy"}')


@pytest.mark.parametrize("start", ["none", "closed", "bare closer"])
def test_without_thinking_the_schema_holds_from_the_first_character(start: Any) -> None:
    made = answering({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}, start)
    assert accepts(made.grammar, '{"ok": true}')
    assert not accepts(made.grammar, "Sure, here you are")


def test_null_parameters_are_no_parameters() -> None:
    assert accepts(calling(Tool("ping", parameters={})).grammar, call("ping", {}))


def test_property_names_may_hold_any_character() -> None:
    names = ["a b", "größe", "-flag", "x.y", "x-y", "x_y", '"', "$ref "]
    schema = {"type": "object", "properties": {name: {"type": "integer"} for name in names}}
    made = calling(Tool("odd", parameters=schema))
    for name in names:
        assert accepts(made.grammar, call("odd", {name: 1}))


def test_dozens_of_optional_parameters_stay_small_and_usable() -> None:
    schema = {"type": "object", "properties": {f"p{index}": {"type": "string"} for index in range(48)}}
    made = calling(Tool("wide", parameters=schema))
    assert len(made.text) < 40_000
    chosen = {f"p{index}": "x" for index in range(0, 48, 5)}
    assert accepts(made.grammar, call("wide", chosen) + call("wide", {}))


def test_a_keyword_that_nobody_knows_does_not_fail_the_request() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "x-widget": "date"}}, "x-order": ["a"]}
    made = answering(schema)
    assert accepts(made.grammar, '{"a": ""}')
    notes = {entry.keyword: entry.note for entry in made.coverage["response_format"] if entry.status == "approximated"}
    assert {"x-widget", "x-order"} <= notes.keys()


def test_a_nullable_value_may_be_null() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "nullable": True, "enum": ["x"]}}}
    made = answering(schema)
    assert accepts(made.grammar, '{"a": null}')
    assert accepts(made.grammar, '{"a": "x"}')
    assert not accepts(made.grammar, '{"a": "y"}')


def test_a_leap_day_is_a_date() -> None:
    made = answering({"type": "string", "format": "date"})
    assert accepts(made.grammar, '"2028-02-29"')
    assert not accepts(made.grammar, '"2027-02-29"')


def test_keys_of_an_open_object_may_hold_quotes() -> None:
    made = answering({"type": "object", "properties": {'say "a"': {"type": "null"}}, "additionalProperties": True})
    assert accepts(made.grammar, json.dumps({'say "a"': None, 'say "b"': 1, "c\\d": [{'"': 2}]}))
    assert not accepts(made.grammar, json.dumps({'say "a"': 1}))
