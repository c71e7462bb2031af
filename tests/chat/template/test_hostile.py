"""Templates that mean harm end in the right error, within their limits: none hangs, none gets out."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from cutaway.chat.template import Budget, TemplateError, compile_template

CASES = Path(__file__).parents[2] / "data" / "hostile_templates" / "cases.txt"
SMALL = Budget(steps=20_000, output=1_000_000)
VARIABLES = {"messages": [{"role": "user", "content": "hi"}]}


def cases() -> list[tuple[str, str]]:
    lines = CASES.read_text(encoding="utf-8").split("\n")
    return [(kind, source) for kind, _, source in (line.partition("\t") for line in lines) if source]


def test_there_are_enough_of_them() -> None:
    assert len(cases()) > 150


@pytest.mark.parametrize(("kind", "source"), cases(), ids=[source[:60] for _, source in cases()])
def test_contained(kind: str, source: str) -> None:
    if kind == "ok":
        assert len(compile_template(source).render(VARIABLES, now=datetime(2026, 1, 1), budget=SMALL).text) < 40
        return
    with pytest.raises(TemplateError) as caught:
        compile_template(source).render(VARIABLES, now=datetime(2026, 1, 1), budget=SMALL)
    assert caught.value.kind == kind
    assert caught.value.line == 1
    assert caught.value.source_line.removeprefix("...") in source
    assert len(caught.value.message) < 1200


DEEP = {
    "parentheses": "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "lists": "{{ " + "[" * 20000 + "]" * 20000 + " }}",
    "minus": "{{ " + "-" * 20000 + "1 }}",
    "not": "{{ " + "not " * 20000 + "1 }}",
    "sum": "{{ " + "1+" * 14000 + "1 }}",
    "attributes": "{{ " + "a." * 14000 + "a }}",
    "filters": "{{ a" + "|upper" * 14000 + " }}",
    "if": "{% if 1 %}" * 3000 + "{% endif %}" * 3000,
    "for": "{% for x in y %}" * 30 + "{% endfor %}" * 30,
    "for, deeper": "{% for x in y %}" * 3000 + "{% endfor %}" * 3000,
    "set": "{% set x %}" * 3000 + "{% endset %}" * 3000,
    "dicts": "{{ " + "{'a':" * 3000 + "1" + "}" * 3000 + " }}",
    "tokens": "{{ a }}" * 20000,
    "characters": "x" * 2_000_000,
    "digits": "{{ " + "9" * 100_000 + " }}",
    "hexadecimal digits": "{{ 0x" + "f" * 100_000 + " }}",
}


@pytest.mark.parametrize("source", DEEP.values(), ids=DEEP.keys())
def test_what_is_too_deep_or_too_long_does_not_compile(source: str) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template(source)
    assert caught.value.kind in {"limit", "syntax"}


@pytest.mark.parametrize(
    "source", ["{#" * 20000, "{%" * 20000, "{{" * 20000, "{% raw %}" * 9999, "{{ '" + "\\" * 99999]
)
def test_what_never_ends_does_not_compile_either(source: str) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template(source)
    assert caught.value.kind in {"limit", "syntax"}


def test_the_clock_is_the_callers() -> None:
    asked = []

    def used_up() -> bool:
        asked.append(1)
        return len(asked) > 3

    template = compile_template("a\n{% for i in range(99999) %}\n{% for j in range(99999) %}{% endfor %}{% endfor %}")
    with pytest.raises(TemplateError, match="time is used up") as caught:
        template.render({}, budget=Budget(used_up=used_up))
    assert caught.value.kind == "limit"
    assert caught.value.line == 3
    assert len(asked) == 4


@pytest.mark.parametrize(
    "value",
    [lambda: 1, object(), {1: 2}, b"bytes", {"a": {1, 2}}],
    ids=["function", "object", "number as a key", "bytes", "set"],
)
def test_only_json_values_are_handed_in(value: object) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template("{{ x }}").render({"x": value})
    assert caught.value.kind == "input"
    assert (caught.value.field or "").startswith("chat_template_kwargs.x")


def test_a_value_that_contains_itself_is_refused() -> None:
    value: list[object] = []
    value.append({"again": value})
    with pytest.raises(TemplateError, match=r"tools\[0\].again contains itself") as caught:
        compile_template("").render({"tools": value})
    assert caught.value.field == "tools[0].again"


def test_a_value_that_is_nested_too_deeply_is_refused() -> None:
    value: object = "x"
    for _ in range(5000):
        value = [value]
    with pytest.raises(TemplateError, match="nested more than 100 levels deep"):
        compile_template("").render({"tools": value})
