"""Tools as people write them: JSON of several shapes, and signatures."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.tools.definition import ToolError, read_tools

FUNCTION = {"name": "f", "description": "Does.", "parameters": {"type": "object", "properties": {}}}


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [], "tools": [{"type": "function", "function": FUNCTION}]},
        [{"type": "function", "function": FUNCTION}],
        {"type": "function", "function": FUNCTION},
        FUNCTION,
        {"functions": [FUNCTION]},
        {"name": "f", "description": "Does.", "inputSchema": FUNCTION["parameters"]},
    ],
)
def test_json_is_read_in_every_shape_that_people_paste(value: object) -> None:
    (tool,) = read_tools(json.dumps(value))
    assert (tool.name, tool.description, dict(tool.parameters)) == ("f", "Does.", FUNCTION["parameters"])


def test_signatures_become_schemas() -> None:
    text = '''
def book(city: str, nights: int = 1, room: "single" | "double" = "single", guests: list[str] | None = None,
         price: float = 0.5, pets: bool = False, *, extra: dict[str, int] = ...) -> str:
    """Books a room.

    In any town.

    Args:
        city: where to
        nights (int): how long
    Returns:
        nothing: of use
    """
    return "x"
'''
    (tool,) = read_tools(text)
    assert (tool.name, tool.description) == ("book", "Books a room. In any town.")
    assert tool.parameters["required"] == ["city"]
    assert tool.parameters["properties"] == {
        "city": {"type": "string", "description": "where to"},
        "nights": {"type": "integer", "description": "how long", "default": 1},
        "room": {"type": "string", "enum": ["single", "double"], "default": "single"},
        "guests": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        "price": {"type": "number", "default": 0.5},
        "pets": {"type": "boolean", "default": False},
        "extra": {"type": "object", "additionalProperties": {"type": "integer"}},
    }


def test_bare_signatures_are_enough() -> None:
    tools = read_tools("clock()  # what time it is\n\nadd(a: int, b: Optional[int] = None) -> int\n")
    assert [(tool.name, tool.description) for tool in tools] == [("clock", "what time it is"), ("add", "")]
    assert tools[1].parameters["properties"]["b"] == {"type": ["integer", "null"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{nonsense", "line 1, column 2"),
        ('[{"type": "function"}]', "tools[0]"),
        ('[{"type": "function", "function": {"name": 3}}]', "tools[0].function.name"),
        ('[{"name": "a"}, {"name": "a"}]', "a"),
        ("hello there", "Line 1"),
        ("def f(*args): ...", "* or **"),
        ("x = 3", "Line 1"),
        ("[" * 100_000, "nested"),
        ("x" * 2_000_000, "characters"),
        ("import os", "Line 1"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(ToolError) as caught:
        read_tools(text)
    assert said in str(caught.value)


def test_nothing_is_no_tools() -> None:
    assert read_tools("  \n ") == []


@given(st.text(st.sampled_from('def f(a: int|str="x")\n,[]{}->.#'), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_tools(text)
    except ToolError:
        return
