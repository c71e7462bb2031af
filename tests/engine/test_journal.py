"""What was running when the process was killed is said at the next start."""

from __future__ import annotations

import json
import os
from pathlib import Path

from cutaway.engine.journal import JournalFile, Note, sentence


def killed_with(path: Path, note: Note) -> None:
    """As another process would have left it."""
    JournalFile(path)(note)
    entry = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**entry, "pid": os.getpid() + 1}), encoding="utf-8")


def test_a_good_end_leaves_nothing(tmp_path: Path) -> None:
    journal = JournalFile(tmp_path / "engine.json")
    journal(Note("load", "/models/a.gguf"))
    journal(Note("loaded", "/models/a.gguf"))
    journal(None)

    assert journal.left_behind() is None
    assert not list(tmp_path.iterdir())


def test_a_killed_process_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "engine.json"
    killed_with(path, Note("loaded", "/models/a.gguf"))

    note = JournalFile(path).left_behind()

    assert note == Note("loaded", "/models/a.gguf")
    assert "a.gguf was in use" in sentence(note)
    assert "was loading a.gguf" in sentence(Note("load", "/models/a.gguf"))


def test_what_this_process_wrote_is_no_accident(tmp_path: Path) -> None:
    journal = JournalFile(tmp_path / "engine.json")
    journal(Note("load", "a"))

    assert journal.left_behind() is None


def test_a_journal_that_cannot_be_written_or_read_stops_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    JournalFile(blocked / "engine.json")(Note("load", "a"))
    (tmp_path / "bad.json").write_text("{")

    assert JournalFile(tmp_path / "bad.json").left_behind() is None
