"""What the engine is about to do that could end the process: written down before, taken back after.

A mapped file that is cut short or a GPU that disappears kills the process whatever we do. So the
next start reads what was running, says it, and offers safer settings.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeAlias

import psutil

from cutaway.engine.command import ModelSettings

SAFE_CONTEXT = 4096
"""Tokens."""
CLOCK_SECONDS = 5.0
"""By so much a process seems to have begun at another time when the clock is corrected meanwhile."""


@dataclass(frozen=True, slots=True)
class Note:
    doing: str
    """`load` while a model is brought in, `loaded` while it stays in memory."""
    path: str
    detail: str = ""


Journal: TypeAlias = Callable[[Note | None], None]
"""Told before something dangerous, and None when nothing dangerous is going on."""


def no_journal(_note: Note | None) -> None:
    """For callers that keep no journal."""


class JournalFile:
    """A journal of one line, in a file for each process: another window's is none of ours while it runs.

    A file whose process is gone means that it did not end well.
    """

    def __init__(self, path: Path) -> None:
        """`path` is what the files are named after: `engine.journal` becomes `engine.1234.journal`."""
        self._folder = path.parent
        self._names = f"{path.stem}.*{path.suffix}"
        self._path = path.with_suffix(f".{os.getpid()}{path.suffix}")

    def __call__(self, note: Note | None) -> None:
        """Write or take back. A full disk must not keep a model from loading, so errors are ignored."""
        try:
            if note is None:
                self._path.unlink(missing_ok=True)
                return
            self._folder.mkdir(parents=True, exist_ok=True)
            entry = {**asdict(note), "pid": os.getpid(), "started": _started(os.getpid())}
            partial = self._path.with_suffix(".part")
            partial.write_text(json.dumps(entry), encoding="utf-8")
            partial.replace(self._path)
        except OSError:
            return

    def left_behind(self) -> Note | None:
        """What a run was doing when it was killed, the newest one's; None when all ended well. It is told once."""
        found: list[tuple[float, Note]] = []
        for half in self._folder.glob(f"{Path(self._names).stem}.part") if self._folder.is_dir() else ():
            _drop_half_written(half)
        for path in self._folder.glob(self._names) if self._folder.is_dir() else ():
            note = _of_the_dead(path)
            if note is not None:
                found.append(note)
        return max(found, key=lambda one: one[0])[1] if found else None


def _of_the_dead(path: Path) -> tuple[float, Note] | None:
    """When it was written, and the note; the file is removed. None where its process runs, or it cannot be read."""
    try:
        entry = json.loads(path.read_text(encoding="utf-8"))
        if entry["pid"] == os.getpid() or _runs(entry["pid"], entry["started"]):
            return None
        written = path.stat().st_mtime
        path.unlink()
        return written, Note(str(entry["doing"]), str(entry["path"]), str(entry.get("detail", "")))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _drop_half_written(path: Path) -> None:
    """What a process left that was killed while it wrote."""
    with contextlib.suppress(OSError, ValueError):
        if _started(int(path.suffixes[-2].removeprefix("."))) is None:
            path.unlink()


def _runs(pid: int, started: float | None) -> bool:
    """Whether the process that began then is there still, and not another that was given its number."""
    now = _started(pid)
    return now is not None and started is not None and abs(now - started) < CLOCK_SECONDS


def _started(pid: int) -> float | None:
    """When a process began, by the clock of today; None where there is none."""
    try:
        return float(psutil.Process(pid).create_time())
    except (psutil.Error, ValueError):
        return None


def sentence(note: Note) -> str:
    """What a person reads at the next start."""
    name = Path(note.path).name
    doing = f"while it was loading {name}" if note.doing == "load" else f"while {name} was in use"
    return f"The program ended {doing}. Your conversations are whole."


ADVICE = (
    f"If it happens again, load the model with safer settings: on the processor alone, without memory mapping, and "
    f"with a context of at most {SAFE_CONTEXT:,} tokens."
)


def safer(settings: ModelSettings) -> ModelSettings:
    """Without what can kill a process: a mapped file that is cut short, a GPU that disappears, memory that runs out."""
    context = min(settings.context or SAFE_CONTEXT, SAFE_CONTEXT)
    return replace(settings, use_mmap=False, use_mlock=False, gpu_layers=0, devices=("CPU",), context=context)
