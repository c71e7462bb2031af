"""The devices that the loaded llama.cpp build offers, through ggml's registry."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from typing import Any

import psutil

from cutaway.engine.backend import LoadError
from cutaway.engine.device import Device, DeviceKind, advice, find_hardware
from cutaway.engine.llama import native
from cutaway.engine.llama.library import lib

_KINDS: dict[int, DeviceKind] = {0: "cpu", 1: "gpu", 2: "integrated", 3: "accelerator"}
_typed: Any = None


def _ggml() -> Any:
    """libggml with the types of the functions used here."""
    global _typed
    if _typed is None:
        lib()
        library = native.ggml()
        for name, result, arguments in (
            ("ggml_backend_dev_count", ctypes.c_size_t, []),
            ("ggml_backend_dev_get", ctypes.c_void_p, [ctypes.c_size_t]),
            ("ggml_backend_dev_name", ctypes.c_char_p, [ctypes.c_void_p]),
            ("ggml_backend_dev_description", ctypes.c_char_p, [ctypes.c_void_p]),
            ("ggml_backend_dev_type", ctypes.c_int, [ctypes.c_void_p]),
        ):
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        size = ctypes.POINTER(ctypes.c_size_t)
        library.ggml_backend_dev_memory.restype = None
        library.ggml_backend_dev_memory.argtypes = [ctypes.c_void_p, size, size]
        _typed = library
    return _typed


def _handles() -> list[int]:
    ggml = _ggml()
    return [ggml.ggml_backend_dev_get(at) for at in range(ggml.ggml_backend_dev_count())]


def _name(handle: int) -> str:
    return (_ggml().ggml_backend_dev_name(handle) or b"").decode("utf-8", "replace")


def list_devices() -> list[Device]:
    """In ggml's order: GPUs first as a rule, the CPU last."""
    ggml = _ggml()
    found = []
    for handle in _handles():
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        ggml.ggml_backend_dev_memory(handle, ctypes.byref(free), ctypes.byref(total))
        description = (ggml.ggml_backend_dev_description(handle) or b"").decode("utf-8", "replace")
        kind = _KINDS.get(ggml.ggml_backend_dev_type(handle), "accelerator")
        unused = psutil.virtual_memory().available if kind == "cpu" else free.value  # ggml calls all of it free.
        found.append(Device(_name(handle), description, kind, unused, total.value))
    return found


@functools.cache
def notices() -> tuple[str, ...]:
    """What a person should know about where models run here; looked up once, which takes up to a second."""
    offered = list_devices()
    only_cpu = all(device.kind == "cpu" for device in offered)
    found = (advice(offered, find_hardware()) if only_cpu else "", native.notice())
    return tuple(sentence for sentence in found if sentence)


def device_handles(names: Sequence[str]) -> Any:
    """A NULL-terminated array of the named devices for llama.cpp; None for its own choice. Raises LoadError."""
    if not names:
        return None
    known = {_name(handle): handle for handle in _handles()}
    for name in names:
        if name not in known:
            raise LoadError(f"There is no device {name!r}; this llama.cpp offers {', '.join(known)}. Choose another.")
    wanted = [known[name] for name in names if name != "CPU"]
    return (ctypes.c_void_p * (len(wanted) + 1))(*wanted, None)
