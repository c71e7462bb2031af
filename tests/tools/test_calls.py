"""Arguments against schemas; the built-in tools; the calculator."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.message import Tool, ToolCall
from cutaway.tools.arguments import check_call
from cutaway.tools.built_in import BUILT_INS, Surroundings, run_built_in
from cutaway.tools.calculate import CalculationError, calculate

SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
    "required": ["city"],
}
TOOL = Tool("f", parameters=SCHEMA)


def faults(arguments: str, schema: object = None) -> list[tuple[str, str]]:
    tool = TOOL if schema is None else Tool("f", parameters=schema)  # type: ignore[arg-type]
    return [(fault.path, fault.message) for fault in check_call(ToolCall("f", arguments), [tool])]


def test_arguments_that_fit() -> None:
    assert faults('{"city": "Oslo", "days": 2}') == []
    assert faults("{}", {"type": "object"}) == []


def test_each_fault_has_its_place() -> None:
    assert [path for path, _ in faults('{"days": 0}')] == ["days", ""] or [
        path for path, _ in faults('{"days": 0}')
    ] == ["", "days"]


@pytest.mark.parametrize(
    ("arguments", "said"), [("{", "no valid JSON"), ("[1]", "JSON object"), ("[" * 100_000, "nested")]
)
def test_arguments_that_are_no_object(arguments: str, said: str) -> None:
    assert said in faults(arguments)[0][1]


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "nonsense"}, "not valid"),
        ({"$ref": "http://example.org/never.json"}, "points to"),
        ({"$ref": "#/missing"}, "points to"),
        ({"$ref": "#"}, "cannot be checked"),
        ({"type": "object", "properties": {"city": {"pattern": "("}}}, "cannot be checked"),
    ],
)
def test_a_schema_that_is_no_use_is_a_sentence(schema: object, said: str) -> None:
    assert said in faults('{"city": "x"}', schema)[0][1]


def test_a_tool_that_there_is_not() -> None:
    assert "no tool named 'g'" in check_call(ToolCall("g", "{}"), [TOOL])[0].message


NOW = datetime(2026, 7, 26, 12, 0, 0, tzinfo=timezone(timedelta(hours=2)))


def answered(name: str, messages: tuple[tuple[str, str], ...] = (), **arguments: object) -> tuple[str, bool]:
    result = run_built_in(name, json.dumps(arguments), Surroundings(NOW, messages))
    return result.text, result.failed


def test_the_clock() -> None:
    assert answered("clock") == ("2026-07-26T12:00:00+02:00 (Sunday)", False)
    assert answered("clock", timezone="UTC") == ("2026-07-26T10:00:00+00:00 (Sunday)", False)
    assert answered("clock", timezone="-03:30") == ("2026-07-26T06:30:00-03:30 (Sunday)", False)
    assert answered("clock", timezone="Nowhere/At all")[1]
    assert answered("clock", timezone="../../etc/passwd")[1]


def test_the_search() -> None:
    messages = (("user", "I like apples"), ("assistant", "Noted."), ("user", "and APPLE pie"))
    text, failed = answered("search_conversation", messages, text="apple")
    assert not failed
    assert [found["role"] for found in json.loads(text)] == ["user", "user"]
    assert answered("search_conversation", messages, text="")[1]


def test_every_built_in_has_a_definition_and_refuses_nonsense() -> None:
    for name, tool in BUILT_INS.items():
        assert tool.description
        assert run_built_in(name, "{", Surroundings(NOW)).failed
        assert run_built_in(name, "[]", Surroundings(NOW)).failed


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("0.1 + 0.2", "0.3"),
        ("2 ** 10", "1024"),
        ("2^3", "8"),
        ("1/3", "0.333333333333333"),
        ("-7 // 2", "-4"),
        ("10 % 3", "1"),
        ("sqrt(16)", "4"),
        ("round(2.567, 2)", "2.57"),
        ("factorial(20)", "2432902008176640000"),
        ("max(1, 2, 3)", "3"),
        ("-1/8", "-0.125"),
        ("1e3", "1000"),
    ],
)
def test_the_calculator(expression: str, value: str) -> None:
    assert calculate(expression) == value


@pytest.mark.parametrize(
    "expression",
    [
        *("", "1 +", "__import__('os')", "x", "(1).real", "[1]", "9**9**9", "factorial(10**9)", "1/0", "'a' * 3"),
        *(
            "(" * 5000,
            "1 if 1 else 2",
            "lambda: 1",
            "2 ** -100000",
            "(-8) ** (1/3)",
            "True",
            "sqrt(-1)",
            "round(1, 999)",
        ),
    ],
)
def test_what_is_no_arithmetic_is_refused(expression: str) -> None:
    with pytest.raises(CalculationError):
        calculate(expression)


@given(st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6), st.sampled_from("+-*"))
def test_whole_numbers_are_exact(left: int, right: int, operator: str) -> None:
    value = {"+": left + right, "-": left - right, "*": left * right}[operator]
    assert Fraction(calculate(f"({left}) {operator} ({right})")) == value


@given(st.text(st.sampled_from("0123456789.+-*/%()e, sqrtminx"), max_size=30))
def test_any_text_has_a_value_or_is_refused(text: str) -> None:
    try:
        assert calculate(text)
    except CalculationError:
        return
