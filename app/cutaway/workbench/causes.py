"""Why a turn could not keep what the cache held: the turn that filled it is compared with the one that comes."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable

from cutaway.chat.prompt import Prompt
from cutaway.engine.event import ModelFacts
from cutaway.engine.plan import Plan
from cutaway.engine.reasons import Circumstances, explain
from cutaway.engine.side import Side
from cutaway.engine.tokens import Tokenised
from cutaway.workbench.turn import Turn

log = logging.getLogger(__name__)

KEPT = 32
"""Conversations whose last turn is remembered."""


class Causes:
    """The last turn of each conversation, as what its cache was filled with."""

    def __init__(self) -> None:
        self._filled: OrderedDict[str, tuple[Turn, ModelFacts | None]] = OrderedDict()

    def filled(self, turn: Turn, facts: ModelFacts | None) -> None:
        """The cache holds this turn's prompt and reply, in the model that `facts` describes."""
        self._filled[turn.conversation] = turn, facts
        self._filled.move_to_end(turn.conversation)
        while len(self._filled) > KEPT:
            self._filled.popitem(last=False)

    def explainer(self, turn: Turn, facts: ModelFacts | None, reasoning_knob: str = "") -> Callable[[Plan], Plan]:
        """Names the breaks of the turn's plan."""
        before, old = self._filled.get(turn.conversation, (None, None))

        def explained(plan: Plan) -> Plan:
            held = None if before is None else side_of(before)
            try:
                return explain(plan, held, side_of(turn), _circumstances(before, old is facts, reasoning_knob))
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


def _circumstances(before: Turn | None, same_load: bool, reasoning_knob: str) -> Circumstances:
    if before is None:
        return Circumstances(reasoning_knob=reasoning_knob)
    timings = before.timings
    speed = timings.fed / (timings.prefill_ms / 1000) if timings is not None and timings.prefill_ms > 0 else 0.0
    return Circumstances(
        reloaded=not same_load,
        evicted=same_load,
        stopped=before.finish_reason == "cancelled" and not before.tokens,
        reasoning_knob=reasoning_knob,
        tokens_per_second=speed,
    )
