"""Where a model can run: what the installed llama.cpp offers, and what the machine has that it cannot use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

DeviceKind: TypeAlias = Literal["cpu", "gpu", "integrated", "accelerator"]


@dataclass(frozen=True, slots=True)
class Device:
    name: str
    """llama.cpp's, e.g. `CPU`, `CUDA0`, `Vulkan0`, `Metal`."""
    description: str
    kind: DeviceKind
    memory_free: int = 0
    """Bytes; 0 where the device does not tell."""
    memory_total: int = 0
