"""Logits after any reuse of the cache equal those of a fresh prefill, on every kind of memory."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from cutaway.engine.backend import InterruptedDecodeError
from cutaway.engine.cache_states import SavedStates
from cutaway.engine.command import ModelSettings
from cutaway.engine.held import Held
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.pace import Pace
from support.tiny_models import KINDS, Kind, tiny_model

CONTEXT = 1024
# Longer than what a sliding-window cache of these settings remembers.
FIRST = [7 * at % 900 + 20 for at in range(420)]
BRANCH = [*FIRST[:110], *[11 * at % 900 + 30 for at in range(60)]]


class Rig:
    """A backend with its ledger, fed in small micro-batches."""

    def __init__(self, kind: Kind) -> None:
        self.backend = LlamaBackend(trusting=True)
        path = str(tiny_model(kind))
        self.backend.load(path, ModelSettings(context=CONTEXT, threads=1, batch=64, micro_batch=32), lambda _: True)
        saved = SavedStates("tiny", memory_budget=1 << 26)
        self.held = Held(self.backend, saved, Pace(limit_ms=1000, largest=48))

    def bring(self, conversation: str, tokens: Sequence[int], marks: Sequence[int] = ()) -> int:
        """Bring the cache to the tokens; answers how many were kept."""
        self.held.bring(conversation, tokens)
        kept = len(self.held.tokens)
        assert self.held.feed(tokens, marks, lambda *_: True, again=True)
        return kept

    def logits(self) -> np.ndarray:
        return self.backend._logits().copy()


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    kind: Kind = request.param
    return kind


@pytest.fixture
def rig(kind: Kind) -> Iterator[Rig]:
    rig = Rig(kind)
    yield rig
    rig.backend.close()


def fresh(kind: Kind, tokens: Sequence[int]) -> np.ndarray:
    rig = Rig(kind)
    rig.bring("fresh", tokens)
    logits = rig.logits()
    rig.backend.close()
    return logits


def assert_same(found: np.ndarray, wanted: np.ndarray) -> None:
    """Batches of other sizes add up in another order; llama.cpp itself is no closer."""
    assert np.allclose(found, wanted, rtol=2e-2, atol=2e-2)
    assert int(found.argmax()) == int(wanted.argmax())


def test_a_longer_prompt_feeds_only_what_is_new(rig: Rig, kind: Kind) -> None:
    rig.bring("a", FIRST[:100])

    kept = rig.bring("a", FIRST)

    assert kept == 100
    assert_same(rig.logits(), fresh(kind, FIRST))


def test_a_branch_keeps_the_shared_prefix_or_goes_back_to_a_checkpoint(rig: Rig, kind: Kind) -> None:
    rig.bring("a", FIRST, marks=[64, 110])

    kept = rig.bring("a", BRANCH)

    assert kept == 110
    assert_same(rig.logits(), fresh(kind, BRANCH))


def test_without_a_checkpoint_at_the_break_an_earlier_one_serves(rig: Rig, kind: Kind) -> None:
    rig.bring("a", FIRST, marks=[64])

    kept = rig.bring("a", BRANCH)

    assert kept == (110 if kind == "attention" else 64)
    assert_same(rig.logits(), fresh(kind, BRANCH))


def test_without_any_checkpoint_everything_is_fed_again_where_the_memory_forgets(rig: Rig, kind: Kind) -> None:
    rig.bring("a", FIRST)

    kept = rig.bring("a", BRANCH[:60] + FIRST[:9])

    assert kept == (60 if kind == "attention" else 0)
    assert_same(rig.logits(), fresh(kind, BRANCH[:60] + FIRST[:9]))


def test_the_same_prompt_again_feeds_one_token(rig: Rig, kind: Kind) -> None:
    rig.bring("a", FIRST)
    rig.held.add(25)
    rig.held.add(26)

    kept = rig.bring("a", FIRST)

    assert kept == len(FIRST) - 1
    assert_same(rig.logits(), fresh(kind, FIRST))


def test_switching_away_and_back_feeds_nothing_old(rig: Rig, kind: Kind) -> None:
    rig.bring("a", FIRST, marks=[64])
    rig.bring("b", BRANCH[70:])

    kept = rig.bring("a", [*FIRST, 40, 41])

    assert kept == len(FIRST)
    assert_same(rig.logits(), fresh(kind, [*FIRST, 40, 41]))


def test_a_checkpoint_survives_the_switch(rig: Rig, kind: Kind) -> None:
    rig.bring("a", FIRST, marks=[110])
    rig.bring("b", BRANCH[70:])

    kept = rig.bring("a", BRANCH)

    assert kept == 110
    assert_same(rig.logits(), fresh(kind, BRANCH))


def test_an_interrupted_batch_leaves_what_was_before_it(rig: Rig, kind: Kind) -> None:
    rig.bring("a", FIRST[:90])
    rig.held._pace = Pace(limit_ms=1000, largest=48)  # knows of no speed, so any batch may be long
    rig.backend.interrupt()
    with pytest.raises(InterruptedDecodeError):
        rig.held._decode(FIRST[90:130], last=True)
    rig.backend.resume()
    assert len(rig.held.tokens) == 90

    kept = rig.bring("a", FIRST)

    assert kept == 90
    assert_same(rig.logits(), fresh(kind, FIRST))


def test_a_batch_interrupted_anywhere_is_undone(rig: Rig, kind: Kind) -> None:
    """Where it is stopped is chance; the state behind it must not be."""
    rig.bring("a", FIRST[:90])
    for delay in range(12):
        rig.held._pace = Pace(limit_ms=1000, largest=48)
        later = threading.Timer(delay * 2e-4, rig.backend.interrupt)
        later.start()
        with contextlib.suppress(InterruptedDecodeError):
            rig.held._decode(BRANCH[90:130], last=True)
        later.join()
        rig.backend.resume()
        if len(rig.held.tokens) > 90:
            rig.bring("a", FIRST[:90])

    rig.bring("a", FIRST)

    assert_same(rig.logits(), fresh(kind, FIRST))


def test_one_token_of_a_fragile_memory_is_not_interrupted(rig: Rig, kind: Kind) -> None:
    rig.bring("a", FIRST)
    rig.backend.interrupt()
    if kind in ("recurrent", "hybrid"):
        rig.held.add(25)
    else:
        with pytest.raises(InterruptedDecodeError):
            rig.held.add(25)
    rig.backend.resume()

    rig.bring("a", [*FIRST, 25, 26])

    assert_same(rig.logits(), fresh(kind, [*FIRST, 25, 26]))


def test_chunks_are_moved_on_demand_where_the_memory_can(rig: Rig, kind: Kind) -> None:
    shorter = [*FIRST[:40], *FIRST[80:300], 41]
    rig.bring("a", FIRST[:300])

    plan = rig.held.bring("a", shorter, chunk=32)
    kept = len(rig.held.tokens)
    assert rig.held.feed(shorter, (), lambda *_: True)

    if kind != "attention":
        assert (kept, plan.shifts) == (plan.reused, ())
        assert "M27" in [broken.reason for broken in plan.breaks]
        assert_same(rig.logits(), fresh(kind, shorter))
        return
    assert (plan.reused, plan.moved, plan.fed, kept) == (40, 220, 1, 260)
    exact = fresh(kind, shorter)
    assert np.corrcoef(rig.logits(), exact)[0, 1] > 0.95  # the chunk has seen what was dropped: 0.87 where it stays


def test_an_interruption_before_moved_keys_are_turned_costs_the_cache_and_nothing_else(rig: Rig, kind: Kind) -> None:
    shorter = [*FIRST[:40], *FIRST[80:300], 41]
    rig.bring("a", FIRST[:300])
    rig.held.bring("a", shorter, chunk=32)
    rig.backend.interrupt()
    fed = rig.held.feed(shorter, (), lambda *_: False)
    rig.backend.resume()

    if kind == "attention":
        assert not fed
        assert rig.held.tokens == []
    rig.bring("a", shorter)
    assert_same(rig.logits(), fresh(kind, shorter))
