"""The library itself: its back ends, devices and default parameters. Loading it is what importing this module does.

With a runtime of separate back-end libraries, `load_backends` must come before anything else: left to itself,
llama.cpp searches the executable's folder and the current one, where anybody may have put a library.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # read once, when libgomp loads: idle threads must not spin

import llama_cpp
from llama_cpp import _ggml


def load_backends(folder: Path) -> None:
    """Load the best library of each kind of back end in `folder`, by absolute path."""
    load = _ggml.libggml.ggml_backend_load_all_from_path
    load.argtypes, load.restype = [ctypes.c_char_p], None
    load(os.fsencode(folder.resolve()))


def device_names() -> list[str]:
    """Names of the devices that the loaded back ends offer, e.g. `CPU`, `CUDA0`."""
    library = _ggml.libggml
    count, get, name = library.ggml_backend_dev_count, library.ggml_backend_dev_get, library.ggml_backend_dev_name
    count.argtypes, count.restype = [], ctypes.c_size_t
    get.argtypes, get.restype = [ctypes.c_size_t], ctypes.c_void_p
    name.argtypes, name.restype = [ctypes.c_void_p], ctypes.c_char_p
    return [name(get(index)).decode("utf-8", "replace") for index in range(count())]


def default_params() -> dict[str, ctypes.Structure]:
    return {
        "context": llama_cpp.llama_context_default_params(),
        "model": llama_cpp.llama_model_default_params(),
    }
