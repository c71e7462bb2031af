"""The Debian packages: the program, and the default model as one of its own, so that an update does not ship it again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import tree

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ID = "io.github.cutaway.Cutaway"

DEPENDS = (
    "libc6 (>= 2.36), libstdc++6 (>= 12), libgcc-s1, libgomp1, libglib2.0-0t64 | libglib2.0-0, libgl1, libegl1, libx11-6, "
    "libx11-xcb1, libxcb1, libdbus-1-3, libfontconfig1, libfreetype6, libwayland-client0, libwayland-cursor0, libwayland-egl1"
)
RECOMMENDS = "cutaway-model-smollm2, fonts-dejavu-core | fonts-noto-core, fonts-noto-cjk, xdg-utils, xdg-desktop-portal"

POSTRM = """#!/bin/sh
set -e
if [ "$1" = remove ] || [ "$1" = purge ]; then
  echo "Cutaway is removed. Conversations and settings stay in ~/.local/share/cutaway and ~/.config/cutaway of each user."
fi
"""

LAUNCHER = """#!/bin/sh
exec /opt/cutaway/cutaway "$@"
"""


def control(name: str, architecture: str, size: int, **fields: str) -> str:
    """A package's control file; `size` is in KiB."""
    lines = {
        "Package": name,
        "Version": version(),
        "Architecture": architecture,
        "Maintainer": "The Cutaway developers <cutaway@users.noreply.github.com>",
        "Installed-Size": str(size),
        "Section": "science",
        "Priority": "optional",
        **fields,
    }
    return "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in lines.items())


def version() -> str:
    sys.path.insert(0, str(ROOT / "app"))
    from cutaway import __version__

    return __version__


def build(bundle: Path, out: Path) -> Path:
    """`cutaway_VERSION_amd64.deb`: the tree in /opt, a launcher, the desktop's files."""
    stage = out / "deb"
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(bundle, stage / "opt" / "cutaway", symlinks=True)
    _write(stage / "usr/bin/cutaway", LAUNCHER, 0o755)
    _copy(HERE / f"{ID}.desktop", stage / "usr/share/applications")
    _copy(HERE / f"{ID}.metainfo.xml", stage / "usr/share/metainfo")
    _copy(HERE / "cutaway-mime.xml", stage / "usr/share/mime/packages")
    _copy(ROOT / "resources/icons/cutaway.svg", stage / "usr/share/icons/hicolor/scalable/apps")
    tree.draw_icon(stage / "usr/share/icons/hicolor/256x256/apps/cutaway.png", 256)
    _copy(ROOT / "LICENSE", stage / "usr/share/doc/cutaway", "copyright")
    _write(stage / "DEBIAN/postrm", POSTRM, 0o755)
    _write(stage / "usr/share/lintian/overrides/cutaway", (HERE / "lintian-overrides").read_text(encoding="utf-8"))
    fields = {"Depends": DEPENDS, "Recommends": RECOMMENDS, "Suggests": "libvulkan1, mesa-vulkan-drivers"}
    fields["Description"] = (
        "chat with local GGUF models and see every stage of a turn\n"
        " Cutaway runs models on your own machine and shows the rendered prompt coloured by\n"
        " where each character came from, the token stream, the parsed reply and the use of\n"
        " the KV cache.\n"
        " .\n"
        " Conversations and settings live in your home folder; removing the package leaves them."
    )
    return _pack(stage, out / f"cutaway_{version()}_amd64.deb", control("cutaway", "amd64", _kib(stage), **fields))


def build_model(out: Path) -> Path:
    """`cutaway-model-smollm2_VERSION_all.deb`: one file that the program finds by itself."""
    sys.path.insert(0, str(ROOT / "app"))
    from cutaway import default_model

    stage = out / "model-deb"
    shutil.rmtree(stage, ignore_errors=True)
    model = default_model.fetch(out / "model")
    _copy(model, stage / "usr/share/cutaway/models")
    fields = {
        "Description": "SmolLM2-135M-Instruct (Apache-2.0), the model that Cutaway starts with\n"
        " A small instruction-tuned language model in GGUF form, 98 MB."
    }
    made = control("cutaway-model-smollm2", "all", _kib(stage), **fields)
    return _pack(stage, out / f"cutaway-model-smollm2_{version()}_all.deb", made, level="0")


def _pack(stage: Path, target: Path, control_file: str, level: str = "10") -> Path:
    _write(stage / "DEBIAN/control", control_file)
    for path in stage.rglob("*"):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    method = (
        ["-Znone"] if level == "0" else ["-Zzstd" if _knows_zstd() else "-Zxz", f"-z{level if _knows_zstd() else 3}"]
    )
    subprocess.run(["dpkg-deb", "--root-owner-group", *method, "--build", str(stage), str(target)], check=True)
    shutil.rmtree(stage)
    return target


def _knows_zstd() -> bool:
    """Debian's dpkg reads zstd from version 1.21.18 on (Debian 12); Ubuntu's since long."""
    done = subprocess.run(["dpkg-deb", "--help"], capture_output=True, text=True, check=False)
    return "zstd" in done.stdout


def _kib(stage: Path) -> int:
    return tree.bytes_of(stage) // 1024


def _copy(source: Path, folder: Path, name: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, folder / (name or source.name))
    os.chmod(folder / (name or source.name), 0o644)


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
