"""What watching finds out about the values that a template is given."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from cutaway.chat.template import Watched, compile_template
from support import assets


def watch(source: str, **variables: Any) -> Watched:
    return compile_template(source).watch(variables)


@pytest.mark.parametrize(
    ("expression", "operation"),
    [
        ("x", "output"),
        ("x is string", "test:string"),
        ("x is mapping", "test:mapping"),
        ("x is defined", "test:defined"),
        ("x|length", "filter:length"),
        ("x|tojson", "filter:tojson"),
        ("x[0]", "index"),
        ("x[1:]", "index"),
        ("x == 'a'", "compare"),
        ("'a' in x", "compare"),
        ("x.split('a')", "method:split"),
    ],
)
def test_operations_on_a_text(expression: str, operation: str) -> None:
    watched = watch("{{ " + expression + " }}", x="abc")
    assert watched.error is None
    assert operation in watched.operations("chat_template_kwargs.x")


@pytest.mark.parametrize("expression", ["m.get('content')", "m.content", "m['content']", "'content' in m"])
def test_keys_that_are_looked_up(expression: str) -> None:
    watched = watch("{% set m = messages[0] %}{{ " + expression + " }}", messages=[{"content": "hi"}])
    assert "key:content" in watched.operations("messages[0]")


def test_a_list_is_gone_through_or_indexed_and_what_is_not_touched_is_unknown() -> None:
    source = "{% for m in messages %}{% for p in m.content %}{{ p.text }}{% endfor %}{% endfor %}"
    watched = watch(source, messages=[{"content": [{"text": "a", "other": "b"}], "name": "n"}])
    assert watched.text == "a"
    assert watched.indexed("messages")
    assert watched.indexed("messages[0].content")
    assert watched.used("messages[0].content[0].text")
    assert not watched.used("messages[0].content[0].other")
    assert not watched.used("messages[0].name")


def test_writing_a_whole_value_uses_all_of_it() -> None:
    watched = watch("{{ tools|tojson }}", tools=[{"function": {"name": "f"}}])
    assert watched.used("tools[0].function.name")


def test_going_through_keys_uses_no_more_than_what_is_put_out() -> None:
    watched = watch("{% for key in d %}{{ key }}{% endfor %}", d={"a": "b"})
    assert watched.text == "a"
    assert watched.operations("chat_template_kwargs.d.a") == {"output"}


def test_values_that_it_is_compared_with() -> None:
    watched = watch("{{ x == 'low' }}{{ x in ['a', 'b'] }}{{ 'high' != x }}", x="z")
    assert watched.readings["chat_template_kwargs.x"].compared == ["low", ["a", "b"], "high"]


def test_an_error_is_a_result_with_what_was_read_before_it() -> None:
    watched = watch("{{ messages[0].content }}{{ raise_exception('no') }}", messages=[{"content": "hi"}])
    assert watched.error is not None
    assert watched.error.message == "no"
    assert watched.used("messages[0].content")


@pytest.mark.parametrize("path", assets.templates(), ids=lambda path: str(path.stem))
def test_a_watched_rendering_is_the_same_text(path: Any) -> None:
    template = compile_template(path.read_text(encoding="utf-8"))
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello"},
        {"role": "user", "content": "?"},
    ]
    variables: dict[str, Any] = {
        "messages": messages,
        "add_generation_prompt": True,
        "datetime": "now",
        "functions": "",
    }
    now = datetime(2026, 11, 29)
    watched = template.watch(variables, now=now)
    assert watched.error is None
    assert watched.text == template.render(variables, now=now).text
    assert watched.used("messages[2].content")
