"""Readable cases, in files: outputs as they should be read, whole and in any pieces."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cutaway.chat.formats.registry import named
from cutaway.chat.message import Tool
from cutaway.chat.reading.reader import Reader
from cutaway.chat.reply import Reply

DATA = Path(__file__).parents[2] / "data" / "reading"


def cases(name: str) -> list[Any]:
    file = tomllib.loads((DATA / name).read_text(encoding="utf-8"))
    return [pytest.param(case | {"tools": case.get("tools", file["tools"])}, id=case["kind"]) for case in file["case"]]


def tool(name: str, arguments: Mapping[str, Any]) -> Tool:
    properties = {key: {"type": kind} for key, kind in arguments.items()}
    first = [next(iter(arguments))] if name == "ferry" else []
    return Tool(name, "", {"type": "object", "properties": properties, "required": first})


def read(case: Mapping[str, Any], pieces: list[str]) -> Reply:
    format = named(case["format"])
    assert format is not None
    tools = [tool(name, arguments) for name, arguments in case["tools"].items()]
    options = {key: case[key] for key in ("fenced", "reasoning_format") if key in case}
    reader = Reader(format, tools, generation_prompt=case.get("prompt", ""), **options)
    for piece in pieces:
        reader.feed(piece)
    reader.finish()
    return reader.reply()


CASES = [*cases("faults.toml"), *cases("drift.toml"), *cases("reported.toml")]


@pytest.mark.parametrize("case", CASES)
def test_it_reads_as_a_person_would(case: Mapping[str, Any]) -> None:
    text = case["output"]
    reply = read(case, [text])
    assert reply.content == case.get("content", "")
    assert reply.reasoning_content == case.get("reasoning", "")
    wanted = case.get("calls", [])
    assert [call.name for call in reply.calls] == [call[0] for call in wanted]
    for call, expected in zip(reply.calls, wanted, strict=True):
        assert value(call.arguments) == value(expected[1])
        if len(expected) > 2:
            assert call.id == expected[2]
    assert {repair.code for repair in reply.repairs} == set(case.get("repairs", []))
    assert len({call.id for call in reply.calls}) == len(reply.calls)


@pytest.mark.parametrize("case", CASES)
def test_it_reads_alike_however_it_comes(case: Mapping[str, Any]) -> None:
    text = case["output"]
    whole = read(case, [text])
    assert read(case, list(text)) == whole
    for cut in range(1, len(text)):
        assert read(case, [text[:cut], text[cut:]]) == whole
    draw = random.Random(5)
    for _ in range(5):
        at, pieces = 0, []
        while at < len(text):
            pieces.append(text[at : at + draw.randint(1, 12)])
            at += len(pieces[-1])
        assert read(case, pieces) == whole


def value(text: str) -> object:
    """JSON as pairs, so that order and repetition count; other text as it is."""
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: pairs, strict=False)
    except ValueError:
        return text
