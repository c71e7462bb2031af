"""One assistant turn as a template writes it: the text after the user's words, and where each field stands in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cutaway.chat.prompt import Span


@dataclass(frozen=True, slots=True)
class Said:
    """What the assistant says in a probe."""

    content: str = ""
    reasoning: str = ""
    calls: tuple[SaidCall, ...] = ()


@dataclass(frozen=True, slots=True)
class SaidCall:
    name: str
    arguments: str
    """A JSON object."""
    id: str


@dataclass(frozen=True, slots=True)
class Place:
    """Half-open characters of a turn's text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Turn:
    """The text that follows the user's words, and who wrote what in it."""

    said: Said
    text: str
    inputs: tuple[Place, ...]
    """Where the text came from messages, not from the template; in order."""
    _found: dict[str, Place | None] = field(default_factory=dict, compare=False, repr=False)

    def find(self, value: str) -> Place | None:
        """The first place where the template put this value of the message."""
        if value not in self._found:
            self._found[value] = self._search(value, 0)
        return self._found[value]

    def find_from(self, value: str, start: int) -> Place | None:
        return self._search(value, start)

    def _search(self, value: str, start: int) -> Place | None:
        at = self.text.find(value, start) if value else -1
        while at >= 0:
            place = Place(at, at + len(value))
            if any(one.start < place.end and place.start < one.end for one in self.inputs):
                return place
            at = self.text.find(value, at + 1)
        return None

    def between(self, left: Place | None, right: Place | None) -> str:
        """The text from one place to another; None stands for the turn's begin and end."""
        return self.text[left.end if left else 0 : right.start if right else len(self.text)]

    @property
    def content(self) -> Place | None:
        return self.find(self.said.content)

    @property
    def reasoning(self) -> Place | None:
        return self.find(self.said.reasoning)


def turn_after(spans: Sequence[Span], user: str, said: Said) -> Turn | None:
    """The turn that follows the user's words in a rendered conversation; None where the words are not in it."""
    text = "".join(span.text for span in spans)
    at = text.find(user)
    if at < 0:
        return None
    start = at + len(user)
    inputs, offset = [], 0
    for span in spans:
        end = offset + len(span.text)
        if span.is_input and end > start:
            inputs.append(Place(max(offset, start) - start, end - start))
        offset = end
    return Turn(said, text[start:], tuple(inputs))
