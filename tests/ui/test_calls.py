"""A call's arguments against their schema, argument by argument; whatever the schema is."""

from __future__ import annotations

import pytest

from cutaway.chat.message import Tool
from cutaway.chat.reply import CallBlock
from cutaway.ui.models.calls import argument_rows

TOOL = Tool(
    "weather",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "unit": {"enum": ["c", "f"]}},
        "required": ["city"],
    },
)


def rows(arguments: str, tool: Tool = TOOL, *, complete: bool = True) -> dict[str, str]:
    call = CallBlock("weather", arguments, "call_1", 0, 1, complete)
    return {row.name: row.verdict for row in argument_rows(call, (tool,))}


def test_each_argument_is_checked() -> None:
    found = rows('{"days": "two", "unit": "c", "extra": 1}')
    assert found["unit"] == "ok"
    assert "integer" in found["days"]
    assert found["extra"] == "not in the schema"
    assert found["city"] == "required, but missing"


def test_arguments_that_are_no_json() -> None:
    assert "not JSON" in rows("{")[""]
    assert rows("{", complete=False)[""] == "still growing"
    assert rows("[1]")[""] == "not an object"


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"city": {"$ref": "#/nowhere"}}},
        {"type": "object", "properties": 7},
        {"type": "object", "properties": {"city": {"pattern": "("}}},
        {"type": 12},
        {"required": "city"},
        {"properties": {"city": {"$ref": "http://example.com/x"}}},
    ],
)
def test_a_broken_schema_is_never_an_exception(schema: dict[str, object]) -> None:
    assert isinstance(rows('{"city": "x"}', Tool("weather", parameters=schema)), dict)
