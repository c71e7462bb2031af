"""What a person does in a conversation, on the scripted engine: send, stop, edit, fork, undo, switch, reopen."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cutaway.engine.scripted import Script
from cutaway.workbench.bench import Workbench
from cutaway.workbench.change import Change, ConversationsChanged, ModelChanged, Problem, TreeChanged, TurnChanged
from cutaway.workbench.library import MessageError
from support.scripts import THINKING, bench_on, texts

SLOW = Script(replies=("one two three four five six seven eight nine ten",), token_seconds=0.05)


async def started(bench: Workbench, text: str = "Hi") -> str:
    conversation = (await bench.create_conversation()).id
    await bench.send(conversation, text)
    return conversation


async def until_it_writes(bench: Workbench, conversation: str) -> None:
    while (turn := bench.running(conversation)) is None or not turn.content:
        await asyncio.sleep(0.005)


async def test_a_message_is_answered_and_both_are_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    heard: list[Change] = []
    async with bench_on(["Hello there."], path, heard=heard.append) as bench:
        conversation = await started(bench, "What is up?")
        await bench.settled()
        assert await texts(bench, conversation) == ["user: What is up?", "assistant: Hello there."]
    async with bench_on(store=path, load=False) as bench:
        assert await texts(bench, conversation) == ["user: What is up?", "assistant: Hello there."]
        assert [info.title for info in await bench.conversations()] == ["What is up?"]
    kinds = {type(change) for change in heard}
    assert {ConversationsChanged, TreeChanged, TurnChanged, ModelChanged} <= kinds
    assert Problem not in kinds


async def test_the_turn_of_a_message_is_kept_with_all_that_the_panes_show(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with bench_on(["Hello there."], path) as bench:
        conversation = await started(bench)
        await bench.settled()
        reply = (await bench.messages(conversation))[-1]
        live = await bench.turn(reply.id)
        assert live is not None
        assert live.prompt is not None
        assert live.prompt.text == "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
        assert live.plan is not None
        assert (live.plan.prompt_tokens, live.plan.reused) == (len(live.prompt_tokens), 0)
    async with bench_on(store=path, load=False) as bench:
        stored = await bench.turn(reply.id)
        assert stored is not None
        assert stored.stored
        for name in (
            *("id", "message", "request", "nodes", "state", "prompt", "warnings", "plan", "raw", "events", "reply"),
            *("content", "finish_reason", "timings", "seed", "template", "stops"),
        ):
            assert getattr(stored, name) == getattr(live, name), name
        assert list(stored.prompt_tokens) == list(live.prompt_tokens)
        assert [token.id for token in stored.tokens] == [token.id for token in live.tokens]
        assert [token.alternatives[1].token for token in stored.tokens] == [
            token.alternatives[1].token for token in live.tokens
        ]


async def test_stop_keeps_what_there_is(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with bench_on(SLOW, path) as bench:
        conversation = await started(bench)
        await until_it_writes(bench, conversation)
        await bench.stop()
        await bench.settled()
        reply = (await bench.messages(conversation))[-1]
        assert reply.status == "stopped"
        assert reply.message.text.startswith("one")
        assert "ten" not in reply.message.text
    async with bench_on(store=path, load=False) as bench:
        assert (await bench.messages(conversation))[-1].message == reply.message


async def test_a_stopped_reply_goes_on_where_it_stopped() -> None:
    replies = ("one two three four", " five six")
    async with bench_on(Script(replies=replies, token_seconds=0.03)) as bench:
        conversation = await started(bench)
        await until_it_writes(bench, conversation)
        await bench.stop()
        await bench.settled()
        reply = (await bench.messages(conversation))[-1]
        before = reply.message.text
        await bench.continue_(reply.id)
        await bench.settled()
        after = (await bench.messages(conversation))[-1]
        assert after.id == reply.id
        assert after.message.text == before + " five six"
        assert after.status == "whole"
        turn = await bench.turn(after.id)
        assert turn is not None
        assert turn.plan is not None
        assert turn.plan.reused >= turn.plan.prompt_tokens - 2


async def test_an_edited_reply_goes_on_through_the_template() -> None:
    async with bench_on(["first answer", " and more"]) as bench:
        conversation = await started(bench)
        await bench.settled()
        reply = (await bench.messages(conversation))[-1]
        edited = await bench.edit(reply.id, "my answer")
        await bench.continue_(edited.id)
        await bench.settled()
        assert (await texts(bench, conversation))[-1] == "assistant: my answer and more"
        turn = await bench.turn(edited.id)
        assert turn is not None
        assert turn.prompt is not None
        assert turn.prompt.text.endswith("<|im_start|>assistant\nmy answer")


async def test_a_reply_may_begin_with_given_words() -> None:
    async with bench_on([" is blue."]) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.send(conversation, "The sky?", prefill_reply="The sky")
        await bench.settled()
        assert (await texts(bench, conversation))[-1] == "assistant: The sky is blue."


async def test_regenerate_keeps_all_versions_and_branches_switch_in_place() -> None:
    async with bench_on(["one", "two", "three"]) as bench:
        conversation = await started(bench)
        await bench.settled()
        for _ in range(2):
            await bench.regenerate((await bench.messages(conversation))[-1].id)
            await bench.settled()
        reply = (await bench.messages(conversation))[-1]
        assert (reply.message.text, reply.position, reply.siblings) == ("three", 3, 3)
        versions = await bench.branches(reply.id)
        assert [node.message.text for node in versions] == ["one", "two", "three"]
        await bench.switch_branch(versions[0].id)
        assert await texts(bench, conversation) == ["user: Hi", "assistant: one"]


async def test_an_edit_keeps_what_followed_on_the_old_branch(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with bench_on(["one", "two", "three"], path) as bench:
        conversation = await started(bench, "First")
        await bench.settled()
        await bench.send(conversation, "Second")
        await bench.settled()
        first = (await bench.messages(conversation))[0]
        edited = await bench.edit(first.id, "Other first")
        assert await texts(bench, conversation) == ["user: Other first"]
        await bench.regenerate(edited.id)
        await bench.settled()
        assert await texts(bench, conversation) == ["user: Other first", "assistant: three"]
        await bench.switch_branch(first.id)
        before = await texts(bench, conversation)
        assert before == ["user: First", "assistant: one", "user: Second", "assistant: two"]
    async with bench_on(store=path, load=False) as bench:
        assert await texts(bench, conversation) == before
        assert len(await bench.tree(conversation)) == 6


async def test_an_edit_may_take_along_what_followed() -> None:
    async with bench_on(["one", "two"]) as bench:
        conversation = await started(bench, "First")
        await bench.settled()
        await bench.send(conversation, "Second")
        await bench.settled()
        await bench.edit((await bench.messages(conversation))[1].id, "uno", keep_following=True)
        assert await texts(bench, conversation) == [
            *("user: First", "assistant: uno", "user: Second", "assistant: two"),
        ]


async def test_a_deletion_is_undone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with bench_on(["one", "two"], path) as bench:
        conversation = await started(bench, "First")
        await bench.settled()
        await bench.send(conversation, "Second")
        await bench.settled()
        whole = await texts(bench, conversation)
        await bench.delete((await bench.messages(conversation))[2].id)
        assert await texts(bench, conversation) == whole[:2]
        assert await bench.undo() == conversation
        assert await texts(bench, conversation) == whole
        await bench.delete_conversation(conversation)
        assert await bench.conversations() == []
        await bench.undo()
        assert [info.messages for info in await bench.conversations()] == [4]
        assert await bench.undo() is None
    async with bench_on(store=path, load=False) as bench:
        assert await texts(bench, conversation) == whole


async def test_a_reply_branches_at_a_token() -> None:
    async with bench_on(["alpha beta gamma", " delta"]) as bench:
        conversation = await started(bench)
        await bench.settled()
        reply = (await bench.messages(conversation))[-1]
        turn = await bench.turn(reply.id)
        assert turn is not None
        other = turn.tokens[1].alternatives[1]
        await bench.branch_from_token(turn.id, 1, other.token)
        await bench.settled()
        branched = (await bench.messages(conversation))[-1]
        assert branched.message.text == "alpha" + other.piece.decode() + " delta"
        assert branched.siblings == 2
        again = await bench.turn(branched.id)
        assert again is not None
        assert again.raw_start == 2
        assert [token.index for token in again.tokens] == list(range(len(again.tokens)))
        assert again.plan is not None
        assert again.plan.reused == len(turn.prompt_tokens) + 1


async def test_a_second_message_waits_for_the_first_reply() -> None:
    async with bench_on(Script(replies=("one", "two"), token_seconds=0.02)) as bench:
        conversation = await started(bench, "First")
        await bench.send(conversation, "Second")
        await bench.settled()
        assert await texts(bench, conversation) == [
            *("user: First", "assistant: one", "user: Second", "assistant: two"),
        ]


async def test_what_waits_can_be_stopped() -> None:
    async with bench_on(SLOW) as bench:
        conversation = await started(bench, "First")
        await until_it_writes(bench, conversation)
        await bench.send(conversation, "Second")
        await bench.stop()
        await bench.settled()
        assert [node.status for node in await bench.messages(conversation)] == ["whole", "stopped", "whole", "stopped"]


async def test_a_message_sent_while_the_model_loads_is_answered_when_it_is_there() -> None:
    async with bench_on(Script(replies=("Late.",), load_seconds=0.2), load=False) as bench:
        conversation = (await bench.create_conversation()).id
        await bench.load_model("scripted.gguf")
        await bench.send(conversation, "Hi")
        await bench.settled()
        assert await texts(bench, conversation) == ["user: Hi", "assistant: Late."]


async def test_without_a_model_the_message_is_kept_and_the_reply_says_why() -> None:
    heard: list[Change] = []
    async with bench_on(load=False, heard=heard.append) as bench:
        conversation = await started(bench)
        await bench.settled()
        nodes = await bench.messages(conversation)
        assert [node.status for node in nodes] == ["whole", "failed"]
        assert "No model is loaded" in nodes[1].note
        assert [change.action for change in heard if isinstance(change, Problem)] == ["choose-model"]
        await bench.load_model("scripted.gguf")
        await bench.regenerate(nodes[1].id)
        await bench.settled()
        assert (await texts(bench, conversation))[-1] == "assistant: Hello! This is a scripted reply."


async def test_a_load_that_fails_is_a_sentence_and_can_be_followed_by_another() -> None:
    async with bench_on(Script(load_error="The file is no GGUF. Choose another."), load=False) as bench:
        await bench.load_model("broken.gguf")
        model = await bench.model_ready()
        assert (model.state, model.message) == ("failed", "The file is no GGUF. Choose another.")


async def test_loading_is_given_up() -> None:
    async with bench_on(Script(load_seconds=5.0), load=False) as bench:
        await bench.load_model("large.gguf")
        await asyncio.sleep(0.05)
        await bench.cancel_load()
        model = await bench.model_ready()
        assert (model.state, model.cancelled) == ("failed", True)


async def test_a_decode_error_keeps_the_conversation() -> None:
    async with bench_on(Script(replies=("one two three", "again"), fail_at_token=2)) as bench:
        conversation = await started(bench)
        await bench.settled()
        reply = (await bench.messages(conversation))[-1]
        assert (reply.status, reply.message.text) == ("failed", "one two")
        assert "decoding fail" in reply.note
        await bench.regenerate(reply.id)
        await bench.settled()
        assert (await texts(bench, conversation))[-1] == "assistant: again"


async def test_a_template_that_refuses_is_said_in_its_own_words() -> None:
    template = "{{ raise_exception('Roles must alternate, said the template.') }}"
    async with bench_on(Script(template=template)) as bench:
        conversation = await started(bench)
        await bench.settled()
        reply = (await bench.messages(conversation))[-1]
        assert reply.status == "failed"
        assert "Roles must alternate, said the template." in reply.note


async def test_reasoning_is_separated_while_it_streams() -> None:
    replies = ("<think>\nLet me see.\n</think>\n\nIt is four.",)
    async with bench_on(Script(replies=replies, template=THINKING)) as bench:
        conversation = await started(bench, "2 + 2?")
        await bench.settled()
        message = (await bench.messages(conversation))[-1].message
        assert (message.reasoning_content, message.content) == ("Let me see.", "It is four.")


THOUGHT = " ".join(f"thought{index}" for index in range(30))


async def test_the_answer_can_be_asked_for_while_the_model_thinks() -> None:
    script = Script(replies=(f"<think>\n{THOUGHT}",), template=THINKING, token_seconds=0.02)
    async with bench_on(script) as bench:
        conversation = await started(bench, "2 + 2?")
        async with asyncio.timeout(20):
            while (turn := bench.running(conversation)) is None or len(turn.reasoning) < 10:
                await asyncio.sleep(0.005)
        await bench.answer_now(conversation)
        await bench.settled()
        turn = await bench.turn((await bench.messages(conversation))[-1].id)
        assert turn is not None
        assert any(token.forced for token in turn.tokens)
        assert "</think>" in turn.raw
        assert THOUGHT.endswith(turn.content.strip() or THOUGHT)
        assert turn.content


async def test_reasoning_stops_at_its_budget() -> None:
    script = Script(replies=(f"<think>\n{THOUGHT}",), template=THINKING)
    async with bench_on(script) as bench:
        await bench.set("reasoning_budget", 6)
        conversation = await started(bench, "2 + 2?")
        await bench.settled()
        message = (await bench.messages(conversation))[-1].message
        assert message.reasoning_content is not None
        assert len(message.reasoning_content.split()) <= 5
        assert message.text


async def test_old_reasoning_is_left_out_on_demand() -> None:
    keeps = THINKING.replace(" and loop.last", "")
    replies = ("<think>\nhm\n</think>\n\nfine", "<think>\nha\n</think>\n\nwell")
    async with bench_on(Script(replies=replies, template=keeps)) as bench:
        conversation = await started(bench, "One")
        await bench.settled()
        with_it = await bench.forecast(conversation, "Two")
        await bench.set("keep_reasoning", False, conversation=conversation)
        without = await bench.forecast(conversation, "Two")
        assert without.prompt_tokens < with_it.prompt_tokens
        await bench.send(conversation, "Two")
        await bench.settled()
        turn = await bench.turn((await bench.messages(conversation))[-1].id)
        assert turn is not None
        assert turn.prompt is not None
        assert "hm" not in turn.prompt.text


async def test_a_model_that_rests_wakes_when_it_is_needed() -> None:
    async with bench_on(["one", "two"]) as bench:
        conversation = await started(bench, "First")
        await bench.settled()
        await bench._idle.wait()
        await bench._model.rest()
        async with asyncio.timeout(5):
            while bench.model.state != "none":
                await asyncio.sleep(0.005)
        await bench.send(conversation, "Second")
        await bench.settled()
        assert (await texts(bench, conversation))[-1].startswith("assistant: ")
        assert bench.model.state == "ready"


async def test_what_the_model_runs_on_is_said_once() -> None:
    heard: list[Change] = []
    async with bench_on(Script(notices=("A card is here that cannot be used.",)), heard=heard.append) as bench:
        await bench.load_model("again.gguf")
        await bench.model_ready()
    assert [change.sentence for change in heard if isinstance(change, Problem)] == [
        "A card is here that cannot be used."
    ]


async def test_a_template_that_changed_since_the_last_time_is_said(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    for template, said in ((THINKING, 0), (THINKING, 0), (THINKING.replace("loop.last", "true"), 1)):
        heard: list[Change] = []
        async with bench_on(Script(template=template), path, heard=heard.append) as bench:
            await bench.settled()
        told = [change.sentence for change in heard if isinstance(change, Problem)]
        assert len([sentence for sentence in told if "another one" in sentence]) == said


async def test_a_growing_message_is_not_edited() -> None:
    async with bench_on(SLOW) as bench:
        conversation = await started(bench)
        await until_it_writes(bench, conversation)
        growing = (await bench.messages(conversation))[-1]
        with pytest.raises(MessageError, match="still being written"):
            await bench.edit(growing.id, "x")
        await bench.delete(growing.id)
        assert await texts(bench, conversation) == ["user: Hi"]
        assert bench.running() is None


async def test_titles_drafts_pins_and_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with bench_on(store=path) as bench:
        first, second = (await bench.create_conversation()).id, (await bench.create_conversation()).id
        await bench.rename(first, "My title")
        await bench.send(first, "Some words")
        await bench.settled()
        await bench.set_draft(second, "not sent")
        await bench.pin(second)
    async with bench_on(store=path, load=False) as bench:
        infos = await bench.conversations()
        assert [(info.id, info.title, info.draft, info.pinned) for info in infos] == [
            (second, "", "not sent", True),
            (first, "My title", "", False),
        ]
        await bench.archive(first)
        assert [info.id for info in await bench.conversations()] == [second]
        assert [info.id for info in await bench.conversations(archived=True)] == [first]


async def test_search_finds_messages_in_all_conversations() -> None:
    async with bench_on(["the answer mentions a walrus"]) as bench:
        one = await started(bench, "tell me of sea animals")
        await bench.settled()
        hits = await bench.search("walrus")
        assert [(hit.conversation, hit.role) for hit in hits] == [(one, "assistant")]
        excerpt = hits[0].excerpt
        assert [excerpt[start:end] for start, end in hits[0].matches] == ["walrus"]
