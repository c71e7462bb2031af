"""A string tried against a grammar, and where a lazy grammar woke in an output: for a person to look at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cutaway.chat.grammar import gbnf
from cutaway.chat.grammar.accept import Acceptor
from cutaway.chat.grammar.expression import Chars

LONGEST_PREFIX = 2_000
"""Characters of an output in which a pattern over all of it is looked for."""


@dataclass(frozen=True, slots=True)
class Attempt:
    accepted: int
    """Leading characters that the grammar allows."""
    complete: bool
    """Whether what was accepted may end there."""
    expected: tuple[str, ...]
    """What may come next, as GBNF writes it: `"a"`, `[0-9]`."""


def attempt(grammar: str, text: str) -> Attempt:
    """How far a grammar's text lets `text` through. Raises GrammarError."""
    here = Acceptor.of(gbnf.read(grammar))
    for character in text:
        following = here.advance(character)
        if following is None:
            break
        here = following
    return Attempt(here.read, here.complete, tuple(dict.fromkeys(shown(test) for test in here.expected)))


def mask(grammar: str, before: Sequence[str], pieces: Sequence[str | None]) -> list[bool] | None:
    """Which pieces the grammar would let follow; None stands for a token that ends the reply.

    `before` are the texts that the grammar may have read so far: the first that it accepts counts. The answer is
    None where it accepts none of them. Raises GrammarError.
    """
    start = Acceptor.of(gbnf.read(grammar))
    here = next((found for text in before if (found := start.advance(text)) is not None), None)
    if here is None:
        return None
    return [here.complete if piece is None else here.advance(piece) is not None for piece in pieces]


def shown(test: Chars) -> str:
    """A class of characters as GBNF writes it; one character as a string of it."""
    single = len(test.ranges) == 1 and test.ranges[0][0] == test.ranges[0][1] and not test.negated
    if single:
        return '"' + _escaped(test.ranges[0][0], '"') + '"'
    inside = "".join(
        _escaped(low, "]^-") + (f"-{_escaped(high, ']^-')}" if high > low else "") for low, high in test.ranges
    )
    return f"[{'^' if test.negated else ''}{inside}]"


def _escaped(code: int, special: str) -> str:
    named = {10: "\\n", 13: "\\r", 9: "\\t", 92: "\\\\"}
    if code in named:
        return named[code]
    character = chr(code)
    if character in special:
        return "\\" + character
    return character if character.isprintable() else f"\\U{code:08X}" if code > 0xFFFF else f"\\u{code:04X}"


def woke_at(triggers: Sequence[tuple[str, str]], text: str, start: int = 0) -> int | None:
    """The character where a lazy grammar begins to hold: the first trigger at or behind `start`; None where none came.

    `start` is where reasoning ended: the grammar never looks into that. Triggers are (type, text), as the sampler
    has them; a pattern's grammar begins at its first group that matched something.
    """
    found = [at for kind, value in triggers if (at := _first(kind, value, text, start)) is not None]
    return min(found, default=None)


def _first(kind: str, value: str, text: str, start: int) -> int | None:
    if kind in ("word", "token"):
        at = text.find(value, start)
        return at if at >= 0 else None
    try:
        pattern = re.compile(value)
    except re.error:
        return None
    rest = text[start:]
    if kind == "pattern_full" or (value.startswith("^") and value.endswith("$")):
        ends = range(min(len(rest), LONGEST_PREFIX) + 1)
        match = next((m for end in ends if (m := pattern.fullmatch(rest, 0, end))), None)
    else:
        match = pattern.search(rest)
    if match is None:
        return None
    group = next((index for index in range(1, pattern.groups + 1) if match.group(index)), 0)
    return start + match.start(group)
