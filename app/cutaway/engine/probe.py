"""Runs in a child process: opens model files as far as a damaged one could end the process.

    python -m cutaway.engine.probe [--trial] FILE...
    python -m cutaway.engine.probe --adapter MODEL ADAPTER

One JSON object a line for each file, in order: `{"ok": true}` or `{"error": sentence}`. A file
that ends this process leaves its line out. With `--trial` a line `{"fast": true}` follows once
the first file was loaded and worked with the processor's special buffers.
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

from cutaway.engine.backend import LoadError
from cutaway.engine.look import look

LIFE = 90
"""Seconds after which this process ends itself: whoever started it may have been killed while llama.cpp hangs."""


def main(words: list[str]) -> int:
    if hasattr(signal, "alarm"):
        signal.alarm(LIFE)
    if words[:1] == ["--adapter"]:
        print(json.dumps(_answer_adapter(Path(words[1]), Path(words[2]))), flush=True)  # noqa: T201
        return 0
    trial = words[:1] == ["--trial"]
    files = [Path(word) for word in words[trial:]]
    for file in files:
        print(json.dumps(_answer(file)), flush=True)  # noqa: T201
    if trial and files:
        from cutaway.engine.llama.rehearsal import work_with_special_buffers

        print(json.dumps({"fast": work_with_special_buffers(files[0])}), flush=True)  # noqa: T201
    return 0


def _answer(file: Path) -> dict[str, object]:
    from cutaway.engine.llama.rehearsal import rehearse

    try:
        rehearse(look(file))
    except LoadError as error:
        return {"error": str(error)}
    return {"ok": True}


def _answer_adapter(model: Path, adapter: Path) -> dict[str, object]:
    from cutaway.engine.llama.rehearsal import rehearse_adapter

    try:
        rehearse_adapter(look(model), adapter)
    except LoadError as error:
        return {"error": str(error)}
    return {"ok": True}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
