"""Where a template takes a conversation as it is, the prompt is what plain Jinja makes of it, whatever its shape.

A warning tells of each repair; where there is none, nothing but the arguments (text or object, as the template wants
them) and the name of a result may differ from what the client sent.
"""

from __future__ import annotations

import copy
import json
from datetime import datetime
from typing import Any

import pytest

from cutaway.chat.read import read_request
from cutaway.chat.session import prepare
from cutaway.chat.template.error import TemplateError
from support import assets
from support.plain_jinja import plain_environment
from support.prepared import NAMES, shipped

NOW = datetime(2026, 11, 29, 12)
NO_REPAIR = {"content-left-out", "calls-left-out", "tools-left-out", "unknown-kwarg"}

PARTICULAR = {"fireworks-ai-llama-3-firefunction-v2", "google-gemma-2-2b-it"}
"""One wants a variable that nobody gives, the other takes hardly any conversation as it is."""

SYSTEM = {"role": "system", "content": "Keep  watch.\n"}
USER = {"role": "user", "content": "How high?"}
AGAIN = {"role": "user", "content": "And\ttomorrow?"}
ANSWER = {"role": "assistant", "content": "Six."}


def call(identity: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    said = json.dumps(arguments, ensure_ascii=False)
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": said}}


def calls(*made: dict[str, Any], content: str = "", **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **more, "tool_calls": list(made)}


def result(identity: str, name: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": identity, "name": name, "content": content}


def tool(name: str, properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)[:1], **more}
    return {"type": "function", "function": {"name": name, "description": f"Does {name}.", "parameters": parameters}}


TIDE = call("callTIDE1", "tide", {"port": "Brest", "days": 2})
NOTE = call("callNOTE1", "note", {"text": 'é\n"q" <b>', "tags": [], "meta": {"a": None, "b": True, "c": 1.5}})
TOOLS = [
    tool(
        "tide", {"port": {"type": "string", "description": "A port"}, "days": {"type": "integer", "description": "n"}}
    ),
    tool("note", {"text": {"type": "string", "description": "t", "enum": ["a", "b"]}}, additionalProperties=False),
]

SHAPES: dict[str, dict[str, Any]] = {
    "two rounds": {
        "messages": [USER, calls(TIDE), result("callTIDE1", "tide", "6"), ANSWER, AGAIN, calls(NOTE),
                     result("callNOTE1", "note", "ok"), ANSWER, USER],
        "tools": TOOLS,
    },
    "a loop with reasoning": {
        "messages": [SYSTEM, USER, calls(TIDE, reasoning_content="First."), result("callTIDE1", "tide", "6"),
                     calls(NOTE, content="Now.", reasoning_content="Then."), result("callNOTE1", "note", "")],
        "tools": TOOLS,
    },
    "three calls at once": {
        "messages": [USER, calls(TIDE, NOTE, call("callTIDE2", "tide", {"port": "Rome", "days": 1})),
                     result("callTIDE1", "tide", "6"), result("callNOTE1", "note", "ok"),
                     result("callTIDE2", "tide", '{"m": [1, null]}')],
        "tools": TOOLS,
    },
    "calls without tools": {"messages": [USER, calls(TIDE), result("callTIDE1", "tide", "6"), AGAIN]},
    "system only": {"messages": [SYSTEM]},
    "two systems": {"messages": [SYSTEM, {"role": "system", "content": "More."}, USER]},
    "two answers": {"messages": [USER, ANSWER, {"role": "assistant", "content": "Seven."}, AGAIN]},
    "empty texts": {"messages": [{"role": "system", "content": ""}, {"role": "user", "content": ""}]},
    "an answer last": {"messages": [SYSTEM, USER, ANSWER]},
    "no generation prompt": {"messages": [SYSTEM, USER], "add_generation_prompt": False},
    "generation prompt absent": {"messages": [SYSTEM, USER], "add_generation_prompt": None},
    "thinking off": {"messages": [USER, {**ANSWER, "reasoning_content": "R."}, AGAIN], "enable_thinking": False},
    "names": {"messages": [{"role": "user", "name": "ann", "content": "Hi"}]},
    "a tool that says nothing of itself": {
        "messages": [USER], "tools": [{"type": "function", "function": {"name": "now"}}],
    },
}  # fmt: skip


def plainly(template: Any, request: dict[str, Any], *, objects: bool) -> str | None:
    given = {"enable_thinking": True, "add_generation_prompt": True, **copy.deepcopy(request)}
    variables = {name: value for name, value in given.items() if value is not None}
    for message in variables["messages"] if objects else []:
        for one in message.get("tool_calls", []):
            one["function"]["arguments"] = json.loads(one["function"]["arguments"])
    dates = {"date_string": "29 Nov 2026", "datetime": "Nov 29 2026"}
    try:
        return str(template.render(**variables, **dates, bos_token="<s>", eos_token="</s>"))
    except Exception:
        return None


@pytest.mark.parametrize("name", NAMES)
def test_the_prompt_is_plain_jinjas_where_nothing_was_repaired(name: str) -> None:
    plain = plain_environment(NOW).from_string(assets.template(name))
    compared = 0
    for shape, request in SHAPES.items():
        try:
            prompt = prepare(read_request(request), shipped(name), now=NOW, bos_token="<s>", eos_token="</s>").prompt
        except TemplateError:
            assert plainly(plain, request, objects=True) is None, shape
            continue
        expected = [plainly(plain, request, objects=objects) for objects in (True, False)]
        if {one.code for one in prompt.warnings} <= NO_REPAIR and any(expected):
            assert prompt.text in expected, shape
            compared += 1
    assert compared >= len(SHAPES) // 3 or name in PARTICULAR
