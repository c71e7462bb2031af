"""The result of a round trip: known messages rendered, read back, rendered again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias

Outcome: TypeAlias = Literal["ok", "template drops data", "prefix break", "parsed wrongly", "error", "not applicable"]
"""`template drops data`: the template itself loses or blurs a part of the message; what it writes is read right.
`prefix break`: in history the turn does not begin as the generation prompt does, so the cache breaks there.
`not applicable`: the template refuses the message, or the family has no such thing."""


@dataclass(frozen=True, slots=True)
class VerifyCase:
    name: str
    outcome: Outcome
    detail: str = ""
    """A sentence; empty for `ok`."""


@dataclass(frozen=True, slots=True)
class Verification:
    cases: tuple[VerifyCase, ...]
    append_only: bool
    """Whether every later turn leaves the text of the earlier ones as it was."""

    @property
    def passed(self) -> int:
        return sum(case.outcome == "ok" for case in self.cases)

    @property
    def failed(self) -> int:
        """Cases in which the format is at fault, not the template."""
        return sum(case.outcome in ("parsed wrongly", "error") for case in self.cases)

    @property
    def comparable(self) -> int:
        return self.passed + self.failed

    @property
    def sentence(self) -> str:
        """One line for a card: what was verified, and what the template does to messages."""
        counts = Counter(case.outcome for case in self.cases)
        parts = [f"verified {self.passed} of {self.comparable}"]
        if counts["template drops data"]:
            parts.append(f"the template drops or blurs data in {counts['template drops data']} cases")
        if counts["prefix break"]:
            parts.append(f"history breaks the prefix in {counts['prefix break']}")
        return "; ".join(parts)
