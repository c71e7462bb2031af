"""What to do when a prompt does not fit into the context: the ways out, with their figures. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cutaway.workbench.forecast import Offer, OverflowPlan

ROOM = 512
"""Tokens kept for the reply where the person named no number."""
LONG_RESULT = 400
"""A tool result of more tokens than this can be shortened; it keeps about half as many."""
CONTEXT_STEP = 1024
MEGA = 1_000_000


@dataclass(frozen=True, slots=True)
class Memory:
    """What a larger context would take."""

    more: int
    """Bytes beyond what the model takes now."""
    free: int
    """Bytes that are free where they would be taken."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one message of the branch takes in the prompt."""

    node: str
    role: str
    tokens: int
    characters: int = 0


@dataclass(frozen=True, slots=True)
class GivenUp:
    """What was decided of messages so that the prompt fits: by the person, or by their setting."""

    left_out: tuple[str, ...] = ()
    shortened: Mapping[str, int] = field(default_factory=dict)
    """Characters that are sent of a message."""


def room_for_reply(max_tokens: int | None, context: int) -> int:
    """Tokens to keep free; never more than a quarter of the context."""
    return max(1, min(max_tokens or ROOM, context // 4))


def plan_overflow(
    costs: Sequence[Cost], prompt_tokens: int, context: int, trained: int, room: int, memory: Memory | None = None
) -> OverflowPlan | None:
    """None when the prompt fits beside the room for the reply.

    `costs` are the messages in order, those of the system left out: these always stay. `memory` is what a larger
    context would take, where that is known.
    """
    excess = prompt_tokens + room - context
    if excess <= 0:
        return None
    offers = [_drop(costs, prompt_tokens, excess), _shorten(costs, prompt_tokens, excess)]
    offers += [_raise(prompt_tokens + room, context, trained, memory), _stop()]
    return OverflowPlan(excess, tuple(offer for offer in offers if offer is not None))


def shortened_characters(cost: Cost) -> int:
    """How many characters of a long tool result are kept."""
    return max(200, cost.characters * (LONG_RESULT // 2) // max(1, cost.tokens))


def long_results(costs: Sequence[Cost]) -> list[Cost]:
    """The tool results that can be shortened."""
    long = [cost for cost in costs if cost.role == "tool" and cost.tokens > LONG_RESULT]
    return [cost for cost in long if shortened_characters(cost) < cost.characters]


def _drop(costs: Sequence[Cost], prompt_tokens: int, excess: int) -> Offer | None:
    """Whole turns from the oldest on, calls with their results; the last turn always stays."""
    turns = _turns(costs)
    nodes: list[str] = []
    freed = count = 0
    for turn in turns[:-1]:
        if freed >= excess:
            break
        nodes += [cost.node for cost in turn]
        freed += sum(cost.tokens for cost in turn)
        count += 1
    if not nodes:
        return None
    words = "the oldest turn" if count == 1 else f"the {count} oldest turns"
    fits = freed >= excess
    sentence = f"Leave out {words}: {freed:,} tokens less." + ("" if fits else " It would still not fit.")
    return Offer("drop", sentence, fits, prompt_tokens - freed, tuple(nodes))


def _turns(costs: Sequence[Cost]) -> list[list[Cost]]:
    """A turn begins at each of the person's messages; what comes before the first belongs to it."""
    turns: list[list[Cost]] = []
    for cost in costs:
        if not turns or (cost.role == "user" and any(one.role == "user" for one in turns[-1])):
            turns.append([])
        turns[-1].append(cost)
    return turns


def _shorten(costs: Sequence[Cost], prompt_tokens: int, excess: int) -> Offer | None:
    found = long_results(costs)
    if not found:
        return None
    freed = sum(cost.tokens - LONG_RESULT // 2 for cost in found)
    words = "one long tool result" if len(found) == 1 else f"{len(found)} long tool results"
    fits = freed >= excess
    sentence = f"Shorten {words}: about {freed:,} tokens less." + ("" if fits else " It would still not fit.")
    return Offer("shorten", sentence, fits, prompt_tokens - freed, tuple(cost.node for cost in found))


def larger_context(needed: int, context: int, trained: int) -> int:
    """With a fifth more than is needed now, as far as the model was trained for; 0 where that is no more."""
    wanted = -(-(needed + needed // 5) // CONTEXT_STEP) * CONTEXT_STEP
    size = min(wanted, trained)
    return size if size > context else 0


def _raise(needed: int, context: int, trained: int, memory: Memory | None) -> Offer | None:
    size = larger_context(needed, context, trained)
    if not size:
        return None
    fits = size >= needed
    sentence = f"Load the model again with a context of {size:,} tokens instead of {context:,}."
    if memory is not None:
        sentence += f" It takes about {memory.more / MEGA:,.0f} MB more memory; {memory.free / MEGA:,.0f} MB are free."
    return Offer("raise", sentence + ("" if fits else " It would still not fit."), fits, size)


def _stop() -> Offer:
    return Offer("stop", "Send nothing; the message stays, and you can shorten it.", True, 0)
