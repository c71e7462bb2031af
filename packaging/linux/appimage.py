"""An AppImage: the tree as a squashfs behind a small runtime that mounts it.

The runtime is not ours and not in Debian; give the path of a current static type-2 runtime. Without one nothing is
built: a release does not hang on a file found somewhere.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ID = "io.github.cutaway.Cutaway"

APP_RUN = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
exec "$here/usr/lib/cutaway/cutaway" "$@"
"""


def build(bundle: Path, out: Path, runtime: Path | None) -> Path:
    if runtime is None or not runtime.is_file():
        raise FileNotFoundError("An AppImage needs a type-2 runtime: give its path with --appimage-runtime.")
    folder = lay_out(bundle, out / "AppDir")
    image = out / "cutaway.squashfs"
    image.unlink(missing_ok=True)
    command = ["mksquashfs", str(folder), str(image), "-root-owned", "-noappend", "-comp", "gzip", "-quiet"]
    subprocess.run(command, check=True)
    target = out / "Cutaway-x86_64.AppImage"
    with target.open("wb") as file:
        for part in (runtime, image):
            with part.open("rb") as source:
                shutil.copyfileobj(source, file)
    target.chmod(0o755)
    image.unlink()
    return target


def lay_out(bundle: Path, folder: Path) -> Path:
    """The AppDir: the tree, the entry point, the desktop file and icon at its top."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(bundle, folder / "usr" / "lib" / "cutaway", symlinks=True)
    (folder / "AppRun").write_text(APP_RUN, encoding="utf-8")
    (folder / "AppRun").chmod(0o755)
    shutil.copy2(HERE / f"{ID}.desktop", folder)
    shutil.copy2(ROOT / "resources/icons/cutaway.svg", folder / "cutaway.svg")
    return folder
