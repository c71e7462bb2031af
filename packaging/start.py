#!/usr/bin/env python3
"""From a fresh clone to a window: `python3 packaging/start.py`. To passed tests: `python3 packaging/start.py test`.

Needs Python 3.11 or newer and the package indexes, nothing else. What it does, each step only when it is missing:
system packages (Qt's libraries, a C++ compiler, venv), the environment `.venv`, llama-cpp-python built from source
(its wheel is kept), the program's other packages in the versions of `constraints.txt`, the default model.
Standard library only, since nothing is installed when it runs.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
CONSTRAINTS = ROOT / "packaging" / "constraints.txt"
LLAMA_STAMP = VENV / ".llama-options"
LLAMA = "llama-cpp-python==0.3.36"
LLAMA_OPTIONS = ["-DLLAVA_BUILD=OFF"]
"""Images are not read yet: the multimodal library, a third of the build, is left out."""
REAL_WINDOW = "tests/journeys/test_window_real_model.py"
NO_AMX = "-mno-amx-tile -mno-amx-int8 -mno-amx-bf16"
"""GCC before 13 makes AMX code of ggml that ends the process at the first batch."""

# A library that must load -> the Debian package that brings it. Checked by loading, so any distribution counts.
QT_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
}
FONTS = {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf": "fonts-dejavu-core"}
TEST_PROGRAMS = {
    "Xvfb": "xvfb",
    "xauth": "xauth",
    "desktop-file-validate": "desktop-file-utils",
    "appstreamcli": "appstream",
    "objdump": "binutils",
    "c++": "g++",
}


class StartError(Exception):
    """The set-up cannot go on. The message says why and what to do."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", nargs="?", choices=["run", "test", "setup"], default="run")
    parser.add_argument("rest", nargs="*", help="handed to cutaway, or to pytest")
    chosen, extra = parser.parse_known_args()
    try:
        set_up(for_tests=chosen.action == "test")
        if chosen.action == "test":
            return test(chosen.rest + extra)
        return run(chosen.rest + extra) if chosen.action == "run" else 0
    except StartError as error:
        print(f"\ncutaway: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        return 130


def set_up(*, for_tests: bool) -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever runs this may have an older Python
        raise StartError(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
    install_system_packages(missing_system_packages(for_tests=for_tests))
    make_environment()
    install_llama()
    install_cutaway(for_tests=for_tests)
    fetch_model()


# -- System packages -------------------------------------------------------------------------------


def missing_system_packages(*, for_tests: bool) -> list[str]:
    """Debian names of what this machine lacks; empty on systems whose Qt brings all it needs."""
    if not sys.platform.startswith("linux"):
        return []
    missing = [package for library, package in QT_LIBRARIES.items() if not _loads(library)]
    missing += [package for path, package in FONTS.items() if not _has_fonts(path)]
    if not (importlib.util.find_spec("venv") and importlib.util.find_spec("ensurepip")):
        missing.append(f"python{sys.version_info.major}.{sys.version_info.minor}-venv")
    if not llama_is_ready() and not kept_wheel():
        missing += [package for program, package in {"c++": "g++", "make": "make"}.items() if not shutil.which(program)]
    if for_tests:
        missing += [package for program, package in TEST_PROGRAMS.items() if not shutil.which(program)]
    return missing


def install_system_packages(packages: list[str]) -> None:
    if not packages:
        return
    wanted = " ".join(packages)
    if not shutil.which("apt-get"):
        raise StartError(
            f"These are missing (named as Debian names them): {wanted}. "
            "Install them with your system's package manager and run this again."
        )
    prefix = [] if os.geteuid() == 0 else _as_root(wanted)
    say(f"Installing system packages: {wanted}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = [*prefix, "apt-get", "install", "-y", "--no-install-recommends", *packages]
    call([*prefix, "apt-get", "update", "-q"], env=environment)
    call(install, env=environment)


def _as_root(wanted: str) -> list[str]:
    if not shutil.which("sudo"):
        raise StartError(f"System packages are missing. As root, run: apt-get install {wanted}. Then run this again.")
    say("Root is needed once, for system packages; sudo may ask for your password.")
    return ["sudo"]


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_fonts(path: str) -> bool:
    if Path(path).exists():
        return True
    folders = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts"]
    return any(next(folder.rglob("*.[to]tf"), None) for folder in folders if folder.is_dir())


# -- The environment -------------------------------------------------------------------------------


def make_environment() -> None:
    if not (BIN / "python").exists() and not (BIN / "python.exe").exists():
        say("Making the environment in .venv")
        call([sys.executable, "-m", "venv", str(VENV)])
    if installed("pip") < (23, 1):
        pip("install", "--upgrade", "pip")


def installed(package: str) -> tuple[int, ...]:
    """The package's version in the environment as numbers; empty when it is not there."""
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    done = subprocess.run([python(), "-c", code], capture_output=True, text=True, check=False)
    return tuple(int(part) for part in re.findall(r"\d+", done.stdout.strip())[:3]) if done.returncode == 0 else ()


def python() -> str:
    return str(BIN / ("python.exe" if os.name == "nt" else "python"))


def pip(*arguments: str) -> None:
    call([python(), "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments])


# -- llama.cpp -------------------------------------------------------------------------------------


def wheels() -> Path:
    """Where the built wheel is kept, outside the tree so that another clone finds it."""
    named = os.environ.get("CUTAWAY_WHEELS")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = Path(named) if named else cache / "cutaway" / "wheels"
    return folder / hashlib.sha256(llama_options().encode()).hexdigest()[:12]


def llama_options() -> str:
    """What llama.cpp is built with: ours, and the person's CMAKE_ARGS (e.g. `-DGGML_CUDA=on`)."""
    options = [*LLAMA_OPTIONS]
    if platform.machine() == "x86_64" and 0 < _gcc() < 13:
        options += [f"-DCMAKE_C_FLAGS='{NO_AMX}'", f"-DCMAKE_CXX_FLAGS='{NO_AMX}'"]
    return " ".join([*options, os.environ.get("CMAKE_ARGS", "")]).strip()


def _gcc() -> int:
    """The compiler's major version where it is GCC; 0 where it is another or none."""
    try:
        done = subprocess.run(["c++", "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return 0
    found = re.search(r"\) (\d+)\.", done.stdout) if "Free Software" in done.stdout else None
    return int(found[1]) if found else 0


def kept_wheel() -> Path | None:
    version = LLAMA.partition("==")[2]
    return next(iter(sorted(wheels().glob(f"llama_cpp_python-{version}-*.whl"))), None)


def llama_is_ready() -> bool:
    """Whether the environment has llama.cpp as it would be built now."""
    if not Path(python()).exists() or not LLAMA_STAMP.exists():
        return False
    wanted = tuple(int(part) for part in LLAMA.partition("==")[2].split("."))
    return LLAMA_STAMP.read_text(encoding="utf-8") == llama_options() and installed("llama-cpp-python") == wanted


def install_llama() -> None:
    if llama_is_ready():
        return
    wheel = kept_wheel() or build_llama()
    pip("install", "--force-reinstall", "--no-deps", str(wheel))
    LLAMA_STAMP.write_text(llama_options(), encoding="utf-8")


def build_llama() -> Path:
    """Build the wheel from source, tuned to this machine, and keep it under its options."""
    say(f"Building llama.cpp ({LLAMA}): about 11 minutes on two cores, once. The result is kept in {wheels()}.")
    wheels().mkdir(parents=True, exist_ok=True)
    command = [python(), "-m", "pip", "wheel", "--verbose", "--no-deps", "--no-cache-dir", "-w", str(wheels()), LLAMA]
    log = wheels() / "build.log"
    failed = _watch(command, log, {**os.environ, "CMAKE_ARGS": llama_options()})
    wheel = kept_wheel()
    if failed or wheel is None:
        tail = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])
        raise StartError(f"llama.cpp could not be built. The whole log is {log}; its end:\n{tail}")
    return wheel


def _watch(command: list[str], log: Path, environment: dict[str, str]) -> int:
    """Run a build, its output in `log`, one line of progress on the screen. Answers the exit status."""
    began = time.monotonic()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    assert process.stdout is not None
    shown = 0.0
    with log.open("w", encoding="utf-8") as file:
        for line in process.stdout:
            file.write(line)
            step = re.search(r"\[\s*(\d+)/(\d+)\]", line) or re.search(r"\[\s*(\d+)%\]()", line)
            if step and (time.monotonic() - shown > (1 if sys.stdout.isatty() else 20)):
                shown = time.monotonic()
                _progress(step, shown - began)
    if sys.stdout.isatty():
        print()
    return process.wait()


def _progress(step: re.Match[str], seconds: float) -> None:
    done = f"step {step[1]} of {step[2]}" if step[2] else f"{step[1]} %"
    line = f"  {done}, {int(seconds) // 60}:{int(seconds) % 60:02d} so far"
    print(f"\r{line}   " if sys.stdout.isatty() else line, end="" if sys.stdout.isatty() else "\n", flush=True)


# -- The program -----------------------------------------------------------------------------------


def install_cutaway(*, for_tests: bool) -> None:
    stamp = VENV / f".installed-{'test' if for_tests else 'run'}"
    wanted = (ROOT / "pyproject.toml").read_text(encoding="utf-8") + CONSTRAINTS.read_text(encoding="utf-8")
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    say("Installing the program's packages")
    target = f"{ROOT}[dev]" if for_tests else str(ROOT)
    pip("install", "--constraint", str(CONSTRAINTS), "--editable", target)
    stamp.write_text(wanted, encoding="utf-8")


def fetch_model() -> None:
    say("Looking for the default model (SmolLM2-135M-Instruct, 98 MB, fetched once)")
    call([python(), "-m", "cutaway.default_model"])


def run(arguments: list[str]) -> int:
    cutaway = str(BIN / "cutaway")
    if has_display():
        return subprocess.call([cutaway, *arguments])
    say("There is no display here, so no window can be shown: running `cutaway selftest` instead.")
    return subprocess.call([cutaway, "selftest", *arguments])


def has_display() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def test(arguments: list[str]) -> int:
    say("Fetching the tests' data")
    call([python(), str(ROOT / "tests" / "support" / "assets.py")])
    pytest = [python(), "-m", "pytest"]
    if arguments:
        return subprocess.call([*pytest, *arguments], cwd=ROOT)
    # The window's tests in a process of their own: Qt's event queue must not outlive the loops of other tests. It runs
    # beside the others, but for the journey that loads a model: two engines at once take ten times as long.
    window = ["tests/ui", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("tests/journeys/test_window*.py"))]
    with tempfile.TemporaryFile() as said:
        beside = subprocess.Popen(
            [*pytest, *window, f"--ignore={REAL_WINDOW}", "-p", "no:cacheprovider"],
            cwd=ROOT,
            stdout=said,
            stderr=subprocess.STDOUT,
        )
        status = subprocess.call([*pytest, *(f"--ignore={path}" for path in window)], cwd=ROOT)
        status = beside.wait() or status
        said.seek(0)
        say(said.read().decode("utf-8", "replace"))
    return subprocess.call([*pytest, REAL_WINDOW], cwd=ROOT) or status


def say(text: str) -> None:
    print(text, flush=True)


def call(command: list[str], env: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, env=env, check=False)
    if done.returncode:
        raise StartError(f"`{' '.join(command)}` failed with status {done.returncode}; its own words are above.")


if __name__ == "__main__":
    sys.exit(main())
