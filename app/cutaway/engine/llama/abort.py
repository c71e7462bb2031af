"""Stops llama.cpp inside a batch, without a line of Python while it computes.

llama.cpp asks a function between the nodes of its graph whether to give up. A Python function
there costs a hundredfold when the machine is busy. So it is handed the C library's `strlen`, and
the address of a text: while the text is empty the answer is no.
"""

from __future__ import annotations

import ctypes
import sys
from typing import Any

from cutaway.engine.llama.library import lib


class Abort:
    """A switch that any thread may set. It belongs to one context and must outlive it."""

    def __init__(self) -> None:
        self._attached = False
        self._text = ctypes.create_string_buffer(2)
        library = ctypes.CDLL("msvcrt") if sys.platform == "win32" else ctypes.CDLL(None)
        self._callback = ctypes.cast(library.strlen, lib().ggml_abort_callback)

    def listen(self, context: Any, *, on: bool) -> None:
        """Let llama.cpp ask, or not: where a batch must not be stopped on its way."""
        if on == self._attached:
            return
        callback = self._callback if on else lib().ggml_abort_callback()
        lib().llama_set_abort_callback(context, callback, ctypes.cast(self._text, ctypes.c_void_p))
        self._attached = on

    def set(self) -> None:
        self._text[0] = b"!"

    def clear(self) -> None:
        self._text[0] = b"\0"

    @property
    def is_set(self) -> bool:
        return self._text[0] != b"\0"
