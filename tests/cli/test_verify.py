"""`cutaway verify`, as people and programs use it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cutaway.cli.main import main
from support import assets

OUTCOMES = {"ok", "template drops data", "prefix break", "parsed wrongly", "error", "not applicable"}


@pytest.fixture
def qwen3(tmp_path: Path) -> Path:
    path = tmp_path / "qwen3.jinja"
    path.write_text(assets.template("Qwen-Qwen3-0.6B"), encoding="utf-8")
    return path


def test_json_has_the_format_its_evidence_and_every_case(qwen3: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(qwen3), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["format"]["handler"] == "derived"
    assert answer["format"]["tools"] == "json"
    assert {probe["name"] for probe in answer["format"]["evidence"]} >= {"reasoning", "call", "three-calls"}
    assert {case["outcome"] for case in answer["cases"]} == {"ok"}
    assert set(answer["cases"][0]) == {"name", "outcome", "detail"}
    assert answer["append_only"] is False


def test_people_read_one_line_a_case(qwen3: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(qwen3), "--evidence"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("format    derived")
    assert sum(line.startswith("case ") for line in lines) > 30
    assert any("left_diff" in line for line in lines)
    assert lines[-1].startswith("result    verified ")


def test_a_named_eos_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nemo.jinja"
    path.write_text(assets.template("mistralai-Mistral-Nemo-Instruct-2407"), encoding="utf-8")
    assert main(["verify", str(path), "--eos", "<eos>", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert "<eos>" in answer["format"]["description"]["ends"]
    assert {case["outcome"] for case in answer["cases"]} <= OUTCOMES - {"parsed wrongly", "error"}


@pytest.mark.parametrize(
    ("text", "said"),
    [("{% if %}", "does not compile"), ("{% for m in messages %}", "does not compile")],
)
def test_a_broken_template_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    path = tmp_path / "broken.jinja"
    path.write_text(text, encoding="utf-8")
    assert main(["verify", str(path)]) == 1
    assert said in capsys.readouterr().err


def test_a_template_that_never_ends_is_an_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cutaway.cli.verify.VERIFY_SECONDS", 0.2)
    monkeypatch.setattr("cutaway.cli.desk.PREPARE_SECONDS", 0.2)
    path = tmp_path / "endless.jinja"
    path.write_text("{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}", encoding="utf-8")
    assert main(["verify", str(path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["format"]["tools"] == "none"
    assert {case["outcome"] for case in answer["cases"]} <= OUTCOMES


def test_without_jinja_there_is_nothing_to_verify(qwen3: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(qwen3), "--no-jinja"]) == 1
    assert "leave --no-jinja out" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "nowhere.jinja"]) == 1
    assert "does not exist" in capsys.readouterr().err


@pytest.mark.parametrize(("opener", "agrees"), [("<tool_call>", True), ("<call>", False)])
def test_a_response_template_in_the_models_folder_is_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], opener: str, agrees: bool
) -> None:
    calls = {"open": opener, "close": "</tool_call>", "repeats": True, "content": "json"}
    thinking = {"open": "<think>", "close": "</think>"}
    response = {"fields": {"thinking": thinking, "tool_calls": calls, "content": {"close": "<|im_end|>"}}}
    config = {"chat_template": assets.template("Qwen-Qwen3-0.6B"), "response_template": response}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    assert main(["verify", str(tmp_path), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    other = next(one for one in answer["others"] if one["handler"] == "response-template")
    assert answer["format"]["handler"] == "derived"
    assert (other["failed"] == 0) is agrees
    assert any("response-template reads otherwise" in one for one in answer["disagreements"]) is not agrees
