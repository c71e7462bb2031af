"""`cutaway complete` and `cutaway bench engine`, on a tiny model."""

from __future__ import annotations

import json

import pytest

from cutaway.cli.main import main
from support.tiny_models import tiny_model

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


def test_turns_are_told_with_what_they_feed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "turns", "--model", MODEL, "--json"]) == 0

    turns = json.loads(capsys.readouterr().out)["turns"]
    assert [turn["action"] for turn in turns] == ["send"] * 6 + ["edit", "switch away", "switch back"]
    for turn in turns:
        assert turn["reused"] + turn["fed_after_send"] == turn["prompt_tokens"]
    for turn in turns[1:6]:
        assert turn["fed_after_send"] <= turn["message_tokens"] + turn["generation_prompt_tokens"]
    assert turns[6]["fed_after_send"] <= turns[6]["message_tokens"] + turns[6]["generation_prompt_tokens"]
    assert turns[6]["breaks"][0]["reason"] == "M9"
    assert turns[8]["fed_after_send"] <= turns[8]["message_tokens"] + turns[8]["generation_prompt_tokens"]
