"""The keywords of JSON Schema: which types they speak of, and their values read with care."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from cutaway.chat.grammar.finite import SchemaError
from cutaway.chat.grammar.merge import Schema

KEYWORDS: dict[str, frozenset[str]] = {
    "object": frozenset(
        [
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
            "dependencies",
            "unevaluatedProperties",
        ]
    ),
    "array": frozenset(
        [
            "items",
            "prefixItems",
            "minItems",
            "maxItems",
            "uniqueItems",
            "contains",
            "minContains",
            "maxContains",
            "unevaluatedItems",
            "additionalItems",
        ]
    ),
    "string": frozenset(["minLength", "maxLength", "pattern", "format"]),
    "number": frozenset(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
}
HANDLED = frozenset().union(*KEYWORDS.values()) | frozenset(
    [
        "type",
        "const",
        "enum",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "$ref",
        "$dynamicRef",
        "$recursiveRef",
        "nullable",
    ]
)


def is_valid(value: Any, schema: Schema) -> bool:
    """Whether the value fits; a schema that the library cannot follow decides nothing."""
    if not schema:
        return True
    import jsonschema  # a tenth of a second that a start without schemas need not spend

    try:
        return bool(jsonschema.Draft202012Validator(schema).is_valid(value))
    except Exception:  # an ill-formed schema: the rest of the reading names its fault
        return True


def bound(schema: Schema, plain: str, exclusive: str, pick: Any) -> tuple[Fraction | None, bool]:
    """The stricter of the two bounds, and whether it is itself outside. Draft 4's boolean form counts too."""
    closed, opened = schema.get(plain), schema.get(exclusive)
    if isinstance(opened, bool):
        return fraction(closed), opened and closed is not None
    first, second = fraction(closed), fraction(opened)
    if second is None:
        return first, False
    if first is None:
        return second, True
    return (second, True) if pick(first, second) == second else (first, False)


def fraction(value: Any) -> Fraction | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SchemaError(f"A bound is {value!r}, not a number.")
    try:
        return Fraction(str(value))
    except (ValueError, OverflowError):
        raise SchemaError(f"A bound is {value!r}, not a finite number.") from None


def count_of(schema: Schema, keyword: str, path: str) -> int:
    return most_of(schema, keyword, path) or 0


def most_of(schema: Schema, keyword: str, path: str) -> int | None:
    value = schema.get(keyword)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0 or value != int(value):
        raise SchemaError(f"{keyword} at {path} is {value!r}, not a whole number from 0 on.")
    return int(value)


def list_at(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list):
        raise SchemaError(f"{path} is {type(value).__name__}, not a list.")
    return value


def object_at(value: Any, path: str) -> Schema:
    if not isinstance(value, dict):
        raise SchemaError(f"The schema at {path} is {type(value).__name__}, not an object or a boolean.")
    return value


def anchored(document: Any, name: str) -> Any:
    waiting = [document]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            if name in (here.get("$anchor"), here.get("$dynamicAnchor")):
                return here
            waiting.extend(here.values())
        elif isinstance(here, list):
            waiting.extend(here)
    return None
