"""A runtime is used only when its files are those of its manifest and a child process could load it."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from pathlib import Path

import pytest

from cutaway.engine import runtime
from cutaway.engine.runtime import Runtime, RuntimeFault, choose


def make(folder: Path, **changes: object) -> Path:
    folder.mkdir(parents=True)
    (folder / "libllama.so").write_bytes(b"a library")
    manifest = {
        "id": folder.name,
        "os": sys.platform,
        "arch": platform.machine(),
        "llama_cpp_python": runtime.VERSION,
        "backends": ["cpu"],
        "files": {"libllama.so": hashlib.sha256(b"a library").hexdigest()},
    }
    (folder / "runtime.json").write_text(json.dumps(manifest | changes), encoding="utf-8")
    return folder


def answers(*devices: str) -> runtime.Probe:
    return lambda _: devices


def test_a_sound_runtime_is_chosen_and_tried_once(tmp_path: Path) -> None:
    tried: list[Runtime] = []

    def probe(candidate: Runtime) -> tuple[str, ...]:
        tried.append(candidate)
        return ("CPU", "Vulkan0")

    folder = make(tmp_path / "vulkan")
    for _ in range(2):
        choice = choose(folder, None, tmp_path / "memory.json", probe)
        assert choice.runtime is not None
        assert choice.runtime.folder == folder
        assert choice.devices == ("CPU", "Vulkan0")
        assert choice.notice == ""
    assert len(tried) == 1


def test_a_changed_file_is_noticed_although_it_was_accepted_before(tmp_path: Path) -> None:
    folder = make(tmp_path / "cpu")
    memory = tmp_path / "memory.json"
    assert choose(folder, None, memory, answers("CPU")).runtime is not None
    (folder / "libllama.so").write_bytes(b"another library")
    choice = choose(folder, None, memory, answers("CPU"))
    assert choice.runtime is None
    assert "libllama.so of the runtime cpu is not the file that was built" in choice.notice


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"os": "plan9"}, "is for plan9"),
        ({"arch": "z80"}, "on z80"),
        ({"llama_cpp_python": "0.3.1"}, "built for llama-cpp-python 0.3.1"),
        ({"files": {"libllama.so": "0" * 64}}, "is not the file that was built"),
        ({"files": {"gone.so": "0" * 64}}, "lacks gone.so"),
        ({"files": {"../../etc/passwd": "0" * 64}}, "lacks ../../etc/passwd"),
        ({"files": 3}, "no readable runtime.json"),
    ],
)
def test_an_unsound_runtime_falls_back_to_the_bundled_one_and_says_why(
    tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    bad, good = make(tmp_path / "bad", **changes), make(tmp_path / "bundled")
    choice = choose(bad, good, tmp_path / "memory.json", answers("CPU"))
    assert choice.runtime is not None
    assert choice.runtime.id == "bundled"
    assert said in choice.notice


def test_a_missing_folder_is_a_sentence(tmp_path: Path) -> None:
    choice = choose(tmp_path / "nothing", None, tmp_path / "memory.json", answers("CPU"))
    assert choice.runtime is None
    assert "Install it again." in choice.notice
    assert choice.notice.endswith("The CPU is used instead.")


def test_libraries_that_are_none_do_not_take_us_down(tmp_path: Path) -> None:
    """The real child process on a folder whose library is text."""
    with pytest.raises(RuntimeFault, match="cpu"):
        runtime.probe(runtime.read(make(tmp_path / "cpu")))


def test_a_child_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "PROBE_SECONDS", 0.2)
    monkeypatch.setattr(runtime.child, "command", lambda *_: [sys.executable, "-c", "import time; time.sleep(60)"])
    with pytest.raises(RuntimeFault, match="did not answer"):
        runtime.probe(runtime.read(make(tmp_path / "cpu")))


def test_a_child_that_dies_by_a_signal_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime.child, "command", lambda *_: [sys.executable, "-c", "import os; os.abort()"])
    with pytest.raises(RuntimeFault, match="signal 6"):
        runtime.probe(runtime.read(make(tmp_path / "cpu")))


def test_a_read_only_memory_is_no_reason_to_fail(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    choice = choose(make(tmp_path / "cpu"), None, blocked / "memory.json", answers("CPU"))
    assert choice.runtime is not None
