"""The application tree on Linux: its size, what may be stripped, its archive."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ICON = Path(__file__).resolve().parents[2] / "resources" / "icons" / "cutaway.svg"

STRIPPABLE = ("libpython*", "tokenizers*.so", "rpds*.so", "lib-dynload/*.so", "*/lib-dynload/*.so")
"""Stripping numpy's patched libraries makes them unloadable; these are safe and worth it."""


def strip(bundle: Path) -> None:
    if sys.platform != "linux":
        return
    for pattern in STRIPPABLE:
        for library in (bundle / "lib").rglob(pattern):
            if library.is_file() and not library.is_symlink():
                subprocess.run(["strip", "--strip-unneeded", str(library)], check=False, stderr=subprocess.DEVNULL)


def bytes_of(path: Path) -> int:
    """Bytes of a file, or of every file below a folder, links not followed."""
    if path.is_file():
        return path.stat().st_size
    return sum(file.lstat().st_size for file in path.rglob("*") if file.is_file() and not file.is_symlink())


def megabytes(path: Path) -> int:
    return round(bytes_of(path) / 1e6)


def tar(bundle: Path, out: Path) -> Path:
    """The tree as `cutaway-linux-x86_64.tar.zst`, reproducible: sorted, without owners or times of this build."""
    archive = out / "cutaway-linux-x86_64.tar.zst"
    archive.unlink(missing_ok=True)
    command = ["tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"]
    command += ["-I", "zstd -10 -T0", "-cf", str(archive), "-C", str(bundle.parent), bundle.name]
    subprocess.run(command, check=True)
    return archive


def draw_icon(target: Path, size: int) -> Path:
    """The program's icon as a bitmap (`.png` or `.ico`), drawn from its SVG."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(ICON)).render(painter)
    painter.end()
    target.parent.mkdir(parents=True, exist_ok=True)
    if not image.save(str(target)):
        raise OSError(f"the icon could not be written to {target}")
    return target
