"""Loading: every bad file is a sentence, and the next load works."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import psutil
import pytest

from cutaway.engine import seen as seen_module
from cutaway.engine.backend import LoadCancelledError, LoadError
from cutaway.engine.command import ModelSettings
from cutaway.engine.event import Finished, Loaded, LoadFailed
from cutaway.engine.llama import open as open_module
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.seen import Report, Seen, run_child
from support.engine_rig import EngineRig
from support.mutations import absurd_numbers, mutations
from support.tiny_models import KINDS, tiny_model

SMALL = ModelSettings(context=256, threads=1)


@pytest.fixture
def backend() -> LlamaBackend:
    return LlamaBackend(trusting=True)


def answers(files: list[Path]) -> list[str]:
    """What a child says of each file: empty, or the sentence. A file that ends the child gets a new one."""
    found: list[str] = []
    while len(found) < len(files):
        rest = files[len(found) :]
        report = run_child([str(file) for file in rest])
        found += [str(line.get("error", "")) for line in report.lines]
        if len(report.lines) < len(rest):
            found.append(fault(rest[len(report.lines)], Report((), report.status)))
    return found


def fault(file: Path, report: Report) -> str:
    with pytest.raises(LoadError) as raised:
        seen_module._raise_fault(file, report)
    return str(raised.value)


def loads(backend: LlamaBackend, path: Path, settings: ModelSettings = SMALL) -> None:
    backend.load(str(path), settings, lambda _: True)
    backend.feed([5] * 20, 0)
    backend.unload()


@pytest.mark.parametrize("kind", KINDS)
def test_two_hundred_damaged_files_are_sentences_or_work(kind: str, tmp_path: Path, backend: LlamaBackend) -> None:
    files = mutations(tiny_model(kind), tmp_path, 50, seed=KINDS.index(kind))  # type: ignore[arg-type]

    said = answers(files)

    assert all(sentence.endswith(".") and "Traceback" not in sentence for sentence in said if sentence)
    for file, sentence in zip(files, said, strict=True):
        if not sentence:
            loads(backend, file)
    loads(backend, tiny_model("attention"))


def test_absurd_numbers_in_the_metadata_are_sentences_or_work(tmp_path: Path, backend: LlamaBackend) -> None:
    files = absurd_numbers(tiny_model("attention"), tmp_path, (0, 0x7FFFFFFF))

    said = answers(files)

    assert sum(map(bool, said)) > 8
    assert all(sentence.endswith(".") for sentence in said if sentence)
    for file, sentence in zip(files, said, strict=True):
        if not sentence:
            loads(backend, file)


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda path: None, "There is no file"),
        (lambda path: path.mkdir(), "is a folder"),
        (lambda path: path.write_bytes(b""), "too short"),
        (lambda path: path.write_text("a letter to a friend, quite long enough"), "no GGUF"),
        (lambda path: path.write_bytes(tiny_model("attention").read_bytes()[:200_000]), "cut short"),
    ],
    ids=["missing", "folder", "empty", "text", "truncated"],
)
def test_what_is_no_whole_model_is_a_sentence(make: object, part: str, tmp_path: Path, backend: LlamaBackend) -> None:
    path = tmp_path / "model.gguf"
    make(path)  # type: ignore[operator]

    with pytest.raises(LoadError, match=part):
        loads(backend, path)
    loads(backend, tiny_model("attention"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path, backend: LlamaBackend) -> None:
    os.mkfifo(tmp_path / "model.gguf")

    with pytest.raises(LoadError, match="no ordinary file"):
        loads(backend, tmp_path / "model.gguf")


def test_a_file_that_vanishes_while_it_is_loaded_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, backend: LlamaBackend
) -> None:
    path = tmp_path / "model.gguf"
    shutil.copy(tiny_model("attention"), path)
    monkeypatch.setattr(open_module, "check_memory", lambda *_: path.unlink())

    with pytest.raises(LoadError, match=r"model\.gguf"):
        loads(backend, path)
    monkeypatch.undo()
    monkeypatch.setattr(open_module, "look", lambda _: path)
    with pytest.raises(LoadError, match="cannot be read: No such file"):
        loads(LlamaBackend(Seen(None)), path)


def test_a_missing_part_of_a_split_model_is_named(tmp_path: Path, backend: LlamaBackend) -> None:
    path = tmp_path / "big-00001-of-00003.gguf"
    shutil.copy(tiny_model("attention"), path)

    with pytest.raises(LoadError, match="2 of its parts are missing"):
        loads(backend, path)
    path.write_bytes(_with_count(tiny_model("attention"), 3))
    with pytest.raises(LoadError, match="of 3 parts, under another name"):
        loads(backend, path.rename(tmp_path / "big.gguf"))


def _with_count(model: Path, parts: int) -> bytes:
    """The file with one more pair in its metadata."""
    data = model.read_bytes()
    pairs = int.from_bytes(data[16:24], "little")
    key = b"split.count"
    pair = len(key).to_bytes(8, "little") + key + (2).to_bytes(4, "little") + parts.to_bytes(2, "little")
    return data[:16] + (pairs + 1).to_bytes(8, "little") + pair + data[24:]


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        (ModelSettings(context=256, kv_type_k="q3_x"), "no type for the KV cache"),
        (ModelSettings(context=256, devices=("CUDA9",)), "no device"),
        (ModelSettings(context=256, loras=(("/nowhere/a.gguf", 1.0),)), "is not there"),
        (ModelSettings(context=256, loras=((f"/{'a' * 300}.gguf", 1.0),)), "is not there"),
        (ModelSettings(context=2_000_000_000), "GB of memory"),
    ],
    ids=["kv type", "device", "lora", "lora with a name too long", "memory"],
)
def test_settings_that_cannot_be_are_a_sentence(settings: ModelSettings, part: str, backend: LlamaBackend) -> None:
    with pytest.raises(LoadError, match=part):
        loads(backend, tiny_model("attention"), settings)
    loads(backend, tiny_model("attention"))


def test_a_file_is_tried_in_a_child_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.gguf"
    shutil.copy(tiny_model("attention"), path)
    memory = tmp_path / "seen.json"
    assert isinstance(Seen(memory).check(path, special=False, go_on=lambda: True), bool)

    def never(*_: object, **__: object) -> Report:
        raise AssertionError("a child was started again")

    monkeypatch.setattr(seen_module, "run_child", never)
    Seen(memory).check(path, special=False, go_on=lambda: True)
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(AssertionError):
        Seen(memory).check(path, special=False, go_on=lambda: True)


def test_a_change_of_any_part_and_of_llama_cpp_makes_a_file_unseen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = [tmp_path / f"big-0000{number}-of-00002.gguf" for number in (1, 2)]
    for part in parts:
        part.write_bytes(b"1")
    keys = [seen_module._file_key(parts[0])]
    parts[1].write_bytes(b"22")
    keys.append(seen_module._file_key(parts[0]))
    monkeypatch.setattr("cutaway.engine.llama.library.build_stamp", lambda: "another build")
    keys.append(seen_module._file_key(parts[0]))

    assert len(set(keys)) == 3


def test_a_file_that_ends_the_child_is_a_sentence_and_special_buffers_that_do_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.gguf"
    shutil.copy(tiny_model("attention"), path)
    monkeypatch.setattr(seen_module, "run_child", lambda *_: Report((), -6))
    with pytest.raises(LoadError, match="in a process of its own"):
        Seen(None).check(path, special=False, go_on=lambda: True)

    monkeypatch.setattr(seen_module, "run_child", lambda *_: Report(({"ok": True},), -11))
    assert not Seen(None).check(path, special=True, go_on=lambda: True)

    monkeypatch.setattr(seen_module, "run_child", lambda *_: Report(({"ok": True}, {"fast": True}), 0))
    assert Seen(None).check(path, special=True, go_on=lambda: True)


def test_the_try_in_the_child_can_be_stopped() -> None:
    began = time.perf_counter()
    with pytest.raises(LoadCancelledError):
        run_child([str(tiny_model("attention"))], lambda: time.perf_counter() - began < 0.05)
    assert time.perf_counter() - began < 0.5


def test_stopping_a_load_leaves_nothing_and_the_next_works(backend: LlamaBackend) -> None:
    with pytest.raises(LoadCancelledError):
        backend.load(str(tiny_model("attention")), SMALL, lambda fraction: fraction < 0.3)
    loads(backend, tiny_model("attention"))


def test_stopping_while_thread_counts_are_tried_leaves_nothing_and_the_next_works(backend: LlamaBackend) -> None:
    asked: list[float] = []

    def until_made(fraction: float) -> bool:
        asked.append(fraction)
        return asked.count(0.99) < 3 or backend._loaded is None

    with pytest.raises(LoadCancelledError):
        backend.load(str(tiny_model("attention")), ModelSettings(context=256), until_made)
    assert backend._loaded is None

    def interrupted(_fraction: float) -> bool:
        backend.interrupt()
        return True

    with pytest.raises(LoadCancelledError):
        backend.load(str(tiny_model("attention")), ModelSettings(context=256), interrupted)
    loads(backend, tiny_model("attention"))


def test_the_worker_answers_a_damaged_file_and_loads_the_next(tmp_path: Path) -> None:
    bad = mutations(tiny_model("attention"), tmp_path, 1, seed=99)[0]
    bad.write_bytes(bad.read_bytes()[:5000])
    with EngineRig(LlamaBackend(Seen(None))) as rig:
        assert isinstance(rig.load(str(bad)), LoadFailed)
        assert isinstance(rig.load(str(tiny_model("sliding")), SMALL), Loaded)
        assert isinstance(rig.reply("Hello", max_tokens=3), Finished)


def test_memory_and_threads_are_given_back(backend: LlamaBackend) -> None:
    settings = ModelSettings(context=4096, threads=1)
    for _ in range(3):
        loads(backend, tiny_model("attention"), settings)
    process = psutil.Process()
    before, threads = process.memory_info().rss, process.num_threads()

    for kind in (*KINDS, *KINDS, *KINDS):
        loads(backend, tiny_model(kind), settings)

    assert process.memory_info().rss - before < 24 << 20
    assert process.num_threads() <= threads + (0 if sys.platform == "linux" else 1)
