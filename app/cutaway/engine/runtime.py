"""Runtimes: folders of llama.cpp libraries, each with a manifest of hashes.

The program carries one for the CPU; packs for GPUs are added beside it. A runtime is used only after its files
were compared with its manifest and a child process has loaded it, checked the shape of llama.cpp's structs and
listed its devices. When that fails the bundled one is used, and the choice says why.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from cutaway import child

VERSION = "0.3.36"
"""The llama-cpp-python whose structs we call llama.cpp with."""
PROBE_SECONDS = 90 if sys.platform == "win32" else 30


class RuntimeFault(Exception):
    """A runtime cannot be used. The message says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Runtime:
    folder: Path
    id: str
    backends: tuple[str, ...]
    files: dict[str, str] = field(repr=False)
    """File name to SHA-256."""

    @property
    def fingerprint(self) -> str:
        """Changes when any file does; what an accepted probe is remembered by."""
        text = json.dumps([self.id, sorted(self.files.items())])
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Choice:
    runtime: Runtime | None
    """None: the libraries of the installed llama-cpp-python."""
    devices: tuple[str, ...] = ()
    notice: str = ""
    """A sentence for the person when it is not the one that was asked for."""


Probe = Callable[[Runtime], tuple[str, ...]]
"""Loads a runtime elsewhere and answers its devices; raises RuntimeFault."""


def read(folder: Path) -> Runtime:
    """The runtime in `folder`, its files not yet looked at. Raises RuntimeFault."""
    try:
        manifest = json.loads((folder / "runtime.json").read_text(encoding="utf-8"))
        runtime = Runtime(folder.resolve(), str(manifest["id"]), tuple(manifest["backends"]), dict(manifest["files"]))
        system, arch, version = manifest["os"], manifest["arch"], manifest["llama_cpp_python"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RuntimeFault(
            f"The runtime in {folder} has no readable runtime.json ({error}). Install it again."
        ) from error
    here = (sys.platform, platform.machine())
    if (system, arch) != here:
        raise RuntimeFault(f"The runtime {runtime.id} is for {system} on {arch}, this is {here[0]} on {here[1]}.")
    if version != VERSION:
        raise RuntimeFault(
            f"The runtime {runtime.id} was built for llama-cpp-python {version}; this program needs {VERSION}."
        )
    return runtime


def verify(runtime: Runtime) -> None:
    """Compare every file with the manifest. Raises RuntimeFault naming the first that is missing or altered."""
    for name, expected in runtime.files.items():
        path = runtime.folder / name
        if Path(name).name != name or not path.is_file():
            raise RuntimeFault(f"The runtime {runtime.id} lacks {name}. Install it again.")
        with path.open("rb") as file:
            if hashlib.file_digest(file, "sha256").hexdigest() != expected:
                raise RuntimeFault(
                    f"{name} of the runtime {runtime.id} is not the file that was built. Install it again."
                )


def probe(runtime: Runtime) -> tuple[str, ...]:
    """Load the runtime in a child process; answers its devices. Raises RuntimeFault."""
    words = child.command("cutaway.engine.runtime_probe", os.fspath(runtime.folder))
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False, cwd=runtime.folder
        )
    except subprocess.TimeoutExpired:
        raise RuntimeFault(f"The runtime {runtime.id} did not answer within {PROBE_SECONDS} s.") from None
    except OSError as error:
        raise RuntimeFault(f"The runtime {runtime.id} could not be tried: {error}.") from error
    try:
        answer = json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        how = f"signal {-done.returncode}" if done.returncode < 0 else f"status {done.returncode}"
        raise RuntimeFault(f"The runtime {runtime.id} cannot run here (its trial ended with {how}).") from None
    if answer.get("fault"):
        raise RuntimeFault(f"The runtime {runtime.id} cannot be used: {answer['fault']}")
    return tuple(answer["devices"])


def choose(wanted: Path | None, bundled: Path | None, memory: Path, probe: Probe = probe) -> Choice:
    """The wanted runtime when it is sound, else the bundled one, else the installed libraries.

    `memory` is a small file that remembers which runtimes were accepted, so that a start does not try them again.
    """
    notices: list[str] = []
    for folder in filter(None, (wanted, bundled)):
        try:
            runtime = read(folder)
            return Choice(runtime, _accept(runtime, memory, probe), " ".join(notices))
        except RuntimeFault as fault:
            notices.append(str(fault))
    if notices:
        notices.append("The CPU is used instead.")
    return Choice(None, (), " ".join(notices))


def installed(folders: Iterable[Path]) -> list[Runtime]:
    """Every readable runtime in `folders`' sub-folders; unreadable ones are left out."""
    found = []
    for folder in folders:
        for manifest in sorted(folder.glob("*/runtime.json")):
            try:
                found.append(read(manifest.parent))
            except RuntimeFault:
                continue
    return found


def activate(choice: Choice) -> None:
    """Let llama_cpp find the chosen libraries. Call it before llama_cpp is imported; it cannot be undone."""
    if choice.runtime is not None:
        os.environ["LLAMA_CPP_LIB_PATH"] = os.fspath(choice.runtime.folder)


def _accept(runtime: Runtime, memory: Path, probe: Probe) -> tuple[str, ...]:
    """Devices of a sound runtime: remembered by its fingerprint and its files' sizes and times, or tried now."""
    key = f"{runtime.fingerprint}:{_stamp(runtime)}"
    accepted = _remembered(memory)
    if key in accepted:
        return tuple(accepted[key])
    verify(runtime)
    devices = probe(runtime)
    accepted[key] = list(devices)
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        memory.write_text(json.dumps(accepted), encoding="utf-8")
    except OSError:
        pass  # a read-only home: it is tried again next time
    return devices


def _stamp(runtime: Runtime) -> str:
    facts = []
    for name in sorted(runtime.files):
        try:
            status = (runtime.folder / name).stat()
        except OSError:
            return "missing"
        facts.append(f"{status.st_size}.{status.st_mtime_ns}")
    return hashlib.sha256(" ".join(facts).encode()).hexdigest()[:16]


def _remembered(memory: Path) -> dict[str, list[str]]:
    try:
        read = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}
