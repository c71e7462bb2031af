"""What a prompt begins with: the cache, the conversation's own states, another's beginning."""

from __future__ import annotations

from cutaway.engine.backend import CacheTraits
from cutaway.engine.cache import Ledger
from cutaway.engine.holding import LEAST_GAIN, SAVED, Holding, Saved
from cutaway.engine.plan import ANOTHER, BEFORE_IDLE

PLAIN = CacheTraits("attention", 4096)
LONG = tuple(range(100, 200))


def test_the_cache_itself_needs_no_copy() -> None:
    holding = Holding("a", Ledger((1, 2)), (Saved("a", Ledger((1, 2, 3)), tail=True), Saved("a", Ledger((1, 2)))))
    assert holding.start("a", [1, 2, 9]).saved is None
    assert holding.start("a", [1, 2, 3, 9]).source == BEFORE_IDLE


def test_a_conversation_comes_back_whole() -> None:
    holding = Holding("a", Ledger(LONG), (Saved("b", Ledger((1, 2, 3))),))
    plan = holding.plan("b", [1, 2, 9], PLAIN)
    assert (plan.held, plan.reused, plan.restored_from) == (3, 2, SAVED)
    assert [(one.at_token, one.lost) for one in plan.breaks] == [(2, 1)]


def test_a_new_conversation_begins_like_the_one_in_the_cache() -> None:
    plan = Holding("a", Ledger((1, 2, 3, 4))).plan("b", [1, 2, 9], PLAIN)
    assert (plan.held, plan.reused, plan.restored_from, plan.breaks) == (2, 2, ANOTHER, ())


def test_a_new_conversation_begins_like_one_that_was_put_aside_where_that_is_worth_a_copy() -> None:
    aside = Saved("c", Ledger(LONG))
    holding = Holding("a", Ledger((LONG[0], 1, 2)), (aside,))
    plan = holding.plan("b", [*LONG[: 1 + LEAST_GAIN], 9], PLAIN)
    assert (plan.held, plan.reused, plan.restored_from, plan.breaks) == (17, 17, ANOTHER, ())
    assert holding.start("b", [*LONG[:LEAST_GAIN], 9]).saved is None


def test_what_another_memory_cannot_be_cut_to_is_no_beginning() -> None:
    holding = Holding("a", Ledger(LONG, (40,), len(LONG)))
    assert holding.plan("b", [*LONG[:60], 9], PLAIN).reused == 40
    assert Holding("a", Ledger(LONG, (), len(LONG))).plan("b", [*LONG[:60], 9], PLAIN).restored_from is None


def test_the_tail_is_the_conversations_own() -> None:
    holding = Holding("a", Ledger((1,)), (Saved("a", Ledger(LONG), tail=True),))
    assert holding.start("a", [*LONG, 1]).source == BEFORE_IDLE
    assert holding.held_for("a") == (1,)
    assert holding.held_for("b") == ()


def test_what_was_typed_before_a_conversation_began_is_its_own() -> None:
    holding = Holding("", Ledger((1, 2, 3, 4)), (Saved("b", Ledger(LONG)),))
    plan = holding.plan("new", [1, 2, 9], PLAIN)
    assert (plan.held, plan.reused, plan.restored_from, len(plan.breaks)) == (4, 2, None, 1)
    assert holding.plan("b", [*LONG, 1], PLAIN).restored_from == SAVED
