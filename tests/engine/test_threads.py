"""Thread counts follow what is measured."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from cutaway.engine.threads import ThreadGovernor, Tuner, candidates


def run(tuner: Tuner, steps: int, cost: Callable[[int], float]) -> list[int]:
    """The counts that were in use, step by step."""
    used = []
    for _ in range(steps):
        used.append(tuner.count)
        tuner.took(cost(tuner.count))
    return used


def test_candidates_reach_from_one_to_all() -> None:
    assert candidates(1) == [1]
    assert candidates(2) == [1, 2]
    assert candidates(8) == [1, 2, 4, 7, 8]


def test_an_idle_machine_keeps_its_count_nearly_all_the_time() -> None:
    used = run(Tuner([1, 2], 2), 4000, lambda count: 8.0 if count == 2 else 15.0)

    cost = sum(8.0 if count == 2 else 15.0 for count in used)
    assert cost < 1.02 * 8.0 * len(used)


def test_a_machine_that_gets_busy_finds_the_better_count_within_a_few_tokens() -> None:
    tuner = Tuner([1, 2], 2)
    run(tuner, 200, lambda count: 8.0 if count == 2 else 15.0)

    used = run(tuner, 300, lambda count: 38.0 if count == 2 else 16.0)

    assert used[40:].count(1) > 0.9 * len(used[40:])


def test_it_comes_back_when_the_machine_is_idle_again() -> None:
    tuner = Tuner([1, 2], 2)
    run(tuner, 100, lambda count: 8.0 if count == 2 else 15.0)
    run(tuner, 200, lambda count: 38.0 if count == 2 else 16.0)

    used = run(tuner, 1200, lambda count: 8.0 if count == 2 else 15.0)

    assert tuner.count == 2
    assert used[-400:].count(2) > 0.95 * 400


def test_under_a_steady_load_it_gets_most_of_the_best_fixed_count() -> None:
    costs = {1: 20.0, 2: 14.0, 4: 30.0, 7: 70.0, 8: 90.0}

    used = run(Tuner(list(costs), 4), 1200, costs.__getitem__)

    assert sum(map(costs.__getitem__, used)) * 0.8 < 14.0 * len(used)


def test_a_slowly_growing_context_is_not_taken_for_a_busy_machine() -> None:
    step = [0.0]

    def cost(count: int) -> float:
        step[0] += 1
        return (8.0 if count == 2 else 15.0) * (1 + step[0] / 2000)

    used = run(Tuner([1, 2], 2), 3000, cost)

    assert used.count(1) < 0.03 * len(used)


def test_a_count_that_was_asked_for_is_never_changed() -> None:
    changes: list[tuple[int, int]] = []
    governor = ThreadGovernor(2, 2, cores=8, fixed=True)
    for step in range(300):
        governor.decoded(8.0 if step < 100 else 90.0, lambda *counts: changes.append(counts))

    assert not changes
    assert governor.counts == (2, 2)


def test_prefill_and_decode_are_tuned_apart() -> None:
    changes: list[tuple[int, int]] = []
    governor = ThreadGovernor(2, 2, cores=2)
    for step in range(300):
        governor.decoded(
            8.0 if step < 60 else (40.0 if governor.counts[0] == 2 else 16.0), lambda *c: changes.append(c)
        )

    assert governor.counts == (1, 2)
    assert changes


def test_a_few_long_steps_among_quick_ones_are_what_counts() -> None:
    """With two threads on a busy machine half of the steps are as quick as with one, and some last for ever."""
    shares = []
    for seed in range(20):
        random = Random(seed)

        def cost(count: int, random: Random = random) -> float:
            if count == 1:
                return random.uniform(20.0, 70.0)
            return random.uniform(30.0, 42.0) if random.random() < 0.8 else random.uniform(90.0, 440.0)

        used = run(Tuner([1, 2], 2), 256, cost)
        shares.append(used.count(1) / len(used))

    assert sum(shares) > 0.8 * len(shares)


def test_where_one_step_takes_a_second_a_few_are_enough() -> None:
    used = run(Tuner([1, 2], 2), 60, lambda count: 800.0 if count == 2 else 110.0)

    assert used.count(2) < 6
