"""Models that are cut into several files: `NAME-00001-of-00003.gguf` and so on."""

from __future__ import annotations

import re
from pathlib import Path

_NAME = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf", re.IGNORECASE)


def part_paths(path: Path) -> list[Path]:
    """Every part of a split model, in order; the file alone where it is not split."""
    match = _NAME.fullmatch(path.name)
    if match is None:
        return [path]
    count = int(match["count"])
    return [path.with_name(f"{match['stem']}-{number:05d}-of-{count:05d}.gguf") for number in range(1, count + 1)]


def first_part(path: Path) -> Path:
    """The part that llama.cpp is given."""
    return part_paths(path)[0]


def missing_parts(path: Path) -> list[str]:
    """Names of the parts that are not there."""
    return [part.name for part in part_paths(path) if not part.is_file()]
