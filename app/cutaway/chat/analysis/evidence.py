"""What an analysis leaves behind: each probe's two renders and their split, the format, and what was not found."""

from __future__ import annotations

from dataclasses import dataclass

from cutaway.chat.formats.format import PLAIN, Format


@dataclass(frozen=True, slots=True)
class Probe:
    """One change to one message, rendered twice.

    `left` and `right` are what the template wrote after the user's text. Both begin with `prefix` and end with
    `suffix`; between them stand the differences. A rendering that failed is empty, and the conclusion says so.
    """

    name: str
    """Short, stable: `reasoning`, `second-call`, ..."""
    question: str
    left: str
    right: str
    prefix: str
    left_diff: str
    right_diff: str
    suffix: str
    conclusion: str
    """A sentence."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be derived, and why."""

    code: str
    """Stable, in kebab case: `calls-not-rendered`, `markers-unstable`, `format-not-derivable`, ..."""
    message: str
    """A sentence for the person."""


@dataclass(frozen=True, slots=True)
class RoleMarkers:
    """How turns begin and end, trimmed; empty where the template writes nothing of its own."""

    user_start: str = ""
    assistant_start: str = ""
    turn_end: str = ""


@dataclass(frozen=True, slots=True)
class Derived:
    """A format read off a template. Where nothing could be read off, it is `PLAIN` and the problems say why."""

    format: Format = PLAIN
    evidence: tuple[Probe, ...] = ()
    problems: tuple[Problem, ...] = ()
    roles: RoleMarkers = RoleMarkers()
    preserved: tuple[str, ...] = ()
    """Marker texts that the tokenizer must keep as tokens of their own, in the order of their place in a turn."""

    @property
    def certain(self) -> bool:
        """No problem was found: the format says all that the template can write."""
        return not self.problems

    @property
    def limited(self) -> bool:
        """A rendering ran into a limit, so that little was found out."""
        return any(problem.code == "limit" for problem in self.problems)
