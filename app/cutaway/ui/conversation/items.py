"""A message as the items that are laid out one by one: its head, its reasoning, chunks, cards, notes. No Qt."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from cutaway.chat.message import Message, ToolCall
from cutaway.chat.reply import CallBlock, ContentBlock, ReasoningBlock
from cutaway.ui.conversation.chunks import Chunk, Chunker, chunks_of

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
    call: ToolCall | None = None
    tokens: int = 0
    seconds: float = 0.0

    def plain(self) -> str:
        return self.text


@dataclass(slots=True)
class Growth:
    """The chunkers of a message that is growing: kept, so that only its tail is cut again."""

    reasoning: Chunker = field(default_factory=Chunker)
    content: list[Chunker] = field(default_factory=list)


def items_of(node: Node, turn: Turn | None, opened: frozenset[str], growth: Growth | None = None) -> list[Item]:
    """The items of one message. `opened` names the folds that the person opened."""
    items = [Item((node.id, "head"), "head")]
    live = turn if turn is not None and node.status == "growing" else None
    message = node.message
    if message.role == "tool":
        items.append(Item((node.id, "result"), "result", message.text, open=f"{node.id}/result" in opened))
        return items
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
    tokens, seconds = thought(turn)
    fold = Item((node.id, "fold"), "fold", str(len(text)), open=is_open, tokens=tokens, seconds=seconds)
    if not is_open:
        return [fold]
    if growth is not None:
        growth.reasoning.feed(text)
        chunks = growth.reasoning.chunks
    else:
        chunks = chunks_of(text)
    return [fold, *_chunk_items(node.id, "reasoning", chunks, quiet=True)]


def thought(turn: Turn | None) -> tuple[int, float]:
    """How many tokens the reasoning took, and how many seconds; zeros where that is not known."""
    if turn is None or turn.reply is None or not turn.tokens:
        return 0, 0.0
    end = max((b.end for b in turn.reply.blocks if isinstance(b, ReasoningBlock)), default=0)
    share = end / max(len(turn.raw), 1)
    count = min(round(share * len(turn.tokens)), len(turn.tokens))
    return count, turn.tokens[count - 1].ms / 1000 if count else 0.0


def _body(node: Node, message: Message) -> list[Item]:
    items = _chunk_items(node.id, "0", chunks_of(message.text)) if message.text.strip() else []
    for index, call in enumerate(message.tool_calls):
        items.append(Item((node.id, "call", str(index)), "call", call.arguments, call=call))
    return items


def _live_body(node: Node, turn: Turn, growth: Growth) -> list[Item]:
    """Content and calls in their true order, as far as they are parsed; the plain content until then."""
    blocks = turn.reply.blocks if turn.reply is not None else ()
    calls = [block for block in blocks if isinstance(block, CallBlock)]
    contents = [block for block in blocks if isinstance(block, ContentBlock)]
    while len(growth.content) < max(len(contents), 1):
        growth.content.append(Chunker())
    if not calls:
        growth.content[0].feed(turn.content)
        return _chunk_items(node.id, "0", growth.content[0].chunks)
    items: list[Item] = []
    seen = 0
    for block in blocks:
        if isinstance(block, ContentBlock):
            growth.content[seen].feed(block.text)
            items += _chunk_items(node.id, str(seen), growth.content[seen].chunks)
            seen += 1
        elif isinstance(block, CallBlock):
            call = ToolCall(block.name, block.arguments, block.id)
            items.append(Item((node.id, "call", str(calls.index(block))), "call", block.arguments, call=call))
    return items


def _chunk_items(node: str, part: str, chunks: list[Chunk], *, quiet: bool = False) -> list[Item]:
    return [
        Item(
            (node, part, str(index)),
            chunk.kind,
            chunk.text,
            chunk.language,
            quiet=quiet,
            open=chunk.continued,
        )
        for index, chunk in enumerate(chunks)
    ]


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
