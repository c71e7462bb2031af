"""What is written by hand is read or refused with a sentence: schemas, tools, grammars, whatever stands in them."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from cutaway.chat.plain import RequestError
from cutaway.tools.definition import ToolError
from cutaway.workbench.checking import check_format, check_grammar, check_tools

SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"type": "integer", "minimum": 1, "multipleOf": 2},
        "b": {"type": ["string", "null"], "minLength": 1, "pattern": "^a+$", "format": "date"},
        "c": {"enum": ["x", 1]},
        "d": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/q"}]},
        "e": {"type": "array", "items": {"type": "number"}, "minItems": 1, "prefixItems": [{"type": "string"}]},
    },
    "required": ["a", "b"],
    "additionalProperties": False,
    "patternProperties": {"^z": {"type": "string"}},
    "$defs": {"q": {"allOf": [{"type": "object"}, {"properties": {"k": {"not": {"type": "string"}}}}]}},
}
ODD = (None, -1, 10**12, "x", [], {}, 1.5, True, [None], [[1]], "(", {"$ref": "#"}, {"$ref": 5})


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if at:
        yield at
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in pairs:
        yield from places(one, (*at, key))


def with_value(place: tuple[Any, ...], odd: Any) -> Any:
    made = copy.deepcopy(SCHEMA)
    inside: Any = made
    for key in place[:-1]:
        inside = inside[key]
    inside[place[-1]] = odd
    return made


@pytest.mark.parametrize("place", list(places(SCHEMA)), ids=lambda place: ".".join(map(str, place)))
def test_a_schema_with_anything_anywhere_is_read_or_refused_with_a_sentence(place: tuple[Any, ...]) -> None:
    for odd in ODD:
        schema = with_value(place, odd)
        tool = {"type": "function", "function": {"name": "x", "parameters": schema}}
        checks = [(check_format, schema), *([(check_tools, [tool])] if odd in (-1, "x") else [])]
        for check, value in checks:
            said = "."
            try:
                check(json.dumps(value))
            except (RequestError, ToolError) as error:
                said = str(error)
            assert said.endswith(".")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('{"type": "object"}', "json_schema"),
        ('{"title": "point", "properties": {}}', "json_schema"),
        ('{"name": "x", "strict": true, "schema": {"type": "object"}}', "json_schema"),
        ('{"response_format": {"type": "json_object"}}', "json_object"),
        ('{"json_schema": {"name": "x", "schema": {"type": "object"}}}', "json_schema"),
    ],
)
def test_a_schema_is_taken_in_every_wrapping_that_requests_have(text: str, kind: str) -> None:
    assert check_format(text).value["type"] == kind


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"type": "object",\n "x"}', "line 2"),
        ("[1]", "in braces"),
        ('{"type": "json_schema"}', "json_schema is missing"),
        ('{"type": "object", "$ref": "#/nowhere"}', "#/nowhere"),
        ("[" * 100_000, "nested too deeply"),
        (" " * 1_000_001, "1,000,000"),
    ],
)
def test_what_is_wrong_with_a_schema_names_the_place(text: str, place: str) -> None:
    with pytest.raises(RequestError) as caught:
        check_format(text)
    assert place in caught.value.message


def test_tools_are_told_by_name_with_what_can_be_enforced() -> None:
    checked = check_tools("def add(a: int, b: int = 2) -> int\ndef shout(text: str) -> str")
    assert list(checked.coverage) == ["add", "shout"]
    broken = {"type": "function", "function": {"name": "odd", "parameters": {"type": "object", "$ref": "#/x"}}}
    checked = check_tools(json.dumps([broken]))
    assert "points at nothing" in checked.faults["odd"]
    assert len(checked.value) == 1, "it can be offered all the same"


def test_a_grammar_names_what_is_missing() -> None:
    check_grammar('root ::= "yes" | "no"')
    check_grammar("  ")
    with pytest.raises(RequestError, match="foo"):
        check_grammar("root ::= foo")
