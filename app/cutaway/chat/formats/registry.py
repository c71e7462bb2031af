"""Every format by name, and the one that a template shows."""

from __future__ import annotations

from functools import cache

from cutaway.chat.formats import (
    apertus,
    cohere,
    deepseek,
    functionary,
    gemma,
    gigachat,
    glm,
    gpt_oss,
    granite,
    hermes,
    hunyuan,
    invoke,
    kimi,
    lfm,
    ling,
    llama,
    minicpm,
    minimax,
    mistral,
    muse,
    qwen_coder,
    solar,
)
from cutaway.chat.formats.format import PLAIN, Format
from cutaway.chat.formats.handwritten import Handwritten

_FAMILIES = (
    gpt_oss,
    muse,
    functionary,
    kimi,
    ling,
    cohere,
    lfm,
    gigachat,
    minimax,
    deepseek,
    gemma,
    minicpm,
    mistral,
    qwen_coder,
    solar,
    apertus,
    granite,
    hunyuan,
    llama,
    glm,
    invoke,
    hermes,
)
"""Where two formats are shown by one source, the family that stands first here is meant."""


def handwritten() -> tuple[Handwritten, ...]:
    """All of them, the ones that are asked first in front."""
    return tuple(entry for family in _FAMILIES for entry in family.FORMATS)


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
