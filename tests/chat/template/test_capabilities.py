"""Nine capabilities of a template, by watching what it reads."""

from __future__ import annotations

import pytest

from cutaway.chat.template.prepared import prepare_template
from cutaway.chat.template.sources import given
from support import assets

LETTERS = {
    "S": "supports_string_content",
    "T": "supports_typed_content",
    "Y": "supports_system_role",
    "t": "supports_tools",
    "c": "supports_tool_calls",
    "p": "supports_parallel_tool_calls",
    "o": "supports_object_arguments",
    "R": "supports_preserve_reasoning",
    "E": "supports_reasoning_effort",
}


def letters(source: str) -> str:
    flags = prepare_template(given(source).default).caps.flags()
    return "".join(letter if flags[name] else "." for letter, name in LETTERS.items())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Apertus-8B-Instruct", "S.Ytcpo.."),
        ("Cohere2MoE", "STYtcpoRE"),
        ("GigaChat3-10B-A1.8B", "S.Ytc.o.."),
        ("HuggingFaceTB-SmolLM3-3B", "S.Y......"),
        ("LFM2-8B-A1B", "S.Yt....."),
        ("Qwen3.5-4B", "STYtcpo.."),
        ("deepseek-ai-DeepSeek-V3.1", "S.Y.cpo.."),
        ("google-gemma-2-2b-it", "S........"),
        ("llama-cpp-deepseek-r1", "S.Ytcpo.."),
        ("meetkai-functionary-medium-v3.2", "S.Ytcp..."),
        ("openai-gpt-oss-120b", "S.Ytc.o.E"),
        ("upstage-Solar-Open-100B", "S.Ytcpo.E"),
    ],
)
def test_real_templates(name: str, expected: str) -> None:
    assert letters(assets.template(name)) == expected


def test_a_template_that_goes_through_content() -> None:
    source = "{% for m in messages %}{% for part in m.content %}{{ part.text }}{% endfor %}{% endfor %}"
    assert letters(source).startswith(".T")


def test_a_template_that_refuses_the_system_role() -> None:
    source = "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no') }}{% endif %}{{ m.content }}{% endfor %}"
    assert letters(source) == "S........"


def test_a_template_that_raises_at_everything_is_no_failure() -> None:
    assert letters("{{ raise_exception('never') }}").startswith("..")


def test_each_flag_has_its_evidence() -> None:
    prepared = prepare_template(given(assets.template("Qwen3-Coder")).default)
    last = {one.flag: one for one in prepared.evidence}
    assert {name: one.value for name, one in last.items()} == prepared.caps.flags()
    assert all(one.observed.endswith(".") for one in prepared.evidence)
