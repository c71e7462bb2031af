"""Why a turn could not keep what the cache held: the turn that filled it is compared with the one that comes."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

from cutaway.chat.prompt import Prompt
from cutaway.engine.cache import common_prefix
from cutaway.engine.command import ModelSettings
from cutaway.engine.event import ModelFacts
from cutaway.engine.plan import BEFORE_IDLE, Plan
from cutaway.engine.reasons import Circumstances, explain
from cutaway.engine.side import Side
from cutaway.engine.tokens import Tokenised
from cutaway.workbench.turn import Turn

log = logging.getLogger(__name__)

KEPT = 32
"""Conversations whose last turn is remembered."""
ENOUGH = 16
"""Tokens that have to be fed at once for their time to say something."""


@dataclass(frozen=True, slots=True)
class Load:
    """A model as it was loaded once."""

    facts: ModelFacts | None = None
    settings: ModelSettings | None = None

    def keys(self) -> dict[str, str]:
        """What a cache depends on beside its tokens, by name."""
        found = {} if self.facts is None else {"context size": str(self.facts.context)}
        asked = self.settings
        if asked is not None:
            found["KV type"] = f"{asked.kv_type_k} {asked.kv_type_v}"
            found["flash attention"] = asked.flash_attention
            found["sliding-window cache"] = str(asked.swa_full)
            found["LoRA adapters"] = str(asked.loras)
        return found


_NO_LOAD = Load()


@dataclass(frozen=True, slots=True)
class _Filled:
    """What a conversation's cache was filled with."""

    turn: Turn | None
    load: Load | None
    """None where nothing is known of the conversation, not even from an earlier run."""
    idle: Side | None = None
    """What idle work brought it to after the turn."""

    def side(self, plan: Plan) -> Side | None:
        """The prompt that the held tokens of a plan are of, where they end to be the wanted ones."""
        if self.turn is None:
            return self.idle
        side = side_of(self.turn, self.load or _NO_LOAD)
        if self.idle is None or BEFORE_IDLE in (plan.restored_from or ""):
            return side
        return side if plan.shared < common_prefix(side.all_ids, self.idle.all_ids) else self.idle


class Causes:
    """The last turn of each conversation, and idle work after it, as what its cache was filled with."""

    def __init__(self) -> None:
        self._filled: OrderedDict[str, _Filled] = OrderedDict()
        self._speed: tuple[ModelFacts | None, float] = (None, 0.0)

    @property
    def speed(self) -> float:
        """Prompt tokens a second, as the last turns measured it; 0 where none did."""
        return self._speed[1]

    def filled(self, turn: Turn, load: Load) -> None:
        """The cache holds this turn's prompt and reply."""
        self._keep(turn.conversation, _Filled(turn, load))
        self._measure(turn, load.facts)

    def refilled(self, conversation: str, side: Side, load: Load) -> None:
        """After its last turn, or before its first, the conversation's cache was brought to this."""
        before = self._filled.get(conversation)
        known = before is not None and before.load is not None
        self._keep(conversation, replace(before, idle=side) if before and known else _Filled(None, load, side))

    def knows(self, conversation: str) -> bool:
        return conversation in self._filled

    def recalled(self, conversation: str, turn: Turn | None) -> None:
        """An earlier run of the program made this turn, the conversation's last; None where there is none."""
        if not self.knows(conversation):
            self._keep(conversation, _Filled(turn, None if turn is None else Load()))

    def _keep(self, conversation: str, filled: _Filled) -> None:
        self._filled[conversation] = filled
        self._filled.move_to_end(conversation)
        while len(self._filled) > KEPT:
            self._filled.popitem(last=False)

    def _measure(self, turn: Turn, facts: ModelFacts | None) -> None:
        timings = turn.timings
        if timings is not None and timings.fed >= ENOUGH and timings.prefill_ms > 0:
            speed = timings.fed / (timings.prefill_ms / 1000)
            known = self._speed[1] if self._speed[0] is facts else 0.0
            self._speed = facts, 0.5 * (known + speed) if known else speed

    def explainer(self, turn: Turn, load: Load, reasoning_knob: str = "") -> Callable[[Plan], Plan]:
        """Names the breaks of the turn's plan."""
        before = self._filled.get(turn.conversation)
        before = None if before is None or before.load is None else before
        facts = _circumstances(before, load, reasoning_knob, self.speed)

        def explained(plan: Plan) -> Plan:
            try:
                held = None if before is None else before.side(plan)
                return explain(plan, held, side_of(turn, load), facts)
            except Exception:  # an explanation must never cost a reply
                log.exception("a plan's breaks could not be explained")
                return plan

        return explained


def side_of(turn: Turn, load: Load = _NO_LOAD) -> Side:
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
        {"model": turn.model, "template": turn.template.sha256 if turn.template else "", **load.keys()},
        [token.id for token in written],
        [token.piece for token in written],
        turn.reply,
        tuple(map(str, turn.settings.get("stops", ()))),
    )


def _circumstances(before: _Filled | None, load: Load, reasoning_knob: str, speed: float) -> Circumstances:
    if before is None:
        return Circumstances(reasoning_knob=reasoning_knob, tokens_per_second=speed)
    same_load = before.load is not None and before.load.facts is load.facts
    turn = before.turn
    return Circumstances(
        reloaded=not same_load,
        evicted=same_load,
        stopped=turn is not None and turn.finish_reason == "cancelled" and not turn.tokens,
        reasoning_knob=reasoning_knob,
        tokens_per_second=speed,
    )
