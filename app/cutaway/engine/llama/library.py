"""llama.cpp itself: brought into the process once, with its environment set before and its log caught.

`lib()` is llama-cpp-python's low-level module. Loading takes a quarter of a second, so nothing
calls it when a module is imported.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator
from typing import Any

from cutaway.engine.llama import native

SPIN_COUNT = "30000"
"""How often libgomp's threads look again before they sleep at a barrier: a millisecond or two.

The default is ten times that, longer than the system lets a thread run when others want to: two busy programs
then wait for each other for seconds. A sleeping wait (`OMP_WAIT_POLICY=PASSIVE`) costs an idle machine four fifths
of its speed. Measured with SmolLM2-135M on two cores, decoding, of the default's speed: 3000 keeps 0.92,
10,000 0.96, 30,000 all of it; under two busy programs the longest token took 0.12 s with 3000, 0.44 s with 30,000
and 3.6 s with the default.
"""

_MALLOC = {-3: 4 << 20, -1: 8 << 20}
"""M_MMAP_THRESHOLD and M_TRIM_THRESHOLD: larger than a row of logits, so that those cost nothing."""

_log = logging.getLogger("cutaway.engine.llama")
_LEVELS = {1: logging.DEBUG, 2: logging.DEBUG, 3: logging.DEBUG, 4: logging.INFO}
_ERROR = 4
_CONTINUED = 5

_lock = threading.Lock()
_module: Any = None
_callback: Any = None
_errors: deque[str] = deque(maxlen=20)
_captures: list[list[str]] = []
_last_level = 1


class LibraryError(Exception):
    """llama.cpp's library could not be loaded. The message says what to do."""


def prepare_environment() -> None:
    """Set what libgomp and ggml read when they are loaded, not later. A person's own setting wins."""
    os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # ggml starts a debugger when it gives up
    if sys.platform == "linux" and "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", SPIN_COUNT)
    if sys.platform == "linux" and not any(name.startswith("MALLOC_") for name in os.environ):
        _limit_what_is_kept()


def _limit_what_is_kept() -> None:
    """glibc keeps the more freed memory the larger the pieces were, for each thread: 40 MB after a few models."""
    with contextlib.suppress(AttributeError, OSError):
        for option, size in _MALLOC.items():
            ctypes.CDLL(None).mallopt(option, size)


def lib() -> Any:
    """The module `llama_cpp.llama_cpp`, initialised. Raises LibraryError."""
    global _module
    with _lock:
        if _module is None:
            _module = _load()
    return _module


def _load() -> Any:
    prepare_environment()
    native.choose_libraries()
    try:
        import llama_cpp.llama_cpp as module
    except (ImportError, OSError, RuntimeError, FileNotFoundError, AttributeError) as error:
        raise LibraryError(f"llama.cpp's library could not be loaded ({error}). {_remedy()}") from error
    global _callback
    _callback = module.llama_log_callback(_on_log)
    module.llama_log_set(_callback, ctypes.c_void_p(0))
    native.load_backends()
    module.llama_backend_init()
    return module


def _remedy() -> str:
    if native.notice():
        return f"{native.notice()} Install the program again."
    return "Install llama-cpp-python again: pip install --force-reinstall --no-cache-dir llama-cpp-python==0.3.36"


def build_stamp() -> str:
    """Changes when the library does."""
    lib()
    files = sorted(native.folder().glob("*ggml-cpu*"))
    return "|".join(f"{file.name} {file.stat().st_size} {file.stat().st_mtime_ns}" for file in files)


def has_special_buffers() -> bool:
    """Whether the build keeps weights in a form of the processor's own (AMX) that some compilers get wrong."""
    return b"AMX_INT8 = 1" in lib().llama_print_system_info()


def _on_log(level: int, text: bytes | None, _user_data: object) -> None:
    """llama.cpp's log line: kept as Python logging, errors remembered for the sentence that a person reads."""
    global _last_level
    line = (text or b"").decode("utf-8", "replace").rstrip("\n")
    if level != _CONTINUED:
        _last_level = level
    if not line.strip(". "):
        return
    if _last_level == _ERROR:
        _errors.append(line)
    for capture in _captures:
        capture.append(line)
    _log.log(_LEVELS.get(_last_level, logging.DEBUG), "%s", line)


def forget_errors() -> None:
    _errors.clear()


def last_errors() -> list[str]:
    """llama.cpp's error lines since `forget_errors`, oldest first."""
    return list(_errors)


def reason(fallback: str) -> str:
    """The cause that llama.cpp logged first, without its function's name; `fallback` where it logged none."""
    for line in _errors:
        text = line.split(": ", 1)[1] if ": " in line and " " not in line.split(": ", 1)[0] else line
        if text.strip():
            return text.strip()
    return fallback


@contextlib.contextmanager
def captured_log() -> Iterator[list[str]]:
    """Every line that llama.cpp logs inside the block."""
    lines: list[str] = []
    _captures.append(lines)
    try:
        yield lines
    finally:
        _captures.remove(lines)
