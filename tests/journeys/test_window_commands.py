"""`cutaway selftest`, `cutaway bench ui` and a second start, as a person runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from cutaway.cli.bench_ui import shortfall

FIGURES = {
    *("start_ms", "load_ms", "first_token_ms", "decode_tok_s", "turn2_reused_tokens", "turn2_fed_tokens"),
    *("stop_decode_ms", "stop_prefill_ms", "extra_memory_mb"),
}
MEASURED = {
    *("stall_ms_p99", "stall_ms_max", "open_prompt_ms", "open_conversation_ms"),
    *("scroll_frame_ms_p99", "key_latency_ms_p99", "forecast_ms_max"),
}


def cutaway(*words: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    start = "import sys; from cutaway.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", start, *words]
    settings = {**os.environ, "CUTAWAY_HOME": str(home), **environment}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=settings, check=False)


def test_the_selftest_reports_every_step_and_figure(tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    done = cutaway("selftest", "--scripted", "--json", "--screenshot", str(picture), home=tmp_path)
    report = json.loads(done.stdout)
    assert [step["name"] for step in report["steps"] if not step["ok"]] == []
    assert done.returncode == 0
    assert set(report["figures"]) == FIGURES
    assert report["figures"]["turn2_reused_tokens"] > 0
    assert picture.stat().st_size > 10_000
    assert done.stderr == ""


def test_a_selftest_without_its_model_is_a_sentence(tmp_path: Path) -> None:
    done = cutaway("selftest", "--model", str(tmp_path / "no.gguf"), home=tmp_path)
    assert done.returncode == 1
    assert "no.gguf" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_bench_measures_everything(tmp_path: Path) -> None:
    done = cutaway("bench", "ui", "--seconds", "1", "--json", home=tmp_path)
    figures = json.loads(done.stdout)
    assert set(figures) >= MEASURED
    assert figures["panes_visible"] == 8
    assert figures["prompt_tokens"] >= 20_000
    assert not done.stderr or "tokens/s came through" in done.stderr, "a busy machine is told"


def test_a_measurement_under_less_than_the_load_is_a_failure() -> None:
    whole = {"streamed_tok_s": 199.0, "panes_visible": 8.0}
    assert shortfall(whole) == ""
    assert "150 of 200 tokens/s" in shortfall({**whole, "streamed_tok_s": 150.0})
    assert "7 of 8 panes" in shortfall({**whole, "panes_visible": 7.0})


def test_without_a_display_the_window_says_so(tmp_path: Path) -> None:
    gone = dict.fromkeys(("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"), "")
    done = cutaway(home=tmp_path, **gone)
    assert done.returncode == 1
    assert "no display" in done.stderr
    assert "selftest" in done.stderr


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = cutaway(str(tmp_path / "missing.gguf"), home=tmp_path)
    assert done.returncode == 1
    assert "missing.gguf does not exist." in done.stderr
