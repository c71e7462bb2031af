"""Law 15: reuse is the common prefix lowered to a state that the memory can restore, and what comes out of a
reused memory is what comes out of a fresh one. A simulated memory of each kind is edited, forked, cancelled, idled
on, put aside in memory and on disk, and loaded again; what was forecast is what is done."""

from __future__ import annotations

import pickle
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from cutaway.engine.backend import CacheTraits, InterruptedDecodeError, MemoryKind
from cutaway.engine.cache_states import SavedStates
from cutaway.engine.held import Held
from cutaway.engine.pace import Pace
from support.laws import tried

WINDOW = 6
BATCH = 3
"""Tokens of a micro-batch; a sliding window has room for one more."""
BUDGET = 3000
"""Bytes of states that memory holds: a handful of small ones, so that some go to disk."""
TOKEN = st.integers(0, 4)
TEXT = st.lists(TOKEN, min_size=1, max_size=10)
CONVERSATION = st.sampled_from("abc")


@dataclass
class Memory:
    """What a backend's memory does, without a model: its `output` depends on all that a model's would."""

    kind: MemoryKind
    cells: dict[int, int] = field(default_factory=dict)
    """Position to token, for layers that keep tokens."""
    state: int = 0
    """What a recurrent layer has made of all tokens."""
    length: int = 0
    interrupted_after: int | None = None
    """Tokens of the next feed that is interruptible: then it stops on its way."""

    def traits(self) -> CacheTraits:
        return CacheTraits(self.kind, 10_000, WINDOW if self.kind == "sliding" else 0, interruptible=True)

    def feed(self, tokens: Sequence[int], position: int, *, logits: bool = True, interruptible: bool = True) -> None:
        assert position == self.length
        for done, token in enumerate(tokens):
            if interruptible and done == self.interrupted_after:
                raise InterruptedDecodeError("The law interrupts.")
            self.cells[self.length] = token
            self.state = hash((self.state, token))
            self.length += 1
            if self.kind == "sliding":
                self.cells.pop(self.length - 1 - WINDOW - BATCH, None)

    def resume(self) -> None:
        self.interrupted_after = None

    def floor(self) -> int:
        if self.kind == "attention":
            return 1
        if self.kind == "sliding":
            return 1 if not self.cells or min(self.cells) == 0 else min(self.length, min(self.cells) + WINDOW)
        return max(1, self.length)

    def keep(self, length: int) -> int:
        if length >= self.length:
            return self.length
        if length < self.floor():
            length = 0
        if not length:
            self.state = 0
        self.cells = {at: token for at, token in self.cells.items() if at < length}
        self.length = length
        return length

    def save(self) -> bytes:
        return pickle.dumps((self.cells, self.state, self.length))

    def restore(self, state: bytes) -> bool:
        self.cells, self.state, self.length = pickle.loads(state)
        return True

    def checkpoint(self) -> bytes:
        kept = self.cells if self.kind == "sliding" else {}
        return pickle.dumps((kept, self.state))

    def rewind(self, checkpoint: bytes, length: int) -> bool:
        kept, self.state = pickle.loads(checkpoint)
        self.cells = dict(kept) if self.kind == "sliding" else {a: t for a, t in self.cells.items() if a < length}
        self.length = length
        return True

    def output(self) -> object:
        """What the logits depend on."""
        if self.kind == "sliding":
            return [self.cells[at] for at in range(max(0, self.length - WINDOW), self.length)]
        cells = sorted(self.cells.items()) if self.kind != "recurrent" else None
        return cells, self.state if self.kind in ("recurrent", "hybrid") else None


class Caching(RuleBasedStateMachine):
    """Conversations on one cache, as the worker runs them."""

    @initialize(kind=st.sampled_from(["attention", "sliding", "recurrent", "hybrid"]))
    def load(self, kind: MemoryKind) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.memory = Memory(kind)
        self.conversations: dict[str, list[int]] = {"a": [], "b": [], "c": []}
        self._load()

    def _load(self) -> None:
        saved = SavedStates("model", memory_budget=BUDGET, folder=self.folder)
        self.held = Held(cast(Any, self.memory), saved, Pace(limit_ms=1e9, largest=BATCH))

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)

    def _bring(self, name: str, stop_after: int | None = None, marks: Sequence[int] = ()) -> None:
        """Plan and do it; `stop_after` micro-batches it is cancelled."""
        wanted = self.conversations[name]
        before = self.held.holding()
        own = name == before.conversation and before.ledger.length
        foretold = before.plan(name, wanted, self.memory.traits())
        plan = self.held.bring(name, wanted)
        assert plan == foretold
        assert plan.reused == len(self.held.tokens)
        assert plan.fed == len(wanted) - plan.reused
        assert plan.reused <= min(plan.shared, len(wanted) - 1)
        assert bool(plan.breaks) == (plan.reused < plan.held)
        if own:
            assert plan.reused >= before.ledger.reusable(wanted)
        for one in before.saved:
            if one.conversation == name:
                assert plan.reused >= one.ledger.reusable(wanted)
        left = [stop_after if stop_after is not None else -1]

        def goes_on(*_: object) -> bool:
            left[0] -= 1
            return left[0] != 0

        self.held.feed(wanted, marks, goes_on, again=True)
        assert len(self.held.tokens) >= plan.reused

    @rule(name=CONVERSATION, text=TEXT, reply=TEXT, back=st.integers(0, 8))
    def send(self, name: str, text: list[int], reply: list[int], back: int) -> None:
        tokens = self.conversations[name]
        tokens += text
        self._bring(name, marks=[max(1, len(tokens) - back)])
        self.held.drop_tail()
        for token in reply:
            self.held.add(token)
        self.conversations[name] = list(self.held.tokens)

    @rule(name=CONVERSATION, text=TEXT, after=st.integers(1, 3), at=st.integers(1, 40))
    def cancel(self, name: str, text: list[int], after: int, at: int) -> None:
        self.conversations[name] += text
        self._bring(name, stop_after=after, marks=[at, at + 3])

    @rule(name=CONVERSATION, text=TEXT, after=st.integers(0, 2), gives_up=st.booleans())
    def interrupt(self, name: str, text: list[int], after: int, gives_up: bool) -> None:
        """A micro-batch is stopped on its way, for this job or for another."""
        self.conversations[name] += text
        self.memory.interrupted_after = after
        self.held._pace = Pace(limit_ms=1e9, largest=BATCH)  # knows no speed, so it is worth a copy
        self._bring(name, stop_after=1 if gives_up else None)
        self.memory.resume()

    @rule(name=CONVERSATION, at=st.integers(0, 40), text=TEXT)
    def edit(self, name: str, at: int, text: list[int]) -> None:
        tokens = self.conversations[name]
        self.conversations[name] = [*tokens[:at], *text, *tokens[at + 1 :]]
        self._bring(name)

    @rule(cut=st.integers(0, 12), text=TEXT)
    def idle(self, cut: int, text: list[int]) -> None:
        """Idle work gives up the reply's tail, which a reply that is asked for again then takes."""
        name = self.held.conversation
        if name is None or not self.held.tokens:
            return
        held = list(self.held.tokens)
        other = [*held[: max(0, len(held) - cut)], *text]
        self.held.keep_tail(other)
        self.held.bring(name, other)
        self.held.feed(other, [len(other)], lambda *_: True)

    @rule(name=CONVERSATION)
    def send_again(self, name: str) -> None:
        if self.conversations[name]:
            self._bring(name)

    @rule(name=CONVERSATION, other=CONVERSATION, at=st.integers(1, 40))
    def fork(self, name: str, other: str, at: int) -> None:
        self.conversations[other] = self.conversations[name][:at]

    @rule()
    def tidy(self) -> None:
        self.held.tidy(lambda: True)

    @rule()
    def load_again(self) -> None:
        """Everything comes back from disk."""
        name, tokens = self.held.conversation, list(self.held.tokens)
        self.held.put_aside()
        self.memory.keep(0)
        self._load()
        if name is not None and tokens:
            assert self.held.holding().plan(name, [*tokens, 1], self.memory.traits()).reused == len(tokens)

    @invariant()
    def the_memory_is_that_of_a_fresh_prefill(self) -> None:
        if not hasattr(self, "memory"):
            return
        fresh = Memory(self.memory.kind)
        fresh.feed(self.held.tokens, 0)
        assert self.memory.length == len(self.held.tokens)
        assert self.memory.output() == fresh.output()


Caching.TestCase.settings = settings(tried(60), stateful_step_count=25)
TestCaching = Caching.TestCase
