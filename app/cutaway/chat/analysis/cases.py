"""The messages of the round trip: what assistants say, and what makes it hard to read back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cutaway.chat.message import Tool

from .turn import Said, SaidCall


@dataclass(frozen=True, slots=True)
class Case:
    name: str
    said: Said
    thinking: bool = True


def _tool(name: str, properties: Mapping[str, Any], required: tuple[str, ...]) -> Tool:
    described = {key: {"description": f"The {key}.", **schema} for key, schema in properties.items()}
    parameters = {"type": "object", "properties": described, "required": list(required)}
    function = {"name": name, "description": f"Does {name}.", "parameters": parameters}
    return Tool(name, f"Does {name}.", parameters, {"type": "function", "function": function})


TOOLS = (
    _tool("find_trains", {"from": {"type": "string"}, "seats": {"type": "integer"}}, ("from",)),
    _tool("take_note", {"text": {"type": "string"}, "title": {"type": "string"}}, ("text",)),
    _tool(
        "plan_trip",
        {
            "stops": {"type": "array", "items": {"type": "object", "additionalProperties": {"type": "string"}}},
            "legs": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
            "rules": {"type": "object", "additionalProperties": {"type": "string"}},
            "fast": {"type": "boolean"},
            "price": {"type": "number"},
        },
        (),
    ),
    _tool("ping", {}, ()),
)

ANSWER = "The 7:15 leaves from platform 3."
THOUGHT = "They want a train, so I should look one up."
HOSTILE = {
    "quotes": "She said \"it's 5 o'clock\" and left.",
    "lines": "first line\n\n\tthird line, \\n is not one",
    "braces": '{"a": [1, 2}, {{ x }} {% y %} <b>&amp;</b>',
    "null": "null",
    "number": "123",
    "object": "{}",
    "true": "true",
    "empty": "",
    "blanks": "  two before, two after  ",
    "unicode": "caf\u00e9 \u00a0\U0001f682 \u2028 e\u0301 \u4f60\u597d",
    "python": "None, True, ['a']",
}
"""Texts of a string parameter that a careless encoding confuses."""


def call(name: str, index: int = 0, /, **arguments: Any) -> SaidCall:
    """`from_` stands for the parameter `from`."""
    given = {key.rstrip("_"): value for key, value in arguments.items()}
    return SaidCall(name, json.dumps(given, ensure_ascii=False), f"cutaway{index:02d}")


TRAINS = call("find_trains", from_="Rome", seats=2)
NOTE = call("take_note", 1, text="Train at 7:15", title="Trip")
PING = call("ping", 2)
NESTED = call(
    "plan_trip",
    stops=[{"town": "Rome", "why": "it's old"}, {"town": "Bari", "why": 'the "sea"'}, {}],
    legs=[[1, 20], [], [-3]],
    rules={"walk": "1 km, not more", "night": "null"},
)
TYPES = call("plan_trip", fast=True, price=12.5, stops=[], rules={})


def cases(closers: tuple[str, ...]) -> tuple[Case, ...]:
    """All of them. `closers` are the format's own markers, which stand inside values in some."""
    return (*_plain_cases(), *_call_cases(), *_hostile_cases(), *_closer_cases(closers))


QUICK = ("content", "reasoning and content", "one call", "three calls", "nested arguments", "content before a call")
"""The cases that tell two formats apart."""


def quick_cases() -> tuple[Case, ...]:
    return tuple(case for case in cases(()) if case.name in QUICK)


def _plain_cases() -> tuple[Case, ...]:
    return (
        Case("content", Said(ANSWER)),
        Case("content, thinking off", Said(ANSWER), thinking=False),
        Case("content of many lines", Said("# Trains\n\n- 7:15\n- 8:40\n\n```json\n[1, 2]\n```\nThat is all.")),
        Case("content in unicode", Said(HOSTILE["unicode"])),
        Case("content with braces that ends in <", Said("if a < b then [c] {d} <")),
        Case("content that is JSON", Said('{"name": "nobody", "arguments": {"a": 1}}')),
        Case("reasoning and content", Said(ANSWER, THOUGHT)),
        Case("reasoning of many lines", Said(ANSWER, 'First.\n\nThen <b>this</b>: {"x": 1}.\n\nSo yes.')),
        Case("reasoning in unicode", Said(ANSWER, HOSTILE["unicode"])),
    )


def _call_cases() -> tuple[Case, ...]:
    late = call("find_trains", seats=2, from_="Rome")
    return (
        Case("one call", Said("", "", (TRAINS,))),
        Case("one call, thinking off", Said("", "", (TRAINS,)), thinking=False),
        Case("two calls", Said("", "", (TRAINS, NOTE))),
        Case("three calls", Said("", "", (TRAINS, NOTE, PING))),
        Case("the same call twice", Said("", "", (TRAINS, call("find_trains", 1, from_="Rome", seats=2)))),
        Case("a call without arguments", Said("", "", (PING,))),
        Case("an optional argument before a required one", Said("", "", (late,))),
        Case("a call with one argument", Said("", "", (call("find_trains", from_="Rome"),))),
        Case("nested arguments", Said("", "", (NESTED,))),
        Case("arguments of every type", Said("", "", (TYPES,))),
        Case("content before a call", Said(ANSWER, "", (TRAINS,))),
        Case("content before two calls", Said(ANSWER, "", (TRAINS, NOTE))),
        Case("reasoning before a call", Said("", THOUGHT, (TRAINS,))),
        Case("reasoning, content and a call", Said(ANSWER, THOUGHT, (TRAINS,))),
        Case("reasoning, content and three calls", Said(ANSWER, THOUGHT, (TRAINS, NOTE, PING))),
    )


def _hostile_cases() -> tuple[Case, ...]:
    return tuple(
        Case(f"a string argument: {name}", Said("", "", (call("take_note", text=text, title="x"),)))
        for name, text in HOSTILE.items()
    )


def _closer_cases(closers: tuple[str, ...]) -> tuple[Case, ...]:
    return tuple(
        Case(f"{closer} in a string argument", Said("", "", (call("take_note", text=f"a {closer} b", title="x"),)))
        for closer in closers
    )
