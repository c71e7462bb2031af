"""Outputs of a model that never was: a format's own markers, whole calls, junk, shuffled and cut."""

from __future__ import annotations

import json
import random
import re
from functools import cache

from cutaway.chat.formats.format import (
    Calls,
    DictCall,
    Format,
    JsonCall,
    NamedCall,
    PythonCall,
    TaggedCall,
    TreeCall,
)
from cutaway.chat.message import Tool
from cutaway.chat.reading.tokens import texts_of

TOOLS = (
    Tool(
        "get_weather",
        "",
        {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "days": {"type": "integer"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "options": {"type": ["object", "null"], "properties": {"unit": {"type": "string"}}},
                "either": {"type": ["string", "integer"]},
            },
            "required": ["city"],
        },
    ),
    Tool("get", "", {"type": "object", "properties": {}}),
    Tool("ping"),
)
"""One name is the beginning of another; one tool has no schema."""

VALUES = (
    "Rome",
    "a</parameter>b",
    "x\ny",
    "<tool_call>",
    '"q"',
    "{}",
    "\\",
    "é🚢",
    " ",
    "",
    "null",
    "</think>",
    "\u00a0",
)

JUNK = (
    *"a{}[]\"'\\\n ,:=()<>é🚢",
    *("\n\n", "hello", "get_weather", "get", "ping", "city", "days", "Rome", "2", "null", "True", "</", "-1.5e3"),
    '{"name": "get_weather", "arguments": {"city": "Rome", "days": 2}}',
    *('{"city": "Rome"}', '{"name": "', '"arguments": ', '"type": "function", ', "undeclared", 'string="true">'),
    *("get_weather(city='Rome', days=2)", "[get_weather(city='R')]", '{city:<|"|>Rome<|"|>,days:2}'),
    *(" to=functions.get_weather", " to=get_weather", "all\n", "get_weather\n", "functions.get_weather:0"),
    *("```json\n", "```", "\u00a0", "x" * 40, " " * 70, "<|im_end|>", "\ud800"),
)

PROMPTS = ("", "<think>\n", "<think>", "<think>\n\n</think>\n\n", "<|start|>assistant", "<mm:think>", ">>>")

_TOKEN = re.compile(r"<\|?[^<>\s=\"]{1,40}\|?>|\[/?[A-Z_]{3,}\]|\]<\]minimax\[>\[")


@cache
def fragments(format: Format) -> tuple[str, ...]:
    """Every text of the format, whole, trimmed and in halves."""
    found: set[str] = set()
    for text in texts_of(format):
        found |= {text, text.strip()}
        if len(text) > 3:
            found |= {text[: len(text) // 2], text[len(text) // 2 :]}
    return tuple(sorted(found - {""}))


def call_text(format: Format, random: random.Random) -> str:
    """A call as the format writes it, with a hostile value."""
    calls = format.calls
    if calls is None:
        return "hi"
    value = random.choice(VALUES)
    opened = calls.section_open.written + calls.call_open.written
    return opened + _body(calls, value) + calls.call_close.written + calls.section_close.written


def _body(calls: Calls, value: str) -> str:
    match calls.body:
        case JsonCall() as body:
            call = {"get_weather": {"city": value}} if body.name_is_key else _keys(body, value)
            text = json.dumps(call, ensure_ascii=False)
            return f"[{text}]" if calls.array else text
        case NamedCall() as body:
            return _named(calls, body, value)
        case TaggedCall() as body:
            return _tagged(calls, body, value)
        case TreeCall() as body:
            space = body.namespace
            city = f"{space}<city>{value}{space}</city>"
            tags = f"{space}<tags>{space}<item>x{space}</item>{space}</tags>"
            return f"{body.name_prefix}get_weather{body.name_suffix}{city}{tags}{body.close}"
        case PythonCall() as body:
            return f"{body.list_open}get_weather(city={value!r}, days=2){body.list_close}"
        case DictCall() as body:
            return f"{body.name_prefix}get_weather{{city:{body.quote}{value}{body.quote},days:2}}"


def _keys(body: JsonCall, value: str) -> dict[str, object]:
    return {body.name_key: "get_weather", body.arguments_key: {"city": value}}


def _named(calls: Calls, body: NamedCall, value: str) -> str:
    name = "functions.get_weather:0" if calls.id.place == "in_name" else body.name_prefix + "get_weather"
    if calls.id.place == "before_name":
        name = "abc" + name
    if calls.id.place == "after_name":
        name += calls.id.prefix + "123456789"
    arguments = json.dumps({"city": value, "days": 2}, ensure_ascii=False)
    return name + body.name_suffix + arguments + body.arguments_suffix


def _tagged(calls: Calls, body: TaggedCall, value: str) -> str:
    text = body.name_prefix + "get_weather" + body.name_suffix
    if calls.id.place == "after_name":
        text += calls.id.prefix + "1" + calls.id.suffix
    types = [body.type.text, body.type.json[0]] if body.type else ["", ""]
    written = [f"{body.type.prefix}{one}{body.type.suffix}" if body.type else "" for one in types]
    for key, type, part in (("city", written[0], value), ("days", written[1], "2")):
        text += f"{body.key_prefix}{key}{body.key_suffix}{type}{body.value_prefix}{part}{body.value_suffix}"
        text += body.separator if key == "city" else body.close
    return text


def output(format: Format, random: random.Random) -> str:
    """A text that such a model might write on a bad day."""
    parts = [_part(format, random) for _ in range(random.randint(1, 14))]
    text = "".join(parts)
    if random.random() < 0.3:
        at = random.randrange(len(text) + 1)
        text = text[:at] + text[at + random.randint(1, 4) :]
    return text[: random.randrange(len(text) + 1)] if random.random() < 0.3 else text


def _part(format: Format, random: random.Random) -> str:
    draw = random.random()
    if draw < 0.45:
        return random.choice(fragments(format) or JUNK)
    if draw < 0.55:
        return call_text(format, random)
    if draw < 0.6 and format.reasoning:
        return format.reasoning.open.written + "thought" + format.reasoning.close.written
    return random.choice(JUNK)


def vocabulary(format: Format) -> dict[int, str]:
    """Ids for the format's markers that look like tokens."""
    found = {text for whole in texts_of(format) for text in _TOKEN.findall(whole)}
    return {1000 + number: text for number, text in enumerate(sorted(found))}


def as_tokens(text: str, tokens: dict[int, str], random: random.Random) -> list[tuple[str, int]]:
    """The text token by token: markers mostly as their token, sometimes spelled out."""
    ids = {marker: id for id, marker in tokens.items()}
    pattern = re.compile("|".join(map(re.escape, sorted(ids, key=len, reverse=True))) or "(?!)")
    pieces: list[tuple[str, int]] = []
    at = 0
    for found in pattern.finditer(text):
        pieces += [(character, 0) for character in text[at : found.start()]]
        spelled = random.random() < 0.2
        pieces += [(character, 0) for character in found[0]] if spelled else [(found[0], ids[found[0]])]
        at = found.end()
    return pieces + [(character, 0) for character in text[at:]]
