"""The library itself: its back ends, devices and default parameters. Loading it is what importing this module does.

With a runtime of separate back-end libraries, `load_backends` must come before anything else: left to itself,
llama.cpp searches the executable's folder and the current one, where anybody may have put a library.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from cutaway import places
from cutaway.engine import runtime

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # read once, when libgomp loads: idle threads must not spin


def _choose() -> runtime.Choice:
    """Which libraries to load. A child that tries a runtime was told which, and chooses nothing."""
    if os.environ.get("LLAMA_CPP_LIB_PATH"):
        return runtime.Choice(None)
    found = runtime.choose(places.wanted_runtime(), places.bundled_runtime(), places.cache() / "runtimes.json")
    runtime.activate(found)
    return found


CHOICE = _choose()
"""The libraries in use; its notice is for the person when they are not the ones that were asked for."""

import llama_cpp  # noqa: E402
from llama_cpp import _ggml  # noqa: E402


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
    found = (name(get(index)).decode("utf-8", "replace") for index in range(count()))
    return list(dict.fromkeys(found))  # each library that was tried may have registered the same device


def default_params() -> dict[str, ctypes.Structure]:
    return {
        "context": llama_cpp.llama_context_default_params(),
        "model": llama_cpp.llama_model_default_params(),
    }


if CHOICE.runtime is not None:
    load_backends(CHOICE.runtime.folder)
