"""What other programs take of the machine."""

from __future__ import annotations

import time

import pytest

from cutaway.engine import crowd
from cutaway.engine.crowd import Crowd


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, float, float]]:
    """(seconds, busy, own) that are read one after another."""
    values: list[tuple[float, float, float]] = []
    monkeypatch.setattr(crowd, "_clocks", lambda: values.pop(0))
    monkeypatch.setattr("psutil.cpu_count", lambda: 4)
    return values


def test_what_others_took_is_the_busy_time_less_our_own(clocks: list[tuple[float, float, float]]) -> None:
    now = time.perf_counter()
    clocks += [(now - 1.0, 10.0, 5.0), (now, 13.0, 7.0)]

    assert Crowd(4).taken() == pytest.approx(1.0)


def test_cores_that_are_not_wanted_are_theirs(clocks: list[tuple[float, float, float]]) -> None:
    now = time.perf_counter()
    clocks += [(now - 1.0, 0.0, 0.0), (now, 2.5, 0.0)]

    assert Crowd(2).taken() == pytest.approx(0.5)


def test_between_looks_and_after_a_long_rest_nothing_is_said(clocks: list[tuple[float, float, float]]) -> None:
    now = time.perf_counter()
    clocks += [(now, 0.0, 0.0)]
    assert Crowd(4).taken() is None

    clocks += [(now - 60.0, 0.0, 0.0), (now, 240.0, 0.0)]
    assert Crowd(4).taken() is None


def test_where_nothing_of_the_others_can_be_seen_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> object:
        raise PermissionError("/proc/stat")

    monkeypatch.setattr("psutil.cpu_times", refuse)

    assert Crowd(4).taken() is None


def test_the_real_clocks_move_forward() -> None:
    before = crowd._clocks()
    sum(range(100_000))
    after = crowd._clocks()

    assert all(late >= early for early, late in zip(before, after, strict=True))
