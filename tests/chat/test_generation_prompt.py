"""Where the assistant's turn begins, by where the characters came from."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from cutaway.chat.generation import common_prefix, cut_spans, generation_start
from cutaway.chat.plain import RequestError
from cutaway.chat.prompt import Origin, Span
from cutaway.chat.read import read_request
from cutaway.chat.session import Prepared, prepare
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.sources import given
from support import assets
from support.prepared import prepared

TIME = datetime(2026, 11, 29)
HI = [{"role": "user", "content": "Hi"}]


def run(source: str, messages: list[dict[str, Any]] = HI, **more: Any) -> Prepared:
    request = read_request({"messages": messages, **more})
    return prepare(request, prepared(given(source).default.text), now=TIME, eos_token="</s>")


def test_a_shared_first_character_does_not_count_as_common() -> None:
    source = "{{ messages[0].content }}{% if add_generation_prompt %}<|assistant|>{% else %}{{ eos_token }}{% endif %}"
    assert run(source).prompt.generation_prompt == "<|assistant|>"


def test_nothing_is_added_when_it_is_not_asked_for() -> None:
    source = "{{ messages[0].content }}{% if add_generation_prompt %}<a>{% endif %}"
    assert run(source, add_generation_prompt=False).prompt.generation_prompt == ""


def test_absent_is_not_false() -> None:
    source = (
        "{{ messages[0].content }}{% if add_generation_prompt is not defined or add_generation_prompt %}<a>{% endif %}"
    )
    assert run(source, add_generation_prompt=None).prompt.generation_prompt == "<a>"
    plain = "{{ messages[0].content }}{% if add_generation_prompt %}<a>{% endif %}"
    prompt = run(plain, add_generation_prompt=None).prompt
    assert (prompt.text, prompt.generation_prompt) == ("Hi", "")


def test_a_template_that_always_writes_it_adds_nothing() -> None:
    assert run("{{ messages[0].content }}<a>").prompt.generation_prompt == ""


def test_an_ending_that_depends_on_the_prompt_is_not_part_of_it() -> None:
    source = (
        "{% for m in messages %}{{ '<' + m.role + '>' + m.content + ('</s>' if loop.last and not add_generation_prompt"
        " else '</m>') }}{% endfor %}\n{% if add_generation_prompt %}<assistant>{% endif %}"
    )
    assert run(source).prompt.generation_prompt.endswith("<assistant>")
    assert "Hi" not in run(source).prompt.generation_prompt


def test_a_template_that_cannot_go_without_it() -> None:
    source = (
        "{{ messages[0].content }}{% if not add_generation_prompt %}{{ raise_exception('no') }}{% endif %}<assistant>"
    )
    assert run(source).prompt.generation_prompt == "<assistant>"


def test_a_turn_that_is_opened_before_other_text_is_refused() -> None:
    source = (
        "{% for m in messages %}{% if m.role == 'system' %}{% if add_generation_prompt %}<assistant>{% endif %}"
        "{% endif %}<{{ m.role }}>{{ m.content }}{% endfor %}"
    )
    late = [*HI, {"role": "system", "content": "Remember."}]
    with pytest.raises(RequestError) as raised:
        run(source, late)
    assert raised.value.field == "messages[1].content"


@pytest.mark.parametrize("path", assets.templates(), ids=lambda path: path.stem)
def test_the_short_way_equals_the_comparison(path: Any) -> None:
    """Where the end of a template is plainly its generation prompt, one rendering is enough."""
    template = prepared(path.read_text(encoding="utf-8"))
    compared = replace(template, reads=replace(template.reads, prompt_line=None))
    call = {"id": "abcdefghi", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    result = {"role": "tool", "content": "1", "tool_call_id": "abcdefghi", "name": "f"}
    conversations = [
        HI,
        [*HI, {"role": "assistant", "content": "Yo"}, *HI],
        [*HI, {"role": "assistant", "content": "", "tool_calls": [call]}, result],
    ]
    for messages in conversations:
        request = read_request({"messages": messages})
        try:
            starts = [prepare(request, one, now=TIME).prompt.generation_start for one in (template, compared)]
        except TemplateError:
            continue
        assert starts[0] == starts[1]


A, B, IN = (
    Origin("template", line=1, column=1),
    Origin("template", line=2, column=1),
    Origin("input", "messages[0].content"),
)


def test_equal_text_of_another_place_is_no_prefix() -> None:
    assert common_prefix([Span("abc", A)], [Span("abd", A)]) == 2
    assert common_prefix([Span("abc", A)], [Span("abc", B)]) == 0
    assert common_prefix([Span("ab", A), Span("c", A)], [Span("abc", A)]) == 3


def test_input_behind_the_first_difference_is_never_part_of_it() -> None:
    assert generation_start([Span("x", A), Span("Hi", IN), Span("<a>", B)], [Span("y", A), Span("Hi", IN)]) == 3


def test_cutting_keeps_the_ranges_true() -> None:
    field = Origin("input", "messages[0].content", 4, 9)
    assert cut_spans([Span("ab", A), Span("Hello", field)], 4) == (
        Span("ab", A),
        Span("He", Origin("input", "messages[0].content", 4, 6)),
    )
