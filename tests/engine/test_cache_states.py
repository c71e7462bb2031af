"""States of conversations that are not in the cache: in memory up to a budget, then on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutaway.engine.cache_states import Checkpoint, SavedState, SavedStates, StateError

ONE = SavedState((1, 2, 3), b"a" * 1000, (Checkpoint(2, b"c" * 50),))
TWO = SavedState((4, 5), b"b" * 1000)


def test_a_state_is_taken_once() -> None:
    states = SavedStates("model")
    states.put("a", ONE)

    assert states.take("a") == ONE
    assert states.take("a") is None


def test_what_does_not_fit_in_memory_comes_back_from_disk(tmp_path: Path) -> None:
    states = SavedStates("model", memory_budget=1500, folder=tmp_path)
    states.put("a", ONE)
    states.put("b", TWO)

    assert states.memory_used <= 1500
    assert states.take("a") == ONE
    assert states.take("b") == TWO


def test_without_a_folder_the_oldest_is_forgotten() -> None:
    states = SavedStates("model", memory_budget=1500)
    states.put("a", ONE)
    states.put("b", TWO)

    assert states.take("a") is None
    assert states.take("b") == TWO


def test_states_outlast_the_program_for_the_same_model_only(tmp_path: Path) -> None:
    states = SavedStates("model", folder=tmp_path)
    states.put("a", ONE)
    states.flush()

    assert SavedStates("another model", folder=tmp_path).take("a") is None
    assert SavedStates("model", folder=tmp_path).take("a") == ONE


@pytest.mark.parametrize(
    "damage", [lambda data: data[:40], lambda data: b"x" + data[1:], lambda data: data + b"x", lambda _: b""]
)
def test_a_damaged_state_is_refused_once_and_goes(damage: object, tmp_path: Path) -> None:
    states = SavedStates("model", folder=tmp_path)
    states.put("a", ONE)
    states.flush()
    file = next(tmp_path.glob("*.kv"))
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]

    with pytest.raises(StateError):
        states.take("a")
    assert not list(tmp_path.glob("*.kv"))
    assert states.take("a") is None


def test_the_disk_has_its_budget_too(tmp_path: Path) -> None:
    states = SavedStates("model", memory_budget=0, folder=tmp_path, disk_budget=2500)
    for name in "abcd":
        states.put(name, TWO)

    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 2500
    assert states.take("d") == TWO


def test_a_folder_that_cannot_be_written_costs_only_the_state(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    states = SavedStates("model", memory_budget=0, folder=blocked)
    states.put("a", ONE)

    assert states.take("a") is None


def test_a_forgotten_conversation_leaves_nothing(tmp_path: Path) -> None:
    states = SavedStates("model", folder=tmp_path)
    states.put("a", ONE)
    states.flush()
    states.forget("a")

    assert states.take("a") is None
    assert not list(tmp_path.iterdir())


def test_what_would_not_be_kept_need_not_be_copied(tmp_path: Path) -> None:
    assert SavedStates("model", memory_budget=100).has_room(100)
    assert not SavedStates("model", memory_budget=100).has_room(101)
    assert SavedStates("model", memory_budget=100, folder=tmp_path, disk_budget=500).has_room(500)
    assert not SavedStates("model", memory_budget=100, folder=tmp_path, disk_budget=500).has_room(501)
