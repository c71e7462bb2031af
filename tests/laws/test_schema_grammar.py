"""Law 12 and 13, schema side: what a schema's grammar writes satisfies it, or the report says what was given up.

`CUTAWAY_SCHEMAS` sets how many schemas are drawn; by hand, thousands.
"""

from __future__ import annotations

import json
import os
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

SCHEMAS = int(os.environ.get("CUTAWAY_SCHEMAS", "120"))
KEYS = ["a", "b", "first name", "größe", "a.b/c", "$x", 'a"b', "a\\b", "</tool_call>"]
TEXTS = ["", "a", "ab", "x1", "é", '"q"', "\\", "</tool_call>", "<|im_end|>", "null", "12", "A."]
NUMBERS = [0, 1, -1, 2, 5, 7, 10, 100, -7, 0.5, 1.5, 2.25, -0.1]
PATTERNS = ["^[a-z]+$", "\\d", "^\\w{2,4}$", "a|b", "^(a|é)*$", '^[^"]*$', "\\S", "^$", "^.{2}$", "[A-Z]\\.$", "^a"]


def schema(draw: random.Random, depth: int = 0) -> Any:
    kinds = [_text, _number, _words, _simple] + ([_array, _object, _object, _several, _negated] if depth < 4 else [])
    return draw.choice(kinds)(draw, depth)


def _simple(draw: random.Random, depth: int) -> Any:
    return draw.choice([True, {}, {"type": "null"}, {"type": "boolean"}, {"type": ["string", "integer", "null"]}])


def _text(draw: random.Random, depth: int) -> Any:
    rest: dict[str, Any] = draw.choice(
        [{}, {"minLength": 2}, {"maxLength": 3}, {"minLength": 1, "maxLength": 2}, {"pattern": draw.choice(PATTERNS)}]
    )
    return {"type": "string", **rest}


def _number(draw: random.Random, depth: int) -> Any:
    kind = draw.choice(["integer", "number"])
    keywords = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
    return {"type": kind} | {key: draw.choice(NUMBERS) for key in keywords if draw.random() < 0.25}


def _words(draw: random.Random, depth: int) -> Any:
    return draw.choice([{"enum": draw.sample(TEXTS, 3)}, {"const": draw.choice([1, None, {"k": [1]}, 'a"'])}])


def _array(draw: random.Random, depth: int) -> Any:
    out: dict[str, Any] = {"type": "array", "items": schema(draw, depth + 1)}
    if draw.random() < 0.3:
        out["prefixItems"] = [schema(draw, depth + 1)]
    if draw.random() < 0.4:
        out |= {"minItems": draw.randint(0, 2), "maxItems": draw.randint(2, 4)}
    return out


def _object(draw: random.Random, depth: int) -> Any:
    names = draw.sample(KEYS, draw.randint(0, 4))
    out: dict[str, Any] = {"type": "object", "properties": {name: schema(draw, depth + 1) for name in names}}
    if names:
        out["required"] = draw.sample(names, draw.randint(0, len(names)))
    more = [
        {},
        {"additionalProperties": draw.choice([False, True, schema(draw, depth + 1)])},
        {"minProperties": 1},
        {"maxProperties": 3},
        {"propertyNames": draw.choice([{"maxLength": 3}, {"enum": ["a", "b", "z"]}, {"pattern": "^[a-z]+$"}])},
        {"patternProperties": {"^x": schema(draw, depth + 1)}},
    ]
    return out | draw.choice(more)


def _several(draw: random.Random, depth: int) -> Any:
    parts = [schema(draw, depth + 1) for _ in range(draw.randint(1, 3))]
    return {draw.choice(["anyOf", "anyOf", "oneOf", "allOf"]): parts}


def _negated(draw: random.Random, depth: int) -> Any:
    return {"not": draw.choice([{"type": "null"}, {"type": ["string", "array"]}, {"const": 1}])}


def instance(draw: random.Random, schema: Any) -> Any:
    """A value in the likeness of the schema, often a valid one."""
    if not isinstance(schema, dict):
        return draw.choice([*TEXTS, *NUMBERS, None, [], {}, {'a"': [1]}])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return instance(draw, draw.choice(schema[key]))
    if "const" in schema or "enum" in schema:
        return draw.choice(schema.get("enum", [schema.get("const")]))
    match schema.get("type"):
        case "object":
            chosen = [
                name for name in schema["properties"] if name in schema.get("required", []) or draw.random() < 0.5
            ]
            return {name: instance(draw, schema["properties"][name]) for name in chosen}
        case "array":
            first = [instance(draw, part) for part in schema.get("prefixItems", [])]
            return first + [instance(draw, schema["items"]) for _ in range(draw.randint(0, 3))]
        case "string":
            return draw.choice(TEXTS)
        case "integer" | "number":
            return draw.choice(NUMBERS)
        case "null":
            return None
        case "boolean":
            return draw.choice([True, False])
    return instance(draw, True)


def narrow(schema: Any) -> Any:
    """The schema as it is written: where keys are named and nothing is said of others, no others."""
    if isinstance(schema, list):
        return [narrow(part) for part in schema]
    if not isinstance(schema, dict) or "const" in schema or "enum" in schema:
        return schema
    out = {
        key: narrow(value) if key not in ("properties", "type", "required") else value for key, value in schema.items()
    }
    if "properties" in schema:
        out["properties"] = {name: narrow(part) for name, part in schema["properties"].items()}
        if schema["properties"] or "patternProperties" in schema:
            out.setdefault("additionalProperties", False)
    return out


@pytest.mark.parametrize("start", range(0, SCHEMAS, 30))
def test_what_is_written_fits_and_what_fits_can_be_written(start: int) -> None:
    for seed in range(start, start + 30):
        draw = random.Random(seed)
        drawn = schema(draw)
        rules = Rules()
        reader = SchemaReader(drawn, rules)
        judge = jsonschema.Draft202012Validator(drawn)
        strict = jsonschema.Draft202012Validator(narrow(drawn))
        try:
            root = reader.value(drawn)
            grammar = Grammar(prune(dict(rules.grammar(root).rules), root, "The schema"))
        except SchemaError:
            assert not any(judge.is_valid(instance(draw, drawn)) for _ in range(10)), drawn
            continue
        assert write(read(write(grammar))) == write(grammar)
        given_up = any(entry.status == "approximated" for entry in reader.coverage.values())
        for _ in range(6):
            value = json.loads(sample(grammar, draw))
            assert given_up or judge.is_valid(value), (drawn, value)
            value = instance(draw, drawn)
            if judge.is_valid(value) and strict.is_valid(value) and not given_up:
                assert accepts(grammar, json.dumps(value, ensure_ascii=False)), (drawn, value)
