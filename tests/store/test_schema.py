"""Files of every released schema become the current one; newer ones and failures leave the file alone."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from cutaway.store.database import Database
from cutaway.store.error import StoreError
from cutaway.store.schema import MIGRATIONS, connect, upgrade

RELEASED = Path(__file__).parents[1] / "data" / "store"


def version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def restored(dump: Path, path: Path) -> Path:
    """A database file as that release left it."""
    connection = sqlite3.connect(path)
    connection.executescript(dump.read_text(encoding="utf-8"))
    connection.close()
    return path


def test_there_is_a_file_of_each_released_schema() -> None:
    assert sorted(int(file.stem) for file in RELEASED.glob("*.sql")) == list(range(1, len(MIGRATIONS) + 1))


@pytest.mark.parametrize("dump", sorted(RELEASED.glob("*.sql")), ids=lambda file: file.stem)
def test_each_released_schema_opens_with_all_it_held(dump: Path, tmp_path: Path) -> None:
    database = Database(str(restored(dump, tmp_path / "store.db")))
    branch = [message for message in database.messages("c1") if message.chosen]
    assert [(m.message.role, m.message.content, m.status) for m in branch] == [
        ("user", "What is the tallest mountain?", "whole"),
        ("assistant", "Mount Everest.", "whole"),
        ("user", "And the deepest lake?", "whole"),
        ("assistant", "Lake Bai", "stopped"),
    ]
    assert [m.message.content for m in database.messages("c1") if not m.chosen] == ["K2, some say."]
    assert branch[1].ids == (101, 102, 2)
    assert database.conversations()[0].title == "Mountains"
    assert database.turn("t1").outcome["raw"] == "Mount Everest."
    assert database.template_source("feed") == "{{ messages }}"
    assert database.settings()[("conversation", "c1")] == {"system": "Be brief."}
    assert [hit.message for hit in database.search("deepest")] == [branch[2].id]
    database.close()


def test_an_older_file_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    connection = connect(path)
    assert upgrade(connection, path, MIGRATIONS) is None
    connection.execute("INSERT INTO setting VALUES ('app', '', 'language', '\"en\"')")
    longer = (*MIGRATIONS, "CREATE TABLE later (x); UPDATE setting SET value = '\"de;\"';")
    copy = upgrade(connection, path, longer)
    assert version(connection) == len(longer)
    assert connection.execute("SELECT value FROM setting").fetchone() == ('"de;"',)
    assert copy is not None
    before = sqlite3.connect(copy)
    assert (version(before), before.execute("SELECT value FROM setting").fetchone()) == (len(MIGRATIONS), ('"en"',))
    before.close()
    connection.close()


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    connection = connect(path)
    upgrade(connection, path, MIGRATIONS)
    with pytest.raises(sqlite3.Error):
        upgrade(connection, path, (*MIGRATIONS, "CREATE TABLE later (x); SELECT * FROM missing;"))
    assert version(connection) == len(MIGRATIONS)
    assert connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'later'").fetchone() == (0,)
    connection.close()


def test_a_file_from_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    Database(str(path)).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer version") as caught:
        Database(str(path))
    assert caught.value.kind == "newer"
    assert path.read_bytes() == before
