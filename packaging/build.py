#!/usr/bin/env python3
"""Build what is shipped: `python packaging/build.py runtime|bundle|deb|tar|appimage|model-deb [--out DIR]`.

From a clean tree; each step makes what it needs first. Run it with the environment's Python (`.venv/bin/python`).
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
for folder in ("runtime", "bundle", "linux", "licences"):
    sys.path.insert(0, str(HERE / folder))

import appimage as appimage_step  # noqa: E402
import build_runtime  # noqa: E402

import collect as licences  # noqa: E402
import deb as deb_step  # noqa: E402
import tree  # noqa: E402


class BuildError(Exception):
    """A step could not be done. The message says why and what to do."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["runtime", "bundle", "deb", "model-deb", "tar", "appimage"])
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--appimage-runtime", type=Path, help="the type-2 runtime that an AppImage begins with")
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    try:
        made = make(arguments.what, out, arguments.appimage_runtime)
    except (BuildError, OSError, subprocess.CalledProcessError, licences.LicenceError) as error:
        print(f"build: {error}", file=sys.stderr)
        return 1
    print(f"{made}  {tree.megabytes(made)} MB, {time.monotonic() - began:.0f} s")
    return 0


def make(what: str, out: Path, appimage_runtime: Path | None) -> Path:
    if what == "runtime":
        return runtime()
    if what == "model-deb":
        return deb_step.build_model(out)
    bundle = bundled(out)
    if what == "deb":
        return deb_step.build(bundle, out)
    if what == "tar":
        return tree.tar(bundle, out)
    if what == "appimage":
        return appimage_step.build(bundle, out, appimage_runtime)
    return bundle


def runtime() -> Path:
    """The portable CPU runtime, built once for all clones; `CUTAWAY_RUNTIME` names one that is already built."""
    named = os.environ.get("CUTAWAY_RUNTIME")
    if named:
        return Path(named)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cutaway" / "runtime"
    return build_runtime.build_runtime(cache, cmake=tool("cmake"), ninja=tool("ninja"))


def bundled(out: Path) -> Path:
    """The application tree, `out/cutaway`, made anew."""
    if importlib.util.find_spec("PyInstaller") is None:
        raise BuildError("PyInstaller is missing: `.venv/bin/pip install -c packaging/constraints.txt pyinstaller`.")
    libraries = runtime()
    environment = {**os.environ, "CUTAWAY_RUNTIME": str(libraries)}
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    command += ["--distpath", str(out), "--workpath", str(out / "pyinstaller"), str(HERE / "bundle" / "cutaway.spec")]
    subprocess.run(command, check=True, env=environment, cwd=ROOT)
    bundle = out / "cutaway"
    shutil.copytree(libraries, bundle / "lib" / "runtimes" / "cpu", symlinks=True)
    (bundle / "THIRD_PARTY_NOTICES.txt").write_text(licences.collect(), encoding="utf-8")
    shutil.copy2(ROOT / "LICENSE", bundle / "LICENSE")
    tree.strip(bundle)
    return bundle


def tool(name: str) -> str:
    """A build tool's path: beside this Python, or the system's."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if not found:
        raise BuildError(f"{name} is missing: `{sys.executable} -m pip install {name}`.")
    return found


if __name__ == "__main__":
    sys.exit(main())
