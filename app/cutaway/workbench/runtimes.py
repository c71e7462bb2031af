"""The llama.cpp that the program computes with: the one it came with, and packs for graphics cards that were added."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cutaway import places
from cutaway.engine import runtime
from cutaway.engine.runtime import Runtime, RuntimeFault


@dataclass(frozen=True, slots=True)
class Runtimes:
    names: tuple[str, ...]
    """Of those that were added, as their folders are called."""
    wanted: str
    """The one that is used from the next start on; empty for the one that the program came with."""
    forced: bool
    """`CUTAWAY_RUNTIME` says which, whatever is chosen here."""


def list_runtimes() -> Runtimes:
    names = tuple(one.folder.name for one in runtime.installed([places.runtimes()]))
    forced = bool(os.environ.get("CUTAWAY_RUNTIME"))
    wanted = places.wanted_runtime()
    return Runtimes(names, wanted.name if wanted is not None and not forced else "", forced)


def choose_runtime(name: str) -> None:
    """From the next start on; empty for the one that the program came with. Raises OSError."""
    file = places.config() / "runtime"
    if not name:
        file.unlink(missing_ok=True)
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(name + "\n", encoding="utf-8")


def add_runtime(folder: Path, probe: Callable[[Runtime], tuple[str, ...]] = runtime.probe) -> str:
    """Copy a runtime to the others after it was looked at and tried, which takes some seconds; answers its name.

    Raises RuntimeFault, or OSError where it cannot be copied.
    """
    found = runtime.read(folder)
    runtime.verify(found)
    probe(found)
    name = _plain(found.id)
    target = places.runtimes() / name
    if target.resolve() == found.folder:
        return name
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".add-") as scratch:
        copy = Path(scratch) / name
        copy.mkdir()
        for file in ("runtime.json", *found.files):
            shutil.copy2(found.folder / file, copy / file)
        if target.exists():
            os.replace(target, Path(scratch) / "old")
        os.replace(copy, target)
    return name


def _plain(name: str) -> str:
    """A runtime's own name as that of a folder."""
    plain = "".join(char if char.isalnum() or char in "-_." else "-" for char in name).strip(".")
    if not plain:
        raise RuntimeFault(f"The runtime's name {name!r} cannot be a folder's. Install it again.")
    return plain
