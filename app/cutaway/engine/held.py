"""The KV cache as the worker drives it: whose tokens it holds, what it can go back to, how it is brought elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from cutaway.engine.backend import Backend, DecodeError, InterruptedDecodeError
from cutaway.engine.cache import Ledger, common_prefix, plan_feed, thinned
from cutaway.engine.cache_states import Checkpoint, SavedState, SavedStates, StateError
from cutaway.engine.pace import Pace
from cutaway.engine.plan import BEFORE_IDLE, Plan

MOST_CHECKPOINTS = 16
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
        self._restore_failed = False
        self._moved = False
        self._exact: int | None = None

    # -- Whose it is ---------------------------------------------------------------------------

    def switch(self, conversation: str, wanted: Sequence[int]) -> str | None:
        """Let the cache belong to a conversation: what is held is saved, what was saved for it comes back.

        A conversation that was not saved may begin like the one before: what both share stays.
        Answers where the held tokens came from; None where the cache was its own already, or is empty.
        """
        self._restore_failed = False
        if conversation == self.conversation:
            return self._restore_tail(wanted)
        self._save()
        self._tail = None
        self.conversation = conversation
        if self._restore_saved(conversation):
            return "saved state"
        self.cut(self._reusable(self.tokens, self.checkpoints, self._backend.floor(), wanted))
        return "another conversation's beginning" if self.tokens else None

    def _restore_saved(self, conversation: str) -> bool:
        try:
            saved = self._saved.take(conversation)
        except StateError:
            self._restore_failed = True
            return False
        return saved is not None and self._restore(saved)

    def _save(self) -> None:
        if self.conversation is not None and self.tokens and self._saved.has_room(self._size()):
            self._saved.put(self.conversation, self._state())

    def put_aside(self) -> None:
        """Before the model goes: what is held outlasts it on disk, where there is a folder for that."""
        self._save()
        self._saved.flush()

    def _size(self) -> int:
        """Bytes of the state, about."""
        return int(len(self.tokens) * self._bytes_per_token)

    def _state(self) -> SavedState:
        return SavedState(tuple(self.tokens), self._backend.save(), tuple(self.checkpoints), self._exact)

    def _restore(self, saved: SavedState) -> bool:
        if not self._backend.restore(saved.state):
            self._restore_failed = True
            self.empty()
            return False
        self.tokens = list(saved.tokens)
        self.checkpoints = list(saved.checkpoints)
        self._exact = saved.exact
        return True

    def _reusable(self, held: Sequence[int], marks: Sequence[Checkpoint], floor: int, wanted: Sequence[int]) -> int:
        ledger = Ledger(held, tuple(mark.length for mark in marks), floor)
        return ledger.restorable(min(common_prefix(held, wanted), len(wanted) - 1))

    def keep_tail(self, length: int) -> None:
        """Before idle work goes back to `length`: what lies behind it serves Regenerate and Continue."""
        if len(self.tokens) - length >= SHORTEST_TAIL and self._size() <= LARGEST_TAIL:
            self._tail = self._state()

    def drop_tail(self) -> None:
        """The cache has moved on."""
        self._tail = None

    def _restore_tail(self, wanted: Sequence[int]) -> str | None:
        tail = self._tail
        if tail is None:
            return None
        floor = 1 if self._backend.traits().kind == "attention" else len(tail.tokens)
        now = self._reusable(self.tokens, self.checkpoints, self._backend.floor(), wanted)
        if self._reusable(tail.tokens, tail.checkpoints, floor, wanted) <= now or not self._restore(tail):
            return None
        return BEFORE_IDLE

    def empty(self) -> None:
        self._backend.keep(0)
        self._moved = False
        self._exact = None
        self.tokens = []
        self.checkpoints = []

    # -- Where it goes -------------------------------------------------------------------------

    def plan(self, wanted: Sequence[int], restored_from: str | None = None, shortest_chunk: int = 0) -> Plan:
        """What stays of the cache for `wanted`; at least its last token is fed, for its logits."""
        marks = tuple(checkpoint.length for checkpoint in self.checkpoints)
        ledger = Ledger(self.tokens, marks, self._backend.floor())
        traits = self._backend.traits()
        plan = plan_feed(ledger, wanted, kind=traits.kind, chunk=shortest_chunk, movable=traits.movable)
        if self._restore_failed and not self.tokens:
            return replace(plan, reason="M31", detail=UNUSABLE)
        if self._exact is not None:
            plan = replace(plan, approximate=max(0, plan.reused - self._exact))
        sources = [source for source in (restored_from, plan.restored_from) if source]
        return replace(plan, restored_from=", ".join(sources) or None)

    def obey(self, plan: Plan) -> None:
        """Bring the cache to what a plan keeps, the runs that it moves included."""
        for shift in plan.shifts:
            end = shift.start + shift.length
            self._backend.move(shift.start, end, shift.to)
            self.tokens[shift.to : shift.to + shift.length] = self.tokens[shift.start : end]
            self._moved = True
            self._exact = min(shift.to, shift.to if self._exact is None else self._exact)
        self.cut(plan.reused + plan.moved)

    def cut(self, length: int) -> None:
        """Go back to `length` tokens, which the plan found; to fewer where the memory then refuses."""
        if length < len(self.tokens):
            self._forget(self._cut(length))

    def _forget(self, kept: int) -> None:
        """The memory holds only so many tokens now."""
        del self.tokens[kept:]
        self.checkpoints = [checkpoint for checkpoint in self.checkpoints if checkpoint.length <= kept]
        if self._exact is not None and kept <= self._exact:
            self._exact = None

    def _cut(self, length: int) -> int:
        if length == 0 or length >= self._backend.floor():
            return self._backend.keep(length)
        checkpoint = self._checkpoint(length)
        if checkpoint and self._backend.rewind(checkpoint.state, checkpoint.length):
            return checkpoint.length
        return self._backend.keep(0)

    def _checkpoint(self, length: int) -> Checkpoint | None:
        """The last checkpoint at or before `length`."""
        fitting = [checkpoint for checkpoint in self.checkpoints if checkpoint.length <= length]
        return fitting[-1] if fitting else None

    def feed(self, wanted: Sequence[int], marks: Sequence[int], progress: Progress, *, share: float = 1.0) -> bool:
        """Feed what is missing of `wanted`, in micro-batches; False when `progress` said to stop.

        `marks` are lengths at which a memory that needs it is copied. Raises DecodeError; what was
        fed before it is held.
        """
        began = time.perf_counter()
        start, end = len(self.tokens), len(wanted)
        stops = sorted({mark for mark in self._marks(marks, end) if start < mark < end} | {end})
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
            if until in stops:
                self._take_checkpoint()
            goes_on = progress(until - start, end - start, (time.perf_counter() - began) * 1000)
            if not goes_on and until < end:
                return False
        return True

    def _marks(self, marks: Sequence[int], end: int) -> Sequence[int]:
        """With the length just before the end: there a turn that is sent again begins."""
        return [*marks, end - 1] if self._backend.traits().needs_checkpoints else []

    def _decode(self, tokens: Sequence[int], *, last: bool) -> None:
        position = len(self.tokens)
        began = time.perf_counter()
        try:
            self._backend.feed(tokens, position, logits=last)
        except DecodeError:
            self._after_error(position)
            raise
        self._moved = False
        self._pace.took(len(tokens), (time.perf_counter() - began) * 1000)
        self.tokens.extend(tokens)

    def _after_error(self, position: int) -> None:
        kept = self._backend.keep(position)
        if kept != position:
            self._forget(kept)

    def add(self, token: int) -> None:
        """Decode one generated token. Raises DecodeError."""
        position = len(self.tokens)
        try:
            self._backend.feed((token,), position)
        except DecodeError:
            self._after_error(position)
            raise
        self.tokens.append(token)

    def _take_checkpoint(self) -> None:
        if not self._backend.traits().needs_checkpoints:
            return
        length = len(self.tokens)
        self.checkpoints = [checkpoint for checkpoint in self.checkpoints if checkpoint.length != length]
        self.checkpoints.append(Checkpoint(length, self._backend.checkpoint()))
        kept = thinned([checkpoint.length for checkpoint in self.checkpoints], MOST_CHECKPOINTS)
        self.checkpoints = [checkpoint for checkpoint in self.checkpoints if checkpoint.length in kept]
