"""Law 15: reuse is the common prefix lowered to a state that the memory can restore, and what comes out of a
reused memory is what comes out of a fresh one. A simulated memory of each kind is edited, forked and cancelled."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from cutaway.engine.backend import CacheTraits, MemoryKind
from cutaway.engine.cache import Ledger, Saved, common_prefix, floor_of, plan_feed
from support.laws import tried

WINDOW = 6
TOKEN = st.integers(0, 4)
TEXT = st.lists(TOKEN, min_size=1, max_size=10)


@dataclass
class Memory:
    """What a backend's memory does, without a model: its `output` depends on all that a model's would."""

    kind: MemoryKind
    cells: dict[int, int] = field(default_factory=dict)
    """Position to token, for layers that keep tokens."""
    state: int = 0
    """What a recurrent layer has made of all tokens."""
    length: int = 0

    def feed(self, tokens: list[int]) -> None:
        for token in tokens:
            self.cells[self.length] = token
            self.state = hash((self.state, token))
            self.length += 1
            if self.kind == "sliding":
                self.cells.pop(self.length - 1 - WINDOW, None)

    def cut(self, length: int) -> bool:
        """As llama.cpp does: False where what is needed there is gone."""
        if length == self.length:
            return True
        if length == 0:
            self.cells, self.state, self.length = {}, 0, 0
            return True
        if self.kind in ("recurrent", "hybrid"):
            return False
        if self.kind == "sliding" and any(at not in self.cells for at in range(max(0, length - WINDOW), length)):
            return False
        self.cells = {at: token for at, token in self.cells.items() if at < length}
        self.length = length
        return True

    def copy(self) -> Memory:
        return Memory(self.kind, dict(self.cells), self.state, self.length)

    def output(self) -> object:
        """What the logits depend on."""
        if self.kind == "sliding":
            return [self.cells[at] for at in range(max(0, self.length - WINDOW), self.length)]
        cells = sorted(self.cells.items()) if self.kind != "recurrent" else None
        return cells, self.state if self.kind in ("recurrent", "hybrid") else None


@dataclass
class Put:
    ledger: Ledger
    memory: Memory
    marks: dict[int, Memory]


class Caching(RuleBasedStateMachine):
    """Two conversations on one cache, as the worker runs them."""

    @initialize(kind=st.sampled_from(["attention", "sliding", "recurrent", "hybrid"]))
    def load(self, kind: MemoryKind) -> None:
        self.traits = CacheTraits(kind, 10_000, WINDOW if kind == "sliding" else 0)
        self.memory = Memory(kind)
        self.ledger = Ledger()
        self.marks: dict[int, Memory] = {}
        self.saved: dict[str, Put] = {}
        self.conversations: dict[str, list[int]] = {"a": [], "b": []}
        self.now = "a"

    def _decode(self, tokens: list[int]) -> None:
        self.memory.feed(tokens)
        self.ledger = self.ledger.fed(tokens, self.traits)

    def _bring(self, wanted: list[int], stop_after: int | None = None) -> None:
        """Plan and do it; `stop_after` fed tokens it is cancelled."""
        others = [Saved(name, put.ledger) for name, put in self.saved.items()]
        plan = plan_feed(self.ledger, wanted, kind=self.traits.kind, saved=others)
        source = plan.restored_from.split(",")[0] if plan.restored_from else ""
        if source in self.saved:
            put = self.saved[source]
            self.ledger, self.memory, self.marks = put.ledger, put.memory.copy(), dict(put.marks)
        before = self.ledger
        shared = common_prefix(before.tokens, wanted)
        assert plan.held == before.length
        assert plan.reused == before.restorable(min(shared, len(wanted) - 1))
        assert plan.reused <= min(shared, len(wanted) - 1)
        assert plan.fed == len(wanted) - plan.reused
        assert bool(plan.breaks) == (plan.reused < before.length)
        assert all(plan.reused <= other.restorable(len(wanted)) for other in [before])
        for put in self.saved.values():
            assert plan.reused >= put.ledger.restorable(min(common_prefix(put.ledger.tokens, wanted), len(wanted) - 1))
        self._go_back(plan.reused)
        rest = wanted[plan.reused :]
        self._decode(rest if stop_after is None else rest[:stop_after])

    def _go_back(self, length: int) -> None:
        if not self.memory.cut(length):
            assert length in self.marks, "the plan went back to where the memory cannot go"
            self.memory = self.marks[length].copy()
        self.ledger = self.ledger.cut(length)
        self.marks = {mark: memory for mark, memory in self.marks.items() if mark in self.ledger.checkpoints}

    @rule(text=TEXT, reply=TEXT)
    def send(self, text: list[int], reply: list[int]) -> None:
        self.conversations[self.now] += text
        self._bring(self.conversations[self.now])
        self._decode(reply)
        self.conversations[self.now] = list(self.ledger.tokens)

    @rule(text=TEXT, reply=TEXT)
    def send_and_forget_the_reply(self, text: list[int], reply: list[int]) -> None:
        self.conversations[self.now] += text
        self._bring(self.conversations[self.now])
        self._decode(reply)

    @rule(text=TEXT, after=st.integers(0, 8))
    def cancel(self, text: list[int], after: int) -> None:
        self.conversations[self.now] += text
        self._bring(self.conversations[self.now], stop_after=after)

    @rule(at=st.integers(0, 40), text=TEXT)
    def edit(self, at: int, text: list[int]) -> None:
        tokens = self.conversations[self.now]
        self.conversations[self.now] = [*tokens[:at], *text, *tokens[at + 1 :]]
        self._bring(self.conversations[self.now])

    @rule()
    def send_again(self) -> None:
        if self.conversations[self.now]:
            self._bring(self.conversations[self.now])

    @rule()
    def mark(self) -> None:
        if self.ledger.length:
            self.ledger = self.ledger.marked(4)
            self.marks[self.ledger.length] = self.memory.copy()
            self.marks = {mark: memory for mark, memory in self.marks.items() if mark in self.ledger.checkpoints}

    @rule()
    def switch(self) -> None:
        self.saved[self.now] = Put(self.ledger, self.memory.copy(), dict(self.marks))
        self.now = "b" if self.now == "a" else "a"

    @rule(at=st.integers(1, 40))
    def fork(self, at: int) -> None:
        other = "b" if self.now == "a" else "a"
        self.conversations[other] = self.conversations[self.now][:at]
        self.switch()

    @invariant()
    def the_memory_is_that_of_a_fresh_prefill(self) -> None:
        if not hasattr(self, "memory"):
            return
        fresh = Memory(self.traits.kind)
        fresh.feed(list(self.ledger.tokens))
        assert self.memory.length == self.ledger.length
        assert self.memory.output() == fresh.output()
        assert self.ledger.floor <= max(self.ledger.length, floor_of(self.traits, self.ledger.length))


Caching.TestCase.settings = settings(tried(60), stateful_step_count=25)
TestCaching = Caching.TestCase
