"""What the KV cache holds, as a value, and what is done with it for a prompt. Pure: nothing is decoded here.

The plan keeps the longest common prefix, lowered to a state that the memory can go back to: any length where
attention keeps every token, the nearest checkpoint where a sliding window has moved on or a recurrent state
has been overwritten. The last token of a prompt is always fed, for its logits.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cutaway.engine.backend import CacheTraits, MemoryKind
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
    keys: Mapping[str, str] = field(default_factory=dict)
    """What the tokens depend on (model, template, settings): by name, as text."""

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
        return replace(self, tokens=tuple(self.tokens[:length]), checkpoints=kept, floor=floor)

    def fed(self, tokens: Sequence[int], traits: CacheTraits) -> Ledger:
        """After decoding more tokens."""
        held = (*self.tokens, *tokens)
        return replace(self, tokens=held, floor=max(self.floor, floor_of(traits, len(held))))

    def marked(self, most: int = 16) -> Ledger:
        """After copying the state as it is now; the least useful checkpoint goes where there are too many."""
        marks = tuple(sorted({*self.checkpoints, self.length}))
        return replace(self, checkpoints=thinned(marks, most))


@dataclass(frozen=True, slots=True)
class Saved:
    """A state that was put aside, of this conversation or of another one that may begin alike."""

    name: str
    ledger: Ledger
    size: int = 0
    """Bytes."""
    used: int = 0
    """Grows with every use: the least was used longest ago."""
    same_conversation: bool = False


def floor_of(traits: CacheTraits, length: int) -> int:
    """The least length that `length` decoded tokens can be cut to.

    A sliding window keeps what its layers need to go on from here, and no more is counted on.
    """
    kind: MemoryKind = traits.kind
    if kind == "attention":
        return 0
    if kind == "sliding":
        return length if traits.window > 0 and length > traits.window else 0
    return length


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
    saved: Sequence[Saved] = (),
    keys: Mapping[str, str] | None = None,
    chunk: int = 0,
    movable: bool = True,
) -> Plan:
    """The plan that feeds the fewest tokens.

    `saved` are states that may be restored instead of what the cache holds; `keys` are what the prompt
    depends on, compared with the ledger's. `chunk` above 0 allows runs of at least so many held tokens to be
    shifted behind the break, where the memory is `movable`: that is approximate. Breaks are named as far as tokens alone tell;
    `engine.reasons` names them from the prompts.
    """
    if not wanted:
        raise ValueError("The prompt is empty: the model needs at least one token to go on from.")
    source, ledger = None, held
    best = _reusable(held, wanted)
    for one in saved:
        reusable = _reusable(one.ledger, wanted)
        if reusable > best:
            source, ledger, best = one, one.ledger, reusable
    shared = common_prefix(ledger.tokens, wanted)
    movable = movable and kind == "attention"
    shifts = find_shifts(ledger.tokens, wanted, shared, chunk) if chunk > 0 and movable else ()
    moved = sum(shift.length for shift in shifts)
    breaks = tuple(_cheaper(one, moved) for one in _breaks(ledger, wanted, shared, best, kind))
    if chunk > 0 and not movable and breaks:
        detail = "This memory cannot move tokens, so that nothing behind the break is reused."
        breaks += (_evidence(ledger, wanted, shared, "M27", detail, lost=0, fed=0),)
    return Plan(
        prompt_tokens=len(wanted),
        held=ledger.length,
        reused=best,
        fed=len(wanted) - best - moved,
        restored_from=_restored_from(source, ledger, best),
        breaks=breaks,
        shared=shared,
        reason=_reason(held, ledger, wanted, breaks, keys or {}),
        shifts=shifts,
    )


def _reusable(ledger: Ledger, wanted: Sequence[int]) -> int:
    """Law 15: the common prefix, without the last wanted token, lowered to a state that can be restored."""
    shared = min(common_prefix(ledger.tokens, wanted), len(wanted) - 1)
    return ledger.restorable(shared)


def _restored_from(source: Saved | None, ledger: Ledger, reused: int) -> str | None:
    at_checkpoint = 0 < reused < ledger.floor and reused < ledger.length
    parts = [source.name] if source is not None else []
    parts += [f"checkpoint at {reused}"] if at_checkpoint else []
    return ", ".join(parts) or None


def _reason(
    held: Ledger, ledger: Ledger, wanted: Sequence[int], breaks: tuple[Break, ...], keys: Mapping[str, str]
) -> str:
    if not ledger.length:
        if held.keys.get("model", keys.get("model")) != keys.get("model"):
            return "M2"
        return "M4" if _differing(held.keys, keys) else "M1"
    costly = max(breaks, key=lambda one: one.fed, default=None)
    if costly is not None and not (costly.reason == "M32" and len(breaks) > 1):
        return costly.reason
    return "M6"


def _differing(first: Mapping[str, str], second: Mapping[str, str]) -> list[str]:
    return sorted(name for name in first.keys() & second.keys() if first[name] != second[name])


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
