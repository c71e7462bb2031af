"""Names each break of a plan by its cause, M1 to M33, with the evidence of both sides. Pure.

The planner knows tokens; here the two prompts are known as well: where each character came from, what was
sent, what the model wrote and how it was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from cutaway.engine.divergence import PREPARED, Cause, find_cause
from cutaway.engine.plan import ANOTHER, Break, Plan
from cutaway.engine.remedies import remedy
from cutaway.engine.side import Side, shared_characters

_REACH = 8
"""Characters before a difference that a tokenizer may already have cut differently because of it."""
_OF_THE_MEMORY = frozenset(("M24", "M25", "M26", "M27", "M32", "M33"))


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What happened to the cache that no prompt tells."""

    reloaded: bool = False
    """The model was loaded again since the last turn."""
    evicted: bool = False
    """The conversation's state was given up for another conversation's."""
    stopped: bool = False
    """The last prefill was stopped before its end."""
    media: bool = False
    """The prompt holds images or sound."""
    reasoning_knob: str = ""
    """The template's variable that keeps reasoning in the history, e.g. `preserve_thinking`."""
    tokens_per_second: float = 0.0
    """Prefill as last measured; 0 where it is not known."""


def explain(plan: Plan, held: Side | None, wanted: Side, circumstances: Circumstances = Circumstances()) -> Plan:
    """The plan with its breaks named. `held` is what the cache was filled with; None where that is not known."""
    if plan.reason == "M31":  # only the engine knows that a restore failed
        return plan
    borrowed = (plan.restored_from or "").startswith(ANOTHER)
    if plan.held == 0 or borrowed:
        reason, detail = _cold(held, wanted, circumstances)
        if borrowed and reason == "M1":
            reason, detail = "M6", f"Another conversation begins with the same {plan.held:,} tokens: they stay."
        return replace(plan, reason=reason, detail=detail)
    breaks = tuple(_priced(one, circumstances) for one in _named(plan, held, wanted, circumstances))
    costly = max(breaks, key=lambda one: (one.reason != "M32", one.fed, one.lost), default=None)
    if costly is not None:
        return replace(plan, breaks=breaks, reason=costly.reason, detail=costly.detail)
    if circumstances.stopped and held is not None and plan.held < len(held.ids):
        return replace(plan, reason="M30", detail="The last prefill was stopped; the rest of its prompt is fed now.")
    return replace(plan, reason="M6", detail=f"All {plan.held:,} tokens stay; the prompt goes on from there.")


def _cold(held: Side | None, wanted: Side, facts: Circumstances) -> tuple[str, str]:
    """Why nothing is held."""
    before = held.keys if held is not None else {}
    changed = sorted(name for name in before.keys() & wanted.keys.keys() if before[name] != wanted.keys[name])
    if "model" in changed:
        return "M2", "Another model was loaded: the cache of the one before is of no use to it."
    if changed:
        return "M4", f"The cache was emptied because {' and '.join(changed)} changed."
    if facts.reloaded:
        return "M3", "The model was loaded again, with an empty cache."
    if facts.evicted:
        return "M28", "This conversation's cache was given up for another conversation."
    if facts.stopped:
        return "M30", "The last prefill was stopped before anything of it could be kept."
    if facts.media:
        return "M33", "A prompt with images or sound is fed anew."
    return "M1", "This is the first prompt: nothing is held yet."


def _named(plan: Plan, held: Side | None, wanted: Side, facts: Circumstances) -> Iterator[Break]:
    for one in plan.breaks:
        if one.reason in _OF_THE_MEMORY:
            yield one
        elif facts.media:
            yield replace(one, reason="M33", detail="Images or sound in the prompt differ from those that are held.")
        elif held is None:  # No turn filled it: it is what was fed ahead of one.
            yield replace(one, reason=PREPARED.reason, detail=PREPARED.detail) if one.reason == "M9" else one
        else:
            yield _diagnosed(one, held, wanted)


def _diagnosed(one: Break, held: Side, wanted: Side) -> Break:
    """A difference of the two prompts: found in the tokens, explained by the text."""
    at = one.at_token
    if at >= len(wanted.all_ids):
        return _shorter(one, held, wanted)
    if at >= len(held.all_ids):  # What was fed ahead of the next turn, before the program was started again.
        return _with_places(one, held, wanted, wanted.token_at(at)[0], PREPARED)
    first, second = held.token_at(at), wanted.token_at(at)
    shared = shared_characters(held.text, wanted.text)
    if shared == len(wanted.text) < len(held.text):
        return _shorter(one, held, wanted)
    if shared >= max(first[1], second[1]) + _REACH or shared >= min(len(held.text), len(wanted.text)):
        return _with_places(one, held, wanted, min(first[0], second[0]), _retokenised(held, first[0]))
    return _with_places(one, held, wanted, shared, find_cause(held, wanted, shared))


def _shorter(one: Break, held: Side, wanted: Side) -> Break:
    end = len(wanted.text)
    if wanted.request.messages == held.request.messages:
        cause = Cause("M5", "The same prompt is sent again; what the model wrote after it is given up.")
    else:
        cause = Cause("M10", f"The conversation ends here now; {one.lost:,} tokens after it are given up.")
    return _with_places(one, held, wanted, end, cause)


def _retokenised(held: Side, at: int) -> Cause:
    whose = "the model wrote" if held.region(at) in ("reply", "end") else "the cache holds"
    return Cause("M19", f"The text is the same, but {whose} it as other tokens than the tokenizer makes of it.")


def _with_places(one: Break, held: Side, wanted: Side, at: int, cause: Cause) -> Break:
    return replace(
        one,
        reason=cause.reason,
        detail=cause.detail,
        held_place=held.place(at),
        wanted_place=wanted.place(at),
        held_text=held.shown(at),
        wanted_text=wanted.shown(at),
    )


def _priced(one: Break, facts: Circumstances) -> Break:
    found = remedy(one.reason, reasoning_knob=facts.reasoning_knob)
    seconds = one.fed / facts.tokens_per_second if facts.tokens_per_second > 0 else None
    return replace(one, avoidable_by=found.text or None, departs=found.departs, seconds=seconds)
