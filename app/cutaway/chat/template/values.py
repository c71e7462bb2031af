"""What a template is given: plain JSON values whose every leaf knows the field it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Sourced:
    """A value of the request, standing somewhere else than its field's path says.

    A string keeps its characters' places: `start` is where it begins in the field, None when it is derived
    (rewritten, decoded). In a list or an object the leaves' paths go on from `path`.
    """

    value: Any
    path: str
    start: int | None = 0


@dataclass(frozen=True, slots=True)
class Vouched:
    """A value that the application vouches for (BOS, a role name): its text counts as the template's."""

    value: Any


@dataclass(frozen=True, slots=True)
class Joined:
    """One string made of several: each is a `Sourced`, a `Vouched`, or a plain string (vouched for)."""

    parts: tuple[Sourced | Vouched | str, ...]
