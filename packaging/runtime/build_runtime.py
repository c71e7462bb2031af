"""Build a llama.cpp runtime from the pinned sdist: one folder of libraries with a manifest of their hashes.

The libraries that pip builds are tuned to the build machine and die with SIGILL on an older CPU. These are not:
each CPU variant is a library of its own, and the best one that the CPU can run is chosen when they are loaded.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSION = "0.3.36"
CPU_VARIANTS = ("x64", "sse42", "haswell", "icelake", "alderlake", "zen4")
"""The x86 variants that are shipped. The ones with AMX are left out: GCC before 13 makes code of it that crashes."""

SHARED = {"linux": ".so", "darwin": ".dylib", "win32": ".dll"}[sys.platform]


def build_runtime(out: Path, *, cmake: str, ninja: str, extra: tuple[str, ...] = (), name: str = "cpu") -> Path:
    """Compile and collect the runtime into `out/NAME`; answers that folder. An existing one is kept."""
    target = out / f"{name}-{VERSION}"
    if (target / "runtime.json").exists():
        return target
    source = fetch_source(out / "source")
    build = out / f"build-{name}-{VERSION}"
    configure(cmake, ninja, source, build, extra)
    subprocess.run([cmake, "--build", str(build), "--parallel", str(os.cpu_count() or 2)], check=True)
    collect(build, target)
    write_manifest(target, name, source)
    return target


def fetch_source(folder: Path) -> Path:
    """The llama.cpp tree of the pinned sdist."""
    found = next(iter(folder.glob("llama_cpp_python-*/vendor/llama.cpp")), None)
    if found:
        return found
    folder.mkdir(parents=True, exist_ok=True)
    requirement = f"llama-cpp-python=={VERSION}"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "llama-cpp-python"]
    subprocess.run([*command, "--dest", str(folder), requirement], check=True)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        if hasattr(tarfile, "data_filter"):  # Python 3.11.4 and newer; Debian 12 has 3.11.2
            archive.extractall(folder, filter="data")
        else:
            archive.extractall(folder)
    return next(folder.glob("llama_cpp_python-*/vendor/llama.cpp"))


def configure(cmake: str, ninja: str, source: Path, build: Path, extra: tuple[str, ...]) -> None:
    lines = (HERE / "options.txt").read_text(encoding="utf-8").splitlines()
    options = [line for line in lines if line and not line.startswith("#")]
    generator = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={ninja}"]
    subprocess.run([cmake, "-S", str(source), "-B", str(build), *generator, *options, *extra], check=True)


def collect(build: Path, target: Path) -> None:
    """Copy each library once under the name it is loaded by, stripped; the plain name is a link to it."""
    staging = target.with_name(target.name + ".part")
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir(parents=True)
    for library in sorted((build / "bin").glob(f"*{SHARED}*")):
        if library.is_symlink():
            continue
        if not is_shipped(library.name):
            continue
        plain = library.name[: library.name.index(SHARED) + len(SHARED)]
        loaded_by = soname(library) or plain
        shutil.copy2(library, staging / loaded_by)
        if sys.platform == "linux":
            subprocess.run(["strip", "--strip-unneeded", str(staging / loaded_by)], check=True)
        if loaded_by != plain:
            (staging / plain).symlink_to(loaded_by)
    if not any(staging.glob(f"*llama{SHARED}*")):
        raise FileNotFoundError(f"no llama library was built in {build / 'bin'}")
    shutil.rmtree(target, ignore_errors=True)
    staging.rename(target)


def is_shipped(name: str) -> bool:
    variant = re.match(r"(?:lib)?ggml-cpu-([a-z0-9]+)\.", name)
    return variant is None or platform.machine() not in ("x86_64", "AMD64") or variant[1] in CPU_VARIANTS


def soname(library: Path) -> str | None:
    if sys.platform != "linux":
        return None
    done = subprocess.run(["readelf", "-d", str(library)], capture_output=True, text=True, check=True)
    found = re.search(r"SONAME.*\[(.+)\]", done.stdout)
    return found[1] if found else None


def write_manifest(target: Path, name: str, source: Path) -> None:
    files = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(target.iterdir())
        if path.is_file() and not path.is_symlink()
    }
    backends = sorted(
        {match[1] for file in files if (match := re.match(r"(?:lib)?ggml-(cpu|cuda|vulkan|metal|hip|blas)", file))}
    )
    manifest = {
        "id": f"{name}-{VERSION}",
        "os": sys.platform,
        "arch": platform.machine(),
        "llama_cpp_python": VERSION,
        "backends": backends,
        "min_glibc": lowest_glibc(target) if sys.platform == "linux" else None,
        "files": files,
    }
    (target / "runtime.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    shutil.copy2(source / "LICENSE", target / "LICENSE.llama.cpp")


def lowest_glibc(target: Path) -> str:
    """The newest glibc symbol version that any of the libraries needs."""
    needed = {(2, 17)}
    for library in target.glob(f"*{SHARED}*"):
        done = subprocess.run(["objdump", "-T", str(library)], capture_output=True, text=True, check=True)
        needed |= {(int(a), int(b)) for a, b in re.findall(r"GLIBC_(\d+)\.(\d+)", done.stdout)}
    return "{}.{}".format(*max(needed))
