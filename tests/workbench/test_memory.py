"""Memory stays flat however many turns are made; the long form is 10,000 turns: `pytest -m long`."""

from __future__ import annotations

import gc
import tracemalloc
from pathlib import Path

import pytest

from cutaway.engine.scripted import Script
from cutaway.workbench.bench import Workbench
from support.scripts import bench_on

SCRIPT = Script(replies=("A reply of some words, the same each time.", "Another reply."))


async def talk(bench: Workbench, conversations: int, turns: int) -> None:
    for _ in range(conversations):
        conversation = (await bench.create_conversation()).id
        for _ in range(turns):
            await bench.send(conversation, "The same words of a person.")
            await bench.settled()


async def grown(path: Path, first: int, second: int, turns: int) -> float:
    """Bytes that a turn leaves behind, once everything that is kept is full."""
    async with bench_on(SCRIPT, path) as bench:
        await talk(bench, first, turns)
        gc.collect()
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        await talk(bench, second, turns)
        gc.collect()
        after = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
    return (after - before) / (second * turns)


async def test_a_turn_leaves_nothing_behind_in_memory(tmp_path: Path) -> None:
    # What is kept of the last 32 conversations and turns is replaced by the like of it: tracemalloc sees the new, not
    # the old, so a turn may leave what those hold; it must not leave more the longer it goes on.
    short = await grown(tmp_path / "one.db", 40, 20, 2)
    long = await grown(tmp_path / "two.db", 40, 60, 2)
    assert long * 3 < short * 3 + 60_000


@pytest.mark.long
async def test_ten_thousand_turns(tmp_path: Path) -> None:
    assert await grown(tmp_path / "store.db", 40, 2500, 4) < 200
