"""The KV cache as the worker drives it: whose tokens it holds, what it can go back to, how it is brought elsewhere."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace

from cutaway.engine.backend import Backend, DecodeError, InterruptedDecodeError
from cutaway.engine.cache import Ledger, fallen_short, thinned
from cutaway.engine.cache_states import Checkpoint, SavedState, SavedStates, StateError
from cutaway.engine.holding import Holding, Saved, Start, plan_from
from cutaway.engine.pace import Pace
from cutaway.engine.plan import Plan

MOST_CHECKPOINTS = 32
CHECKPOINT_BYTES = 1 << 30
"""For all of a conversation's together; a few are kept however large they are."""
SHORTEST_TAIL = 16
"""Tokens; a shorter one is fed again sooner than it is copied."""
LARGEST_TAIL = 256 << 20
"""Bytes; copying more would take longer than a person may have to wait."""
UNUSABLE = "The saved state of this conversation could not be restored, so all of it is fed again."
Progress = Callable[[int, int, float], bool]
"""Called with tokens done, tokens in all and milliseconds; answers whether to go on."""


class Held:
    """One model's cache. All methods belong to the worker's thread."""

    def __init__(self, backend: Backend, saved: SavedStates, pace: Pace, *, bytes_per_token: float = 0.0) -> None:
        """`bytes_per_token`: what a token's state takes, about; copies that would be too large are not made."""
        self._backend = backend
        self._saved = saved
        self._pace = pace
        self._bytes_per_token = bytes_per_token
        self.conversation: str | None = None
        self.tokens: list[int] = []
        self.checkpoints: list[Checkpoint] = []
        self._tail: SavedState | None = None
        self._moved = False
        self._exact: int | None = None
        self._fragile = backend.traits().is_fragile

    # -- What there is -------------------------------------------------------------------------

    def holding(self) -> Holding:
        """What is held and put aside, as a value that stays as it is now."""
        own = self.conversation if self.tokens else None  # what is on disk of it is older than the cache
        states = [Saved(name, ledger) for name, ledger in self._saved.ledgers() if name != own]
        if self._tail is not None and self.conversation is not None:
            states.insert(0, Saved(self.conversation, self._tail.ledger, tail=True))
        return Holding(self.conversation, self._ledger(), tuple(states))

    def _ledger(self) -> Ledger:
        marks = tuple(checkpoint.length for checkpoint in self.checkpoints)
        return Ledger(array("i", self.tokens), marks, self._backend.floor(), self._exact)

    # -- Where it goes -------------------------------------------------------------------------

    def bring(self, conversation: str, wanted: Sequence[int], chunk: int = 0) -> Plan:
        """Let the cache belong to a conversation and hold what of `wanted` it can without feeding.

        What another conversation held is saved first; the states that were put aside are restored where that leaves
        less to feed. Answers what was done: `feed` does the rest. At least the last token is left to it.
        """
        holding = self.holding()
        start = holding.start(conversation, wanted)
        plan = plan_from(start, wanted, self._backend.traits(), chunk)
        if conversation != self.conversation:
            self._save()
            self._tail = None
            self.conversation = conversation
        if start.saved is not None and not self._restore(start.saved, worth=plan.reused + plan.moved):
            start = Start(Ledger())
            plan = plan_from(start, wanted, self._backend.traits())
            plan = replace(plan, reason="M31", detail=UNUSABLE)
        return self._obey(plan, start.ledger, wanted)

    def _obey(self, plan: Plan, held: Ledger, wanted: Sequence[int]) -> Plan:
        """Bring the cache to what a plan keeps, the runs that it moves included; answers the plan as it came out."""
        for shift in plan.shifts:
            end = shift.start + shift.length
            self._backend.move(shift.start, end, shift.to)
            self.tokens[shift.to : shift.to + shift.length] = self.tokens[shift.start : end]
            self._moved = True
            self._exact = min(shift.to, shift.to if self._exact is None else self._exact)
        self._cut(plan.reused + plan.moved)
        kept = len(self.tokens)
        if kept < plan.reused + plan.moved:
            return fallen_short(plan, held, wanted, kept, self._backend.traits().kind)
        return plan

    def may_leave(self, conversation: str) -> bool:
        """Whether idle work for a conversation costs no other one its cache, and no long copy."""
        if conversation == self.conversation or not self.tokens:
            return True
        return self._size() <= LARGEST_TAIL and self._saved.has_room(self._size())

    def keep_tail(self, wanted: Sequence[int]) -> None:
        """Before idle work for the conversation: what it gives up serves Regenerate and Continue."""
        lost = len(self.tokens) - self._ledger().reusable(wanted)
        if self._tail is None and lost >= SHORTEST_TAIL and self._size() <= LARGEST_TAIL:
            self._tail = self._state()

    def drop_tail(self) -> None:
        """The cache has moved on."""
        self._tail = None

    # -- States --------------------------------------------------------------------------------

    def _save(self) -> None:
        if self.conversation and self.tokens and self._saved.has_room(self._size()):
            self._saved.put(self.conversation, self._state())

    def put_aside(self, go_on: Callable[[], bool] = lambda: True) -> None:
        """Before the model goes: what is held outlasts it on disk, where there is a folder for that."""
        self._save()
        self._saved.flush(go_on)

    def forget(self, conversation: str) -> None:
        """Nothing of a conversation is put aside or comes back."""
        self._saved.forget(conversation)
        if conversation == self.conversation:
            self.conversation = self._tail = None

    def tidy(self, go_on: Callable[[], bool]) -> None:
        """Bring what was put aside into its budget."""
        self._saved.tidy(go_on)

    def _size(self) -> int:
        """Bytes of the state, about."""
        copies = sum(len(checkpoint.state) for checkpoint in self.checkpoints)
        return int(len(self.tokens) * self._bytes_per_token) + copies

    def _state(self) -> SavedState:
        floor = self._backend.floor()
        tokens = array("i", self.tokens)
        return SavedState(tokens, self._backend.save(), tuple(self.checkpoints), self._exact, floor)

    def _restore(self, source: Saved, *, worth: int) -> bool:
        """Take a state up; one of which nothing would stay is not copied. After False the cache is empty."""
        if not worth:
            self.empty()
            return True
        try:
            saved = self._tail if source.tail else self._saved.read(source.conversation)
        except StateError:
            saved = None
        if saved is None or not self._backend.restore(saved.state):
            self._saved.forget(source.conversation)
            self.empty()
            return False
        if source.conversation == self.conversation:
            self._saved.release(source.conversation)
        self.tokens = list(saved.tokens)
        self.checkpoints = list(saved.checkpoints)
        self._exact = saved.exact
        self._moved = False
        return True

    def empty(self) -> None:
        self._backend.keep(0)
        self._moved = False
        self._exact = None
        self.tokens = []
        self.checkpoints = []

    # -- Cutting and feeding -------------------------------------------------------------------

    def _cut(self, length: int) -> None:
        """Go back to `length` tokens, which the plan found; to fewer where the memory then refuses."""
        if length < len(self.tokens):
            self._forget(self._go_back(length))

    def _forget(self, kept: int) -> None:
        """The memory holds only so many tokens now."""
        del self.tokens[kept:]
        self.checkpoints = [checkpoint for checkpoint in self.checkpoints if checkpoint.length <= kept]
        if self._exact is not None and kept <= self._exact:
            self._exact = None

    def _go_back(self, length: int) -> int:
        if length == 0 or length >= self._backend.floor():
            return self._backend.keep(length)
        checkpoint = next((one for one in reversed(self.checkpoints) if one.length <= length), None)
        if checkpoint and self._backend.rewind(checkpoint.state, checkpoint.length):
            return checkpoint.length
        return self._backend.keep(0)

    def feed(
        self,
        wanted: Sequence[int],
        marks: Sequence[int],
        progress: Progress,
        *,
        share: float = 1.0,
        again: bool = False,
    ) -> bool:
        """Feed what is missing of `wanted`, in micro-batches; False when `progress` said to stop.

        `marks` are lengths at which a memory that needs it is copied. With `again` it is copied before and after the
        last token too, where a turn that is sent again or read otherwise begins; these copies serve until the next
        turn. Raises DecodeError; what was fed before it is held.
        """
        began = time.perf_counter()
        start, end = len(self.tokens), len(wanted)
        passing = {end - 1, end} if again else set()
        copied = {*marks, *passing} if self._backend.traits().needs_checkpoints else set()
        stops = sorted({mark for mark in copied if start < mark <= end} | {end})
        if again:
            self.checkpoints = [one for one in self.checkpoints if not one.passing or one.length in passing]
        while (at := len(self.tokens)) < end:
            until = min(at + self._pace.size(share=share), next(stop for stop in stops if stop > at))
            try:
                self._decode(wanted[at:until], last=until == end)
            except InterruptedDecodeError:
                if self._moved:
                    self.empty()  # llama.cpp may have been turning the moved keys: they are good for nothing now
                if not progress(max(0, len(self.tokens) - start), end - start, (time.perf_counter() - began) * 1000):
                    return False
                self._backend.resume()  # it was meant for another job
                continue
            if until in copied:
                self._take_checkpoint(passing=until not in marks)
            goes_on = progress(max(0, until - start), end - start, (time.perf_counter() - began) * 1000)
            if not goes_on and until < end:
                return False
        return True

    def _decode(self, tokens: Sequence[int], *, last: bool) -> None:
        position = len(self.tokens)
        way_back = self._way_back(len(tokens))
        began = time.perf_counter()
        try:
            self._backend.feed(tokens, position, logits=last, interruptible=way_back is not None)
        except DecodeError:
            self._after_error(position, way_back)
            raise
        self._moved = False
        self._pace.took(len(tokens), (time.perf_counter() - began) * 1000)
        self.tokens.extend(tokens)

    def _way_back(self, tokens: int) -> bytes | None:
        """What restores the memory when so many tokens are interrupted: a state, or nothing where cutting will do.

        None where they must not be interrupted: short work is not worth a copy.
        """
        if not self._fragile or not self.tokens:
            return b""
        interruptible = self._backend.traits().interruptible and self._pace.is_long(tokens)
        return self._backend.checkpoint() if interruptible else None

    def _after_error(self, position: int, way_back: bytes | None = None) -> None:
        if way_back and self._backend.rewind(way_back, position):
            return
        kept = self._backend.keep(position)
        if kept != position:
            self._forget(kept)

    def add(self, token: int) -> None:
        """Decode one generated token. Raises DecodeError."""
        position = len(self.tokens)
        try:
            self._backend.feed((token,), position, interruptible=not self._fragile)
        except DecodeError:
            self._after_error(position)
            raise
        self.tokens.append(token)

    def _take_checkpoint(self, *, passing: bool) -> None:
        length, state = len(self.tokens), self._backend.checkpoint()
        kept = [one for one in self.checkpoints if one.length != length]
        most = min(MOST_CHECKPOINTS, CHECKPOINT_BYTES // max(1, len(state)))
        lengths = thinned([*(one.length for one in kept), length], most)
        self.checkpoints = [*(one for one in kept if one.length in lengths), Checkpoint(length, state, passing)]
