"""Whatever a line says, its answer is a prompt or a sentence."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cutaway.cli.batch import answers
from support import assets

TEMPLATES = [
    "chatml",
    assets.template("Qwen3-Coder"),
    assets.template("mistralai-Mistral-Nemo-Instruct-2407"),
    assets.template("google-gemma-2-2b-it"),
    "{% for m in messages %}{% for c in m.tool_calls %}{{ c.function.arguments.a.b }}{% endfor %}{{ m.content[0] }}{% endfor %}",
    "{{ messages | tojson }}{{ tools | tojson }}{{ x }}",
    "{% for i in range(10 ** 9) %}{{ i }}{% endfor %}",
    "{{ 'a' * 10 ** 10 }}",
    "{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(1) }}",
    "{{ messages.__class__.__mro__ }}",
    "{% if",
]
junk = st.none() | st.booleans() | st.integers(-3, 10**20) | st.text(max_size=6) | st.just([]) | st.just({})
words = st.sampled_from(["user", "system", "assistant", "tool", "developer", "root", "", "<|im_end|>", "a\ud800b", "x"])
parts = st.lists(
    st.fixed_dictionaries({"type": st.sampled_from(["text", "image_url", "odd"])}, optional={"text": words}), max_size=2
)
calls = st.lists(
    st.fixed_dictionaries(
        {
            "function": st.fixed_dictionaries(
                {"name": words, "arguments": st.sampled_from(["{}", '{"a": 1}', "{", "[]", ""])}
            )
        },
        optional={"id": words, "type": st.just("function")},
    ),
    max_size=2,
)
messages = st.lists(
    st.fixed_dictionaries(
        {"role": words | junk},
        optional={
            "content": words | parts | junk,
            "tool_calls": calls | junk,
            "tool_call_id": words,
            "name": words,
            "reasoning_content": words | junk,
            "x": junk,
        },
    ),
    max_size=4,
)
tools = st.lists(
    st.fixed_dictionaries(
        {"type": st.just("function"), "function": st.fixed_dictionaries({"name": words}, optional={"parameters": junk})}
    ),
    max_size=2,
)
bodies = st.fixed_dictionaries(
    {"template": st.sampled_from(TEMPLATES), "messages": messages},
    optional={
        "tools": tools | junk,
        "tool_choice": junk | st.sampled_from(["auto", "none", "required"]),
        "add_generation_prompt": st.sampled_from([True, False, None, 1]),
        "continue_final_message": st.sampled_from([True, "content", "reasoning_content", "x"]),
        "thinking": st.sampled_from(["on", "off", "auto", "high", ""]),
        "chat_template_kwargs": st.dictionaries(words, junk, max_size=2) | junk,
        "response_format": junk | st.just({"type": "json_object"}),
        "bos_token": words,
        "now": words,
        "jinja": st.sampled_from([True, None]),
        "outputs": junk | st.just([{"text": "hi"}]),
    },
)


@settings(max_examples=120, deadline=None)
@given(bodies)
def test_every_line_is_answered(body: dict[str, Any]) -> None:
    (answer,) = answers([json.dumps(body).encode()])
    json.dumps(answer)
    if "error" in answer:
        assert answer["error"]["type"] in ("request", "template")
        assert answer["error"]["message"]
    else:
        assert "".join(span["text"] for span in answer["spans"]) == answer["prompt"]
        assert answer["prompt"].endswith(answer["generation_prompt"])
