"""`cutaway parse` and `cutaway bench chat`, as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cutaway.cli.main import main
from support import assets

TEMPLATE = "Qwen-Qwen3-0.6B"
REQUEST = {
    "messages": [{"role": "user", "content": "When?"}],
    "tools": [{"type": "function", "function": {"name": "clock", "parameters": {"type": "object", "properties": {}}}}],
}
OUTPUT = '<think>\nhm\n</think>\n\nSee.\n<tool_call>\n{"name": "clock", "arguments": {}}\n</tool_call>'


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    template, chat, output = tmp_path / "t.jinja", tmp_path / "chat.json", tmp_path / "output.txt"
    template.write_text(assets.template(TEMPLATE), encoding="utf-8")
    chat.write_text(json.dumps(REQUEST), encoding="utf-8")
    output.write_text(OUTPUT, encoding="utf-8")
    return ["parse", str(template), "--chat", str(chat), "--output", str(output)]


def test_it_prints_blocks_and_spans(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    shown = capsys.readouterr().out
    for part in ("reasoning\nhm", "content\nSee.", "call clock", "call_name  'clock'", "markup     '<think>'"):
        assert part in shown


def test_json_holds_what_batch_answers(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    (parsed,) = answer["parsed"]
    assert (parsed["content"], parsed["reasoning_content"]) == ("See.", "hm")
    assert parsed["tool_calls"][0]["name"] == "clock"
    assert answer["thinking_start"] == "<think>"


def test_another_format_by_name_reads_it_otherwise(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--against", "lfm2"]) == 0
    shown = capsys.readouterr().out
    assert "against lfm2" in shown
    assert "call_name / content" in shown


def test_an_unknown_format_is_a_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--format", "nothing"]) == 1
    assert "There is no format 'nothing'." in capsys.readouterr().err


def test_a_missing_output_is_a_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words[:-1], "/no/such/file"]) == 1
    assert "can't be read" in capsys.readouterr().err


def test_bytes_that_are_no_text_are_read_all_the_same(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path(words[-1]).write_bytes(b"ok \xff\xf0\x9f")
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["parsed"][0]["content"] == "ok \ufffd\ufffd"


def test_the_benchs_replies_are_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    from cutaway.cli import bench_chat

    monkeypatch.setattr(bench_chat, "CHARACTERS", (1_000,))
    rows = bench_chat._feeds()
    assert [row["format"] for row in rows] == ["content", "json", "tagged", "reasoning"]
    for format, before, after in bench_chat.REPLIES.values():
        reply = bench_chat.feed(format, before + "abc" + after).reply()
        assert reply.repairs == ()
        assert all(call.complete for call in reply.calls)
    assert all(row["chars"] == 1_000 for row in rows)
