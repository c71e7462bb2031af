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


class Machine:
    """What steps cost beside other programs, and what is seen of those."""

    def __init__(self, costs: dict[float, dict[int, float]]) -> None:
        self._costs = costs
        self.taken = 0.0
        self._ms = 0.0

    def run(self, tuner: Tuner, steps: int) -> list[int]:
        used = []
        for _ in range(steps):
            used.append(tuner.count)
            cost = self._costs[self.taken][tuner.count]
            self._ms += cost
            seen = self.taken if self._ms >= 100 else None
            self._ms %= 100
            tuner.took(cost, seen)
        return used


BESIDE = {0.0: {1: 15.0, 2: 8.0}, 1.0: {1: 16.0, 2: 84.0}, 1.4: {1: 32.0, 2: 90.0}}


def test_other_programs_that_come_are_answered_at_the_next_look() -> None:
    machine, tuner = Machine(BESIDE), Tuner([1, 2], 2)
    machine.run(tuner, 60)

    machine.taken = 1.0

    assert machine.run(tuner, 60)[4:] == [1] * 56


def test_the_count_is_back_when_they_have_gone() -> None:
    machine, tuner = Machine(BESIDE), Tuner([1, 2], 2)
    for machine.taken in (0.0, 1.4, 0.0):
        used = machine.run(tuner, 90)

    assert used[8:] == [2] * 82


def test_beside_a_steady_crowd_the_wrong_count_is_tried_rarely_and_shortly() -> None:
    machine, tuner = Machine(BESIDE), Tuner([1, 2], 2)
    machine.taken = 1.0

    used = machine.run(tuner, 2000)

    assert used[4:].count(2) < 0.01 * len(used)


def test_a_calm_machine_is_not_disturbed_by_trials() -> None:
    machine, tuner = Machine(BESIDE), Tuner([1, 2], 2)

    used = machine.run(tuner, 2000)

    assert used.count(1) < 0.005 * len(used)


def test_what_was_best_beside_others_is_measured_and_remembered() -> None:
    """Here the others leave more than they seem to: all four threads are best, whatever they take."""
    costs = {1: 40.0, 2: 22.0, 3: 16.0, 4: 12.0}
    machine, tuner = Machine({0.0: costs, 2.0: costs}), Tuner(list(costs), 4)
    machine.taken = 2.0
    first = machine.run(tuner, 600)
    machine.taken = 0.0
    machine.run(tuner, 60)
    machine.taken = 2.0

    again = machine.run(tuner, 200)

    assert 2 in first
    assert first[-100:].count(4) > 90
    assert again.count(4) > 190


def test_a_small_program_beside_it_changes_nothing() -> None:
    tuner = Tuner([1, 2], 2)
    for step in range(100):
        tuner.took(8.0, 0.3 if step % 3 else 0.1)

    assert tuner.count == 2
