"""What sending would do, before it is done: tokens in all, tokens that the cache already holds, what does not fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cutaway.engine.plan import Break

Remedy = Literal["drop", "shorten", "raise", "stop"]


@dataclass(frozen=True, slots=True)
class Offer:
    """One way out when a prompt does not fit."""

    remedy: Remedy
    sentence: str
    """What it would do, with its figures."""
    fits: bool
    tokens: int
    """Prompt tokens afterwards; the context's new size for `raise`."""
    nodes: tuple[str, ...] = ()
    """The messages that would be left out or shortened."""


@dataclass(frozen=True, slots=True)
class OverflowPlan:
    excess: int
    """Tokens beyond what the context holds beside the room kept for the reply."""
    offers: tuple[Offer, ...]


@dataclass(frozen=True, slots=True)
class Forecast:
    prompt_tokens: int
    reused: int
    fed: int
    context: int
    """Tokens that the loaded model's context holds; 0 when no model is loaded."""
    seconds: float = 0.0
    """Expected until the first token, by the speed measured so far; 0 when there is no measurement."""
    by_origin: tuple[tuple[str, int], ...] = ()
    """Tokens by where they came from: `system`, `tools`, `user`, `assistant`, `reasoning`,
    `tool` (results), `template`."""
    breaks: tuple[Break, ...] = ()
    overflow: OverflowPlan | None = None
    problem: str = ""
    """A sentence when the prompt cannot be made, e.g. the template's own error."""
