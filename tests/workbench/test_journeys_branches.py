"""Branches and beginnings: a branch from any message, a conversation of its own, a reply begun by the person."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from cutaway.engine.scripted import Script
from cutaway.store.database import Database
from cutaway.store.error import StoreError
from cutaway.store.record import StoredMessage
from cutaway.workbench.bench import Workbench
from cutaway.workbench.library import MessageError
from support.scripts import THINKING, bench_on, texts


async def talk(bench: Workbench, *words: str) -> str:
    conversation = (await bench.create_conversation()).id
    for text in words:
        await bench.send(conversation, text)
        await bench.settled()
    return conversation


async def test_a_branch_from_a_message_begins_with_the_next_one_sent() -> None:
    async with bench_on(["one", "two", "three"]) as bench:
        conversation = await talk(bench, "First", "Second")
        nodes = await bench.messages(conversation)
        await bench.branch_at(nodes[1].id)
        assert await texts(bench, conversation) == ["user: First", "assistant: one"]
        assert await bench.branch_end(conversation) == nodes[1].id
        cut = await bench.forecast(conversation, "Third")
        await bench.send(conversation, "Third")
        await bench.settled()
        assert await texts(bench, conversation) == ["user: First", "assistant: one", "user: Third", "assistant: three"]
        assert await bench.branch_end(conversation) is None
        turn = await bench.turn((await bench.messages(conversation))[-1].id)
        assert turn is not None
        assert turn.prompt is not None
        assert "Second" not in turn.prompt.text
        assert cut.prompt_tokens == len(turn.prompt_tokens), "the forecast was for the new branch"
        versions = await bench.branches((await bench.messages(conversation))[2].id)
        assert [version.message.text for version in versions] == ["Second", "Third"]


async def test_a_branch_that_was_not_begun_leaves_no_trace(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    async with bench_on(["one", "two"], store) as bench:
        conversation = await talk(bench, "First", "Second")
        nodes = await bench.messages(conversation)
        await bench.branch_at(nodes[0].id)
        await bench.switch_branch(nodes[-1].id)
        assert len(await bench.messages(conversation)) == 4
        await bench.branch_at(nodes[0].id)
    async with bench_on([], store) as bench:
        assert len(await bench.messages(conversation)) == 4


async def test_a_fork_is_a_conversation_of_its_own_with_the_same_settings(tmp_path: Path) -> None:
    async with bench_on(["one", "two", "three"], tmp_path / "store.db") as bench:
        conversation = await talk(bench, "First", "Second")
        await bench.set("system", "Be brief.", conversation=conversation)
        nodes = await bench.messages(conversation)
        forked = await bench.fork(nodes[1].id, "Another way")
        assert (forked.title, forked.messages) == ("Another way", 2)
        assert await texts(bench, forked.id) == ["user: First", "assistant: one"]
        assert bench.settings(forked.id).system == "Be brief."
        copy = (await bench.messages(forked.id))[-1]
        turn = await bench.turn(copy.id)
        assert turn is not None
        assert (turn.content, turn.message, turn.conversation) == ("one", copy.id, forked.id)
        await bench.send(forked.id, "Third")
        await bench.settled()
        assert len(await bench.messages(conversation)) == 4, "the first conversation is as it was"
    async with bench_on([], tmp_path / "store.db") as bench:
        assert (await texts(bench, forked.id))[-1] == "assistant: three"


async def test_a_reply_begins_inside_a_thought() -> None:
    async with bench_on(Script((" count to three.\n</think>\n\nThree.",), template=THINKING)) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.send(conversation, "Count", prefill_thought="I must")
        await bench.settled()
        reply = (await bench.messages(conversation))[-1]
        assert reply.message.reasoning_content is not None
        assert reply.message.reasoning_content.strip() == "I must count to three."
        assert reply.message.text == "Three."
        turn = await bench.turn(reply.id)
        assert turn is not None
        assert turn.prompt is not None
        last = [span for span in turn.prompt.spans if span.is_input][-1]
        assert (last.text, last.origin.source) == ("I must", "messages[1].reasoning_content")


async def test_a_new_version_may_begin_with_other_words() -> None:
    async with bench_on(["Blue.", " grey."]) as bench:
        conversation = await talk(bench, "The sky?")
        reply = (await bench.messages(conversation))[-1]
        await bench.regenerate(reply.id, "Today it is")
        await bench.settled()
        now = (await bench.messages(conversation))[-1]
        assert (now.message.text, now.siblings) == ("Today it is grey.", 2)


async def test_what_still_grows_is_no_place_for_a_branch() -> None:
    async with bench_on(["one " * 50]) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.send(conversation, "Go")
        reply = (await bench.messages(conversation))[-1]
        with pytest.raises(MessageError, match="still being written"):
            await bench.branch_at(reply.id)
        with pytest.raises(MessageError, match="still being written"):
            await bench.fork(reply.id)


async def test_a_turn_of_another_model_says_so_when_it_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    async with bench_on(["same words"]) as bench:
        conversation = await talk(bench, "Go")
        await bench.export_turn((await bench.messages(conversation))[-1].id, path)
    value = json.loads(path.read_text(encoding="utf-8"))
    value["model_file"] = {"name": "Other", "sha256": "00"}
    path.write_text(json.dumps(value), encoding="utf-8")
    async with bench_on(["same other"]) as bench:
        turn = await bench.open_turn(path)
        again = await bench.rerun_turn(turn)
        assert (again.same, again.first_difference, again.other_model) == (False, 1, "Other")
        assert (again.before, again.after) == (" words", " other")
        assert "another model file: Other" in again.sentence
        await bench.export_turn(turn, path)
        kept = json.loads(path.read_text(encoding="utf-8"))["model_file"]
        assert kept == {"name": "Other", "sha256": "00"}, "a file keeps what it says of its model"


async def test_a_completion_is_kept_as_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    async with bench_on([" upon a time."]) as bench:
        turn = await bench.complete("Once")
        await bench.settled()
        await bench.export_turn(turn, path)
        again = await bench.open_turn(path)
        assert again.prompt is not None
        assert (again.prompt.text, again.content) == ("Once", " upon a time.")
        assert (await bench.rerun_turn(again)).same


async def test_what_is_deleted_while_its_answer_is_written_takes_it_along(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    async with bench_on(["one", "two"], store) as bench:
        conversation = await talk(bench, "First")
        first, reply = await bench.messages(conversation)
        sent, _ = await asyncio.gather(
            bench.send(conversation, "Second"), bench.delete(reply.id), return_exceptions=True
        )
        assert isinstance(sent, MessageError)
        await bench.settled()
        assert await texts(bench, conversation) == ["user: First"]
        await bench.undo()
        assert (await texts(bench, conversation))[:3] == ["user: First", "assistant: one", "user: Second"]
    async with bench_on([], store) as bench:
        again = await bench.messages(conversation)
        assert [node.id for node in again][:2] == [first.id, reply.id]
        assert sum(node.parent is None for node in await bench.tree(conversation)) == 1, "nothing hangs loose"


async def test_what_could_not_be_written_never_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(database: Database, value: StoredMessage) -> None:
        raise StoreError("The disk is full.")

    async with bench_on(["one", "two"], tmp_path / "store.db") as bench:
        conversation = await talk(bench, "First")
        before = await texts(bench, conversation)
        with monkeypatch.context() as broken:
            broken.setattr(Database, "add_message", full)
            with pytest.raises(StoreError, match="full"):
                await bench.send(conversation, "Second")
        assert await texts(bench, conversation) == before
        await bench.send(conversation, "Second")
        await bench.settled()
        assert len(await bench.messages(conversation)) == 4


async def test_undo_pressed_twice_at_once_takes_back_once() -> None:
    async with bench_on(["one", "two"]) as bench:
        conversation = await talk(bench, "First", "Second")
        nodes = await bench.messages(conversation)
        await bench.delete(nodes[2].id)
        assert sorted(map(str, await asyncio.gather(bench.undo(), bench.undo()))) == sorted(["None", conversation])
        assert len(await bench.messages(conversation)) == 4


async def test_a_begun_reply_that_gives_way_to_another_message_is_named(caplog: pytest.LogCaptureFixture) -> None:
    async with bench_on([" blue.", "Well."]) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.send(conversation, "The sky?", "It is")
        await bench.settled()
        question = (await bench.messages(conversation))[0]
        await bench.branch_at(question.id)
        await bench.send(conversation, "And the sea?")
        await bench.settled()
        turn = await bench.turn((await bench.messages(conversation))[-1].id)
        assert turn is not None
        assert turn.plan is not None
        assert turn.plan.reason == "M10"
        assert "a user message stands in its place" in turn.plan.detail
        assert not caplog.records


async def test_a_branch_from_what_was_left_out_is_answered_all_the_same() -> None:
    async with bench_on(Script(("Noted.",), context=400)) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.set("overflow", "drop", conversation=conversation)
        for index in range(5):
            await bench.send(conversation, f"{index} " + "word " * 80)
            await bench.settled()
        nodes = await bench.messages(conversation)
        assert "left out" in nodes[0].note
        await bench.regenerate(nodes[0].id)
        await bench.settled()
        first, reply = await bench.messages(conversation)
        turn = await bench.turn(reply.id)
        assert turn is not None
        assert (reply.message.text, turn.left_out) == ("Noted.", ())
        assert [message.text for message in turn.request.messages] == [first.message.text]
