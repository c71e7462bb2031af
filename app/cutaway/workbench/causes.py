"""Why a turn could not keep what the cache held: the turn that filled it is compared with the one that comes."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from cutaway.chat.prompt import Prompt
from cutaway.engine.cache import common_prefix
from cutaway.engine.event import ModelFacts
from cutaway.engine.plan import BEFORE_IDLE, Plan
from cutaway.engine.reasons import Circumstances, explain
from cutaway.engine.side import Side
from cutaway.engine.tokens import Tokenised
from cutaway.workbench.turn import Turn

log = logging.getLogger(__name__)

KEPT = 32
"""Conversations whose last turn is remembered."""


@dataclass(frozen=True, slots=True)
class _Filled:
    """What a conversation's cache was filled with."""

    turn: Turn
    facts: ModelFacts | None
    idle: Side | None = None
    """What idle work brought it to after the turn."""

    def side(self, plan: Plan) -> Side:
        """The prompt that the held tokens of a plan are of, where they end to be the wanted ones."""
        side = side_of(self.turn)
        if self.idle is None or BEFORE_IDLE in (plan.restored_from or ""):
            return side
        return side if plan.shared < common_prefix(side.all_ids, self.idle.all_ids) else self.idle


class Causes:
    """The last turn of each conversation, and idle work after it, as what its cache was filled with."""

    def __init__(self) -> None:
        self._filled: OrderedDict[str, _Filled] = OrderedDict()

    def filled(self, turn: Turn, facts: ModelFacts | None) -> None:
        """The cache holds this turn's prompt and reply, in the model that `facts` describes."""
        self._filled[turn.conversation] = _Filled(turn, facts)
        self._filled.move_to_end(turn.conversation)
        while len(self._filled) > KEPT:
            self._filled.popitem(last=False)

    def refilled(self, conversation: str, side: Side) -> None:
        """After its last turn the conversation's cache was brought to this."""
        before = self._filled.get(conversation)
        if before is not None:
            self._filled[conversation] = replace(before, idle=side)

    def explainer(self, turn: Turn, facts: ModelFacts | None, reasoning_knob: str = "") -> Callable[[Plan], Plan]:
        """Names the breaks of the turn's plan."""
        before = self._filled.get(turn.conversation)

        def explained(plan: Plan) -> Plan:
            try:
                held = None if before is None else before.side(plan)
                return explain(plan, held, side_of(turn), _circumstances(before, facts, reasoning_knob))
            except Exception:  # an explanation must never cost a reply
                log.exception("a plan's breaks could not be explained")
                return plan

        return explained


def side_of(turn: Turn) -> Side:
    """The turn's prompt and, as far as there is one, its reply without the end token."""
    tokens = turn.prompt_tokens
    if isinstance(tokens, Tokenised):
        ids, starts = tokens.ids.tolist(), tokens.starts.tolist()
    else:
        ids, starts = [token.id for token in tokens], [token.start for token in tokens]
    written = [token for token in turn.tokens if not token.ends]
    return Side(
        turn.prompt or Prompt((), 0),
        turn.request,
        ids,
        starts,
        {"model": turn.model, "template": turn.template.sha256 if turn.template else ""},
        [token.id for token in written],
        [token.piece for token in written],
        turn.reply,
    )


def _circumstances(before: _Filled | None, facts: ModelFacts | None, reasoning_knob: str) -> Circumstances:
    if before is None:
        return Circumstances(reasoning_knob=reasoning_knob)
    turn, same_load = before.turn, before.facts is facts
    timings = turn.timings
    speed = timings.fed / (timings.prefill_ms / 1000) if timings is not None and timings.prefill_ms > 0 else 0.0
    return Circumstances(
        reloaded=not same_load,
        evicted=same_load,
        stopped=turn.finish_reason == "cancelled" and not turn.tokens,
        reasoning_knob=reasoning_knob,
        tokens_per_second=speed,
    )
