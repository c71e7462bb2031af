"""The ledger and the plan: what stays of a cache, what is fed, what is shifted, what is put aside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.engine.cache import (
    Ledger,
    common_prefix,
    fallen_short,
    find_shifts,
    in_frozen_order,
    plan_feed,
    thinned,
)
from cutaway.engine.plan import Shift
from support.laws import tried

TOKENS = st.lists(st.integers(0, 3), max_size=12)


@tried(100)
@given(TOKENS, TOKENS, TOKENS)
def test_the_common_prefix(shared: list[int], first: list[int], second: list[int]) -> None:
    length = common_prefix(shared + first, shared + second)
    assert (shared + first)[:length] == (shared + second)[:length]
    assert length >= len(shared)
    rest = (shared + first)[length:], (shared + second)[length:]
    assert not rest[0] or not rest[1] or rest[0][0] != rest[1][0]


@pytest.mark.parametrize("at", [0, 1023, 1024, 1025, 2999])
def test_the_common_prefix_of_long_sequences(at: int) -> None:
    first = list(range(3000))
    second = [*first[:at], -1, *first[at + 1 :]]
    assert common_prefix(first, second) == at
    assert common_prefix(tuple(first), first) == 3000


def test_an_empty_cache_gives_nothing_up() -> None:
    plan = plan_feed(Ledger(), [1, 2, 3])
    assert (plan.held, plan.reused, plan.fed, plan.breaks, plan.reason) == (0, 0, 3, (), "M1")


def test_a_longer_prompt_feeds_only_what_is_new() -> None:
    plan = plan_feed(Ledger((1, 2, 3)), [1, 2, 3, 4, 5])
    assert (plan.held, plan.reused, plan.fed, plan.breaks, plan.reason) == (3, 3, 2, (), "M6")


def test_the_last_token_is_fed_even_when_everything_is_cached() -> None:
    plan = plan_feed(Ledger((1, 2, 3)), [1, 2, 3])
    assert (plan.reused, plan.fed) == (2, 1)
    assert [(broken.reason, broken.at_token, broken.lost) for broken in plan.breaks] == [("M32", 2, 1)]


def test_a_prompt_sent_again_gives_up_the_reply() -> None:
    plan = plan_feed(Ledger((1, 2, 3, 7, 8)), [1, 2, 3])
    assert (plan.reused, plan.fed) == (2, 1)
    assert [(broken.reason, broken.at_token, broken.lost) for broken in plan.breaks] == [("M5", 3, 2)]
    assert plan.reason == "M5"


def test_a_break_shows_both_sides() -> None:
    plan = plan_feed(Ledger((1, 2, 3, 4)), [1, 2, 9, 4, 5])
    (broken,) = plan.breaks
    assert (broken.at_token, broken.held, broken.wanted, broken.lost, broken.fed) == (2, (3, 4), (9, 4, 5), 2, 3)
    assert (plan.reused, plan.fed) == (2, 3)


def test_an_empty_prompt_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one token"):
        plan_feed(Ledger((1,)), [])


def test_a_recurrent_state_goes_back_to_the_nearest_checkpoint() -> None:
    held = Ledger(tuple(range(1000)), checkpoints=(256, 512, 996), floor=1000)
    plan = plan_feed(held, [*range(990), -1, -2], kind="recurrent")
    assert (plan.reused, plan.shared, plan.restored_from) == (512, 990, "checkpoint at 512")
    assert [broken.reason for broken in plan.breaks] == ["M9", "M25"]
    assert plan.breaks[1].lost == 990 - 512


def test_without_a_checkpoint_a_recurrent_state_begins_again() -> None:
    plan = plan_feed(Ledger((1, 2, 3), floor=3), [1, 2, 9], kind="hybrid")
    assert (plan.reused, plan.fed, plan.restored_from) == (0, 3, None)
    assert plan.breaks[-1].reason == "M25"
    assert "the beginning" in plan.breaks[-1].detail


def test_a_longer_prompt_needs_no_checkpoint() -> None:
    plan = plan_feed(Ledger((1, 2, 3), floor=3), [1, 2, 3, 4], kind="recurrent")
    assert (plan.reused, plan.breaks) == (3, ())


def test_a_sliding_window_that_has_moved_on_is_named() -> None:
    plan = plan_feed(Ledger(tuple(range(100)), checkpoints=(40,), floor=100), [*range(50), -1], kind="sliding")
    assert (plan.reused, plan.breaks[-1].reason) == (40, "M24")


def test_attention_that_could_not_be_cut_is_named() -> None:
    plan = plan_feed(Ledger((1, 2, 3), floor=3), [1, 9], kind="attention")
    assert plan.breaks[-1].reason == "M26"


def test_what_a_memory_kept_less_than_planned_is_a_break() -> None:
    held = Ledger((1, 2, 3, 4))
    plan = plan_feed(held, [1, 2, 3, 9, 8])
    fallen = fallen_short(plan, held, [1, 2, 3, 9, 8], 1, "attention")
    assert (fallen.reused, fallen.fed) == (1, 4)
    assert [(one.reason, one.at_token, one.lost) for one in fallen.breaks] == [("M9", 3, 1), ("M26", 1, 2)]


def test_what_lies_behind_moved_text_is_approximate() -> None:
    held = Ledger((1, 2, 3, 4), exact=2)
    assert plan_feed(held, [1, 2, 3, 4, 5]).approximate == 2
    assert plan_feed(held, [1, 2, 5]).approximate == 0
    assert held.cut(2).exact is None


def test_a_ledger_goes_back_to_what_can_be_restored() -> None:
    ledger = Ledger((1, 2, 3, 4, 5), (3,), 5)
    assert [ledger.restorable(length) for length in (6, 5, 4, 3, 2)] == [5, 5, 3, 3, 0]
    back = ledger.cut(3)
    assert (back.tokens, back.checkpoints, back.floor) == ((1, 2, 3), (3,), 3)
    with pytest.raises(ValueError, match="cannot go back to 4"):
        ledger.cut(4)


@tried(100)
@given(st.sets(st.integers(1, 10_000), min_size=1, max_size=40), st.integers(3, 16))
def test_checkpoints_are_thinned_where_they_are_dense(marks: set[int], most: int) -> None:
    before = sorted(marks)
    after = thinned(before, most)
    assert len(after) == min(len(before), most)
    assert set(after) <= marks
    assert after[0] == before[0]
    assert after[-2:] == tuple(before[-2:])


def test_chunks_are_found_behind_a_break() -> None:
    held = [1, 2, 90, 91, 10, 11, 12, 13, 92, 20, 21, 22]
    wanted = [1, 2, 10, 11, 12, 13, 20, 21, 22, 99]
    assert find_shifts(held, wanted, 2, 3) == (Shift(4, 2, 4), Shift(9, 6, 3))
    plan = plan_feed(Ledger(tuple(held)), wanted, chunk=3)
    assert (plan.reused, plan.moved, plan.fed) == (2, 7, 1)
    assert [(one.lost, one.fed) for one in plan.breaks] == [(3, 1)]
    assert plan_feed(Ledger(tuple(held)), wanted).shifts == ()


def test_behind_a_gap_nothing_is_moved() -> None:
    """A memory takes new tokens only behind all that it holds."""
    assert find_shifts([1, 2, 90, 10, 11, 12, 13], [1, 2, 80, 10, 11, 12, 13, 99], 2, 3) == ()


@tried(100)
@given(TOKENS, TOKENS, st.integers(1, 4))
def test_shifts_are_true_and_in_order(held: list[int], wanted: list[int], shortest: int) -> None:
    shared = common_prefix(held, wanted)
    shifts = find_shifts(held, wanted, shared, shortest)
    for shift in shifts:
        assert shift.length >= shortest
        assert held[shift.start : shift.start + shift.length] == wanted[shift.to : shift.to + shift.length]
        assert shift.to + shift.length < max(len(wanted), 1)
    ends = [(shared, shared), *((shift.start + shift.length, shift.to + shift.length) for shift in shifts)]
    for (start, to), shift in zip(ends, shifts, strict=False):
        assert shift.start >= start
        assert shift.to == to


def test_tools_keep_their_order() -> None:
    assert in_frozen_order(["c", "a", "b"], ["a", "b"]) == ("a", "b", "c")
    assert in_frozen_order(["b"], ["a", "b"]) == ("b",)
    assert in_frozen_order(["b", "a"], []) == ("b", "a")
