"""Two JSON Schemas that must both hold, as one: what `allOf`, `if` and siblings of `$ref` mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Schema = dict[str, Any]

ANNOTATIONS = frozenset(
    [
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "$comment",
        "$schema",
        "$id",
        "$anchor",
        "$dynamicAnchor",
        "$defs",
        "definitions",
        "$vocabulary",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "strict",
    ]
)
"""Keywords that restrict nothing."""

Note = Callable[[str, str], None]
"""(keyword, sentence): something that the merge could not keep."""


def merge(left: Schema, right: Schema, note: Note) -> Schema:
    """A schema that both `left` and `right` allow, as far as keywords can be joined; what cannot is noted."""
    left, right = _extended(left, right, note), _extended(right, left, note)
    first = [both(_item(left, index), _item(right, index)) for index in range(max(_fixed(left), _fixed(right)))]
    out = left | ({"prefixItems": first} if first else {})
    right = {key: value for key, value in right.items() if key != "prefixItems"}
    for key, value in right.items():
        if key not in out or key in ANNOTATIONS or out[key] == value:
            out[key] = value
        elif key in _JOINS:
            out[key] = _JOINS[key](out[key], value)
        elif key == "properties":
            out[key] = _properties(out[key], value)
        elif key in ("items", "additionalProperties", "contains", "propertyNames"):
            out[key] = both(out[key], value)
        elif key == "allOf":
            out[key] = [*out[key], *value]
        elif key in ("anyOf", "oneOf"):
            out[key] = [both(one, other) for one in out[key] for other in value]
        elif key == "not":
            out[key] = {"anyOf": [out[key], value]}
        elif key not in ("then", "else"):
            note(key, "is said twice; only one of the two is enforced")
    return out


def _fixed(schema: Schema) -> int:
    """How many items have a schema of their own."""
    first = schema.get("prefixItems")
    return len(first) if isinstance(first, list) else 0


def _item(schema: Schema, index: int) -> Any:
    return schema["prefixItems"][index] if index < _fixed(schema) else schema.get("items", True)


def _extended(schema: Schema, other: Schema, note: Note) -> Schema:
    """The schema, its properties held to what the other says of keys that it does not name."""
    named, rest = schema.get("properties"), other.get("additionalProperties", True)
    if not isinstance(named, dict) or rest is True or rest == {} or other.get("patternProperties"):
        return dict(schema)
    known = other.get("properties", {})
    strange = [name for name in named if not (isinstance(known, dict) and name in known)]
    if rest is False:
        if strange:
            note("additionalProperties", "of one part forbids keys of another; they may be written all the same")
        return dict(schema)
    return schema | {"properties": named | {name: both(named[name], rest) for name in strange}}


def both(left: Any, right: Any) -> Any:
    if left is True or left == {}:
        return right
    if right is True or right == {}:
        return left
    if left is False or right is False:
        return False
    return {"allOf": [left, right]}


def types_of(schema: Schema) -> list[str] | None:
    """The allowed types, `integer` apart from `number`; None when any is, or what stands there is no type."""
    found = schema.get("type")
    if isinstance(found, list):
        return [str(one) for one in found]
    return [found] if isinstance(found, str) else None


def _types(left: Any, right: Any) -> list[str]:
    first = [left] if isinstance(left, str) else list(left)
    second = [right] if isinstance(right, str) else list(right)
    out = [kind for kind in first if kind in second]
    if "integer" not in out and (
        ("integer" in first and "number" in second) or ("number" in first and "integer" in second)
    ):
        out.append("integer")
    return out


def _properties(left: Schema, right: Schema) -> Schema:
    out = dict(left)
    for name, schema in right.items():
        out[name] = both(out[name], schema) if name in out else schema
    return out


_JOINS: dict[str, Callable[[Any, Any], Any]] = {
    "type": _types,
    "required": lambda a, b: list(dict.fromkeys([*a, *b])),
    "enum": lambda a, b: [value for value in a if value in b],
    "minimum": max,
    "exclusiveMinimum": max,
    "minLength": max,
    "minItems": max,
    "minProperties": max,
    "maximum": min,
    "exclusiveMaximum": min,
    "maxLength": min,
    "maxItems": min,
    "maxProperties": min,
    "uniqueItems": lambda a, b: bool(a or b),
}
