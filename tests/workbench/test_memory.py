"""Memory stays flat however many turns are made. By hand, 10,000 of them: `python tests/workbench/test_memory.py`."""

from __future__ import annotations

import asyncio
import gc
import sys
import tempfile
import tracemalloc
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import pytest

from cutaway.engine.scripted import Script
from cutaway.engine.worker import Worker
from cutaway.workbench.bench import Workbench
from support.scripts import bench_on

SCRIPT = Script(replies=("A reply of some words, the same each time.",))
KEPT = (
    "cutaway.workbench.idle.KEPT",
    "cutaway.workbench.turns.TURNS_KEPT",
    "cutaway.workbench.causes.KEPT",
    "cutaway.workbench.library.TREES_KEPT",
    "cutaway.engine.cache_states.MOST_FILES",
)


async def talk(bench: Workbench, conversations: int, turns: int) -> None:
    for _ in range(conversations):
        conversation = (await bench.create_conversation()).id
        for _ in range(turns):
            await bench.send(conversation, "The same words of a person.")
            await bench.settled()


async def left_behind(path: Path, warm: int, measured: int, turns: int) -> float:
    """Bytes that a turn leaves behind, once all that is kept is full."""
    async with bench_on(SCRIPT, path) as bench:
        tracemalloc.start()
        try:
            await talk(bench, warm, turns)
            gc.collect()
            before = tracemalloc.get_traced_memory()[0]
            await talk(bench, measured, turns)
            gc.collect()
            return (tracemalloc.get_traced_memory()[0] - before) / (measured * turns)
        finally:
            tracemalloc.stop()


async def test_a_turn_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEPT:
        monkeypatch.setattr(name, 3)
    monkeypatch.setitem(Worker.__init__.__kwdefaults__, "states_memory", 2000)
    # What Python itself keeps of the measured code is spread over few turns here; a turn that stays has 5,000 and more.
    assert await left_behind(tmp_path / "store.db", 16, 30, 2) < 2500


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        sys.stdout.write(str(asyncio.run(left_behind(Path(folder) / "store.db", 40, 2500, 4))) + " bytes a turn\n")
