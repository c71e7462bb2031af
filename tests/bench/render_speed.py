"""What provenance costs: each template, a conversation of 801 messages, plain Jinja beside ours.

`python tests/bench/render_speed.py [--cpu] [name ...]` prints medians of one run, in milliseconds, and says which
templates cost more than twice plain Jinja plus 20 ms. `--cpu` counts the process's own time, for a busy machine.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cutaway.chat.template import Budget, compile_template
from support import assets
from support.plain_jinja import plain_environment

NOW = datetime(2026, 11, 29, 12)
ROUNDS = 5
ROOMY = Budget(steps=100_000_000)
TEXT = "The quick brown fox jumps over the lazy dog, and the rain in Spain stays mainly in the plain. " * 4


def conversation(turns: int) -> list[dict[str, Any]]:
    """A system message and `turns` questions with answers; 400 turns are 801 messages, 275,000 characters."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You are a helpful assistant."}]
    for turn in range(turns):
        messages.append({"role": "user", "content": f"Question {turn}: {TEXT[:330]}"})
        messages.append({"role": "assistant", "content": f"Answer {turn}: {TEXT[:330]}"})
    return messages


CLOCK = time.process_time if "--cpu" in sys.argv else time.perf_counter


def milliseconds(action: Callable[[], Any]) -> float:
    taken = []
    for _ in range(ROUNDS):
        start = CLOCK()
        action()
        taken.append(CLOCK() - start)
    return statistics.median(taken) * 1000


def measured(path: Path) -> tuple[float, str]:
    """How far over the bound the template is, in milliseconds, and a line that says so."""
    source = path.read_text(encoding="utf-8")
    variables: dict[str, Any] = {
        "messages": conversation(400)["System role not supported" in source :],
        "add_generation_prompt": True,
        "bos_token": "<s>",
        "eos_token": "</s>",
        "functions": "",
        "datetime": "now",
    }
    plain = plain_environment(NOW).from_string(source)
    start = CLOCK()
    ours = compile_template(source)
    compiling = (CLOCK() - start) * 1000
    expected = plain.render(**variables)
    assert ours.render(variables, now=NOW, budget=ROOMY).text == expected, path.stem
    before = milliseconds(lambda: plain.render(**variables))
    after = milliseconds(lambda: ours.render(variables, now=NOW, budget=ROOMY))
    over = after - 2 * before - 20
    verdict = "OVER" if over > 0 else "ok"
    return over, f"{verdict:5}{path.stem:55} plain {before:8.1f}  ours {after:8.1f}  compiling {compiling:6.1f}"


def main(names: list[str]) -> None:
    paths = [path for path in assets.templates() if not names or any(name in path.stem for name in names)]
    for _, line in sorted((measured(path) for path in paths), reverse=True):
        print(line)


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if name != "--cpu"])
