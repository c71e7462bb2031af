"""The store goes wrong: damaged, from a newer version, unopenable, full. Each is a sentence, and one can go on."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from cutaway.store.error import StoreError
from cutaway.workbench.change import Change, ConversationsChanged, Problem
from support.scripts import bench_on, texts


def problems(heard: list[Change]) -> list[Problem]:
    return [change for change in heard if isinstance(change, Problem)]


async def fill(path: Path) -> str:
    async with bench_on(["one"], path) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.send(conversation, "First")
        await bench.settled()
        return conversation


async def test_a_damaged_store_is_repaired_and_said(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(b"no database" * 1000)
    heard: list[Change] = []
    async with bench_on(["one"], path, heard=heard.append) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.send(conversation, "First")
        await bench.settled()
    assert "damaged" in problems(heard)[0].sentence
    async with bench_on(store=path, load=False) as bench:
        assert await texts(bench, conversation) == ["user: First", "assistant: one"]


async def test_a_store_from_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    await fill(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    heard: list[Change] = []
    async with bench_on(["one"], path, heard=heard.append) as bench:
        assert await bench.conversations() == []
        await asyncio.sleep(0)
    (problem,) = problems(heard)
    assert "newer version" in problem.sentence
    assert "memory" in problem.advice
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT count(*) FROM message").fetchone() == (2,)
    connection.close()


async def test_a_message_that_cannot_be_saved_is_not_sent(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    conversation = await fill(path)
    async with bench_on(["two"], path) as bench:
        pages = await bench._store.read(lambda database: database._run("PRAGMA page_count").fetchone()[0])
        await bench._store.read(lambda database: database._run(f"PRAGMA max_page_count = {pages}").fetchone())
        with pytest.raises(StoreError, match="full"):
            await bench.send(conversation, "long " * 100_000)
        assert await texts(bench, conversation) == ["user: First", "assistant: one"]
        assert bench.running() is None


async def test_a_reply_that_cannot_be_saved_is_kept_until_it_can(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    conversation = await fill(path)
    heard: list[Change] = []
    long = " ".join(f"{'w' * 300}{index % 7}" for index in range(1000))
    async with bench_on([long], path, heard=heard.append) as bench:
        await bench.send(conversation, "Second")
        pages = await bench._store.read(lambda database: database._run("PRAGMA page_count").fetchone()[0])
        await bench._store.read(lambda database: database._run(f"PRAGMA max_page_count = {pages}").fetchone())
        await bench.settled()
        while bench._store.unwritten == 0:
            await asyncio.sleep(0.01)
        assert (await texts(bench, conversation))[-1] == f"assistant: {long}"
        await bench._store.read(lambda database: database._run("PRAGMA max_page_count = 1000000").fetchone())
    assert any(problem.action == "free-disk" for problem in problems(heard))
    async with bench_on(store=path, load=False) as bench:
        assert (await texts(bench, conversation))[-1] == f"assistant: {long}"


async def test_two_programs_on_one_store_see_each_other(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    conversation = await fill(path)
    heard: list[Change] = []
    async with bench_on(["two"], path, heard=heard.append) as first, bench_on(["three"], path) as second:
        assert len(await first.messages(conversation)) == 2
        await second.send(conversation, "From the other")
        await second.settled()
        heard.clear()
        await first.search("anything")
        async with asyncio.timeout(5):
            while not any(isinstance(change, ConversationsChanged) for change in heard):
                await asyncio.sleep(0.01)
        assert (await texts(first, conversation))[-2:] == ["user: From the other", "assistant: three"]


async def test_the_engine_keeps_nothing_of_a_deleted_conversation(tmp_path: Path) -> None:
    store, states = tmp_path / "store.db", tmp_path / "states"
    async with bench_on(store=store) as bench:
        for _ in range(2):
            await bench.send((await bench.create_conversation()).id, "Hello")
            await bench.settled()
    assert len(list(states.iterdir())) == 2
    async with bench_on(store=store, load=False) as bench:
        first, second = await bench.conversations()
        await bench.delete_conversation(first.id)
        assert len(list(states.iterdir())) == 1
        await bench.load_model("scripted.gguf")
        await bench.model_ready()
        await bench.send(second.id, "And?")
        await bench.settled()
        await bench.delete_conversation(second.id)
    assert list(states.iterdir()) == []
