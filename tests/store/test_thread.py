"""The store's thread: in order, in batches, and nothing dropped while the disk refuses."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cutaway.chat.message import Message
from cutaway.store.database import Database
from cutaway.store.error import StoreError
from cutaway.store.record import StoredConversation, StoredMessage
from cutaway.store.thread import StoreThread


def said(node: str) -> StoredMessage:
    return StoredMessage(node, "c", None, Message("user", node), created=1.0)


def begin(database: Database) -> None:
    database.put_conversation(StoredConversation("c", created=1.0, updated=1.0))


async def opened(path: Path, **what: object) -> StoreThread:
    thread = StoreThread(str(path / "store.db"), **what)  # type: ignore[arg-type]
    await thread.open()
    await thread.write(begin)
    return thread


async def test_posted_writes_are_there_for_the_next_question(tmp_path: Path) -> None:
    thread = await opened(tmp_path)
    for index in range(50):
        thread.post(lambda database, index=index: database.add_message(said(f"m{index:02}")))
    found = await thread.read(lambda database: [m.id for m in database.messages("c")])
    assert found == [f"m{index:02}" for index in range(50)]
    await thread.close()


async def test_all_that_was_posted_is_written_before_it_closes(tmp_path: Path) -> None:
    thread = await opened(tmp_path)
    for index in range(50):
        thread.post(lambda database, index=index: database.add_message(said(f"m{index:02}")))
    await thread.close()
    assert len(Database(str(tmp_path / "store.db")).messages("c")) == 50


async def test_a_failing_write_harms_no_other(tmp_path: Path) -> None:
    heard: list[StoreError] = []
    thread = await opened(tmp_path, failed=heard.append)
    thread.post(lambda database: database.add_message(said("one")))
    thread.post(lambda database: database.add_message(said("one")))
    thread.post(lambda database: database.add_message(said("two")))
    with pytest.raises(StoreError):
        await thread.write(lambda database: database.add_message(said("two")))
    assert await thread.read(lambda database: [m.id for m in database.messages("c")]) == ["one", "two"]
    assert len(heard) == 1
    await thread.close()


async def test_a_full_disk_keeps_posted_writes_and_reading_goes_on(tmp_path: Path) -> None:
    heard: list[StoreError] = []
    thread = await opened(tmp_path, failed=heard.append)
    pages = await thread.read(lambda database: database._run("PRAGMA page_count").fetchone()[0])
    await thread.read(lambda database: database._run(f"PRAGMA max_page_count = {pages}").fetchone())
    long = Message("user", "long " * 100_000)
    thread.post(lambda database: database.add_message(StoredMessage("m", "c", None, long, created=1.0)))
    assert await thread.read(lambda database: database.messages("c")) == []
    assert [error.kind for error in heard] == ["full"]
    with pytest.raises(StoreError, match="full"):
        await thread.write(lambda database: database.add_message(StoredMessage("n", "c", None, long, created=1.0)))
    assert thread.unwritten == 1
    await thread.read(lambda database: database._run("PRAGMA max_page_count = 1000000").fetchone())
    await thread.write(lambda database: None)
    assert thread.unwritten == 0
    assert [m.message for m in await thread.read(lambda database: database.messages("c"))] == [long]
    await thread.close()


async def test_two_openers_see_each_other(tmp_path: Path) -> None:
    noticed: list[bool] = []
    first = await opened(tmp_path, changed_outside=lambda: noticed.append(True))
    second = StoreThread(str(tmp_path / "store.db"))
    await second.open()

    async def write(thread: StoreThread, name: str) -> None:
        for index in range(30):
            await thread.write(lambda database, index=index: database.add_message(said(f"{name}{index}")))

    await asyncio.gather(write(first, "a"), write(second, "b"))
    found = {m.id for m in await first.read(lambda database: database.messages("c"))}
    assert found == {f"{name}{index}" for name in "ab" for index in range(30)}
    assert noticed
    await first.close()
    await second.close()


async def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    thread = StoreThread(str(tmp_path / "file" / "store.db"))
    with pytest.raises(StoreError, match=r"store\.db"):
        await thread.open()
    await thread.close()
