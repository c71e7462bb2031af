"""A message as the items that are laid out one by one: its head, its reasoning, chunks, cards, notes. No Qt."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from cutaway.chat.message import Message, ToolCall
from cutaway.chat.reply import CallBlock, ContentBlock, ReasoningBlock
from cutaway.ui.conversation.chunks import Chunk, Chunker, chunks_of
from cutaway.ui.text.places import Places

if TYPE_CHECKING:
    from cutaway.workbench.turn import Node, Turn

Kind = Literal["head", "fold", "text", "code", "call", "result", "note", "editor"]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that is laid out. Items with the same `key` are the same thing, perhaps grown."""

    key: tuple[str, ...]
    kind: Kind
    text: str = ""
    """Markdown, code, a result or a note."""
    language: str = ""
    quiet: bool = False
    """Part of the reasoning."""
    open: bool = False
    """A fold that is open; a code chunk that goes on from the one before."""
    goes_on: bool = False
    """A code chunk that the next one goes on from."""
    joint: str = "\n\n"
    """Of a chunk: what stands between it and the one before."""
    more: str = ""
    """The reasoning of a message that is edited."""
    call: ToolCall | None = None
    tokens: int = 0
    seconds: float = 0.0


class Growing:
    """One text that grows, as items: those of its closed chunks are made once and stay the same ones."""

    def __init__(self) -> None:
        self._chunker = Chunker()
        self._closed = self._chunker.closed
        self._items: list[Item] = []

    def items(self, text: str, node: str, part: str, *, quiet: bool = False) -> list[Item]:
        """`text` is the whole text so far."""
        self._chunker.feed(text)
        if self._chunker.closed is not self._closed:
            self._closed, self._items = self._chunker.closed, []
        done = len(self._items)
        new = enumerate(self._closed[done:], done)
        self._items += [_chunk_item(node, part, index, chunk, quiet=quiet) for index, chunk in new]
        tail = self._chunker.tail
        if tail is None:
            return list(self._items)
        return [*self._items, _chunk_item(node, part, len(self._items), tail, quiet=quiet)]


@dataclass(slots=True)
class Growth:
    """The texts of a message that is growing: kept, so that only their ends are cut and made again."""

    reasoning: Growing = field(default_factory=Growing)
    content: list[Growing] = field(default_factory=list)
    places: Places = field(default_factory=Places)


def items_of(node: Node, turn: Turn | None, opened: frozenset[str], growth: Growth | None = None) -> list[Item]:
    """The items of one message. `opened` names the folds that the person opened."""
    items = [Item((node.id, "head"), "head")]
    live = turn if turn is not None and node.status == "growing" else None
    message = node.message
    if message.role == "tool":
        items.append(Item((node.id, "result"), "result", message.text, open=f"{node.id}/result" in opened))
        return [*items, Item((node.id, "note"), "note", node.note)] if node.note else items
    reasoning = live.reasoning if live is not None else message.reasoning_content or ""
    if reasoning:
        items += _reasoning(node, turn, reasoning, opened, growth)
    items += _live_body(node, live, growth) if live is not None and growth is not None else _body(node, message)
    note = _note(node, turn)
    if note:
        items.append(Item((node.id, "note"), "note", note))
    return items


def _reasoning(node: Node, turn: Turn | None, text: str, opened: frozenset[str], growth: Growth | None) -> list[Item]:
    is_open = f"{node.id}/fold" in opened
    tokens, seconds = thought(turn, growth.places if growth is not None else Places())
    fold = Item((node.id, "fold"), "fold", str(len(text)), open=is_open, tokens=tokens, seconds=seconds)
    if not is_open:
        return [fold]
    if growth is not None:
        return [fold, *growth.reasoning.items(text, node.id, "reasoning", quiet=True)]
    return [fold, *_chunk_items(node.id, "reasoning", text, quiet=True)]


def thought(turn: Turn | None, places: Places) -> tuple[int, float]:
    """How many tokens the reasoning took, and in how many seconds; zeros where that is not known.

    `places` are the tokens' own, as far as they were placed before.
    """
    if turn is None or turn.reply is None or not turn.tokens:
        return 0, 0.0
    end = max((block.end for block in turn.reply.blocks if isinstance(block, ReasoningBlock)), default=0)
    places.extend(turn.tokens, turn.raw)
    count = bisect_left(places.ends, end) + 1 if end else 0
    count = min(count, len(turn.tokens))
    return count, (turn.tokens[count - 1].ms - turn.tokens[0].ms) / 1000 if count else 0.0


def _body(node: Node, message: Message) -> list[Item]:
    items = _chunk_items(node.id, "0", message.text) if message.text.strip() else []
    for index, call in enumerate(message.tool_calls):
        items.append(Item((node.id, "call", str(index)), "call", call.arguments, call=call))
    return items


def _live_body(node: Node, turn: Turn, growth: Growth) -> list[Item]:
    """Content and calls in their true order, as far as they are parsed; the plain content until then."""
    blocks = turn.reply.blocks if turn.reply is not None else ()
    calls = [block for block in blocks if isinstance(block, CallBlock)]
    contents = [block for block in blocks if isinstance(block, ContentBlock)]
    while len(growth.content) < max(len(contents), 1):
        growth.content.append(Growing())
    if not calls:
        return growth.content[0].items(turn.content, node.id, "0")
    items: list[Item] = []
    seen = 0
    for block in blocks:
        if isinstance(block, ContentBlock):
            items += growth.content[seen].items(block.text, node.id, str(seen))
            seen += 1
        elif isinstance(block, CallBlock):
            call = ToolCall(block.name, block.arguments, block.id)
            items.append(Item((node.id, "call", str(calls.index(block))), "call", block.arguments, call=call))
    return items


def _chunk_items(node: str, part: str, text: str, *, quiet: bool = False) -> list[Item]:
    return [_chunk_item(node, part, index, chunk, quiet=quiet) for index, chunk in enumerate(chunks_of(text))]


def _chunk_item(node: str, part: str, index: int, chunk: Chunk, *, quiet: bool) -> Item:
    key = (node, part, str(index))
    return Item(key, chunk.kind, chunk.text, chunk.language, quiet, chunk.continued, chunk.goes_on, chunk.joint)


def _note(node: Node, turn: Turn | None) -> str:
    if node.note:
        return node.note
    if node.status == "failed":
        return turn.error if turn is not None and turn.error else "failed"
    return "stopped" if node.status == "stopped" else ""


def pretty_json(text: str) -> str:
    """JSON with its lines broken, or the text as it is where it is none (or very long)."""
    if len(text) > 100_000:
        return text
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except ValueError:
        return text


def estimated_height(node: Node, width: float, line: float) -> float:
    """What a message will take, roughly, before it is laid out: pixels."""
    text = node.message.text
    per_line = max(width / (line * 0.42), 8)
    lines = text.count("\n") + len(text) / per_line + 1
    return 2.2 * line + lines * line * 1.1


def guessed_height(item: Item, width: float, line: float) -> float:
    """What an item will take, roughly, before it is laid out: pixels."""
    if item.kind in ("text", "code"):
        per_line = max(width / (line * 0.42), 8)
        return (item.text.count("\n") + len(item.text) / per_line + 1) * line * 1.1
    return line * 1.6


def whole_code(items: Sequence[Item], key: tuple[str, ...]) -> str:
    """The code of a block, of which `key` is the first chunk."""
    at = next((n for n, item in enumerate(items) if item.key == key), len(items))
    parts = [item.text for item in items[at : at + 1]]
    for item in items[at + 1 :]:
        if item.kind != "code" or not item.open:
            break
        parts += [item.joint, item.text]
    return "".join(parts)
