"""The values that probes put into messages: words that no template contains, so that they are found again."""

from __future__ import annotations

from dataclasses import dataclass

CONSONANTS = "bdfgklmnprstvz"
VOWELS = "aeiou"


@dataclass(frozen=True, slots=True)
class ProbeValues:
    """Words that differ from each other and from all a template says; none is part of another."""

    user: str
    next_user: str
    content: str
    next_content: str
    reasoning: str
    names: tuple[str, str, str]
    """Functions."""
    keys: tuple[str, str, str]
    """Parameters, in the order in which the schema declares them."""
    strings: tuple[str, str, str]
    """Arguments."""
    result: str
    """What a tool answers."""
    ids: tuple[str, str, str]
    """Call ids of nine alphanumerics, because some templates refuse every other."""
    bos: str
    """A private-use character, so that it is never taken for a marker."""
    eos: str
    arguments: int = 2
    """How many a call has, where the question is not about arguments."""
    reversed_schema: bool = False
    """The schema declares the parameters in another order than calls give them."""

    @property
    def words(self) -> tuple[str, ...]:
        """Everything that must not be found in a marker, but for BOS and EOS."""
        return (
            self.user,
            self.next_user,
            self.content,
            self.next_content,
            self.reasoning,
            *self.names,
            *self.keys,
            *self.strings,
            *self.ids,
            self.result,
        )


def probe_values(seed: int = 0) -> ProbeValues:
    """Another seed gives other words of the same kinds, other counts and orders of arguments, another BOS and EOS."""
    words = _Words(seed)
    return ProbeValues(
        user=words.next("User"),
        next_user=words.next("User"),
        content=words.next("Text"),
        next_content=words.next("Text"),
        reasoning=words.next("Mind"),
        names=(words.next("fn"), words.next("fn"), words.next("fn")),
        keys=(words.next("key"), words.next("key"), words.next("key")),
        strings=(words.next("val"), words.next("val"), words.next("val")),
        result=words.next("Out"),
        ids=(words.nine(), words.nine(), words.nine()),
        bos=chr(0xE100 + seed % 256),
        eos=chr(0xE200 + seed % 256),
        arguments=(2, 3, 1)[seed % 3],
        reversed_schema=seed % 2 == 1,
    )


class _Words:
    """Pronounceable words from a linear congruential sequence: the same seed, the same words."""

    def __init__(self, seed: int) -> None:
        self._state = (seed * 2654435761 + 97531) % 2**32
        self._given: set[str] = set()

    def next(self, kind: str) -> str:
        while True:
            word = kind + "".join(self._pick(CONSONANTS) + self._pick(VOWELS) for _ in range(4))
            if word not in self._given:
                self._given.add(word)
                return word

    def nine(self) -> str:
        return self.next("c")[:8].ljust(8, "x") + str(len(self._given) % 10)

    def _pick(self, letters: str) -> str:
        self._state = (self._state * 1664525 + 1013904223) % 2**32
        return letters[(self._state >> 16) % len(letters)]
