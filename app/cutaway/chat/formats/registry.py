"""Every format by name, and the one that a template shows."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from cutaway.chat import formats
from cutaway.chat.formats.format import PLAIN, Format
from cutaway.chat.formats.handwritten import Handwritten

_FIRST = (
    "gpt_oss",
    "muse",
    "functionary",
    "kimi",
    "ling",
    "cohere",
    "lfm",
    "gigachat",
    "minimax",
    "deepseek",
    "gemma",
    "minicpm",
    "mistral",
    "qwen_coder",
)
"""Where two formats are shown by one source, the family that comes first here is meant."""

_NO_FORMATS = frozenset({"format", "handwritten", "registry"})


@cache
def handwritten() -> tuple[Handwritten, ...]:
    """All of them, the ones that are asked first in front."""
    names = [module.name for module in pkgutil.iter_modules(formats.__path__) if module.name not in _NO_FORMATS]
    order = sorted(names, key=lambda name: (_FIRST.index(name) if name in _FIRST else len(_FIRST), name))
    found: list[Handwritten] = []
    for name in order:
        found.extend(importlib.import_module(f"cutaway.chat.formats.{name}").FORMATS)
    return tuple(found)


@cache
def by_name() -> dict[str, Handwritten]:
    return {entry.name: entry for entry in handwritten()}


def named(name: str, source: str = "") -> Format | None:
    """The format of that name, as the template needs it; None where there is none."""
    if name == PLAIN.name:
        return PLAIN
    entry = by_name().get(name)
    return entry.build(source) if entry else None


def choose(source: str, certain_only: bool = True) -> Format | None:
    """The format that the template's source shows; None where it shows none.

    `certain_only`: only those that are better than what can be derived from such a template.
    """
    for entry in handwritten():
        if (entry.certain or not certain_only) and entry.is_shown_by(source):
            return entry.build(source)
    return None
