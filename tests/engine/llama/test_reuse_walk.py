"""Logits equal those of a fresh prefill whatever way the cache came to the prompt, on every kind of memory.

Three conversations go on, are edited and are switched between; idle work runs ahead of them, whole or abandoned;
states go to memory, and to disk where that has no room.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from cutaway.engine.cache_states import SavedStates
from cutaway.engine.command import ModelSettings
from cutaway.engine.held import Held
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.pace import Pace
from support.tiny_models import KINDS, Kind, tiny_model

STEPS = 40
SETTINGS = ModelSettings(context=512, threads=1, batch=64, micro_batch=32)


class Walk:
    def __init__(self, kind: Kind, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.backend, self.held = opened(kind, SavedStates("tiny", memory_budget=1 << 16, folder=folder))
        self.common = self.words(200)
        self.texts = {name: self.common[:60] + self.words(40) for name in "abc"}
        self.sources: set[str] = set()

    def words(self, count: int) -> list[int]:
        return [self.random.randrange(20, 900) for _ in range(count)]

    def next_prompt(self, text: list[int]) -> list[int]:
        """The conversation goes on, is edited, or begins like the others again."""
        way = self.random.random()
        if way < 0.5:
            return [*text, *self.words(20)][:400]
        return (text[: self.random.randrange(1, len(text))] if way < 0.85 else self.common[:90]) + self.words(25)

    def work_ahead(self, name: str, wanted: list[int]) -> None:
        if not self.held.may_leave(name):
            return
        if name == self.held.conversation:
            self.held.keep_tail(wanted)
        self.held.bring(name, wanted)
        batches = self.random.choice((1, 2, 99))
        self.held.feed(wanted, [len(wanted)], lambda done, *_: done < 48 * batches, share=0.4)

    def reply(self, name: str, prompt: list[int]) -> np.ndarray:
        """The logits after the prompt, of which then some reply is held too."""
        plan = self.held.bring(name, prompt)
        self.held.drop_tail()
        self.sources.add((plan.restored_from or "the cache").partition(" at ")[0])
        marks = sorted(self.random.sample(range(1, len(prompt)), 2))
        assert self.held.feed(prompt, marks, lambda *_: True, again=True)
        logits = self.backend._logits().copy()
        written = self.words(self.random.randrange(2, 20))
        for token in written:
            self.held.add(token)
        self.texts[name] = prompt + written
        self.held.tidy(lambda: True)
        return logits


def opened(kind: Kind, saved: SavedStates) -> tuple[LlamaBackend, Held]:
    backend = LlamaBackend(trusting=True)
    backend.load(str(tiny_model(kind)), SETTINGS, lambda _: True)
    return backend, Held(backend, saved, Pace(limit_ms=1000, largest=48))


@pytest.mark.parametrize("kind", KINDS)
def test_logits_are_those_of_a_fresh_prefill(kind: Kind, tmp_path: Path) -> None:
    walk = Walk(kind, tmp_path, seed=3)
    other, fresh = opened(kind, SavedStates("tiny"))
    for _ in range(STEPS):
        name = walk.random.choice("abc")
        prompt = walk.next_prompt(walk.texts[name])
        if walk.random.random() < 0.4:
            walk.work_ahead(name, prompt[:-10])
        found = walk.reply(name, prompt)
        fresh.empty()
        assert fresh.feed(prompt, (), lambda *_: True)
        # Batches of other sizes add up in another order; llama.cpp itself is no closer.
        assert np.allclose(found, other._logits(), rtol=2e-2, atol=2e-2)
    walk.backend.close()
    other.close()
    assert {"the cache", "saved state", "another conversation's beginning"} <= walk.sources
    assert any(tmp_path.iterdir())
