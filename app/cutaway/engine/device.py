"""Where a model can run: what the installed llama.cpp offers, and what the machine has that it cannot use."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

Vendor: TypeAlias = Literal["NVIDIA", "AMD", "Intel", "Apple"]
DeviceKind: TypeAlias = Literal["cpu", "gpu", "integrated", "accelerator"]
REQUIREMENT = "llama-cpp-python==0.3.36"
_VENDORS: Mapping[str, Vendor] = {"0x10de": "NVIDIA", "0x1002": "AMD", "0x8086": "Intel"}


@dataclass(frozen=True, slots=True)
class Device:
    name: str
    """llama.cpp's, e.g. `CPU`, `CUDA0`, `Vulkan0`, `Metal`."""
    description: str
    kind: DeviceKind
    memory_free: int = 0
    """Bytes; 0 where the device does not tell."""
    memory_total: int = 0


@dataclass(frozen=True, slots=True)
class Hardware:
    """A graphics card that the machine has, whether or not llama.cpp can use it."""

    vendor: Vendor
    name: str = ""


def find_hardware(cards: Path = Path("/sys/class/drm")) -> list[Hardware]:
    """Graphics cards, as far as the system tells without a driver of ours. Takes up to a second."""
    if sys.platform == "darwin":
        return [Hardware("Apple")] if os.uname().machine == "arm64" else []
    named = _nvidia_names()
    others = [vendor for vendor in _vendors(cards) if vendor != "NVIDIA" or not named]
    return [*(Hardware("NVIDIA", name) for name in named), *map(Hardware, others)]


def _nvidia_names() -> list[str]:
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    try:
        words = [program, "--query-gpu=name", "--format=csv,noheader"]
        answer = subprocess.run(words, capture_output=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    lines = answer.stdout.decode("utf-8", "replace").splitlines()
    return [line.strip() for line in lines if line.strip()] if answer.returncode == 0 else []


def _vendors(cards: Path) -> list[Vendor]:
    found: set[Vendor] = set()
    for file in cards.glob("card*/device/vendor"):
        try:
            number = file.read_text().strip().lower()
        except OSError:
            continue
        if number in _VENDORS:
            found.add(_VENDORS[number])
    return sorted(found)


def advice(offered: Sequence[Device], hardware: Sequence[Hardware]) -> str:
    """A sentence when a graphics card is there that this build cannot use, with the command that installs one that can.

    Empty when nothing is lost. Intel's built-in graphics are no faster than the processor, so they are not named.
    """
    if any(device.kind in ("gpu", "integrated") for device in offered):
        return ""
    for vendor in ("NVIDIA", "AMD", "Apple"):
        card = next((one for one in hardware if one.vendor == vendor), None)
        if card is not None:
            return (
                f"{_called(card)} is here, but the installed llama.cpp was built without {_backend(vendor)}, so models "
                f"run on the processor. To use it: {install_command(vendor)}"
            )
    return ""


def _called(card: Hardware) -> str:
    if card.vendor == "Apple":
        return "The graphics of this Mac"
    return f"The graphics card {card.name}" if card.name else f"A graphics card by {card.vendor}"


def _backend(vendor: str) -> str:
    return {"NVIDIA": "CUDA", "AMD": "Vulkan", "Apple": "Metal"}[vendor]


def install_command(vendor: str) -> str:
    """The words to type in a terminal, for the Python that runs now."""
    option = {"NVIDIA": "-DGGML_CUDA=on", "AMD": "-DGGML_VULKAN=on", "Apple": "-DGGML_METAL=on"}[vendor]
    setting = f'set "CMAKE_ARGS={option}" &&' if sys.platform == "win32" else f'CMAKE_ARGS="{option}"'
    return f"{setting} {sys.executable} -m pip install --force-reinstall --no-deps --no-cache-dir {REQUIREMENT}"
