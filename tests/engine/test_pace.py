"""How many tokens a micro-batch may hold."""

from __future__ import annotations

import pytest

from cutaway.engine.pace import FEWEST, FIRST, Pace, pace_for


def fed(pace: Pace, batches: int, fixed: float, per_token: float) -> list[tuple[int, float]]:
    """(tokens, milliseconds) of micro-batches of which each costs something, however short."""
    done = []
    for _ in range(batches):
        tokens = pace.size()
        ms = fixed + tokens * per_token
        pace.took(tokens, ms)
        done.append((tokens, ms))
    return done


def test_what_cannot_be_stopped_takes_at_most_what_stop_may_wait() -> None:
    done = fed(pace_for(interruptible=False, micro_batch=512), 20, fixed=5.0, per_token=0.5)

    assert all(ms <= 150 for _, ms in done)
    assert done[-1][0] >= 192


def test_a_slow_machine_is_not_made_slower_by_ever_shorter_batches() -> None:
    """A large model whose weights take 150 ms to read, for one token as for many."""
    done = fed(pace_for(interruptible=False, micro_batch=512), 20, fixed=150.0, per_token=20.0)

    assert [tokens for tokens, _ in done] == [FEWEST] * 20


def test_what_can_be_stopped_is_fed_in_whole_micro_batches() -> None:
    done = fed(pace_for(interruptible=True, micro_batch=512), 6, fixed=5.0, per_token=1.0)

    assert done[0][0] == FIRST
    assert done[-1][0] == 512


@pytest.mark.parametrize(("per_token", "is_long"), [(1.0, False), (4.0, True)])
def test_a_batch_is_long_when_a_stop_would_wait_for_it(per_token: float, is_long: bool) -> None:
    pace = pace_for(interruptible=True, micro_batch=512)
    assert pace.is_long(1)

    pace.took(64, 64 * per_token)

    assert pace.is_long(128) == is_long
