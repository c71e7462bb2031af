"""What was found out before, so that it need not be found out again: files that opened well, buffers that work.

A file that was not seen before is opened in a child process first, because a damaged one can make
llama.cpp end the process it runs in.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cutaway import child
from cutaway.engine.backend import LoadCancelledError, LoadError
from cutaway.engine.split import part_paths

PATIENCE = 60.0
"""Seconds after which a child that does not answer is given up."""
TRIAL_LIMIT = 4 << 30
"""Bytes of a model file that is still loaded a second time to try the processor's special buffers."""
_MOST = 500


@dataclass(frozen=True, slots=True)
class Report:
    """What a child said, line by line, and how it ended."""

    lines: tuple[dict[str, Any], ...]
    status: int


class Seen:
    """The memory, in a file; without one it lasts as long as the object."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._entries = self._read()

    def check(self, file: Path, *, special: bool, go_on: Callable[[], bool]) -> bool:
        """Make sure that a file can be opened; answers whether special buffers may be used.

        `special`: whether this machine's build has any. `go_on` is asked often and may stop the check.
        Raises LoadError, or LoadCancelledError.
        """
        machine = _machine_key()
        trial = special and machine not in self._entries and file.stat().st_size < TRIAL_LIMIT
        if self._entries.get(_file_key(file)) and not trial:
            return special and bool(self._entries.get(machine))
        report = run_child(["--trial", str(file)] if trial else [str(file)], go_on)
        _raise_fault(file, report)
        self._entries[_file_key(file)] = True
        if trial:
            self._entries[machine] = any(line.get("fast") for line in report.lines)
        self._write()
        return special and bool(self._entries.get(machine))

    def check_adapter(self, adapter: Path, model: Path, *, go_on: Callable[[], bool]) -> None:
        """Make sure that a LoRA adapter can be loaded onto a model. Raises LoadError, or LoadCancelledError."""
        key = f"{_file_key(adapter)}|onto|{_file_key(model)}"
        if self._entries.get(key):
            return
        _raise_fault(adapter, run_child(["--adapter", str(model), str(adapter)], go_on))
        self._entries[key] = True
        self._write()

    def _read(self) -> dict[str, bool]:
        try:
            found = json.loads(self._path.read_text(encoding="utf-8")) if self._path else {}
            return {str(key): bool(value) for key, value in found.items()}
        except (OSError, ValueError, AttributeError):
            return {}

    def _write(self) -> None:
        """A disk that takes nothing costs only another look next time."""
        if self._path is None:
            return
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            newest = dict(list(self._entries.items())[-_MOST:])
            partial = self._path.with_suffix(".part")
            partial.write_text(json.dumps(newest), encoding="utf-8")
            partial.replace(self._path)
        except OSError:
            return


def _file_key(file: Path) -> str:
    """Changes with any part of the file, and with llama.cpp's build: another one may end itself over it."""
    from cutaway.engine.llama.library import build_stamp

    facts = [build_stamp()]
    for part in part_paths(file):
        status = part.stat()
        facts.append(f"{status.st_size}|{status.st_mtime_ns}")
    return f"file|{file.resolve()}|{hashlib.sha256(' '.join(facts).encode()).hexdigest()[:16]}"


def _machine_key() -> str:
    """Changes with the processor and with llama.cpp's build."""
    from cutaway.engine.llama.library import build_stamp

    return f"machine|{platform.machine()}|{platform.processor()}|{build_stamp()}"


def _raise_fault(file: Path, report: Report) -> None:
    if not report.lines:
        raise LoadError(
            f"llama.cpp ended itself while it opened {file.name}, in a process of its own, so nothing else is lost. "
            "The file is damaged or made for another llama.cpp: fetch it again, or choose another model."
        )
    error = report.lines[0].get("error")
    if error:
        raise LoadError(str(error))


def run_child(words: list[str], go_on: Callable[[], bool] = lambda: True) -> Report:
    """Run `engine.probe` on files. Raises LoadError when it does not answer in time, LoadCancelledError."""
    command = child.command("cutaway.engine.probe", *words)
    began = time.monotonic()
    env = {**os.environ, "GGML_NO_BACKTRACE": "1"}  # ggml starts a debugger when it gives up
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=env
    ) as process:
        try:
            while process.poll() is None:
                if not go_on():
                    raise LoadCancelledError("Loading was stopped.")
                if time.monotonic() - began > PATIENCE:
                    raise LoadError("The file did not open within a minute. Choose another model.")
                _wait(process, 0.02)
        finally:
            if process.poll() is None:
                process.kill()
        assert process.stdout is not None
        lines = process.stdout.read().decode("utf-8", "replace").splitlines()
    return Report(tuple(json.loads(line) for line in lines if line.startswith("{")), process.returncode)


def _wait(process: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return
