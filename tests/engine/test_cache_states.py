"""States of conversations that are not in the cache: in memory up to a budget, then on disk."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from cutaway.engine.cache_states import Checkpoint, SavedState, SavedStates, StateError, forget, state_key
from cutaway.engine.command import ModelSettings
from cutaway.engine.scripted import ScriptedBackend

ONE = SavedState(array("i", [1, 2, 3]), b"a" * 1000, (Checkpoint(2, b"c" * 50),), exact=1, floor=3)
TWO = SavedState(array("i", [4, 5]), b"b" * 1000)


def test_a_state_stays_until_it_is_in_the_cache() -> None:
    states = SavedStates("model")
    states.put("a", ONE)

    assert states.read("a") == ONE
    assert [name for name, _ in states.ledgers()] == ["a"]
    states.release("a")
    assert states.read("a") is None


def test_what_does_not_fit_in_memory_comes_back_from_disk(tmp_path: Path) -> None:
    states = SavedStates("model", memory_budget=1500, folder=tmp_path)
    states.put("a", ONE)
    states.put("b", TWO)
    states.tidy()

    assert states.memory_used <= 1500
    assert [name for name, _ in states.ledgers()] == ["b", "a"]
    assert states.read("a") == ONE
    assert states.read("b") == TWO


def test_without_a_folder_the_oldest_is_forgotten() -> None:
    states = SavedStates("model", memory_budget=1500)
    states.put("a", ONE)
    states.put("b", TWO)
    states.tidy()

    assert states.read("a") is None
    assert states.read("b") == TWO


def test_tidying_gives_way_and_loses_nothing(tmp_path: Path) -> None:
    states = SavedStates("model", memory_budget=1500, folder=tmp_path)
    states.put("a", ONE)
    states.put("b", TWO)
    answers = iter([True, False, False])
    states.tidy(lambda: next(answers))

    assert not list(tmp_path.iterdir())
    assert (states.read("a"), states.read("b")) == (ONE, TWO)


def test_states_outlast_the_program_for_the_same_model_only(tmp_path: Path) -> None:
    states = SavedStates("model", folder=tmp_path)
    states.put("a", ONE)
    states.flush()

    assert SavedStates("another model", folder=tmp_path).read("a") is None
    again = SavedStates("model", folder=tmp_path)
    assert [(name, list(ledger.tokens), ledger.checkpoints) for name, ledger in again.ledgers()] == [
        ("a", [1, 2, 3], (2,))
    ]
    assert again.read("a") == ONE


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[:-40], lambda data: b"x" + data[1:], lambda data: data + b"x", lambda _: b""]
    + [lambda data, at=at: flipped(data, at) for at in (9, 13, 60, -1, -60, -1000, -1040)],
)
def test_a_damaged_state_is_refused_once_and_goes(
    damage: Callable[[bytes], bytes], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    SavedStates("model", folder=tmp_path).flush()
    states = SavedStates("model", folder=tmp_path)
    states.put("a", ONE)
    states.flush()
    file = next(tmp_path.glob("*.kv"))
    file.write_bytes(damage(file.read_bytes()))

    with pytest.raises(StateError, match="cannot be used, so its prompt is fed again"):
        states.read("a")
    assert "cannot be used" in caplog.text
    assert not list(tmp_path.glob("*.kv"))
    assert states.read("a") is None
    assert not list(states.ledgers())


def test_a_file_that_another_program_took_away_is_no_fault(tmp_path: Path) -> None:
    states = SavedStates("model", folder=tmp_path)
    states.put("a", ONE)
    states.flush()
    next(tmp_path.glob("*.kv")).unlink()

    assert states.read("a") is None
    assert not list(states.ledgers())


def test_the_disk_has_its_budget_too(tmp_path: Path) -> None:
    states = SavedStates("model", memory_budget=0, folder=tmp_path, disk_budget=2500)
    for name in "abcd":
        states.put(name, TWO)
        states.tidy()

    assert sum(file.stat().st_size for file in tmp_path.iterdir()) <= 2500
    assert states.read("d") == TWO


def test_so_many_files_are_kept_and_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cutaway.engine.cache_states.MOST_FILES", 3)
    states = SavedStates("model", memory_budget=0, folder=tmp_path)
    for at, name in enumerate("abcdcd"):
        states.put(name, TWO)
        states.tidy()
        for file in tmp_path.iterdir():
            if file.stat().st_mtime > 1e6:
                os.utime(file, (at, at))

    assert sorted(name for name, _ in states.ledgers()) == ["b", "c", "d"]
    assert len(list(tmp_path.iterdir())) == 3


def test_a_folder_that_cannot_be_written_costs_only_the_state(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    states = SavedStates("model", memory_budget=0, folder=blocked)
    states.put("a", ONE)
    states.tidy()

    assert states.read("a") is None


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_costs_only_the_state_and_leaves_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    states = SavedStates("model", memory_budget=0, folder=tmp_path)
    states.put("a", ONE)
    states.tidy()
    file = next(tmp_path.glob("*.kv"))
    file.unlink()
    file.with_suffix(f".{os.getpid()}.part").symlink_to("/dev/full")
    states.put("a", ONE)
    states.tidy()

    assert "could not be written to disk" in caplog.text
    assert not list(tmp_path.iterdir())
    assert states.read("a") is None


def test_a_disk_that_is_nearly_full_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    states = SavedStates("model", memory_budget=0, folder=tmp_path)
    states.put("a", ONE)
    states.tidy()
    monkeypatch.setattr("cutaway.engine.cache_states.SPARE", 1 << 60)
    states.put("b", TWO)
    states.tidy()

    assert (states.read("a"), states.read("b")) == (ONE, None)


def test_what_a_killed_program_began_to_write_goes(tmp_path: Path) -> None:
    old, new = tmp_path / "x.1.part", tmp_path / "y.2.part"
    old.write_bytes(b"half")
    new.write_bytes(b"half")
    os.utime(old, (1, 1))
    SavedStates("model", folder=tmp_path)

    assert list(tmp_path.iterdir()) == [new]


@pytest.mark.parametrize(
    "change",
    [
        {"runtime": "another build"},
        {"device": "CUDA0"},
        {"context": 2},
        {"kv_type_k": "q8_0"},
        {"flash_attention": "off"},
        {"swa_full": True},
        {"loras": (("x.gguf", 0.5),)},
        {"extra": {"rope": "yarn"}},
    ],
)
def test_what_a_state_depends_on(change: dict[str, Any]) -> None:
    facts = ScriptedBackend().load("m.gguf", ModelSettings(), lambda _: True)
    names = {field.name for field in fields(facts)}
    other = replace(facts, **change) if names & change.keys() else facts
    settings = ModelSettings() if names & change.keys() else replace(ModelSettings(), **change)
    assert state_key(settings, other) != state_key(ModelSettings(), facts)


def test_of_a_deleted_conversation_nothing_stays_whatever_the_model(tmp_path: Path) -> None:
    for key in ("model", "another model"):
        states = SavedStates(key, folder=tmp_path)
        states.put("a", ONE)
        states.put("b", TWO)
        states.flush()
    (tmp_path / "junk.kv").write_bytes(b"junk")
    forget(tmp_path, "a")
    states.forget("a")

    assert [name for name, _ in states.ledgers()] == ["b"]
    assert len(list(tmp_path.iterdir())) == 3
    forget(None, "a")


def test_what_would_not_be_kept_need_not_be_copied(tmp_path: Path) -> None:
    assert SavedStates("model", memory_budget=100).has_room(100)
    assert not SavedStates("model", memory_budget=100).has_room(101)
    assert SavedStates("model", memory_budget=100, folder=tmp_path, disk_budget=500).has_room(500)
    assert not SavedStates("model", memory_budget=100, folder=tmp_path, disk_budget=500).has_room(501)
