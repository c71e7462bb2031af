"""`cutaway complete` and `cutaway bench engine`, on a tiny model."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cutaway.cli.main import main
from support import assets
from support.tiny_models import Kind, tiny_model

MODEL = str(tiny_model("attention"))


def test_raw_text_is_continued(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["complete", "--model", MODEL, "--prompt", "the end of", "--max", "7", "--seed", "3", "--json"])

    answer = json.loads(capsys.readouterr().out)
    assert status == 0
    assert len(answer["ids"]) <= 7
    assert answer["finish_reason"] in ("length", "stop")
    assert answer["timings"]["fed"] == answer["timings"]["prompt_tokens"]
    assert answer["seed"] == 3


def test_the_text_is_printed_as_it_comes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["complete", "--model", MODEL, "--prompt", "the", "--max", "5", "--seed", "3"]
    assert main([*words, "--json"]) == 0
    text = json.loads(capsys.readouterr().out)["text"]

    assert main(words) == 0
    assert capsys.readouterr().out.removesuffix("\n") == text.removesuffix("\n")


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--prompt", "", "--model", MODEL], 1),
        (["--prompt", "x", "--max", "0", "--model", MODEL], 2),
        (["--prompt", "x", "--model", "/nowhere/model.gguf"], 1),
        (["--prompt", "x", "--model", __file__], 1),
    ],
    ids=["empty", "none", "missing", "no model"],
)
def test_what_cannot_be_done_is_one_sentence(words: list[str], status: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", *words]) == status
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("cutaway: ")
    assert said.err.count("\n") == 1


def test_the_engine_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["bench", "engine", "--model", MODEL, "--prompt", "64", "--generate", "8", "--threads", "1", "--json"]

    assert main(words) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["n_prompt"], figures["n_generate"], figures["threads"]) == (64, 8, 1)
    assert min(figures["prefill_tok_s"], figures["decode_raw_tok_s"], figures["decode_tok_s"]) > 0
    assert figures["worker_share"] > -1


FIELDS = {
    *("action", "prompt_tokens", "held", "reused", "message_tokens", "generation_prompt_tokens"),
    *("fed_before_send", "fed_after_send", "first_token_ms", "breaks"),
}


def check(turns: list[dict[str, Any]]) -> None:
    """What holds for each turn of the script on any memory, with idle work."""
    assert [turn["action"] for turn in turns] == ["send"] * 6 + ["edit", "switch away", "switch back"]
    for turn in turns:
        assert turn.keys() >= FIELDS
        assert turn["reused"] + turn["fed_after_send"] == turn["prompt_tokens"]
        assert bool(turn["breaks"]) == (turn["reused"] < turn["held"])
        for broken in turn["breaks"]:
            assert broken.keys() >= {"at_token", "reason", "detail", "avoidable_by"}
    for turn in turns[1:]:
        assert turn["fed_after_send"] <= turn["message_tokens"] + turn["generation_prompt_tokens"]
    for turn in (*turns[1:6], turns[8]):
        assert turn["fed_after_send"] == turn["message_tokens"] + turn["generation_prompt_tokens"]
        assert not turn["breaks"]
    assert turns[6]["breaks"][0]["reason"] == "M9"


@pytest.mark.parametrize(
    ("kind", "template", "think"),
    [
        ("attention", "", ""),
        ("attention", "Qwen-Qwen3-0.6B", "off"),
        ("sliding", "Qwen3.5-4B", "on"),
        ("recurrent", "Qwen-Qwen3-0.6B", "on"),
        ("hybrid", "Qwen3.5-4B", "off"),
        ("hybrid", "google-gemma-2-2b-it", "off"),
    ],
)
def test_turns_feed_the_message_and_the_generation_prompt_alone(
    kind: Kind, template: str, think: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("cutaway.workbench.idle.PATIENCE", 0.01)
    words = ["bench", "turns", "--model", str(tiny_model(kind)), "--json"]
    if template:
        path = next(path for path in assets.templates() if path.stem == template)
        words += ["--template", str(path), "--think", think]
    assert main(words) == 0

    check(json.loads(capsys.readouterr().out)["turns"])
