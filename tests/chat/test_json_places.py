"""JSON whose strings know where they stand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.json_places import parse_with_places
from cutaway.chat.template.values import Sourced

PATH = "messages[0].tool_calls[0].function.arguments"

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


def bare(value: Any) -> Any:
    if isinstance(value, Sourced):
        return value.value
    if isinstance(value, dict):
        return {str.__str__(key): bare(one) for key, one in value.items()}
    return [bare(one) for one in value] if isinstance(value, list) else value


def sourced(value: Any) -> list[Sourced]:
    if isinstance(value, Sourced):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [one for part in inner for one in sourced(part)]


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_it_reads_what_json_reads(value: Any, escaped: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=escaped, indent=indent)
    assert bare(parse_with_places(text, PATH)) == json.loads(text)


@given(values, st.booleans())
def test_a_place_is_where_the_text_stands(value: Any, escaped: bool) -> None:
    text = json.dumps(value, ensure_ascii=escaped)
    for one in sourced(parse_with_places(text, PATH)):
        assert one.path == PATH
        assert one.start is None or text[one.start : one.start + len(one.value)] == one.value


@given(st.text(alphabet='{}[]",:1.e-tnu \\'))
def test_it_refuses_what_json_refuses(text: str) -> None:
    try:
        expected = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        with pytest.raises(ValueError, match=r"."):
            parse_with_places(text, PATH)
    else:
        assert bare(parse_with_places(text, PATH)) == expected


def _refuse(word: str) -> None:
    raise ValueError(word)


@pytest.mark.parametrize(
    "text", ["[" * 5000, '{"a":' * 5000, "9" * 9000, "1e999", "NaN", "", " ", "{'a': 1}", '{"a": 1,}']
)
def test_what_is_no_json_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_with_places(text, PATH)
