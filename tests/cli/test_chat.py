"""`cutaway chat`: with the real model once, and every wrong use is one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cutaway.cli.main import main
from support import assets
from support.scripts import WEATHER


def chat(*words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "cutaway.cli.main", "chat", *words]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)


@pytest.mark.model
def test_one_message_is_answered_as_json(tmp_path: Path) -> None:
    saved, tools = tmp_path / "saved.json", tmp_path / "tools.json"
    tools.write_text(json.dumps([WEATHER]))
    done = chat(
        *("--model", str(assets.default_model()), "--system", "Be brief.", "--once", "Hello", "--max", "8"),
        *("--set", "seed=1", "--tools", str(tools), "--save", str(saved), "--json"),
    )
    assert done.stderr == ""
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert {"content", "reasoning_content", "tool_calls", "finish_reason", "usage", "timings"} <= answer.keys()
    assert answer["content"]
    assert answer["usage"]["completion_tokens"] <= 8
    assert answer["usage"]["total_tokens"] == answer["usage"]["prompt_tokens"] + answer["usage"]["completion_tokens"]
    body = json.loads(saved.read_text())
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant"]
    assert body["messages"][2]["content"] == answer["content"]
    assert body["tools"] == [WEATHER]


@pytest.mark.model
def test_a_conversation_line_by_line() -> None:
    done = chat("--model", str(assets.default_model()), "--max", "4", "--json", text="Hello\nAnd again\n/quit\n")
    assert done.returncode == 0
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert second["usage"]["prompt_tokens_details"]["cached_tokens"] >= first["usage"]["prompt_tokens"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tools", "missing.json"], "missing.json cannot be read"),
        (["--set", "nonsense=1"], "no setting named 'nonsense'"),
        (["--set", "temperature=hot"], "temperature"),
        (["--set", "temperature"], "NAME=VALUE"),
        (["--max", "0"], "max_tokens"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model = tmp_path / "model.gguf"
    model.write_bytes(b"GGUF")
    status = main(["chat", "--model", str(model), "--once", "x", *words])
    err = capsys.readouterr().err
    assert status in (1, 2)
    assert said in err
    assert len(err.strip().splitlines()) == 1


def test_tools_that_cannot_be_read_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text("{")
    assert main(["chat", "--model", str(file), "--once", "x", "--tools", str(file)]) == 1
    assert "line 1, column 2" in capsys.readouterr().err
