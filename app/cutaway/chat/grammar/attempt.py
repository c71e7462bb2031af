"""A string tried against a grammar: for a person to look at."""

from __future__ import annotations

from dataclasses import dataclass

from cutaway.chat.grammar import gbnf
from cutaway.chat.grammar.accept import Acceptor
from cutaway.chat.grammar.expression import Chars


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
