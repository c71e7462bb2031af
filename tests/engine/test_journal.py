"""What was running when the process was killed is said at the next start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from psutil import Process

from cutaway.engine.journal import JournalFile, Note, sentence


def killed_with(path: Path, note: Note) -> None:
    """As a process that is gone would have left it."""
    JournalFile(path)(note)
    (file,) = path.parent.glob("*.journal")
    entry = json.loads(file.read_text(encoding="utf-8"))
    file.rename(path.with_name("engine.1.journal"))
    path.with_name("engine.1.journal").write_text(json.dumps({**entry, "pid": 1, "started": 1.5}), encoding="utf-8")


def test_a_good_end_leaves_nothing(tmp_path: Path) -> None:
    journal = JournalFile(tmp_path / "engine.journal")
    journal(Note("load", "/models/a.gguf"))
    journal(Note("loaded", "/models/a.gguf"))
    journal(None)

    assert journal.left_behind() is None
    assert not list(tmp_path.iterdir())


def test_a_killed_process_is_told_of(tmp_path: Path) -> None:
    path = tmp_path / "engine.journal"
    killed_with(path, Note("loaded", "/models/a.gguf"))

    note = JournalFile(path).left_behind()

    assert note == Note("loaded", "/models/a.gguf")
    assert "a.gguf was in use" in sentence(note)
    assert "was loading a.gguf" in sentence(Note("load", "/models/a.gguf"))
    assert JournalFile(path).left_behind() is None, "it is told once"


def test_another_window_that_runs_is_no_accident_and_keeps_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "engine.journal"
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        began = Process(other.pid).create_time() - 1  # by a clock that was corrected since
        entry = {"doing": "loaded", "path": "b.gguf", "pid": other.pid, "started": began}
        path.with_name(f"engine.{other.pid}.part").write_text("half")
        path.with_name(f"engine.{other.pid}.journal").write_text(json.dumps(entry), encoding="utf-8")
        journal = JournalFile(path)
        journal(Note("loaded", "a.gguf"))
        journal(None)
        assert journal.left_behind() is None
        other.kill()
        other.wait()
        assert journal.left_behind() == Note("loaded", "b.gguf")
    assert not list(tmp_path.iterdir()), "what was half written goes too"


def test_what_this_process_wrote_is_no_accident(tmp_path: Path) -> None:
    journal = JournalFile(tmp_path / "engine.journal")
    journal(Note("load", "a"))

    assert journal.left_behind() is None


def test_a_journal_that_cannot_be_written_or_read_stops_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    JournalFile(blocked / "engine.journal")(Note("load", "a"))
    (tmp_path / "engine.7.journal").write_text("{")

    assert JournalFile(tmp_path / "engine.journal").left_behind() is None
