"""A conversation that moves to a model of another family carries its calls with ids that the family can write."""

from __future__ import annotations

import re

import pytest

from cutaway.chat.message import Message, Request, Tool, ToolCall
from cutaway.chat.template.sources import given
from cutaway.workbench.prompting import PromptDesk, Source
from support import assets

KIMI = Request(
    messages=(
        Message("user", "What is the tide?"),
        Message("assistant", tool_calls=(ToolCall("lookup_tide", '{"port": "Brest"}', "functions.lookup_tide:0"),)),
        Message("tool", "3 m", tool_call_id="functions.lookup_tide:0"),
    ),
    tools=(
        Tool(
            "lookup_tide",
            "Tide table",
            {"type": "object", "properties": {"port": {"type": "string"}}},
            {"type": "function", "function": {"name": "lookup_tide", "description": "Tide table", "parameters": {}}},
        ),
    ),
)


@pytest.fixture
def desk() -> PromptDesk:
    return PromptDesk()


@pytest.mark.parametrize(
    ("template", "written"),
    [
        ("mistralai-Mistral-Nemo-Instruct-2407", r'"id": "([a-zA-Z0-9]{9})"'),
        ("Kimi-K2-Instruct", r"(functions\.lookup_tide:0)"),
    ],
)
def test_ids_are_the_familys_own(desk: PromptDesk, template: str, written: str) -> None:
    made = desk.make_now(KIMI, Source(given(assets.template(template)), None, "<s>", "</s>"))
    found = re.findall(written, made.prepared.prompt.text)
    assert found
    assert len(set(found)) == 1
    assert made.prepared.request.messages[1].tool_calls[0].id == "functions.lookup_tide:0"
