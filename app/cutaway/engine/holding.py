"""What a prompt may begin with: the cache as it is, and the states that were put aside. Pure.

The worker chooses by it what to restore; the forecast, which may not ask a busy worker, tells by it what will be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cutaway.engine.backend import CacheTraits
from cutaway.engine.cache import Ledger, plan_feed
from cutaway.engine.plan import ANOTHER, BEFORE_IDLE, Plan

SAVED = "saved state"
_NOTHING = Ledger()
LEAST_GAIN = 16
"""Tokens that the state of another conversation must save: fewer are fed sooner than a state is copied."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A state that was put aside."""

    conversation: str
    ledger: Ledger
    tail: bool = False
    """It is the cache as it was before idle work gave up the reply's own tail."""


@dataclass(frozen=True, slots=True)
class Start:
    """What a prompt begins with."""

    ledger: Ledger
    saved: Saved | None = None
    """The state to restore; None where the cache itself is gone on with."""
    source: str = ""
    """In words, for a person; empty for the conversation's own cache."""


@dataclass(frozen=True, slots=True)
class Holding:
    conversation: str | None = None
    """Whose tokens the cache holds; "" for one that is still to begin: whatever begins next."""
    ledger: Ledger = _NOTHING
    saved: tuple[Saved, ...] = ()

    def held_for(self, conversation: str) -> Sequence[int]:
        """The tokens of a conversation's own cache; none where the cache is another's."""
        return self.ledger.tokens if conversation == self.conversation else ()

    def start(self, conversation: str, wanted: Sequence[int]) -> Start:
        """The start that leaves the fewest tokens to feed; of equal ones the one that costs no copy.

        A conversation with nothing of its own may begin like another: of that only the beginning counts, since the
        rest is not this conversation's to lose.
        """
        starts = list(self._own(conversation)) or list(self._others(wanted))
        return max(starts, key=lambda start: start.ledger.reusable(wanted))

    def plan(self, conversation: str, wanted: Sequence[int], traits: CacheTraits, chunk: int = 0) -> Plan:
        """The plan for a prompt. Raises ValueError for an empty one."""
        return plan_from(self.start(conversation, wanted), wanted, traits, chunk)

    def _own(self, conversation: str) -> Iterator[Start]:
        if conversation == self.conversation:
            yield Start(self.ledger)
        for one in self.saved:
            if one.conversation == conversation:
                yield Start(one.ledger, one, BEFORE_IDLE if one.tail else SAVED)
        if self.conversation == "" != conversation:
            yield Start(self.ledger)

    def _others(self, wanted: Sequence[int]) -> Iterator[Start]:
        here = self.ledger.reusable(wanted)
        yield Start(self.ledger.cut(here), source=ANOTHER if here else "")
        for one in self.saved:
            beginning = one.ledger.reusable(wanted)
            if beginning >= here + LEAST_GAIN:
                yield Start(one.ledger.cut(beginning), one, ANOTHER)


def plan_from(start: Start, wanted: Sequence[int], traits: CacheTraits, chunk: int = 0) -> Plan:
    return plan_feed(
        start.ledger, wanted, kind=traits.kind, chunk=chunk, movable=traits.movable, restored_from=start.source
    )
