"""Export, then import: nothing of a conversation is lost, whatever tree of whatever messages it is."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.message import Message, Part, ToolCall
from cutaway.workbench.exchange import ReadConversation, read_conversations, to_cutaway, to_openai, write_json
from cutaway.workbench.turn import ConversationInfo, Node

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["", "a\u2028b", "</think>", "<|im_end|>", '{"x": 1}', "\x00", "\r\n", "名字", "🙂"]
)
names = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**12), 10**12) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=4,
)
extras = st.dictionaries(names.map(lambda name: f"x_{name}"), json_values, max_size=2)
parts = st.lists(st.builds(lambda text: Part("text", text), texts), min_size=1, max_size=3).map(tuple)
calls = st.lists(
    st.builds(
        lambda name, arguments, id: ToolCall(name, json.dumps(arguments, ensure_ascii=False), id),
        *(names, st.dictionaries(names, json_values, max_size=2), names),
    ),
    max_size=2,
).map(tuple)
assistants = st.builds(
    lambda content, reasoning, calls, extra: Message(
        "assistant", content, reasoning_content=reasoning, tool_calls=calls, extra=extra
    ),
    *(texts | parts, st.none() | texts, calls, extras),
)
others = st.builds(
    lambda role, content, extra: Message(role, content, extra=extra),
    *(st.sampled_from(["user", "system", "developer", "critic"]), texts | parts, extras),
)
results = st.builds(lambda text, id, name: Message("tool", text, tool_call_id=id, name=name), texts, names, names)
messages = assistants | others | results


@st.composite
def trees(draw: st.DrawFn) -> list[Node]:
    """Nodes with parents before children."""
    nodes: list[Node] = []
    for index in range(draw(st.integers(0, 8))):
        parent = draw(st.none() | st.sampled_from(nodes)) if nodes else None
        created = draw(st.floats(0, 2e9))
        note = draw(st.sampled_from(["", "edited", "error", "left out"]))
        nodes.append(Node(f"id{index}", parent.id if parent else None, draw(messages), created, note=note))
    return nodes


def written(nodes: list[Node], chosen: set[str], system: str, tools: list[Any]) -> str:
    info = ConversationInfo("c", " A  title\n", 1e9, 1e9)
    return write_json(to_cutaway(info, nodes, sorted(chosen), system, tools))


@given(trees(), st.data(), texts)
def test_a_whole_tree_comes_back(nodes: list[Node], data: st.DataObject, system: str) -> None:
    chosen = set(data.draw(st.lists(st.sampled_from([node.id for node in nodes]), unique=True))) if nodes else set()
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]
    (read,) = read_conversations(written(nodes, chosen, system, tools), "c.json")
    places = {node.id: index for index, node in enumerate(nodes)}
    assert [one.message for one in read.messages] == [node.message for node in nodes]
    assert [one.parent for one in read.messages] == [places[n.parent] if n.parent else None for n in nodes]
    assert [one.created for one in read.messages] == [node.created for node in nodes]
    assert [(one.note, one.chosen) for one in read.messages] == [(node.note, node.id in chosen) for node in nodes]
    assert (read.title, read.system, list(read.tools)) == ("A title", system, tools)


def branch(read: ReadConversation) -> list[Message]:
    return [one.message for one in read.messages]


@given(st.lists(messages, max_size=6), texts)
def test_a_branch_comes_back_from_openai_json(given_: list[Message], system: str) -> None:
    nodes = [Node(str(index), str(index - 1) if index else None, message, 0.0) for index, message in enumerate(given_)]
    body = json.loads(write_json(to_openai(nodes, system)))
    (read,) = read_conversations(json.dumps(body), "c.json")
    again = json.loads(write_json(to_openai([Node("", None, message, 0.0) for message in branch(read)], read.system)))
    assert again == body


@given(st.lists(st.lists(messages, max_size=3), min_size=1, max_size=4))
def test_lines_of_conversations_come_back(given_: list[list[Message]]) -> None:
    """Also where a text holds what other programs take for the end of a line."""
    bodies = [to_openai([Node("", None, message, 0.0) for message in one]) for one in given_]
    found = read_conversations("".join(write_json(body, indent=None) + "\n" for body in bodies), "c.jsonl")
    assert [len(one.messages) + bool(one.system) for one in found] == [len(one) for one in given_]
