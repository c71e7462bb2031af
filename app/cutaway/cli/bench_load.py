"""`cutaway bench engine --load`: the thread count that follows the machine, beside every fixed one, idle and busy."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import types
from statistics import median

from cutaway import child
from cutaway.cli.engine import Engine
from cutaway.engine.command import Generate, ModelSettings
from cutaway.engine.event import Finished
from cutaway.engine.sampling import Sampling
from cutaway.engine.threads import available_cores, candidates

CALM_TOKENS = 32
"""Written before the others come, as in a chat that went on for a while."""
ADAPTIVE = "adaptive"


def compare(engine: Engine, options: argparse.Namespace) -> int:
    """Interleaved rounds; every contender is loaded anew, so that it knows nothing of the load that comes."""
    counts = candidates(available_cores())
    speeds: dict[str, dict[str, list[float]]] = {"idle": {}, "busy": {}}
    for at in range(options.rounds):
        for name in _rotated([*map(str, counts), ADAPTIVE], at):
            for state, found in speeds.items():
                found.setdefault(name, []).append(_speed(engine, options, name, busy=state == "busy"))
    figures = {state: _figures(found) for state, found in speeds.items()}
    words = {"n_generate": options.generate, "rounds": options.rounds, "busy_processes": available_cores()}
    sys.stdout.write(json.dumps({**words, **figures}) + "\n" if options.json else _for_people(figures))
    return 0


def _rotated(names: list[str], by: int) -> list[str]:
    by %= len(names)
    return names[by:] + names[:by]


def _speed(engine: Engine, options: argparse.Namespace, name: str, *, busy: bool) -> float:
    """Tokens a second of one reply; where it is busy, the others come after its beginning was written calmly."""
    threads = None if name == ADAPTIVE else int(name)
    engine.load(options.model, ModelSettings(threads=threads, context=max(2048, options.generate + 128)))
    _write(engine, CALM_TOKENS)
    with Others(available_cores() if busy else 0):
        return _write(engine, options.generate)


def _write(engine: Engine, tokens: int) -> float:
    reply = Generate(engine.job(), "bench", (1,), sampling=Sampling(seed=1), max_tokens=tokens, ignore_end=True)
    finished = engine.run(reply)
    assert isinstance(finished, Finished)
    return finished.timings.decode_tok_s


class Others:
    """So many processes that never rest."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._running: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> None:
        words = child.command("cutaway.cli.busy")
        for _ in range(self._count):
            self._running.append(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        for process in self._running:
            assert process.stdout is not None
            process.stdout.read(1)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        for process in self._running:
            process.kill()
            process.communicate()


def _figures(found: dict[str, list[float]]) -> dict[str, object]:
    """Medians in tokens a second, and the adaptive one's share of the best fixed one."""
    medians = {name: round(median(values), 2) for name, values in found.items()}
    best = max(value for name, value in medians.items() if name != ADAPTIVE)
    return {"tok_s": medians, "ratio": round(medians[ADAPTIVE] / best, 3)}


def _for_people(figures: dict[str, dict[str, object]]) -> str:
    lines = []
    for state, found in figures.items():
        assert isinstance(found["tok_s"], dict)
        speeds = ", ".join(f"{name} {speed}" for name, speed in found["tok_s"].items())
        lines.append(f"{state}: tokens/s by threads: {speeds}; {found['ratio']} of the best fixed count\n")
    return "".join(lines)
