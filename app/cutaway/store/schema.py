"""The tables, how an older file becomes the current one, and what is refused.

A schema that was released is never edited: a change is one more entry in MIGRATIONS. `PRAGMA user_version` says
which entries a file has been through.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from cutaway.store.error import StoreError

_FIRST = """
CREATE TABLE conversation (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL DEFAULT '',
    named INTEGER NOT NULL DEFAULT 0,
    created REAL NOT NULL,
    updated REAL NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0,
    draft TEXT NOT NULL DEFAULT '',
    messages INTEGER NOT NULL DEFAULT 0,
    deleted TEXT
);
CREATE INDEX conversation_order ON conversation (archived, pinned DESC, updated DESC);

CREATE TABLE message (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    parent TEXT,
    position INTEGER NOT NULL DEFAULT 0,
    chosen INTEGER NOT NULL DEFAULT 1,
    role TEXT NOT NULL,
    body TEXT NOT NULL,
    created REAL NOT NULL,
    status TEXT NOT NULL DEFAULT 'whole',
    turn TEXT,
    note TEXT NOT NULL DEFAULT '',
    ids BLOB,
    raw TEXT NOT NULL DEFAULT '',
    deleted TEXT
);
CREATE INDEX message_tree ON message (conversation, parent);
CREATE INDEX message_deleted ON message (deleted) WHERE deleted IS NOT NULL;

CREATE TABLE growth (
    message TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    content TEXT NOT NULL,
    reasoning TEXT NOT NULL,
    raw TEXT NOT NULL,
    ids BLOB NOT NULL,
    PRIMARY KEY (message, number)
) WITHOUT ROWID;

CREATE TABLE turn (
    id TEXT PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    message TEXT NOT NULL,
    created REAL NOT NULL,
    template TEXT NOT NULL DEFAULT '',
    document BLOB NOT NULL,
    outcome BLOB
);
CREATE INDEX turn_conversation ON turn (conversation);

CREATE TABLE template (
    sha256 TEXT PRIMARY KEY,
    source BLOB NOT NULL
);

CREATE TABLE setting (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (scope, key, name)
) WITHOUT ROWID;

CREATE VIRTUAL TABLE word USING fts5 (
    text, content = '', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
);
"""

MIGRATIONS: tuple[str, ...] = (_FIRST,)
"""The SQL that makes version n of version n - 1, from an empty file on."""


def connect(path: str) -> sqlite3.Connection:
    """A connection with the pragmas that the store lives by. Transactions are begun by hand."""
    connection = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA cache_size = -16000")
    return connection


def connect_reading(path: str) -> sqlite3.Connection:
    """A connection to a file that cannot be written, nor its folder: what another program writes is not seen."""
    name = Path(path).resolve().as_uri()
    return sqlite3.connect(f"{name}?mode=ro&immutable=1", uri=True, isolation_level=None, check_same_thread=False)


def upgrade(connection: sqlite3.Connection, path: str, migrations: Sequence[str] = MIGRATIONS) -> Path | None:
    """Bring the file to the current schema, after a copy of it was put beside it; answers where the copy is.

    Raises StoreError for a file from a newer version. A migration that fails leaves the file as it was.
    """
    version = _version(connection)
    if version > len(migrations):
        raise StoreError(
            f"{path} was written by a newer version of Cutaway (schema {version}, this one knows {len(migrations)}). "
            "Install that version again, or set CUTAWAY_HOME to start with an empty store; nothing was changed.",
            "newer",
        )
    if version == len(migrations):
        return None
    copy = _back_up(connection, path, version) if version else None
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another program may have upgraded it while this one waited for the lock.
        for number in range(_version(connection), len(migrations)):
            for statement in _statements(migrations[number]):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
    return copy


def require_current(connection: sqlite3.Connection, path: str) -> None:
    """Raises StoreError for a file that would have to be upgraded, or is newer."""
    version = _version(connection)
    if version != len(MIGRATIONS):
        raise StoreError(
            f"{path} has the schema {version} and cannot be written, so it cannot be brought to {len(MIGRATIONS)}. "
            "Make the file and its folder writable.",
            "readonly",
        )


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _back_up(connection: sqlite3.Connection, path: str, version: int) -> Path | None:
    if path == ":memory:":
        return None
    copy = Path(f"{path}.schema{version}.backup")
    target = sqlite3.connect(copy)
    try:
        connection.backup(target)
    finally:
        target.close()
    return copy


def _statements(script: str) -> list[str]:
    """The statements of a script: `executescript` would commit the transaction that they belong to."""
    statements, start = [], 0
    while (end := script.find(";", start)) >= 0:
        while end >= 0 and not sqlite3.complete_statement(script[start : end + 1]):
            end = script.find(";", end + 1)
        if end < 0:
            break
        statements.append(script[start : end + 1].strip())
        start = end + 1
    return statements
