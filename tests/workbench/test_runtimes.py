"""Another llama.cpp is taken in after it was tried, and used from the next start on."""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from pathlib import Path

import pytest

from cutaway import places
from cutaway.engine import runtime
from cutaway.engine.runtime import Runtime, RuntimeFault
from cutaway.workbench.runtimes import add_runtime, choose_runtime, list_runtimes


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CUTAWAY_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CUTAWAY_RUNTIME", raising=False)
    return tmp_path


def pack(folder: Path, name: str = "vulkan", library: bytes = b"a library") -> Path:
    folder.mkdir(parents=True)
    (folder / "libllama.so").write_bytes(library)
    manifest = {
        **{"id": name, "os": sys.platform, "arch": platform.machine(), "backends": ["vulkan"]},
        **{"llama_cpp_python": runtime.VERSION, "files": {"libllama.so": hashlib.sha256(library).hexdigest()}},
    }
    (folder / "runtime.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def sound(_: Runtime) -> tuple[str, ...]:
    return ("Vulkan0", "CPU")


def test_a_sound_one_is_copied_listed_and_chosen(home: Path) -> None:
    assert list_runtimes().names == ()
    name = add_runtime(pack(home / "download"), sound)
    choose_runtime(name)
    assert (list_runtimes().names, list_runtimes().wanted, list_runtimes().forced) == (("vulkan",), "vulkan", False)
    assert places.wanted_runtime() == places.runtimes() / "vulkan"
    assert (places.runtimes() / "vulkan" / "libllama.so").read_bytes() == b"a library"
    choose_runtime("")
    assert places.wanted_runtime() is None


def test_the_same_name_again_takes_the_place_of_the_old_one(home: Path) -> None:
    add_runtime(pack(home / "one"), sound)
    add_runtime(pack(home / "two", library=b"newer"), sound)
    assert list_runtimes().names == ("vulkan",)
    assert (places.runtimes() / "vulkan" / "libllama.so").read_bytes() == b"newer"
    assert add_runtime(places.runtimes() / "vulkan", sound) == "vulkan"
    assert sorted(path.name for path in places.runtimes().iterdir()) == ["vulkan"]


def test_one_that_fails_its_trial_is_not_copied(home: Path) -> None:
    def fails(found: Runtime) -> tuple[str, ...]:
        raise RuntimeFault(f"The runtime {found.id} cannot be used: no.")

    altered = pack(home / "altered")
    (altered / "libllama.so").write_bytes(b"another")
    for folder, probe in ((pack(home / "bad"), fails), (altered, sound), (home / "nothing", sound)):
        with pytest.raises(RuntimeFault):
            add_runtime(folder, probe)
    assert list_runtimes().names == ()


@pytest.mark.parametrize(("name", "folder"), [("../../evil", "-..-evil"), ("a b/c", "a-b-c"), (".hidden", "hidden")])
def test_a_hostile_name_stays_among_the_others(home: Path, name: str, folder: str) -> None:
    assert add_runtime(pack(home / "pack", name), sound).strip(".") == folder
    assert next(places.runtimes().glob("*/runtime.json")).parent.parent == places.runtimes()


def test_the_variable_comes_first(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_runtime(pack(home / "one"), sound)
    choose_runtime("vulkan")
    monkeypatch.setenv("CUTAWAY_RUNTIME", str(home / "one"))
    assert (list_runtimes().wanted, list_runtimes().forced) == ("", True)
