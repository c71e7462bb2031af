"""What a generation prompt leaves of the reasoning: nothing, an opener, a whole block, or a closer alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Prefill: TypeAlias = Literal["none", "open", "closed", "bare closer"]

THINKING_TAGS: tuple[tuple[str, str], ...] = (
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    ("<|think|>", "<|/think|>"),
    ("<|think_start|>", "<|think_end|>"),
    ("<|thinking_start|>", "<|thinking_end|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
)
"""Pairs that no rule gives; `<...think...>` with `</...think...>` is found by its form."""

SHARED_CLOSERS: tuple[tuple[str, str], ...] = (
    ("<|channel>thought", "<channel|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
    ("<|think|>", "<|end|>"),
)
"""Pairs whose closer ends other things too, so that alone it says nothing."""

_TAG = re.compile(r"<(/?)((?:[\w.-]+:)?(?:think|thinking|thought|reasoning|reason|reflection)(?::[\w.-]+)?)>")


@dataclass(frozen=True, slots=True)
class Prefilled:
    state: Prefill
    opener: str = ""
    """The opener found, or the one that belongs to the closer."""
    closer: str = ""


def read_prefill(generation_prompt: str, pairs: Iterable[tuple[str, str]] = ()) -> Prefilled:
    """The state that a generation prompt leaves. `pairs` are a format's own markers, looked for first."""
    best = Prefilled("none")
    best_at = -1
    own = [*pairs, *THINKING_TAGS, *_tags_in(generation_prompt)]
    for opener, closer in (*own, *SHARED_CLOSERS):
        found, at = _state(generation_prompt, opener, closer)
        if found.state == "bare closer" and (opener, closer) not in own:
            continue
        if found.state != "none" and at > best_at:
            best, best_at = found, at
    return best


def _tags_in(text: str) -> list[tuple[str, str]]:
    names = dict.fromkeys(match[2] for match in _TAG.finditer(text))
    return [(f"<{name}>", f"</{name}>") for name in names]


def _state(text: str, opener: str, closer: str) -> tuple[Prefilled, int]:
    opened = text.rfind(opener) if opener else -1
    closed = text.rfind(closer) if closer else -1
    if opened < 0 and closed < 0:
        return Prefilled("none"), -1
    if opened > closed:
        return Prefilled("open", opener, closer), opened
    return Prefilled("closed" if opened >= 0 else "bare closer", opener, closer), closed
