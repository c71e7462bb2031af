"""What a loaded model says of itself."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Any

from cutaway.engine.llama.library import lib

_TEMPLATE = "tokenizer.chat_template"


def metadata(model: Any) -> dict[str, str]:
    """Every scalar of the GGUF's metadata, as text. llama.cpp gives no arrays."""
    library = lib()
    found: dict[str, str] = {}
    for at in range(library.llama_model_meta_count(model)):
        key = _text(library.llama_model_meta_key_by_index, model, at)
        found[key] = _text(library.llama_model_meta_val_str_by_index, model, at)
    return found


def _text(read: Any, model: Any, at: int) -> str:
    size = 256
    while True:
        buffer = ctypes.create_string_buffer(size)
        length = int(read(model, at, buffer, size))
        if length < size:
            return buffer.value.decode("utf-8", "replace") if length >= 0 else ""
        size = length + 1


def templates(values: Mapping[str, str]) -> tuple[str | None, dict[str, str]]:
    """The default template and the named ones."""
    named = {key[len(_TEMPLATE) + 1 :]: text for key, text in values.items() if key.startswith(_TEMPLATE + ".")}
    return values.get(_TEMPLATE), named


def quantisation(model: Any) -> str:
    name = lib().llama_ftype_name(lib().llama_model_ftype(model))
    return (name or b"").decode("utf-8", "replace").removesuffix(" (guessed)")
