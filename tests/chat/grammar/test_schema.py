"""What a schema's grammar writes satisfies the schema; what cannot be enforced is said."""

from __future__ import annotations

import json
import random
from typing import Any

import jsonschema
import pytest

from cutaway.chat.grammar.accept import accepts
from cutaway.chat.grammar.expression import Grammar, Rules
from cutaway.chat.grammar.finite import SchemaError, prune
from cutaway.chat.grammar.gbnf import read, write
from cutaway.chat.grammar.schema import SchemaReader
from support.sampling import sample

NODE = {
    "type": "object",
    "properties": {"next": {"anyOf": [{"$ref": "#/$defs/n"}, {"type": "null"}]}},
    "required": ["next"],
}

EXACT: dict[str, dict[str, Any]] = {
    "anything": {},
    "required and optional": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1, "maximum": 14}},
        "required": ["city"],
    },
    "more than can be permuted": {
        "type": "object",
        "properties": {k: {"type": "boolean"} for k in "abcdefgh"},
        "required": ["c"],
    },
    "further keys": {
        "type": "object",
        "properties": {"a": {"type": "integer"}},
        "additionalProperties": {"type": "string"},
    },
    "counted keys": {
        "type": "object",
        "additionalProperties": {"type": "null"},
        "minProperties": 1,
        "maxProperties": 3,
    },
    "counted properties": {"properties": {k: {"type": "null"} for k in "abc"}, "type": "object", "minProperties": 2},
    "dependent": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "dependentRequired": {"a": ["b"]},
    },
    "named keys": {
        "type": "object",
        "propertyNames": {"enum": ["x", "y"]},
        "additionalProperties": {"type": "integer"},
    },
    "recursive": {"$defs": {"n": NODE}, "$ref": "#/$defs/n"},
    "all of": {
        "allOf": [{"type": "object", "properties": {"a": {"minLength": 2, "type": "string"}}}, {"required": ["a"]}]
    },
    "any of": {
        "anyOf": [{"type": "integer", "maximum": 3}, {"type": "string", "maxLength": 2}, {"const": [1, {"k": None}]}]
    },
    "types": {"type": ["null", "boolean", "number"], "minimum": 0.25, "maximum": 1.5},
    "enum with bounds": {"enum": [1, 5, "x", None], "type": ["integer", "null"], "minimum": 2},
    "tuple": {
        "type": "array",
        "prefixItems": [{"type": "integer"}, {"type": "string"}],
        "items": {"type": "null"},
        "minItems": 1,
    },
    "counted array": {"type": "array", "items": {"type": "boolean"}, "minItems": 2, "maxItems": 4},
    "empty array": {"type": "array", "items": {"type": "boolean"}, "maxItems": 0},
    "pattern": {"type": "string", "pattern": '^[A-Z"\\\\]{2,3}\\d+(?:é|\\.)?$'},
    "unanchored pattern": {"type": "string", "pattern": "ab+c"},
    "date": {"type": "string", "format": "date"},
    "date-time": {"type": "string", "format": "date-time"},
    "uuid": {"type": "string", "format": "uuid"},
    "ipv4": {"type": "string", "format": "ipv4"},
    "not a type": {"not": {"type": ["object", "array", "string"]}},
    "a reference with company": {"$defs": {"s": {"type": "string"}}, "$ref": "#/$defs/s", "maxLength": 3},
    "an anchor": {"$defs": {"s": {"$anchor": "here", "type": "integer"}}, "$ref": "#here"},
    "ipv6": {"type": "string", "format": "ipv6"},
    "a counted class": {"type": "string", "pattern": "^[a-z-]+$", "minLength": 2, "maxLength": 4},
    "keys that want escaping": {
        "type": "object",
        "properties": {'a"b': {"type": "null"}, "c\\d": {"type": "null"}, "e\nf": {"type": "null"}},
        "additionalProperties": {"type": "boolean"},
    },
    "two unions at once": {
        "allOf": [
            {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            {"anyOf": [{"minimum": 3, "type": "integer"}, {"maxLength": 1, "type": "string"}]},
        ]
    },
    "denied twice": {"allOf": [{"not": {"type": "null"}}, {"not": {"type": ["object", "array"]}}]},
    "items of two parts": {
        "allOf": [
            {"type": "array", "items": {"type": ["integer", "null"]}},
            {"type": "array", "prefixItems": [{"type": ["integer", "string"]}], "items": {"type": "null"}},
        ]
    },
    "keys of one part held to the other's rest": {
        "allOf": [
            {"type": "object", "properties": {"a": {"minLength": 1}}},
            {"type": "object", "properties": {"b": True}, "additionalProperties": {"type": "string"}},
        ]
    },
    "names that may not be": {
        "type": "object",
        "properties": {"ab": {"type": "null"}, "abc": {"type": "null"}},
        "propertyNames": {"maxLength": 2},
        "additionalProperties": False,
    },
    "a property that may not be": {"type": "object", "properties": {"a": False, "b": {"type": "null"}}},
}


def grammar_of(schema: Any) -> tuple[Grammar, SchemaReader]:
    rules = Rules()
    reader = SchemaReader(schema, rules)
    root = reader.value(schema)
    return Grammar(prune(dict(rules.grammar(root).rules), root, "The schema")), reader


@pytest.mark.parametrize("name", EXACT)
def test_what_is_written_satisfies_the_schema(name: str) -> None:
    grammar, _ = grammar_of(EXACT[name])
    checker = jsonschema.Draft202012Validator(EXACT[name], format_checker=jsonschema.FormatChecker())
    seed = random.Random(name)
    for _ in range(150):
        text = sample(grammar, seed)
        checker.validate(json.loads(text))
        assert accepts(grammar, text)


@pytest.mark.parametrize("name", EXACT)
def test_gbnf_is_read_back_as_it_was_written(name: str) -> None:
    grammar, _ = grammar_of(EXACT[name])
    assert write(read(write(grammar))) == write(grammar)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("required and optional", {"days": 14, "city": 'Île d\'Yeu\n"x"'}),
        ("required and optional", {"city": "", "days": 1}),
        ("more than can be permuted", {"a": True, "c": False, "h": True}),
        ("recursive", {"next": {"next": {"next": None}}}),
        ("types", 0.25),
        ("types", 1.4375),
        ("anything", {"a": [1, 2.5, -3e4, {"b": None}], "c": {}}),
        ("date-time", "2026-11-29T12:00:00.5+01:00"),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_valid_values_are_accepted_in_any_layout(name: str, value: Any, indent: int | None) -> None:
    grammar, _ = grammar_of(EXACT[name])
    assert accepts(grammar, json.dumps(value, ensure_ascii=False, indent=indent))


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (False, "is false"),
        ({"type": "object", "properties": {"a": False}, "required": ["a"]}, "is false"),
        ({"type": "integer", "minimum": 3, "maximum": 2}, "No integer lies within"),
        ({"type": "string", "minLength": 3, "maxLength": 2}, "below minLength"),
        ({"enum": []}, "No value of"),
        ({"type": "text"}, "'text'"),
        ({"$ref": "#/$defs/gone"}, "points at nothing"),
        ({"$ref": "https://example.com/s.json"}, "nothing is fetched"),
        (
            {
                "$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}, "required": ["n"]}},
                "$ref": "#/$defs/n",
            },
            "no finite instance",
        ),
        ({"allOf": [{"type": "string"}, {"type": "integer"}]}, "allows no type"),
        ({"$ref": "#"}, "no finite instance"),
        ({"minimum": "3", "type": "integer"}, "not a number"),
        ({"type": "object", "properties": [1]}, "not an object"),
        ("a string", "str"),
    ],
)
def test_what_has_no_instance_is_refused_with_a_sentence(schema: Any, said: str) -> None:
    with pytest.raises(SchemaError, match=said):
        grammar_of(schema)


@pytest.mark.parametrize(
    ("schema", "keyword"),
    [
        ({"type": "integer", "multipleOf": 7}, "multipleOf"),
        ({"type": "array", "uniqueItems": True}, "uniqueItems"),
        ({"type": "array", "contains": {"type": "string"}}, "contains"),
        ({"type": "string", "pattern": "(?=a)b"}, "pattern"),
        ({"type": "string", "pattern": "(a)\\1"}, "pattern"),
        ({"type": "string", "format": "idn-email"}, "format"),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, "oneOf"),
        ({"type": "string", "not": {"pattern": "x"}}, "not"),
        ({"if": {"type": "string"}, "then": {"minLength": 1}}, "if"),
        ({"type": "string", "x-mine": 1}, "x-mine"),
        ({"type": "string", "maxLength": 100_000}, "maxLength"),
    ],
)
def test_an_approximation_is_noted(schema: Any, keyword: str) -> None:
    _, reader = grammar_of(schema)
    found = reader.coverage["#", keyword]
    assert found.status == "approximated"
    assert found.note


def test_every_keyword_is_in_the_report() -> None:
    schema = {
        "type": "object",
        "title": "T",
        "properties": {"a": {"type": "string", "minLength": 1, "format": "date"}},
        "required": ["a"],
    }
    _, reader = grammar_of(schema)
    reported = {(path, keyword) for path, keyword in reader.coverage}
    assert reported >= {("#", k) for k in schema} | {("#/properties/a", k) for k in ("type", "minLength", "format")}


def test_a_schema_of_a_thousand_levels_is_refused_in_bounded_time() -> None:
    schema: dict[str, Any] = {"type": "null"}
    for _ in range(900):
        schema = {"type": "array", "items": schema, "minItems": 1}
    with pytest.raises(SchemaError, match="too deep"):
        grammar_of(schema)
