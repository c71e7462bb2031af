"""What the engine is about to do that could end the process: written down before, taken back after.

A mapped file that is cut short or a GPU that disappears kills the process whatever we do. So the
next start reads what was running, says it, and offers safer settings.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TypeAlias

from cutaway.engine.command import ModelSettings

SAFE_CONTEXT = 4096
"""Tokens."""


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
    """A journal of one line in a file. Its presence at a start means that the last run did not end well."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __call__(self, note: Note | None) -> None:
        """Write or take back. A full disk must not keep a model from loading, so errors are ignored."""
        try:
            if note is None:
                self._path.unlink(missing_ok=True)
                return
            self._path.parent.mkdir(parents=True, exist_ok=True)
            partial = self._path.with_suffix(".part")
            partial.write_text(json.dumps({**asdict(note), "pid": os.getpid()}), encoding="utf-8")
            partial.replace(self._path)
        except OSError:
            return

    def left_behind(self) -> Note | None:
        """What the last run was doing when it was killed; None when it ended well. Ask before the first load."""
        try:
            entry = json.loads(self._path.read_text(encoding="utf-8"))
            if entry["pid"] == os.getpid():
                return None
            return Note(str(entry["doing"]), str(entry["path"]), str(entry.get("detail", "")))
        except (OSError, ValueError, KeyError, TypeError):
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
