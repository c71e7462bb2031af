"""What is done with a damaged file: it is set aside whole, and all that can still be read is copied to a new one."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from cutaway.store.database import Database
from cutaway.store.error import explain

_TABLES = ("conversation", "template", "setting", "message", "growth", "turn")
_BESIDE = ("", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Rescue:
    """What came of a repair."""

    set_aside: Path
    """Where the damaged file is now."""
    conversations: int
    messages: int

    @property
    def sentence(self) -> str:
        return (
            f"The store was damaged. {self.conversations:,} conversations with {self.messages:,} messages were saved "
            f"from it; the damaged file is kept as {self.set_aside}."
        )


def is_sound(path: str) -> bool:
    """Whether SQLite finds nothing wrong with the file. Reads all of it, on a connection of its own."""
    try:
        connection = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
        try:
            return [row[0] for row in connection.execute("PRAGMA quick_check(1)")] == ["ok"]
        finally:
            connection.close()
    except sqlite3.DatabaseError:
        return False


def repair(path: str, now: datetime) -> Rescue:
    """Set the file aside and fill a new one in its place. Nothing may have the file open. Raises StoreError."""
    aside = Path(f"{path}.damaged-{now:%Y%m%d-%H%M%S}")
    try:
        for suffix in _BESIDE:
            with contextlib.suppress(FileNotFoundError):
                Path(path + suffix).rename(f"{aside}{suffix}")
    except OSError as error:
        raise explain(error, path) from error
    database = Database(path)
    try:
        _copy(aside, database)
        found = [*database.conversations(), *database.conversations(archived=True)]
        return Rescue(aside, len(found), database.count_messages())
    finally:
        database.close()


def _copy(aside: Path, database: Database) -> None:
    try:
        source = sqlite3.connect(aside, isolation_level=None)
    except sqlite3.Error:
        return
    try:
        database.allow_orphans()
        with database.transaction():
            for table in _TABLES:
                _copy_table(source, database, table)
            database.mend()
    finally:
        source.close()


def _copy_table(source: sqlite3.Connection, database: Database, table: str) -> None:
    """Every row that can be read, from both ends towards the damage."""
    for order in ("ASC", "DESC"):
        columns, rows = _rows(source, table, order)
        if columns:
            for row in rows:
                database.put_row(table, columns, row)


def _rows(source: sqlite3.Connection, table: str, order: str) -> tuple[Sequence[str], Iterator[Sequence[Any]]]:
    key = {"setting": "scope", "growth": "message"}.get(table, "rowid")
    try:
        cursor = source.execute(f"SELECT * FROM {table} ORDER BY {key} {order}")
        return [column[0] for column in cursor.description], _until_damage(cursor)
    except sqlite3.Error:
        return (), iter(())


def _until_damage(cursor: sqlite3.Cursor) -> Iterator[Sequence[Any]]:
    with contextlib.suppress(sqlite3.Error, UnicodeDecodeError):
        yield from cursor
