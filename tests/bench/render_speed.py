"""What provenance costs: each template, a conversation of 801 messages, plain Jinja beside ours.

`python tests/bench/render_speed.py [name ...]` prints medians of one run, in milliseconds, and says which templates
cost more than twice plain Jinja plus 20 ms.
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

from cutaway.chat.template import Budget, TemplateError, compile_template
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


def milliseconds(action: Callable[[], Any]) -> float:
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        action()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken) * 1000


def main(names: list[str]) -> None:
    variables = {"messages": conversation(400), "add_generation_prompt": True, "bos_token": "<s>", "eos_token": "</s>"}
    variables["functions"] = ""
    environment = plain_environment(NOW)
    rows = []
    for path in assets.templates():
        if names and not any(name in path.stem for name in names):
            continue
        source = path.read_text(encoding="utf-8")
        plain, start = environment.from_string(source), time.perf_counter()
        ours = compile_template(source)
        compiling = (time.perf_counter() - start) * 1000
        try:
            expected = plain.render(**variables)
        except Exception as error:
            print(f"{path.stem}: not rendered by plain Jinja: {error}")
            continue
        try:
            assert ours.render(variables, now=NOW, budget=ROOMY).text == expected, path.stem
        except TemplateError as error:
            print(f"{path.stem}: {error}")
            continue
        before = milliseconds(lambda plain=plain: plain.render(**variables))
        after = milliseconds(lambda ours=ours: ours.render(variables, now=NOW, budget=ROOMY))
        rows.append((after - 2 * before - 20, path.stem, before, after, compiling))
    for over, name, before, after, compiling in sorted(rows, reverse=True):
        verdict = "OVER" if over > 0 else "ok"
        print(f"{verdict:5}{name:55} plain {before:8.1f}  ours {after:8.1f}  compiling {compiling:6.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
