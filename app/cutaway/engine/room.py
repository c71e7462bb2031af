"""How much memory a model may still take: what the machine has free, and what the control group leaves."""

from __future__ import annotations

from pathlib import Path

import psutil


def free_memory(groups: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> int:
    """Bytes. Beyond them the system ends the process, whatever it was doing."""
    return min([int(psutil.virtual_memory().available), *_left_by_groups(groups, own)])


def _left_by_groups(groups: Path, own: Path) -> list[int]:
    """For each control group around this process that has a limit: the limit, less what is used and not just cache."""
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []
    name = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), None)
    if name is None:
        return []
    folder = groups / name
    around = [folder, *(parent for parent in folder.parents if parent == groups or groups in parent.parents)]
    return [left for group in around if (left := _left(group)) is not None]


def _left(group: Path) -> int | None:
    try:
        limit = int((group / "memory.max").read_text())
        used = int((group / "memory.current").read_text())
        counts = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
        return max(0, limit - used + int(counts.get("inactive_file", 0)) + int(counts.get("active_file", 0)))
    except (OSError, ValueError):
        return None  # no limit, or not this kind of group
