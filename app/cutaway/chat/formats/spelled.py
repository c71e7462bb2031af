"""What a format spells: every text that it writes around values, from which a vocabulary's markers are known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from cutaway.chat.formats.format import Format

_ABOUT = frozenset({"name", "notes"})


def spelled(format: Format) -> tuple[str, ...]:
    """The texts of the format's markers, each once; its name and notes are about it and not among them."""
    parts = (getattr(format, one.name) for one in fields(format) if one.name not in _ABOUT)
    return tuple(dict.fromkeys(text for part in parts for text in _texts(part)))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        if value.strip():
            yield value
    elif isinstance(value, tuple):
        yield from (text for one in value for text in _texts(one))
    elif is_dataclass(value):
        yield from (text for one in fields(value) for text in _texts(getattr(value, one.name)))
