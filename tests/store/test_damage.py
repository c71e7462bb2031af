"""A damaged file is set aside, and what can be read of it is saved; a file that cannot be written can be read."""

from __future__ import annotations

import random
import sqlite3
from datetime import datetime
from pathlib import Path

import pytest

from cutaway.chat.message import Message
from cutaway.store.damage import is_sound, repair
from cutaway.store.database import Database
from cutaway.store.error import StoreError
from cutaway.store.record import StoredConversation, StoredMessage
from cutaway.store.schema import connect_reading

NOW = datetime(2026, 7, 26, 12, 0, 0)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store of 40 conversations with 50 messages each."""
    file = tmp_path / "store.db"
    database = Database(str(file))
    with database.transaction():
        for number in range(40):
            name = f"c{number}"
            database.put_conversation(StoredConversation(name, f"Title {number}", created=1.0, updated=2.0))
            for index in range(50):
                text = f"message {number} {index} " + "filler " * 20
                database.add_message(StoredMessage(f"{name}-{index}", name, None, Message("user", text), created=1.0))
    database.close()
    return file


def overwrite(path: Path, start: int, size: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(random.Random(start).randbytes(size))


def test_a_sound_file_is_said_to_be(path: Path) -> None:
    assert is_sound(str(path))


def test_what_can_be_read_of_a_damaged_file_is_saved(path: Path) -> None:
    size = path.stat().st_size
    overwrite(path, size // 2, 16384)
    assert not is_sound(str(path))
    rescue = repair(str(path), NOW)
    assert rescue.set_aside.is_file()
    assert rescue.set_aside.stat().st_size == size
    assert rescue.messages > 1000
    database = Database(str(path))
    assert is_sound(str(path))
    found = database.messages("c0")
    assert found[0].message.text.startswith("message 0 0 ")
    assert database.search("message 0 0")
    database.close()


@pytest.mark.parametrize("content", [b"\0" * 5000, b"this is no database at all, only words" * 40])
def test_a_file_that_is_no_database_is_set_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        Database(str(path))
    assert caught.value.kind == "damaged"
    rescue = repair(str(path), NOW)
    assert (rescue.messages, rescue.set_aside.read_bytes()) == (0, content)
    Database(str(path)).close()


def test_a_file_that_cannot_be_written_can_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    def refuse(name: str) -> sqlite3.Connection:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr("cutaway.store.database.connect", refuse)
    database = Database(str(path))
    assert database.refused is not None
    assert len(database.messages("c3")) == 50
    assert database.search("message 3 7")
    with pytest.raises(StoreError, match="read-only"), database.transaction():
        database.set_draft("c3", "x")
    database.close()
    reading = connect_reading(str(path))
    with pytest.raises(sqlite3.OperationalError):
        reading.execute("DELETE FROM message")
    reading.close()
