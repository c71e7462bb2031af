"""Which types a tool's schema allows for an argument, and an untyped text read as one of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from cutaway.chat.message import Tool
from cutaway.chat.reading.source import BLANKS, Source
from cutaway.chat.reading.value import ValueReader

ALL_TYPES = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})

Schema = Any
"""A JSON Schema as it was given: a mapping, a boolean, or anything at all."""

_MOST_STEPS = 2000


def properties(tool: Tool) -> Mapping[str, Schema]:
    """The declared arguments of a tool, from the schema itself and what it refers to."""
    found: dict[str, Schema] = {}
    for schema in _flat(tool.parameters, tool.parameters):
        declared = schema.get("properties")
        if isinstance(declared, Mapping):
            for name, value in declared.items():
                found.setdefault(str(name), value)
    return found


def required(tool: Tool) -> tuple[str, ...]:
    names = tool.parameters.get("required") if isinstance(tool.parameters, Mapping) else None
    return tuple(str(name) for name in names) if isinstance(names, list | tuple) else ()


def is_open(tool: Tool) -> bool:
    """Whether the tool takes arguments that it does not name."""
    schema = tool.parameters if isinstance(tool.parameters, Mapping) else {}
    return not properties(tool) or bool(schema.get("additionalProperties", False))


def only_text_argument(tool: Tool) -> str:
    """The name of the tool's one argument, where it has one and that can be a string; else empty."""
    declared = properties(tool)
    if len(declared) != 1:
        return ""
    ((name, schema),) = declared.items()
    return name if "string" in types_of(schema, tool.parameters) else ""


def types_of(schema: Schema, root: Schema) -> frozenset[str]:
    """The types that the schema allows; all of them where it names none."""
    found: set[str] = set()
    for part in _flat(schema, root):
        found |= _own_types(part)
    return frozenset(found) or ALL_TYPES


def _own_types(schema: Mapping[str, Any]) -> set[str]:
    named = schema.get("type")
    found = (
        {named}
        if isinstance(named, str)
        else set(filter(_is_text, named))
        if isinstance(named, list | tuple)
        else set()
    )
    if not found and isinstance(schema.get("enum"), list | tuple):
        found = {_type_name(value) for value in schema["enum"]}
    if not found and "const" in schema:
        found = {_type_name(schema["const"])}
    if not found and "properties" in schema:
        found = {"object"}
    if not found and ("items" in schema or "prefixItems" in schema):
        found = {"array"}
    if not found and ("pattern" in schema or "format" in schema or "minLength" in schema or "maxLength" in schema):
        found = {"string"}
    if schema.get("nullable") is True and found:
        found.add("null")
    return found & ALL_TYPES


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _type_name(value: object) -> str:
    if value is None:
        return "null"
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string")):
        if isinstance(value, kind):
            return name
    return "array" if isinstance(value, list | tuple) else "object"


def _flat(schema: Schema, root: Schema) -> Iterator[Mapping[str, Any]]:
    """The schema and every alternative in it, references followed, each once, in bounded steps."""
    waiting, seen, steps = [schema], set(), 0
    while waiting and steps < _MOST_STEPS:
        part = waiting.pop(0)
        steps += 1
        if not isinstance(part, Mapping) or id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        if isinstance(part.get("$ref"), str):
            waiting.append(resolve(part["$ref"], root))
        for key in ("anyOf", "oneOf", "allOf"):
            if isinstance(part.get(key), list | tuple):
                waiting.extend(part[key])


def resolve(reference: str, root: Schema) -> Schema:
    """What a reference inside the same document points to; None where it points nowhere."""
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return None
    place = root
    for step in reference[2:].split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(place, Mapping) and key in place:
            place = place[key]
        elif isinstance(place, list | tuple) and key.isdigit() and int(key) < len(place):
            place = place[int(key)]
        else:
            return None
    return place


def member(schema: Schema, name: str, root: Schema) -> Schema:
    """The schema of an object's member; an empty one where none is given."""
    for part in _flat(schema, root):
        declared = part.get("properties")
        if isinstance(declared, Mapping) and name in declared:
            return declared[name]
        extra = part.get("additionalProperties")
        if isinstance(extra, Mapping):
            return extra
    return {}


def item(schema: Schema, root: Schema) -> Schema:
    """The schema of an array's items; an empty one where none is given."""
    for part in _flat(schema, root):
        if isinstance(part.get("items"), Mapping):
            return part["items"]
    return {}


_WORDS = {"null": ("null", "None", "NULL", "undefined"), "boolean": ("true", "false", "True", "False")}
_NUMBER_SO_FAR = re.compile(r"[-+.\w]*\s*")


def may_be_typed(text: str, types: frozenset[str]) -> bool:
    """Whether a text that has only begun can still turn out to be something else than a string."""
    begun = text.lstrip(BLANKS)
    if not begun or "string" not in types:
        return True
    if begun[0] in "{[(":
        return bool(types & {"object", "array"})
    if begun[0] == '"':
        return types == ALL_TYPES
    if begun[0] in "-+.0123456789":
        return bool(types & {"integer", "number"}) and _NUMBER_SO_FAR.fullmatch(begun) is not None
    word = begun.rstrip(BLANKS)
    words = [one for kind in types & _WORDS.keys() for one in _WORDS[kind]]
    return any(one.startswith(word) if word == begun else one == word for one in words)


def read_untyped(text: str, types: frozenset[str]) -> tuple[str, str]:
    """A value that may be no string, read from its text: JSON text, and the leniency that it took (or empty).

    Where the text is JSON of an allowed type it stays as it is; Python literals are rewritten; any other
    text becomes a string.
    """
    stripped = text.strip()
    kind = _json_type(stripped)
    if kind == "string" and "string" in types and types != ALL_TYPES:
        return json.dumps(text, ensure_ascii=False), ""
    if kind == "string" and "string" not in types:
        inner = str(json.loads(stripped)).strip()
        inner_kind = _json_type(inner)
        if inner_kind in types or (inner_kind == "integer" and "number" in types):
            return inner, "value-as-string"
    if kind and (kind in types or "string" not in types or (kind == "integer" and "number" in types)):
        return stripped, ""
    rewritten = _rewritten(stripped) if "string" not in types or stripped[:1] in "{[(TFN" else ""
    if rewritten:
        kind = _json_type(rewritten)
        if kind and (kind in types or "string" not in types):
            return rewritten, "python-literal"
    leniency = "" if "string" in types else "wrong-type"
    return json.dumps(text, ensure_ascii=False), leniency


def _json_type(text: str) -> str:
    """The type of the JSON value that the text is; empty where it is none."""
    try:
        value = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        return {"{": "object", "[": "array"}.get(text[:1], "") if _rewritten(text) == text else ""
    except ValueError:
        return ""
    return _type_name(value)


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


def _rewritten(text: str) -> str:
    """The text as JSON, Python's way of writing forgiven; empty where it is no value."""
    source = Source()
    source.add(text)
    source.ended = True
    pieces: list[str] = []
    reader = ValueReader(
        source, lambda raw, written: pieces.append(written), lambda code, detail: code == "python-literal"
    )
    steps = reader.run()
    try:
        while True:
            next(steps)
    except StopIteration as done:
        return "".join(pieces) if done.value and source.at == len(text) else ""
