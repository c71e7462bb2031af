"""Conversations and turns as files: written, read back, and refused with the place of the fault."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.workbench.bench import Workbench
from cutaway.workbench.exchange import ExchangeError, read_conversations
from support.scripts import WEATHER, bench_on, texts


async def talked(bench: Workbench) -> str:
    conversation = (await bench.create_conversation("A title")).id
    await bench.set("system", "Be brief.", conversation=conversation)
    await bench.set("tools", [WEATHER], conversation=conversation)
    for text in ("First", "Second"):
        await bench.send(conversation, text)
        await bench.settled()
    await bench.regenerate((await bench.messages(conversation))[-1].id)
    await bench.settled()
    return conversation


async def test_markdown_is_for_people(tmp_path: Path) -> None:
    async with bench_on(["one\n```\ncode\n```", "two", "three"]) as bench:
        await bench.export(await talked(bench), tmp_path / "c.md", "markdown")
    assert (tmp_path / "c.md").read_text() == (
        "# A title\n\n## System\n\nBe brief.\n\n## User\n\nFirst\n\n## Assistant\n\none\n```\ncode\n```\n\n"
        "## User\n\nSecond\n\n## Assistant\n\nthree\n"
    )


async def test_openai_json_comes_back_as_the_same_branch(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    async with bench_on(["one", "two", "three"]) as bench:
        conversation = await talked(bench)
        await bench.export(conversation, path, "openai")
        body = json.loads(path.read_text())
        assert [message["role"] for message in body["messages"]] == [
            *("system", "user", "assistant", "user", "assistant"),
        ]
        assert body["tools"] == [WEATHER]
        (info,) = (await bench.import_(path)).conversations
        assert await texts(bench, info.id) == await texts(bench, conversation)
        assert bench.settings(info.id).system == "Be brief."
        assert list(bench.settings(info.id).tools) == [WEATHER]


async def test_our_json_comes_back_as_the_same_tree(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    async with bench_on(["one", "two", "three"]) as bench:
        conversation = await talked(bench)
        await bench.switch_branch((await bench.branches((await bench.messages(conversation))[-1].id))[0].id)
        await bench.export(conversation, path, "cutaway")
        (info,) = (await bench.import_(path)).conversations
        assert (info.title, info.messages) == ("A title", 5)
        assert await texts(bench, info.id) == await texts(bench, conversation)
        shape = [(n.message, n.siblings, n.position) for n in await bench.tree(conversation)]
        assert [(n.message, n.siblings, n.position) for n in await bench.tree(info.id)] == shape


async def test_json_lines_say_what_the_assistant_is_to_learn(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    async with bench_on(["one", "two", "three"]) as bench:
        await bench.export(await talked(bench), path, "jsonl")
        line = json.loads(path.read_text())
        learned = [line["text"][start:end] for start, end in line["assistant_spans"]]
        assert "one" in learned[0]
        assert "three" in learned[1]
        assert "Second" not in "".join(learned)
        assert len((await bench.import_(path)).conversations) == 1


async def test_an_import_changes_no_setting_and_no_template(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(
        json.dumps(
            {
                "messages": [{"role": "user", "content": "hi"}],
                "chat_template": "{{ evil }}",
                "chat_template_kwargs": {"x": 1},
                "temperature": 9,
                "model": "other.gguf",
                "settings": {"template": "other.jinja"},
            }
        )
    )
    async with bench_on() as bench:
        (info,) = (await bench.import_(path)).conversations
        assert [row.name for row in bench.list_settings(info.id) if row.layer != "default"] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("{nonsense", "line 1, column 2"),
        ("[" * 100_000, "nested"),
        ("3", "must be a conversation"),
        ('{"a": 1}', "no `messages`"),
        ('{"messages": 3}', "messages"),
        ('{"messages": [{"role": "user", "content": "x"}, {"role": 4}]}', "messages[1].role"),
        ('[{"messages": []}, {"messages": [{"content": "x"}]}]', "[1].messages[0].role"),
        ('{"cutaway": "conversation", "version": 99, "messages": []}', "version"),
        ('{"cutaway": "conversation", "version": 1}', "messages"),
        (
            '{"cutaway": "conversation", "version": 1, "messages": [{"id": "a", "parent": "b", "message": {}}]}',
            "messages[0].parent",
        ),
        (
            '{"cutaway": "conversation", "version": 1, "messages": [{"id": "a", "message": {"role": "user"}},'
            ' {"id": "a", "message": {"role": "user", "content": "x"}}]}',
            "messages[0].message",
        ),
        ('{"cutaway": "turn"}', "is a turn"),
        ('{"cutaway": "conversation", "version": true, "messages": []}', "version"),
        ('{"cutaway": "conversation", "version": -1, "messages": []}', "version"),
        (
            '{"cutaway": "conversation", "version": 1, "messages": [{"id": "a", "parent": ["a"], "message": {}}]}',
            "messages[0].parent",
        ),
        ('{"messages": []}\n{"messages": [}\n', "line 2, column 15"),
        ('{"messages": []}\n\nnonsense', "line 3, column 1"),
        ('{"messages": [], "created": ' + "9" * 5000 + "}", "too many digits"),
        ('{"messages": [], "tools": [{"type": "function"}]}', "tools[0]"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(ExchangeError) as caught:
        read_conversations(text, "file.json")
    assert "file.json" in str(caught.value)
    assert said in str(caught.value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["messages", "role", "content", "tool_calls", "function", "cutaway", "version", "id", "parent"]
            ),
            inner | st.sampled_from(["conversation", "user", "assistant"]),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_json_is_read_or_refused(value: Any) -> None:
    with suppress(ExchangeError):
        assert isinstance(read_conversations(json.dumps(value), "file.json"), list)


@pytest.mark.parametrize(
    "value",
    [
        {"title": "a\ud800", "messages": [{"role": "user", "content": "x\udc00"}]},
        {"title": "nul\0", "messages": [{"role": "us\0er", "content": "\0"}], "created": 10**400},
        {
            **{"cutaway": "conversation", "version": 1, "system": "\ud800", "created": float("nan")},
            "messages": [
                {"id": "\ud800", "note": "\ud800", "created": 10**400, "message": {"role": "user", "content": "x"}}
            ],
        },
        {"messages": [{"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}]},
    ],
)
async def test_odd_values_are_stored_and_written_again(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps(value))
    async with bench_on() as bench:
        (info,) = (await bench.import_(path)).conversations
        assert len(await bench.messages(info.id)) == 1
        for form in ("markdown", "openai", "jsonl", "cutaway"):
            await bench.export(info.id, path, form)
        (again,) = (await bench.import_(path)).conversations
        assert await texts(bench, again.id) == await texts(bench, info.id)
        assert (
            len((await bench.messages(again.id))[0].message.tool_calls)
            == len(value["messages"][0].get("function_call", {})) // 2
        )


async def test_what_was_read_otherwise_is_told(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"messages": [{"role": "assistant", "content": "x", "tool_calls": [
        {"function": {"name": "f", "arguments": {"a": 1}}}]}]}))  # fmt: skip
    async with bench_on() as bench:
        imported = await bench.import_(path)
        assert len(imported.conversations) == 1
        assert any("arguments" in warning for warning in imported.warnings)


async def test_what_an_export_lacks_is_told(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    async with bench_on() as bench:
        assert await bench.export(await talked(bench), path, "jsonl") == ""
        empty = (await bench.create_conversation()).id
        assert "not replied" in await bench.export(empty, path, "jsonl")
        await bench.unload()
        while bench.model.state != "none":
            await asyncio.sleep(0.01)
        assert "open a model" in await bench.export(empty, path, "jsonl")


async def test_a_hostile_file_adds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text('[{"messages": [{"role": "user", "content": "x"}]}, {"messages": [{}]}]')
    async with bench_on() as bench:
        with pytest.raises(ExchangeError, match="role"):
            await bench.import_(path)
        assert await bench.conversations() == []
        with pytest.raises(ExchangeError, match="cannot be read"):
            await bench.import_(tmp_path / "missing.json")
        (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x80")
        with pytest.raises(ExchangeError, match="UTF-8"):
            await bench.import_(tmp_path / "binary")


async def test_a_turn_file_shows_all_without_the_model(tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    async with bench_on(["one"]) as bench:
        conversation = await talked(bench)
        node = (await bench.messages(conversation))[1]
        live = await bench.turn(node.id)
        await bench.export_turn(node.id, path)
    async with bench_on(load=False) as bench:
        turn = await bench.open_turn(path)
        assert live is not None
        assert (turn.prompt, turn.raw, turn.reply, turn.plan, turn.request) == (
            *(live.prompt, live.raw, live.reply, live.plan, live.request),
        )
        assert turn.template == live.template
        assert list(turn.prompt_tokens) == list(live.prompt_tokens)
        assert bench.list_settings()[0].layer == "default"


def _edited(value: Any, path: list[Any], new: Any) -> None:
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


@pytest.mark.parametrize(
    ("place", "new", "said"),
    [
        (["cutaway"], "other", "no turn"),
        (["document"], 3, "`document`"),
        (["document", "version"], 99, "version"),
        (["document", "prompt", "spans", 0], [1], "document.prompt"),
        (["document", "prompt_tokens", "ids"], [1, 2], "document.prompt_tokens"),
        (["document", "prompt_tokens", "pieces"], [], "document.prompt_tokens"),
        (["document", "request", "messages", 0], 7, "document.request"),
        (["outcome", "tokens", 0], {"a": 1}, "outcome.tokens[0]"),
        (["outcome", "events", 0], ["nonsense"], "outcome.events[0]"),
        (["outcome", "reply", "spans"], [[1]], "outcome.reply"),
        (["outcome", "timings"], {"x": 1}, "outcome.timings"),
        (["outcome", "plan"], [], "outcome.plan"),
    ],
)
async def test_a_turn_file_edited_by_hand_is_refused_at_its_place(
    tmp_path: Path, place: list[Any], new: Any, said: str
) -> None:
    path = tmp_path / "turn.json"
    async with bench_on(["one"]) as bench:
        await bench.export_turn((await bench.messages(await talked(bench)))[1].id, path)
        value = json.loads(path.read_text())
        _edited(value, place, new)
        path.write_text(json.dumps(value))
        with pytest.raises(ExchangeError) as caught:
            await bench.open_turn(path)
        assert said in str(caught.value)
