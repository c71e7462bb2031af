"""`cutaway render`: one prompt, coloured, as a page, as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cutaway.chat.prompt import Origin, Span
from cutaway.cli.main import main
from cutaway.cli.paint import painted, visible
from support import assets


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(
        json.dumps({"model": "gpt", "messages": [{"role": "user", "content": "<b>Hi</b>"}]}), encoding="utf-8"
    )
    return path


def test_the_prompt_alone_when_nobody_looks(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "chatml", "--chat", str(chat)]) == 0
    assert capsys.readouterr().out == "<|im_start|>user\n<b>Hi</b><|im_end|>\n<|im_start|>assistant\n\n"


def test_a_file_is_a_template(chat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.jinja").write_text("[{{ messages[0].content }}]", encoding="utf-8")
    assert main(["render", str(tmp_path / "mine.jinja"), "--chat", str(chat), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["prompt"], answer["template"]["origin"]) == ("[<b>Hi</b>]", "mine.jinja")


def test_tokens_of_a_model(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(assets.default_model()), "--chat", str(chat), "--tokens"]) == 0
    out = capsys.readouterr().out
    assert "'<|im_start|>'  control" in out


def test_without_a_vocabulary_the_ids_are_the_default_models(
    chat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are said to be, and the text is what it is without them: no BOS of that model comes in."""
    monkeypatch.setattr("cutaway.places.default_model", assets.default_model)
    (tmp_path / "mine.jinja").write_text("{{ bos_token }}<|im_start|>{{ messages[0].content }}", encoding="utf-8")
    arguments = ["render", str(tmp_path / "mine.jinja"), "--chat", str(chat)]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert main([*arguments, "--tokens"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(text)
    assert "'<|im_start|>'  control" in shown.out
    assert assets.default_model().name in shown.err
    assert main([*arguments, "--tokens", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["tokens"][0] == [1, 0, 12]
    assert "default-vocabulary" in [one["code"] for one in answer["warnings"]]


def test_no_vocabulary_at_all(chat: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cutaway.places.default_model", lambda: None)
    assert main(["render", "chatml", "--chat", str(chat), "--tokens"]) == 1
    assert "the default model is not installed" in capsys.readouterr().err


def test_a_page_holds_no_markup_of_the_prompt(chat: Path, tmp_path: Path) -> None:
    page = tmp_path / "prompt.html"
    assert main(["render", "chatml", "--chat", str(chat), "--html", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "<b>Hi" not in text
    assert "&lt;b&gt;Hi&lt;/b&gt;" in text
    assert 'title="messages[0].content, characters 0 to 9"' in text
    assert 'class="template generation"' in text


def test_a_models_tool_use_is_chosen_with_tools(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "chat_template.jinja").write_text("plain", encoding="utf-8")
    (tmp_path / "additional_chat_templates").mkdir()
    (tmp_path / "additional_chat_templates" / "tool_use.jinja").write_text("tools", encoding="utf-8")
    tool = {"type": "function", "function": {"name": "f"}}
    for more, expected in ({}, "plain"), ({"tools": [tool]}, "tools"):
        chat = tmp_path / "chat.json"
        chat.write_text(json.dumps({"messages": [{"role": "user", "content": "Hi"}], **more}), encoding="utf-8")
        assert main(["render", str(tmp_path), "--chat", str(chat)]) == 0
        assert capsys.readouterr().out == f"{expected}\n"


def test_without_jinja(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "chatml", "--no-jinja", "--chat", str(chat), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["generation_prompt"] == "<|im_start|>assistant\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing.jinja"], "does not exist"),
        (["chatml", "--vocab", "nothing.gguf"], "nothing.gguf"),
        (["chatml", "--html", "/no/such/folder/page.html"], "can't be written"),
    ],
)
def test_what_goes_wrong_is_one_sentence(
    arguments: list[str], said: str, chat: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", *arguments, "--chat", str(chat)]) == 1
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("content", ["{", '"text"', '{"messages": [{"role": "user"}]}'])
def test_a_chat_that_is_none(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "chat.json"
    path.write_text(content, encoding="utf-8")
    assert main(["render", "chatml", "--chat", str(path)]) == 1
    assert capsys.readouterr().err.startswith("cutaway: ")


def test_colours_by_origin_and_no_escape_sequence_obeyed() -> None:
    spans: list[Any] = [
        Span("<|im_start|>", Origin("template", line=1, column=1)),
        Span("\x1b[2J", Origin("input", "messages[0].content", 0, 4)),
    ]
    shown = painted(spans, ["user"])
    assert "\x1b[90m<|im_start|>" in shown
    assert "\x1b[32m␛[2J" in shown
    assert visible("a\tb\n\x00\x7f") == "a\tb\n␀␡"
