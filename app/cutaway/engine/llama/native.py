"""Which llama.cpp libraries the process loads, and what they offer.

With a runtime of separate back-end libraries, `load_backends` must come before anything else: left to itself,
llama.cpp searches the executable's folder and the current one, where anybody may have put a library.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from cutaway import places
from cutaway.engine import runtime

_choice: runtime.Choice | None = None


def choose_libraries() -> runtime.Choice:
    """The runtime that is wanted, made ready for the import of llama_cpp; once in a process.

    A child that tries a runtime was told which by `LLAMA_CPP_LIB_PATH`, and chooses nothing.
    """
    global _choice
    if _choice is None:
        if os.environ.get("LLAMA_CPP_LIB_PATH"):
            _choice = runtime.Choice(None)
        else:
            memory = places.cache() / "runtimes.json"
            _choice = runtime.choose(places.wanted_runtime(), places.bundled_runtime(), memory)
            runtime.activate(_choice)
    return _choice


def notice() -> str:
    """A sentence for the person when the libraries in use are not the ones that were asked for."""
    return _choice.notice if _choice else ""


def load_backends() -> None:
    """Load the best library of each kind of back end of the active runtime, by absolute path."""
    folder = os.environ.get("LLAMA_CPP_LIB_PATH")
    if not folder:
        return
    load = ggml().ggml_backend_load_all_from_path
    load.argtypes, load.restype = [ctypes.c_char_p], None
    load(os.fsencode(Path(folder).resolve()))


def device_names() -> list[str]:
    """Names of the devices that the loaded back ends offer, e.g. `CPU`, `CUDA0`."""
    library = ggml()
    count, get, name = library.ggml_backend_dev_count, library.ggml_backend_dev_get, library.ggml_backend_dev_name
    count.argtypes, count.restype = [], ctypes.c_size_t
    get.argtypes, get.restype = [ctypes.c_size_t], ctypes.c_void_p
    name.argtypes, name.restype = [ctypes.c_void_p], ctypes.c_char_p
    found = (name(get(index)).decode("utf-8", "replace") for index in range(count()))
    return list(dict.fromkeys(found))  # each library that was tried may have registered the same device


def default_params() -> dict[str, ctypes.Structure]:
    import llama_cpp.llama_cpp as module

    return {
        "context": module.llama_context_default_params(),
        "model": module.llama_model_default_params(),
    }


def folder() -> Path:
    """Where the libraries in use are."""
    import llama_cpp.llama_cpp as module

    return Path(os.environ.get("LLAMA_CPP_LIB_PATH") or Path(module.__file__).parent / "lib")


def ggml() -> ctypes.CDLL:
    """ggml's own library, the copy that libllama is linked with. (llama_cpp's `_ggml` knows the wheel's only.)"""
    from llama_cpp._ctypes_extensions import load_shared_library

    library: ctypes.CDLL = load_shared_library("ggml", folder())
    return library
