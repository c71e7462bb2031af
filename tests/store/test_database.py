"""The database keeps what it was given, finds it, hides and restores it, and survives being killed in between."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.message import Message, Part, ToolCall
from cutaway.store.database import Database
from cutaway.store.encode import message_from_json, message_json
from cutaway.store.record import Growth, StoredConversation, StoredMessage, StoredTurn

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
extras = st.dictionaries(st.from_regex(r"x_[a-z]{1,4}", fullmatch=True), st.none() | st.booleans() | text, max_size=2)
parts = st.builds(Part, type=st.just("text"), text=text) | st.builds(Part, type=st.just("image"), extra=extras)
calls = st.builds(ToolCall, name=text, arguments=text, id=text, extra=extras)
messages = st.builds(
    Message,
    role=st.sampled_from(["user", "assistant", "tool", "system", "ipython"]),
    content=st.none() | text | st.lists(parts, max_size=3).map(tuple),
    reasoning_content=st.none() | text,
    tool_calls=st.lists(calls, max_size=2).map(tuple),
    tool_call_id=st.none() | text,
    name=st.none() | text,
    extra=extras,
).flatmap(
    lambda message: st.sampled_from(["reasoning_content", "reasoning", "thinking"]).map(
        lambda key: replace(message, reasoning_key=key) if message.reasoning_content is not None else message
    )
)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    opened = Database(str(tmp_path / "store.db"))
    opened.put_conversation(StoredConversation("c", created=1.0, updated=1.0))
    return opened


def said(node: str, parent: str | None, words: str, role: str = "user", **what: object) -> StoredMessage:
    return StoredMessage(node, "c", parent, Message(role, words), created=float(len(node)), **what)  # type: ignore[arg-type]


def reopened(database: Database) -> Database:
    database.close()
    return Database(database.path)


@given(messages)
def test_a_message_survives_its_json(message: Message) -> None:
    assert message_from_json(message_json(message)) == message


def test_a_conversation_comes_back_whole(database: Database) -> None:
    database.add_message(said("a", None, "Hello"))
    reply = StoredMessage(
        "b",
        "c",
        "a",
        Message("assistant", "Hi", reasoning_content="greet", tool_calls=(ToolCall("f", "{}", "1"),)),
        created=2.0,
        turn="t",
        note="cut here",
        ids=(5, 6, 7),
        raw="<think>greet</think>Hi",
    )
    database.add_message(reply)
    again = reopened(database)
    assert again.messages("c") == [said("a", None, "Hello"), reply]
    assert [(c.id, c.messages, c.updated) for c in again.conversations()] == [("c", 2, 2.0)]


def test_one_sibling_is_chosen(database: Database) -> None:
    for node in ("x", "y", "z"):
        database.add_message(said(node, None, node))
    assert [m.id for m in database.messages("c") if m.chosen] == ["z"]
    database.choose(["x"])
    assert [m.id for m in database.messages("c") if m.chosen] == ["x"]


def test_a_reply_that_was_growing_is_folded_at_the_next_start(database: Database) -> None:
    database.add_message(said("a", None, "Hello"))
    database.add_message(said("b", "a", "", "assistant", status="growing"))
    for piece in ("One", " two", " three"):
        database.grow(Growth("b", content=piece, reasoning="h", raw=piece, ids=(1, 2)))
    assert database.message("b").message.content == "One two three"
    again = reopened(database)
    found = again.message("b")
    assert (found.message.content, found.message.reasoning_content) == ("One two three", "hhh")
    assert (found.status, found.ids, found.raw) == ("stopped", (1, 2) * 3, "One two three")
    assert [hit.message for hit in again.search("three")] == ["b"]


def test_a_finished_reply_replaces_what_had_grown(database: Database) -> None:
    database.add_message(said("b", None, "", "assistant", status="growing"))
    database.grow(Growth("b", content="One"))
    database.update_message(said("b", None, "One two.", "assistant"))
    assert database.message("b").message.content == "One two."
    assert reopened(database).message("b").message.content == "One two."


def test_a_deletion_can_be_taken_back_until_it_is_purged(database: Database) -> None:
    database.add_message(said("a", None, "keep"))
    database.add_message(said("b", "a", "drop"))
    database.delete_messages(["b"], "d1")
    assert [m.id for m in database.messages("c")] == ["a"]
    assert database.search("drop") == []
    assert database.conversation("c").messages == 1
    database.restore("d1")
    assert [m.id for m in database.messages("c")] == ["a", "b"]
    assert database.conversation("c").messages == 2
    database.delete_messages(["b"], "d2")
    database.purge("d3")
    database.restore("d2")
    assert [m.id for m in database.messages("c")] == ["a"]
    assert database.search("drop") == []


def test_a_deleted_conversation_is_purged_with_all_that_is_its(database: Database) -> None:
    database.add_message(said("a", None, "gone", turn="t"))
    database.put_turn(StoredTurn("t", "c", "a", document={"x": 1}))
    database.put_setting("conversation", "c", "system", "Be brief.")
    database.delete_conversation("c", "d1")
    assert database.conversations() == []
    database.restore("d1")
    assert len(database.conversations()) == 1
    database.delete_conversation("c", "d2")
    database.purge("d9")
    assert database.messages("c") == []
    assert database.turn("t") is None
    assert database.search("gone") == []
    assert ("conversation", "c") not in database.settings()


def test_a_turn_keeps_its_documents_and_its_template_once(database: Database) -> None:
    database.put_turn(StoredTurn("t", "c", "a", 1.0, {"prompt": ["x", 1, None]}, {}, "abc"), "{{ source }}")
    database.put_turn(StoredTurn("u", "c", "b", 2.0, {}, {}, "abc"), "{{ source }}")
    database.finish_turn("t", {"raw": "é\ud800"})
    found = reopened(database).turn("t")
    assert found == StoredTurn("t", "c", "a", 1.0, {"prompt": ["x", 1, None]}, {"raw": "é\ud800"}, "abc")


def test_templates_are_read_back(database: Database) -> None:
    database.put_turn(StoredTurn("t", "c", "a", template="abc"), "{{ source }}")
    assert database.template_source("abc") == "{{ source }}"
    assert database.template_source("other") is None


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("quick", ["a"]),
        ("qui", ["a"]),
        ("QUICK brown", ["a"]),
        ("quick missing", []),
        ("天气", ["b"]),
        ("气很", ["b"]),
        ("naïve", ["d"]),
        ("naive", ["d"]),
        ('"; DROP TABLE message --', []),
        ("* OR NEAR(", []),
        ("   ", []),
        ("print(x)", ["e"]),
    ],
)
def test_search_finds_words_beginnings_and_chinese(database: Database, asked: str, found: list[str]) -> None:
    database.add_message(said("a", None, "The quick brown fox"))
    database.add_message(said("b", None, "今天天气很好"))
    database.add_message(said("d", None, "a naïve idea"))
    database.add_message(said("e", None, "call print(x) twice"))
    assert [hit.message for hit in database.search(asked)] == found


def test_search_follows_an_edit(database: Database) -> None:
    database.add_message(said("a", None, "before"))
    database.update_message(said("a", None, "after"))
    assert database.search("before") == []
    assert [hit.message for hit in database.search("after")] == ["a"]


def test_search_in_one_conversation(database: Database) -> None:
    database.put_conversation(StoredConversation("other", created=1.0, updated=1.0))
    database.add_message(said("a", None, "word"))
    database.add_message(replace(said("b", None, "word"), conversation="other"))
    assert [hit.message for hit in database.search("word", conversation="c")] == ["a"]


def test_a_message_whose_parent_is_gone_is_still_shown(database: Database) -> None:
    database.add_message(said("a", "missing", "orphan"))
    assert [m.message.content for m in database.messages("c")] == ["orphan"]


def test_a_row_that_is_no_json_is_shown_as_text(database: Database) -> None:
    database.add_message(said("a", None, "x"))
    database._run("UPDATE message SET body = '{broken'")
    assert database.message("a").message == Message("user", "{broken")
