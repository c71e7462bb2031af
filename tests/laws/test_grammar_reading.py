"""Law 12: what the grammar accepts reads as calls that satisfy the schema, for every format."""

from __future__ import annotations

import json
import os
import random

import jsonschema
import pytest

from cutaway.chat.formats.format import Format
from cutaway.chat.formats.registry import handwritten
from cutaway.chat.grammar.constrain import constrain
from cutaway.chat.message import Request, Tool, ToolChoice
from cutaway.chat.reading.reader import Reader
from support.sampling import sample

TOOLS = (
    Tool(
        "lookup_tide",
        "",
        {
            "type": "object",
            "properties": {
                "port": {"type": "string"},
                "days": {"type": "integer"},
                "level": {"type": "number"},
                "exact": {"type": "boolean"},
            },
            "required": ["port"],
        },
    ),
    Tool(
        "save_text",
        "",
        {
            "type": "object",
            "properties": {
                "body": {"type": "string"},
                "kind": {"enum": ["plain", "rich"]},
                "tags": {"type": "array", "items": {"type": "string"}},
                "where": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
            },
            "required": ["body", "where"],
        },
    ),
    Tool("ping"),
)
NOTHING = {"type": "object", "maxProperties": 0}
CHECKS = {tool.name: jsonschema.Draft202012Validator(dict(tool.parameters) or NOTHING) for tool in TOOLS}
SAMPLES = int(os.environ.get("CUTAWAY_GRAMMAR_SAMPLES", "15"))
"""Sampled texts for each format; 10,000 by hand."""

FORMATS = [entry.build("") for entry in handwritten() if entry.build("").calls is not None]


@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_what_is_allowed_reads_as_valid_calls(format: Format) -> None:
    request = Request(tools=TOOLS, tool_choice=ToolChoice("required"))
    made = constrain(request, format, "none")
    assert made is not None
    seed = random.Random(format.name)
    for _ in range(SAMPLES):
        text = sample(made.grammar, seed)
        reader = Reader(format, TOOLS, generation_prompt=format.messages.start if format.messages else "")
        reader.feed(text)
        reader.finish()
        reply = reader.reply()
        assert reply.calls, text
        assert not [span for span in reply.spans if span.kind == "unparsed"], text
        for call in reply.calls:
            assert call.complete, text
            CHECKS[call.name].validate(json.loads(call.arguments))
