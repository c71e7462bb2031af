"""A tool call's arguments against the tool's schema, argument by argument. Pure: no Qt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator, SchemaError

from cutaway.chat.message import Tool
from cutaway.chat.reply import CallBlock

GROWING, NO_TOOL = "still growing", "no tool of this name is declared"
NO_OBJECT, NOT_NAMED, MISSING = "not an object", "not in the schema", "required, but missing"
VERDICTS = (GROWING, NO_TOOL, NO_OBJECT, NOT_NAMED, MISSING)
"""What is said of an argument, in English."""


@dataclass(frozen=True, slots=True)
class ArgumentRow:
    name: str
    value: str
    """As JSON; empty when it is missing."""
    declared: str
    """The schema's type in words; empty for an argument that the schema does not name."""
    verdict: str
    """`ok`, or what is wrong, in English."""


def argument_rows(call: CallBlock, tools: Sequence[Tool]) -> list[ArgumentRow]:
    tool = next((tool for tool in tools if tool.name == call.name), None)
    try:
        arguments = json.loads(call.arguments or "{}")
    except ValueError as error:
        return [ArgumentRow("", call.arguments, "", f"not JSON: {error}" if call.complete else GROWING)]
    if not isinstance(arguments, dict):
        return [ArgumentRow("", json.dumps(arguments, ensure_ascii=False), "", NO_OBJECT)]
    if tool is None:
        return [ArgumentRow(k, _shown(v), "", NO_TOOL) for k, v in arguments.items()]
    return _checked(arguments, dict(tool.parameters))


def _checked(arguments: dict[str, Any], schema: dict[str, Any]) -> list[ArgumentRow]:
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    wrong = _errors(arguments, schema)
    rows = [
        ArgumentRow(
            name,
            _shown(value),
            _declared(properties.get(name)),
            wrong.get(name, "ok" if name in properties or not properties else NOT_NAMED),
        )
        for name, value in arguments.items()
    ]
    named = schema.get("required")
    required = named if isinstance(named, list) else []
    missing = [name for name in required if isinstance(name, str) and name not in arguments] if required else []
    return rows + [ArgumentRow(n, "", _declared(properties.get(n)), MISSING) for n in missing]


def _errors(arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    try:
        for error in Draft202012Validator(schema).iter_errors(arguments):
            if error.absolute_path:
                found.setdefault(str(error.absolute_path[0]), error.message[:200])
    except (SchemaError, RecursionError, TypeError, ValueError, LookupError):
        return {}
    except Exception as error:  # A schema is untrusted: references and patterns in it may fail in many ways.
        return dict.fromkeys(arguments, f"the schema could not be used: {type(error).__name__}")
    return found


def _declared(schema: object) -> str:
    if not isinstance(schema, dict):
        return ""
    kind = schema.get("type", "any")
    if "enum" in schema:
        return "one of " + ", ".join(json.dumps(value, ensure_ascii=False) for value in list(schema["enum"])[:6])
    return " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 400 else text[:400] + " …"
