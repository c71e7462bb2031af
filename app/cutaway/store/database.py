"""The database file: every question it is asked and every change that is made to it.

All methods are for one thread. A method that changes several rows expects to be called inside `transaction()`.
"""

from __future__ import annotations

import json
import sqlite3
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from cutaway.chat.message import Message
from cutaway.store.encode import dump, message_from_json, message_json, pack_ids, unpack_ids
from cutaway.store.error import StoreError, explain
from cutaway.store.record import Found, Growth, StoredConversation, StoredMessage, StoredTurn
from cutaway.store.schema import connect, connect_reading, require_current, upgrade
from cutaway.store.words import indexed, query

_CONVERSATION = "id, title, named, created, updated, pinned, archived, draft, messages"
_MESSAGE = "id, conversation, parent, body, role, created, status, turn, chosen, position, note, ids, raw"


class Database:
    def __init__(self, path: str) -> None:
        """Open or make the file, bring it to the current schema, and fold what a killed program left growing.

        A file that cannot be written is opened for reading: every change then raises StoreError, and `refused`
        says why. Raises StoreError.
        """
        self.path = path
        self.backup: Path | None = None
        self.refused: StoreError | None = None
        try:
            self._connection = self._connect()
        except (sqlite3.Error, OSError) as error:
            raise explain(error, path) from error
        try:
            self._prepare()
        except BaseException as error:
            self._connection.close()
            if isinstance(error, sqlite3.Error | OSError):
                raise explain(error, path) from error
            raise

    def _connect(self) -> sqlite3.Connection:
        if self.path != ":memory:":
            Path(self.path).parent.mkdir(parents=True, exist_ok=True)
        try:
            return connect(self.path)
        except sqlite3.OperationalError as error:
            if not Path(self.path).is_file() or explain(error, self.path).kind != "readonly":
                raise
            self.refused = explain(error, self.path)
            return connect_reading(self.path)

    def _prepare(self) -> None:
        if self.refused is not None:
            require_current(self._connection, self.path)
            return
        self.backup = upgrade(self._connection, self.path)
        with self.transaction():
            self._fold_growths()

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def transaction(self, name: str = "") -> Iterator[None]:
        """All or nothing. With a name, a part of the transaction around it."""
        begin, keep, undo = ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
        if name:
            begin, keep, undo = f"SAVEPOINT {name}", f"RELEASE {name}", f"ROLLBACK TO {name}"
        self._run(begin)
        try:
            yield
            self._run(keep)
        except BaseException:
            # A full disk may have ended the transaction already.
            if self._connection.in_transaction:
                self._run(undo)
            raise

    def changes_of_others(self) -> int:
        """A number that differs from the last answer when another connection changed the file."""
        return int(self._run("PRAGMA data_version").fetchone()[0])

    # -- Conversations ------------------------------------------------------------------------------

    def conversations(self, *, archived: bool = False) -> list[StoredConversation]:
        """Pinned ones first, then by last use."""
        rows = self._run(
            f"SELECT {_CONVERSATION} FROM conversation WHERE archived = ? AND deleted IS NULL "
            "ORDER BY pinned DESC, updated DESC",
            (int(archived),),
        )
        return [_conversation(row) for row in rows]

    def conversation(self, conversation: str) -> StoredConversation | None:
        row = self._run(
            f"SELECT {_CONVERSATION} FROM conversation WHERE id = ? AND deleted IS NULL", (conversation,)
        ).fetchone()
        return _conversation(row) if row else None

    def put_conversation(self, value: StoredConversation) -> None:
        """Make it, or change it to this. The count of messages is the store's own."""
        self._run(
            "INSERT INTO conversation (id, title, named, created, updated, pinned, archived, draft) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title, "
            "named = excluded.named, updated = excluded.updated, pinned = excluded.pinned, "
            "archived = excluded.archived, draft = excluded.draft",
            (
                value.id,
                value.title,
                int(value.named),
                value.created,
                value.updated,
                int(value.pinned),
                int(value.archived),
                value.draft,
            ),
        )

    def set_draft(self, conversation: str, text: str) -> None:
        self._run("UPDATE conversation SET draft = ? WHERE id = ?", (text, conversation))

    def delete_conversation(self, conversation: str, deletion: str) -> None:
        """Hide it under the name of a deletion, until `restore` or `purge`."""
        self._run("UPDATE conversation SET deleted = ? WHERE id = ?", (deletion, conversation))

    # -- Messages -----------------------------------------------------------------------------------

    def messages(self, conversation: str) -> list[StoredMessage]:
        """All branches; parents before children, siblings in their order."""
        rows = self._run(
            f"SELECT {_MESSAGE} FROM message WHERE conversation = ? AND deleted IS NULL ORDER BY position, number",
            (conversation,),
        ).fetchall()
        return [self._with_growth(_message(row)) for row in _parents_first(rows)]

    def message(self, message: str) -> StoredMessage | None:
        row = self._run(f"SELECT {_MESSAGE} FROM message WHERE id = ?", (message,)).fetchone()
        return self._with_growth(_message(row)) if row else None

    def add_message(self, value: StoredMessage) -> None:
        cursor = self._run(
            "INSERT INTO message (id, conversation, parent, body, role, created, status, turn, chosen, position, "
            "note, ids, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                value.id,
                value.conversation,
                value.parent,
                dump(message_json(value.message)),
                value.message.role,
                value.created,
                value.status,
                value.turn,
                int(value.chosen),
                value.position,
                value.note,
                pack_ids(value.ids) if value.ids else None,
                value.raw,
            ),
        )
        self._index(int(cursor.lastrowid or 0), "", _searched(value.message))
        self._run(
            "UPDATE conversation SET messages = messages + 1, updated = max(updated, ?) WHERE id = ?",
            (value.created, value.conversation),
        )
        if value.chosen:
            self.choose((value.id,))

    def update_message(self, value: StoredMessage) -> None:
        """Its content, status, turn, note and ids; what it had grown by is part of the new content."""
        row = self._run("SELECT number, body, role FROM message WHERE id = ?", (value.id,)).fetchone()
        if row is None:
            return
        number, body, role = row
        self._run(
            "UPDATE message SET body = ?, role = ?, status = ?, turn = ?, note = ?, ids = ?, raw = ? WHERE number = ?",
            (
                dump(message_json(value.message)),
                value.message.role,
                value.status,
                value.turn,
                value.note,
                pack_ids(value.ids) if value.ids else None,
                value.raw,
                number,
            ),
        )
        self._run("DELETE FROM growth WHERE message = ?", (value.id,))
        self._index(number, _searched(_read_body(body, role)), _searched(value.message))

    def set_turn(self, message: str, turn: str | None) -> None:
        self._run("UPDATE message SET turn = ? WHERE id = ?", (turn, message))

    def choose(self, messages: Iterable[str]) -> None:
        """Each is the chosen one among its siblings from now on."""
        for message in messages:
            self._run(
                "UPDATE message SET chosen = (id = ?1) WHERE conversation = (SELECT conversation FROM message "
                "WHERE id = ?1) AND parent IS (SELECT parent FROM message WHERE id = ?1) AND deleted IS NULL",
                (message,),
            )

    def delete_messages(self, messages: Sequence[str], deletion: str) -> None:
        """Hide them under the name of a deletion, until `restore` or `purge`."""
        self._connection.executemany("UPDATE message SET deleted = ? WHERE id = ?", ((deletion, m) for m in messages))
        self._recount(deletion, -1)

    def restore(self, deletion: str) -> None:
        """Bring back what one deletion hid."""
        self._recount(deletion, +1)
        self._run("UPDATE message SET deleted = NULL WHERE deleted = ?", (deletion,))
        self._run("UPDATE conversation SET deleted = NULL WHERE deleted = ?", (deletion,))

    def purge(self, before: str) -> None:
        """Forget for good what was deleted under names that sort before this one."""
        doomed = self._run(
            "SELECT number, body, role FROM message WHERE deleted < ?1 OR conversation IN "
            "(SELECT id FROM conversation WHERE deleted < ?1)",
            (before,),
        ).fetchall()
        for number, body, role in doomed:
            self._index(number, _searched(_read_body(body, role)), "")
            self._run("DELETE FROM turn WHERE id = (SELECT turn FROM message WHERE number = ?)", (number,))
            self._run("DELETE FROM message WHERE number = ?", (number,))
        self._run(
            "DELETE FROM setting WHERE scope = 'conversation' AND key IN "
            "(SELECT id FROM conversation WHERE deleted < ?)",
            (before,),
        )
        self._run("DELETE FROM conversation WHERE deleted < ?", (before,))

    def purge_old(self, days: float = 1.0) -> None:
        """Forget what was deleted longer ago than that. Deletions are named by ids that begin with their time."""
        self.purge(f"{int((time.time() - days * 86_400) * 1_000_000):014x}")

    # -- A reply while it grows ---------------------------------------------------------------------

    def grow(self, value: Growth) -> None:
        """What a reply gained. Its cost does not depend on how long the reply is already."""
        self._run(
            "INSERT INTO growth (message, number, content, reasoning, raw, ids) VALUES "
            "(?1, (SELECT coalesce(max(number), 0) + 1 FROM growth WHERE message = ?1), ?2, ?3, ?4, ?5)",
            (value.message, value.content, value.reasoning, value.raw, pack_ids(value.ids)),
        )

    def _with_growth(self, value: StoredMessage) -> StoredMessage:
        if value.status != "growing":
            return value
        return _grown(value, self._growth(value.id))

    def _growth(self, message: str) -> list[Growth]:
        rows = self._run(
            "SELECT content, reasoning, raw, ids FROM growth WHERE message = ? ORDER BY number", (message,)
        )
        return [Growth(message, row[0], row[1], row[2], unpack_ids(row[3])) for row in rows]

    def _fold_growths(self) -> None:
        """Make whole messages of what was still growing when the program ended. Another program's growing reply
        loses nothing by it: when that one ends it writes its reply whole."""
        rows = self._run(
            f"SELECT {_MESSAGE} FROM message WHERE status = 'growing' OR id IN (SELECT message FROM growth)"
        )
        for row in rows.fetchall():
            value = _message(row)
            grown = _grown(value, self._growth(value.id))
            self.update_message(replace(grown, status="stopped"))

    # -- Turns --------------------------------------------------------------------------------------

    def put_turn(self, value: StoredTurn, source: str = "") -> None:
        """What is known of a turn before its first token. `source` is the template's text."""
        if value.template:
            self._run(
                "INSERT INTO template (sha256, source) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (value.template, _squeeze(source)),
            )
        self._run(
            "INSERT OR REPLACE INTO turn (id, conversation, message, created, template, document, outcome) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                value.id,
                value.conversation,
                value.message,
                value.created,
                value.template,
                _squeeze(dump(value.document)),
                _squeeze(dump(value.outcome)) if value.outcome else None,
            ),
        )

    def finish_turn(self, turn: str, outcome: Mapping[str, Any]) -> None:
        self._run("UPDATE turn SET outcome = ? WHERE id = ?", (_squeeze(dump(outcome)), turn))

    def last_turn(self, conversation: str) -> str | None:
        """The conversation's newest turn that came to an end, on whatever branch."""
        row = self._run(
            "SELECT id FROM turn WHERE conversation = ? AND outcome IS NOT NULL ORDER BY created DESC LIMIT 1",
            (conversation,),
        ).fetchone()
        return row[0] if row else None

    def unfinished_turns(self) -> list[str]:
        """Turns whose messages stopped growing without them: the program was killed."""
        rows = self._run(
            "SELECT turn.id FROM message JOIN turn ON turn.id = message.turn "
            "WHERE message.status = 'stopped' AND turn.outcome IS NULL"
        )
        return [row[0] for row in rows]

    def turn(self, turn: str) -> StoredTurn | None:
        row = self._run(
            "SELECT id, conversation, message, created, document, outcome, template FROM turn WHERE id = ?", (turn,)
        ).fetchone()
        if row is None:
            return None
        document, outcome = json.loads(_stretch(row[4])), json.loads(_stretch(row[5])) if row[5] else {}
        return StoredTurn(row[0], row[1], row[2], row[3], document, outcome, row[6])

    def template_source(self, sha256: str) -> str | None:
        row = self._run("SELECT source FROM template WHERE sha256 = ?", (sha256,)).fetchone()
        return _stretch(row[0]) if row else None

    # -- Settings -----------------------------------------------------------------------------------

    def settings(self) -> dict[tuple[str, str], dict[str, Any]]:
        """Every stored setting: (scope, key) → name → JSON value."""
        out: dict[tuple[str, str], dict[str, Any]] = {}
        for scope, key, name, value in self._run("SELECT scope, key, name, value FROM setting"):
            try:
                out.setdefault((scope, key), {})[name] = json.loads(value)
            except ValueError:
                continue
        return out

    def put_setting(self, scope: str, key: str, name: str, value: Any) -> None:
        self._run(
            "INSERT OR REPLACE INTO setting (scope, key, name, value) VALUES (?, ?, ?, ?)",
            (scope, key, name, dump(value)),
        )

    def drop_setting(self, scope: str, key: str, name: str) -> None:
        self._run("DELETE FROM setting WHERE scope = ? AND key = ? AND name = ?", (scope, key, name))

    # -- Search -------------------------------------------------------------------------------------

    def search(self, text: str, limit: int = 50, conversation: str = "") -> list[Found]:
        """Messages that hold all the words (the last one as a beginning), newest first."""
        expression = query(text)
        if not expression:
            return []
        rows = self._run(
            "SELECT message.conversation, conversation.title, message.id, message.role, message.body "
            "FROM word CROSS JOIN message ON message.number = word.rowid "
            "CROSS JOIN conversation ON conversation.id = message.conversation "
            "WHERE word MATCH ? AND message.deleted IS NULL AND conversation.deleted IS NULL "
            "AND (?2 = '' OR conversation.id = ?2) ORDER BY word.rowid DESC LIMIT ?3",
            (expression, conversation, limit),
        )
        return [Found(row[0], row[1], row[2], row[3], _searched(_read_body(row[4], row[3]))) for row in rows]

    def _index(self, number: int, old: str, new: str) -> None:
        if old == new:
            return
        if old:
            self._run("INSERT INTO word (word, rowid, text) VALUES ('delete', ?, ?)", (number, indexed(old)))
        if new:
            self._run("INSERT INTO word (rowid, text) VALUES (?, ?)", (number, indexed(new)))

    # -- Repair -------------------------------------------------------------------------------------

    def put_row(self, table: str, columns: Sequence[str], values: Sequence[Any]) -> None:
        """A row saved from a damaged file; one that is there already, or does not fit, is passed over."""
        places = ", ".join("?" * len(columns))
        try:
            self._connection.execute(
                f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({places})", tuple(values)
            )
        except (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.OperationalError) as error:
            if explain(error, self.path).passes:
                raise explain(error, self.path) from error

    def allow_orphans(self) -> None:
        """Until the connection is closed rows may name others that are missing."""
        self._run("PRAGMA foreign_keys = OFF")

    def mend(self) -> None:
        """Make whole what rows depend on: a conversation for every message, the counts, the full-text index."""
        self._run(
            "INSERT OR IGNORE INTO conversation (id, title, created, updated) "
            "SELECT conversation, 'Rescued', min(created), max(created) FROM message GROUP BY conversation"
        )
        self._run(
            "UPDATE conversation SET messages = (SELECT count(*) FROM message WHERE message.conversation = "
            "conversation.id AND message.deleted IS NULL)"
        )
        self._run("INSERT INTO word (word) VALUES ('delete-all')")
        for number, body, role in self._run("SELECT number, body, role FROM message").fetchall():
            self._index(number, "", _searched(_read_body(body, role)))

    def count_messages(self) -> int:
        return int(self._run("SELECT count(*) FROM message WHERE deleted IS NULL").fetchone()[0])

    # -- Inside -------------------------------------------------------------------------------------

    def _recount(self, deletion: str, sign: int) -> None:
        self._run(
            "UPDATE conversation SET messages = messages + ? * (SELECT count(*) FROM message WHERE "
            "message.conversation = conversation.id AND deleted = ?) WHERE id IN "
            "(SELECT conversation FROM message WHERE deleted = ?)",
            (sign, deletion, deletion),
        )

    def _run(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        try:
            return self._connection.execute(sql, values)
        except sqlite3.Error as error:
            raise explain(error, self.path) from error


def _conversation(row: Sequence[Any]) -> StoredConversation:
    return StoredConversation(
        id=row[0],
        title=row[1],
        named=bool(row[2]),
        created=row[3],
        updated=row[4],
        pinned=bool(row[5]),
        archived=bool(row[6]),
        draft=row[7],
        messages=row[8],
    )


def _message(row: Sequence[Any]) -> StoredMessage:
    return StoredMessage(
        id=row[0],
        conversation=row[1],
        parent=row[2],
        message=_read_body(row[3], row[4]),
        created=row[5],
        status=row[6],
        turn=row[7],
        chosen=bool(row[8]),
        position=row[9],
        note=row[10],
        ids=unpack_ids(row[11]),
        raw=row[12],
    )


def _read_body(body: str, role: str) -> Message:
    """A body that is not the JSON it should be is shown as the text that it is."""
    try:
        return message_from_json(json.loads(body))
    except (ValueError, KeyError, TypeError, AttributeError):
        return Message(role=role, content=body)


def _searched(message: Message) -> str:
    parts = [message.text, message.reasoning_content or ""]
    parts += [f"{call.name} {call.arguments}" for call in message.tool_calls]
    return "\n".join(part for part in parts if part)


def _grown(value: StoredMessage, pieces: Sequence[Growth]) -> StoredMessage:
    if not pieces:
        return value
    content = value.message.text + "".join(piece.content for piece in pieces)
    reasoning = (value.message.reasoning_content or "") + "".join(piece.reasoning for piece in pieces)
    message = replace(value.message, content=content, reasoning_content=reasoning or None)
    ids = (*value.ids, *(token for piece in pieces for token in piece.ids))
    return replace(value, message=message, ids=ids, raw=value.raw + "".join(piece.raw for piece in pieces))


def _parents_first(rows: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    """Siblings keep their order; a message whose parent is gone is put at the top, so that nothing is hidden."""
    known = {row[0] for row in rows}
    below: dict[str | None, list[Sequence[Any]]] = {}
    for row in rows:
        below.setdefault(row[2] if row[2] in known else None, []).append(row)
    out: list[Sequence[Any]] = []
    stack = list(reversed(below.get(None, [])))
    while stack:
        row = stack.pop()
        out.append(row)
        stack.extend(reversed(below.get(row[0], [])))
    return out


def _squeeze(text: str) -> bytes:
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


def _stretch(blob: bytes) -> str:
    return zlib.decompress(blob).decode("utf-8", "surrogatepass")
