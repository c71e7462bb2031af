"""llama.cpp's built-in renderings of some fifty known templates, without Jinja (`llama_chat_apply_template`)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from cutaway.engine.llama.library import lib


def apply_legacy(template: str, messages: Sequence[tuple[str, str]], *, add_generation_prompt: bool) -> str | None:
    """The prompt of (role, content) pairs; None where llama.cpp doesn't recognise the template.

    Text ends at a NUL character, because C strings do. Raises `LibraryError` where llama.cpp can't be loaded.
    """
    llama = lib()
    pairs = [(_c(role), _c(content)) for role, content in messages]
    chat = (llama.llama_chat_message * len(pairs))(*(llama.llama_chat_message(*pair) for pair in pairs))
    room = 1024 + 2 * sum(len(role) + len(content) for role, content in pairs)
    for _ in range(2):
        buffer = ctypes.create_string_buffer(room)
        size = llama.llama_chat_apply_template(_c(template), chat, len(pairs), add_generation_prompt, buffer, room)
        if size < 0:
            return None
        if size <= room:
            return buffer.raw[:size].decode("utf-8", "replace")
        room = size + 1
    return None


def _c(text: str) -> bytes:
    return text.replace("\0", "").encode("utf-8", "replace")
