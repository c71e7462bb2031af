"""Every filter, method and operator: plain Jinja's text, and nothing of the input counts as the template's."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutaway.chat.template import Template, TemplateError, compile_template
from support.plain_jinja import plain_environment

EXPRESSIONS = (
    (Path(__file__).parents[2] / "data" / "template_expressions.txt").read_text(encoding="utf-8").split("\n")[:-1]
)

PROGRAMS = [
    "{% set a %}<{{ x }}>{% endset %}{{ a|upper }}{{ a[1:3] }}{{ a|length }}",
    "{% set a | trim | upper %} {{ x }} {% endset %}{{ a }}",
    "{% filter replace('β', 'Z') %}lit {{ x }} {{ y }}{% endfilter %}",
    "{% filter indent(2, true) %}{{ x }}\n{{ y }}{% endfilter %}",
    "{% macro m(a, b='d', c=a) %}{{ a }}{{ b }}{{ c }}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(x) }}{{ m(x, y, n, 1, k=f) }}",
    "{% macro m(a) %}<{{ caller(a ~ '!') }}>{% endmacro %}{% call(t) m(x) %}{{ t }}{{ y }}{% endcall %}{{ m|string }}",
    "{% for c in x %}{{ loop.index }}{{ c }}{{ loop.previtem }}{{ loop.nextitem }}{{ '' if loop.last else ', ' }}{% endfor %}",
    "{% for k, v in messages[0].items() %}{{ k }}={{ v }};{% else %}none{% endfor %}",
    "{% for k, v in tools[0].function.parameters.properties|dictsort %}{{ k }}: {{ v.type }}{{ v.enum }}\n{% endfor %}",
    "{% for m in messages recursive %}{{ m.content or m }}{% if m.content %}{{ loop([m.content]) }}{% endif %}{% endfor %}",
    "{% for m in messages if m.role == 'user' %}{{ m.content }}{% else %}-{% endfor %}",
    "{% for m in messages %}{% if loop.first %}{% continue %}{% endif %}{{ m.content }}{% break %}{% endfor %}",
    "{% set ns = namespace(t='', l=[]) %}{% for c in x %}{% set ns.t = c ~ ns.t %}{% set ns.l = ns.l + [c] %}{% endfor %}{{ ns.t }}{{ ns.l }}",
    "{% with a = x, b = y ~ '|' %}{{ b }}{{ a }}{% endwith %}{% set a, b = x, y %}{{ b ~ a }}",
    "{% set a = x.partition('β') %}{{ a[0] }}({{ a[1] }}){{ a[2] }}",
    "{% if x %}{{ x if y else 'e' }}{% elif y %}{{ y }}{% else %}{{ n }}{% endif %}{{ 'α' if n > 1 }}",
    "{% block b %}{{ x }}{% endblock %}{{ self.b() }}{{ self.b()|upper }}",
    "{% generation %}{{ x }}{% endgeneration %}{% set g %}{% generation %}{{ y }}{% endgeneration %}{% endset %}{{ g }}",
    "{% raw %}{{ x }}{% endraw %}{# {{ x }} #}{{ '{{ x }}' }}",
    "{% set d = {'a': x, 'b': {'c': [y, n]}} %}{{ d|tojson(indent=2) }}{{ d.b.c[0] }}{{ d['b']['c'][1] + 1 }}{{ d }}",
    "{% set parts = x.split(',') %}{% for p in parts %}{{ p|trim|capitalize }}{{ loop.cycle('-', '+') }}{% endfor %}{{ parts|join(', ') }}",
    "{{ '%s' % (x ~ '%s') % y }}{{ ('{' ~ '}').format(x) }}{{ (x ~ '{}')|replace('{', '(')|replace('}', ')') }}",
]

HARD = [
    "αβγ", "  Δέλτα ψυχή \n ωμέγα\t", "ΑΒ-γδ εζ\nηθ\n\nικ", "", "α", "ἀ'β\"γ\\δ", "<α>&β</α>", "ß straße ŉ ΣΑΣ",
    "α,β,,γ", "{α}%s%{0}", "12", "3.5 ", "α\r\nβ\x0bγ\u2028δ", "😀α😀",
]  # fmt: skip
NEEDLES = frozenset("αβγδεζηθικψωμΔΨΩΑΒέύχηΣσςßάτŉἀ😀")


@cache
def compiled(expression: str) -> tuple[Any, Template]:
    source = expression if expression in PROGRAMS else "A{{ " + expression + " }}B"
    return plain_environment().from_string(source), compile_template(source)


def variables(first: str, second: str) -> dict[str, Any]:
    schema = {first: {"type": "x" + second}, second: {"enum": [first, 1, 2.5, None, True]}}
    return {
        "x": first,
        "y": second,
        "n": 918273,
        "f": 7654.125,
        "messages": [{"role": "user", "content": first}, {"role": "assistant", "content": second}],
        "tools": [{"type": "function", "function": {"name": first, "parameters": {"properties": schema}}}],
    }


def check(expression: str, first: str, second: str) -> None:
    plain, ours = compiled(expression)
    given = variables(first, second)
    try:
        expected = plain.render(**given)
    except Exception:
        with pytest.raises(TemplateError):
            ours.render(given)
        return
    result = ours.render(given)
    assert result.text == expected
    written = NEEDLES & set(expression)
    for span in result.spans:
        origin = span.origin
        if not span.is_input:
            assert not (NEEDLES - written) & set(span.text), span
            assert "918" not in span.text, span
            assert "765" not in span.text, span
        else:
            assert origin.source is not None, span
        if origin.start is not None and origin.source in {"chat_template_kwargs.x", "chat_template_kwargs.y"}:
            assert given[origin.source[-1]][origin.start : origin.end] == span.text


@pytest.mark.parametrize("expression", EXPRESSIONS + PROGRAMS)
def test_on_hard_texts(expression: str) -> None:
    for index, first in enumerate(HARD):
        check(expression, first, HARD[(index * 5 + 3) % len(HARD)])


texts = st.text(st.sampled_from("αβ ΣσßŉA1'\"\\\n\r\t,-{}%<>&"), max_size=12)


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(st.sampled_from(EXPRESSIONS + PROGRAMS), texts, texts)
def test_on_any_text(expression: str, first: str, second: str) -> None:
    check(expression, first, second)
