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
        "nullable",
    ]
)
"""Keywords that restrict nothing."""

Note = Callable[[str, str], None]
"""(keyword, sentence): something that the merge could not keep."""


def merge(left: Schema, right: Schema, note: Note) -> Schema:
    """A schema that both `left` and `right` allow, as far as keywords can be joined; what cannot is noted."""
    out = dict(left)
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
        elif key in ("anyOf", "oneOf", "not", "if"):
            out["allOf"] = [*out.get("allOf", []), {key: value}]
        else:
            note(key, "is said twice; only one of the two is enforced")
    return out


def both(left: Any, right: Any) -> Any:
    if left is True or left == {}:
        return right
    if right is True or right == {}:
        return left
    if left is False or right is False:
        return False
    return {"allOf": [left, right]}


def types_of(schema: Schema) -> list[str] | None:
    """The allowed types, `integer` apart from `number`; None when any is."""
    found = schema.get("type")
    if found is None:
        return None
    return [found] if isinstance(found, str) else list(found)


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
