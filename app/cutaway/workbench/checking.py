"""Whether what a person writes by hand can be used, and how much of it can be enforced: schemas, tools, grammars. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cutaway.chat.formats.format import PLAIN
from cutaway.chat.grammar.constrain import constrain
from cutaway.chat.grammar.schema import Coverage
from cutaway.chat.message import Request
from cutaway.chat.plain import RequestError
from cutaway.chat.read import read_request
from cutaway.tools.definition import read_tools

LONGEST = 1_000_000
"""Characters of a schema."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a text comes to."""

    value: Any
    """As the setting holds it."""
    coverage: Mapping[str, Sequence[Coverage]]
    """By tool name, or `response_format`: what a grammar makes of each keyword."""
    faults: Mapping[str, str]
    """By tool name: why its arguments cannot be held to their schema. The tool can be used all the same."""


def check_format(text: str) -> Checked:
    """A schema, as it stands or in the wrappings that requests have around it. Raises RequestError naming the place."""
    value = as_response_format(_json(text))
    return Checked(value, _covered(value), {})


def check_tools(text: str) -> Checked:
    """Tools as JSON or signatures. Raises ToolError naming the place."""
    tools = read_tools(text)
    coverage: dict[str, Sequence[Coverage]] = {}
    faults: dict[str, str] = {}
    for tool in tools:
        try:
            schema = {"type": "json_object", "schema": dict(tool.parameters or {})}
            coverage |= {tool.name: _covered(schema)["response_format"]}
        except RequestError as error:
            faults[tool.name] = error.message
    return Checked(tuple(tool.raw for tool in tools), coverage, faults)


def check_grammar(text: str) -> None:
    """Raises RequestError naming the line."""
    if text.strip():
        constrain(Request(messages=(), grammar=text), PLAIN)


def as_response_format(value: Any) -> dict[str, Any]:
    """A JSON value as the response format that it means. Raises RequestError."""
    if isinstance(value, Mapping) and isinstance(value.get("response_format"), Mapping):
        value = value["response_format"]
    if not isinstance(value, Mapping):
        raise RequestError("response_format", "A schema is an object in braces.")
    if value.get("type") in ("text", "json_object", "json_schema"):
        found = dict(value)
    elif isinstance(value.get("json_schema"), Mapping):
        found = {"type": "json_schema", "json_schema": dict(value["json_schema"])}
    elif isinstance(value.get("schema"), Mapping):
        found = {"type": "json_schema", "json_schema": dict(value)}
    else:
        found = {
            "type": "json_schema",
            "json_schema": {"name": str(value.get("title") or "reply"), "schema": dict(value)},
        }
    read_request({"messages": [], "response_format": found})
    return found


def _covered(response_format: Mapping[str, Any]) -> Mapping[str, Sequence[Coverage]]:
    made = constrain(Request(messages=(), response_format=dict(response_format)), PLAIN)
    return made.coverage if made is not None else {}


def _json(text: str) -> Any:
    if len(text) > LONGEST:
        raise RequestError("", f"The schema has {len(text):,} characters; {LONGEST:,} is the most that is read.")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise RequestError("", f"The JSON breaks at {place}: {error.msg}.") from error
    except RecursionError as error:
        raise RequestError("", "The JSON is nested too deeply to be a schema.") from error
