"""What will be done with the cache for one turn, and why: the result of `engine.cache` and `engine.reasons`."""

from __future__ import annotations

from dataclasses import dataclass

BEFORE_IDLE = "the reply before idle work"
"""In `Plan.restored_from`: idle work had given up the reply's own tail, which came back."""
ANOTHER = "another conversation's beginning"
"""In `Plan.restored_from`: the conversation had nothing of its own."""


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
    held_place: str = ""
    """Where the held text came from: a field (`messages[1].content`), `line 12` of the template, `the reply`."""
    wanted_place: str = ""
    held_text: str = ""
    """The text there, a few dozen characters of it."""
    wanted_text: str = ""
    fed: int = 0
    """Tokens that are fed because of it."""
    seconds: float | None = None
    """What feeding them costs at the speed last measured."""
    departs: bool = False
    """The remedy departs from the format that the model was trained with."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A run of held tokens that is moved to another place: approximate, since what came before it is other text."""

    start: int
    """Position in the cache."""
    to: int
    """Position in the prompt."""
    length: int


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
    """Empty only when nothing held was given up."""
    shared: int = 0
    """Leading tokens that the cache and the prompt have in common; more than `reused` where the memory has to
    go further back."""
    reason: str = ""
    """The turn in one code: `M1` first, `M5` again, `M6` extended, or the reason of the break that cost most."""
    detail: str = ""
    """That reason as a sentence."""
    shifts: tuple[Shift, ...] = ()
    """Runs that follow what is reused; only where chunk reuse was asked for."""

    approximate: int = 0
    """Of the reused tokens those that lie behind what was moved for an earlier turn."""

    @property
    def moved(self) -> int:
        """Tokens that the shifts keep from being fed."""
        return sum(shift.length for shift in self.shifts)
