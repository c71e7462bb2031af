"""What the KV cache holds, as a value, and what is done with it for a prompt. Pure: nothing is decoded here.

The plan keeps the longest common prefix, lowered to a state that the memory can go back to: any length where
attention keeps every token, the nearest checkpoint where a sliding window has moved on or a recurrent state
has been overwritten. The last token of a prompt is always fed, for its logits.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cutaway.engine.backend import MemoryKind
from cutaway.engine.plan import Break, Plan, Shift

EVIDENCE = 8
"""Tokens of each side that a break shows."""
_BLOCK = 1024


@dataclass(frozen=True, slots=True)
class Ledger:
    """The tokens that a cache or a saved state holds, from position 0 on, and where it can go back to."""

    tokens: Sequence[int] = ()
    checkpoints: tuple[int, ...] = ()
    """Lengths at which the part of the memory that cannot be rolled back was copied, ascending."""
    floor: int = 0
    """The least length that the memory can be cut to without a checkpoint: 0 where attention keeps every
    token, the whole length where the state is recurrent."""
    exact: int | None = None
    """Leading tokens before the first that was moved; None where none was."""

    @property
    def length(self) -> int:
        return len(self.tokens)

    def restorable(self, length: int) -> int:
        """The longest state of at most `length` tokens that the memory can be brought to."""
        if length >= self.length:
            return self.length
        if length >= self.floor:
            return length
        return max((mark for mark in self.checkpoints if mark <= length), default=0)

    def cut(self, length: int) -> Ledger:
        """After going back to `length`, which must be restorable."""
        if length != self.restorable(length):
            raise ValueError(f"This memory cannot go back to {length} tokens.")
        kept = tuple(mark for mark in self.checkpoints if mark <= length)
        floor = self.floor if length >= self.floor else length
        exact = None if self.exact is not None and length <= self.exact else self.exact
        return Ledger(self.tokens[:length], kept, floor, exact)

    def reusable(self, wanted: Sequence[int]) -> int:
        """Law 15: the common prefix, without the last wanted token, lowered to a state that can be restored."""
        return self.restorable(min(common_prefix(self.tokens, wanted), len(wanted) - 1))


def common_prefix(first: Sequence[int], second: Sequence[int]) -> int:
    """How many leading tokens two sequences share."""
    shortest = min(len(first), len(second))
    for start in range(0, shortest, _BLOCK):
        end = min(start + _BLOCK, shortest)
        one, other = list(first[start:end]), list(second[start:end])
        if one != other:
            return next(start + at for at, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])
    return shortest


def thinned(marks: Sequence[int], most: int) -> tuple[int, ...]:
    """At most so many of the checkpoints: each that goes is the one whose loss costs the fewest tokens.

    A loss costs the tokens between it and the checkpoint before it. The first and the newest two stay.
    """
    kept = list(marks)
    while len(kept) > max(most, 3):
        cheapest = min(range(1, len(kept) - 2), key=lambda at: kept[at] - kept[at - 1])
        del kept[cheapest]
    return tuple(kept)


def plan_feed(
    held: Ledger,
    wanted: Sequence[int],
    *,
    kind: MemoryKind = "attention",
    chunk: int = 0,
    movable: bool = True,
    restored_from: str = "",
) -> Plan:
    """The plan that feeds the fewest tokens from what is held.

    `chunk` above 0 allows runs of at least so many held tokens to be shifted behind the break, where the memory is
    `movable`: that is approximate. `restored_from` says in words where the held tokens came from, when they are not
    the conversation's own cache. Breaks are named as far as tokens alone tell; `engine.reasons` names them from the
    prompts.
    """
    if not wanted:
        raise ValueError("The prompt is empty: the model needs at least one token to go on from.")
    reused = held.reusable(wanted)
    shared = common_prefix(held.tokens, wanted)
    movable = movable and kind == "attention"
    shifts = find_shifts(held.tokens, wanted, shared, chunk) if chunk > 0 and movable else ()
    moved = sum(shift.length for shift in shifts)
    breaks = tuple(_cheaper(one, moved) for one in _breaks(held, wanted, shared, reused, kind))
    if chunk > 0 and not movable and breaks:
        detail = "This memory cannot move tokens, so that nothing behind the break is reused."
        breaks += (_evidence(held, wanted, shared, "M27", detail, lost=0, fed=0),)
    return Plan(
        prompt_tokens=len(wanted),
        held=held.length,
        reused=reused,
        fed=len(wanted) - reused - moved,
        restored_from=_restored_from(restored_from, held, reused),
        breaks=breaks,
        shared=shared,
        reason=_reason(held, breaks),
        shifts=shifts,
        approximate=0 if held.exact is None else max(0, reused - held.exact),
    )


def fallen_short(plan: Plan, held: Ledger, wanted: Sequence[int], kept: int, kind: MemoryKind) -> Plan:
    """The plan as it came out where the memory refused to be brought to what was planned and kept less."""
    code, detail = _memory_limit(kind, kept, plan.reused + plan.moved)
    lost = plan.reused + plan.moved - kept
    broken = _evidence(held, wanted, kept, code, detail, lost=lost, fed=lost)
    return replace(
        plan, reused=kept, fed=len(wanted) - kept, restored_from=None, shifts=(), breaks=(*plan.breaks, broken)
    )


def _restored_from(source: str, held: Ledger, reused: int) -> str | None:
    at_checkpoint = 0 < reused < held.floor and reused < held.length
    parts = [source] if source and reused else []
    parts += [f"checkpoint at {reused}"] if at_checkpoint else []
    return ", ".join(parts) or None


def _reason(held: Ledger, breaks: tuple[Break, ...]) -> str:
    if not held.length:
        return "M1"
    costly = max(breaks, key=lambda one: (one.reason != "M32", one.fed), default=None)
    return costly.reason if costly is not None else "M6"


def _breaks(ledger: Ledger, wanted: Sequence[int], shared: int, reused: int, kind: MemoryKind) -> Iterator[Break]:
    if shared < ledger.length and shared < len(wanted):
        yield _evidence(
            ledger,
            wanted,
            shared,
            "M9",
            f"From token {shared:,} on the prompt differs from what the cache holds.",
            fed=len(wanted) - shared,
        )
    elif shared < ledger.length:
        yield _past_the_end(ledger, wanted, shared)
    last = len(wanted) - 1
    if shared == len(wanted) == ledger.length:
        yield _evidence(
            ledger, wanted, last, "M32", "Everything is cached; the last token is fed for its logits.", fed=1
        )
    back = min(shared, last)
    if reused < back:
        code, detail = _memory_limit(kind, reused, back)
        yield _evidence(ledger, wanted, reused, code, detail, lost=back - reused, fed=back - reused)


def _cheaper(one: Break, moved: int) -> Break:
    """What is moved behind a break is neither lost nor fed."""
    return replace(one, lost=one.lost - moved, fed=one.fed - moved) if moved else one


def _past_the_end(ledger: Ledger, wanted: Sequence[int], shared: int) -> Break:
    """The whole prompt is held, and more: it is sent again, or the conversation became shorter."""
    detail = f"The prompt ends here; the {ledger.length - shared:,} tokens after it are given up."
    return _evidence(ledger, wanted, shared, "M5", detail, fed=1)


def _evidence(
    ledger: Ledger, wanted: Sequence[int], at: int, reason: str, detail: str, *, lost: int | None = None, fed: int
) -> Break:
    return Break(
        at_token=at,
        reason=reason,
        detail=detail,
        held=tuple(ledger.tokens[at : at + EVIDENCE]),
        wanted=tuple(wanted[at : at + EVIDENCE]),
        lost=ledger.length - at if lost is None else lost,
        fed=fed,
    )


def _memory_limit(kind: MemoryKind, reused: int, back: int) -> tuple[str, str]:
    where = f"the checkpoint at token {reused:,}" if reused else "the beginning"
    again = f"{back - reused:,} tokens that were the same are fed again, from {where}"
    if kind == "sliding":
        return "M24", f"The sliding window has moved past token {back:,}, so that {again}."
    if kind in ("recurrent", "hybrid"):
        return "M25", f"The model's state cannot be rolled back to token {back:,}, so that {again}."
    return "M26", f"This memory could not be cut at token {back:,}, so that {again}."


def find_shifts(held: Sequence[int], wanted: Sequence[int], shared: int, shortest: int) -> tuple[Shift, ...]:
    """Runs of at least `shortest` held tokens behind the break that come again, in order, right after what is shared.

    Each follows the one before it without a gap: a memory takes new tokens only behind all that it holds.
    The last wanted token is never among them: it is fed.
    """
    if shortest < 1:
        return ()
    memory = array("i", held).tobytes()
    shifts: list[Shift] = []
    at, floor, end = shared, shared, len(wanted) - 1
    while at + shortest <= end:
        start = _find(memory, array("i", wanted[at : at + shortest]).tobytes(), floor)
        if start < 0:
            break
        length = common_prefix(held[start:], wanted[at:end])
        shifts.append(Shift(start, at, length))
        at, floor = at + length, start + length
    return tuple(shifts)


def _find(memory: bytes, run: bytes, start: int) -> int:
    """The first token from `start` on at which a run begins; -1 where it does not."""
    size = array("i").itemsize
    at = memory.find(run, start * size)
    while at >= 0 and at % size:
        at = memory.find(run, at + 1)
    return at // size if at >= 0 else -1


def in_frozen_order(names: Sequence[str], before: Sequence[str]) -> tuple[str, ...]:
    """Tools in the order in which the conversation first named them; new ones come last.

    A tool that moves in the list changes the prompt from its first place on.
    """
    known = [name for name in dict.fromkeys(before) if name in names]
    return (*known, *(name for name in dict.fromkeys(names) if name not in set(known)))
