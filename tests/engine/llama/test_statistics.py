"""Numbers of a row of logits, against the plain way to compute them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutaway.engine.llama.statistics import Statistics


@settings(max_examples=60, deadline=None)
@given(size=st.integers(1, 6000), count=st.integers(1, 20), seed=st.integers(0, 1 << 30))
def test_the_likeliest_are_found_whatever_the_size(size: int, count: int, seed: int) -> None:
    logits = np.random.default_rng(seed).normal(0, 4, size).astype(np.float32)

    found = Statistics(size).likeliest(logits, count)

    assert logits[found].tolist() == np.sort(logits)[::-1][:count].tolist()
    assert len(set(found.tolist())) == min(count, size)


def test_probability_and_entropy_are_those_of_the_softmax() -> None:
    logits = np.random.default_rng(3).normal(0, 5, 50_000).astype(np.float32)
    weights = np.exp(logits.astype(np.float64) - logits.max())
    chances = weights / weights.sum()

    spread = Statistics(len(logits)).distribution(logits)

    assert spread.probability(float(logits[17])) == pytest.approx(chances[17], rel=1e-4)
    assert spread.entropy == pytest.approx(-(chances * np.log2(chances)).sum(), rel=1e-4)


def test_forbidden_tokens_do_not_spoil_the_entropy() -> None:
    logits = np.full(1000, -np.inf, dtype=np.float32)
    logits[:4] = 1.0

    spread = Statistics(1000).distribution(logits)

    assert spread.entropy == pytest.approx(2.0, abs=1e-3)
    assert spread.probability(1.0) == pytest.approx(0.25)


def test_a_rank_counts_what_is_likelier() -> None:
    logits = np.array([0.5, 3.0, 2.0, 3.0], dtype=np.float32)

    assert [Statistics(4).rank(logits, token) for token in range(4)] == [3, 0, 2, 0]


def test_of_equal_logits_the_lowest_ids_come_first() -> None:
    logits = np.zeros(50_000, dtype=np.float32)
    logits[[40_000, 300, 7]] = 1.0

    assert Statistics(50_000).likeliest(logits, 5).tolist() == [7, 300, 40_000, 0, 1]
    assert Statistics(50_000).likeliest(logits, 1).tolist() == [7]
