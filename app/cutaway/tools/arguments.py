"""Checks a call's arguments against the tool's schema."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cutaway.chat.message import Tool, ToolCall

if TYPE_CHECKING:
    import jsonschema

MOST_FAULTS = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a call."""

    path: str
    """Where in the arguments, e.g. `days` or `items[2].name`; empty for all of them."""
    message: str


def check_call(call: ToolCall, tools: Sequence[Tool]) -> list[Fault]:
    """What is wrong with a call; empty when its arguments fit the tool's schema."""
    tool = next((tool for tool in tools if tool.name == call.name), None)
    if tool is None:
        return [Fault("", f"There is no tool named {call.name!r}.")]
    try:
        value = json.loads(call.arguments or "{}")
    except ValueError as error:
        return [Fault("", f"The arguments are no valid JSON: {error}.")]
    except RecursionError:
        return [Fault("", "The arguments are nested too deeply.")]
    if not isinstance(value, dict):
        return [Fault("", "The arguments must be a JSON object.")]
    return _against_schema(value, tool)


def _against_schema(value: Any, tool: Tool) -> list[Fault]:
    if not tool.parameters:
        return []
    import jsonschema  # A tenth of a second that a start without calls need not spend.
    import jsonschema.exceptions
    import referencing
    import referencing.exceptions

    try:
        # An empty registry: a schema that points to another place is not fetched.
        validator = jsonschema.Draft202012Validator(
            dict(tool.parameters), registry=referencing.Registry(), format_checker=None
        )
        return [
            Fault(_path(error.absolute_path), _sentence(error))
            for error, _ in zip(validator.iter_errors(value), range(MOST_FAULTS), strict=False)
        ]
    except (jsonschema.exceptions.SchemaError, jsonschema.exceptions.UnknownType) as error:
        return [Fault("", f"The schema of {tool.name} is itself not valid: {_cut(str(error))}")]
    except referencing.exceptions.Unresolvable as error:
        return [Fault("", f"The schema of {tool.name} points to {_cut(str(error))}, which is not part of it.")]
    except (RecursionError, re.error, ValueError, TypeError, AttributeError, KeyError, OverflowError) as error:
        return [Fault("", f"The arguments cannot be checked against the schema of {tool.name}: {_cut(str(error))}.")]


def _path(parts: Sequence[str | int]) -> str:
    out = ""
    for part in parts:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else str(part)
    return out


def _sentence(error: jsonschema.exceptions.ValidationError) -> str:
    return _cut(error.message[:1].upper() + error.message[1:]) + "."


def _cut(text: str, most: int = 300) -> str:
    line = text.splitlines()[0] if text else ""
    return line if len(line) <= most else line[: most - 1] + "…"
