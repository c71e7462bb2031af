"""What will be done with the cache for one turn, and why: the result of `engine.cache`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Break:
    """A place where held tokens could not be kept."""

    at_token: int
    """First token that differs, counted from 0."""
    reason: str
    """One of the codes `M1` to `M33`."""
    detail: str
    """The sentence a person reads."""
    held: tuple[int, ...] = ()
    """The first tokens that the cache holds there."""
    wanted: tuple[int, ...] = ()
    lost: int = 0
    """Held tokens that are given up."""
    avoidable_by: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """keep, then restore, then drop, then feed."""

    prompt_tokens: int
    held: int
    """What the cache held when the turn began."""
    reused: int
    """Leading tokens that stay."""
    fed: int
    restored_from: str | None = None
    """The checkpoint or saved state that was restored; None when the cache itself was kept."""
    breaks: tuple[Break, ...] = ()
