"""Where in a reply its grammar held, from what the engine told. Pure."""

from __future__ import annotations

from typing import Literal

from cutaway.chat.reply import ReasoningBlock
from cutaway.workbench.turn import Turn

Hold = Literal["", "asleep", "holds"]


def is_asleep(turn: Turn) -> bool:
    """Whether the grammar waits still, or waited to the end, at the newest token."""
    return bool(turn.grammar) and turn.woke is None and (turn.grammar_lazy or _only_reasons(turn))


def hold_at(turn: Turn, token: int) -> Hold:
    """Whether the grammar restricted one token of the reply; empty without a grammar, and for what was taken over."""
    if not turn.grammar or token < turn.raw_start:
        return ""
    if turn.woke is not None:
        return "holds" if token > turn.woke.token else "asleep"
    return "asleep" if is_asleep(turn) else "holds"


def _only_reasons(turn: Turn) -> bool:
    """Nothing but reasoning has come, which no grammar looks into."""
    blocks = turn.reply.blocks if turn.reply is not None else ()
    return bool(blocks) and all(isinstance(block, ReasoningBlock) for block in blocks)
