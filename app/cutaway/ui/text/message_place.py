"""Where a message of the conversation stands in a turn, and whose message a place of the turn is. Pure."""

from __future__ import annotations

import re

from cutaway.chat.prompt import Prompt
from cutaway.ui.selection import Selection
from cutaway.ui.text.where import span_at
from cutaway.workbench.turn import Turn

_MESSAGE = re.compile(r"messages\[(\d+)\]")


def place_of(turn: Turn, node: str) -> Selection | None:
    """What a message is in a turn: its reply, or the stretch of the prompt from its first to its last character."""
    if node == turn.message:
        return Selection(turn.id, "reply", 0, max(len(turn.raw), 1)) if turn.raw else None
    if turn.prompt is None or node not in turn.nodes:
        return None
    start, end = _stretch(turn.prompt, turn.nodes.index(node))
    return Selection(turn.id, "prompt", start, end) if end > start else None


def node_of(turn: Turn, selection: Selection) -> str:
    """The message that a selected place belongs to; empty for the template's own text and for tools."""
    if selection.side == "reply":
        return turn.message
    span = span_at(turn.prompt, selection.start) if turn.prompt is not None else None
    found = _MESSAGE.match(span.origin.source or "") if span is not None else None
    index = int(found[1]) if found else -1
    return turn.nodes[index] or "" if 0 <= index < len(turn.nodes) else ""


def _stretch(prompt: Prompt, index: int) -> tuple[int, int]:
    """From the first to the last character that came from one message; empty where none did."""
    first, last, at = -1, -1, 0
    for span in prompt.spans:
        end = at + len(span.text)
        found = _MESSAGE.match(span.origin.source or "")
        if found and int(found[1]) == index and end > at:
            first = at if first < 0 else first
            last = end
        at = end
    return first, last
