"""Random texts of a grammar, short on average: each rule prefers to end as it gets deeper."""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache

from cutaway.chat.grammar.expression import Chars, Choice, Expression, Grammar, Repeat, Rule, Sequence, Text

_SAMPLE = [ord(letter) for letter in "ab Z09_-.,:<>/{}[]\"'\\|é北\n\t"]


_known: dict[int, tuple[Grammar, dict[str, int]]] = {}
"""Depths by the grammar's identity; the grammar is kept, so that the identity stays its own."""


def sample(grammar: Grammar, seed: random.Random, *, deepest: int = 30) -> str:
    """One text of the grammar's language."""
    if id(grammar) not in _known:
        _known.clear()
        _known[id(grammar)] = grammar, _depths(grammar.rules)
    depths = _known[id(grammar)][1]
    out: list[str] = []
    waiting: list[tuple[Expression, int]] = [(grammar.rules[grammar.root], 0)]
    while waiting:
        expression, depth = waiting.pop()
        match expression:
            case Text(text):
                out.append(text)
            case Chars():
                out.append(_character(expression, seed))
            case Rule(name):
                waiting.append((grammar.rules[name], depth + 1))
            case Sequence(items):
                waiting.extend((item, depth) for item in reversed(items))
            case Choice(items):
                tired = depth > deepest or len(out) > 400
                options = sorted(items, key=lambda item: _depth(item, depths))[:1] if tired else items
                waiting.append((seed.choice(options), depth))
            case Repeat(item, least, most):
                tired = depth > deepest or len(out) > 400
                extra = (
                    0
                    if tired
                    else min(seed.choice((0, 0, 1, 1, 2, 3, 8)), (most if most is not None else 8 + least) - least)
                )
                waiting.extend((item, depth) for _ in range(least + extra))
    return "".join(out)


@cache
def _fitting(test: Chars) -> list[int]:
    return [code for code in _SAMPLE if test.holds(code)]


def _character(test: Chars, seed: random.Random) -> str:
    fitting = list(_fitting(test))
    if not test.negated:
        low, high = seed.choice(test.ranges)
        fitting.append(seed.randint(low, high))
    return chr(seed.choice(fitting)) if fitting else chr(next(code for code in range(0x20, 0x3000) if test.holds(code)))


def _depths(rules: Mapping[str, Expression]) -> dict[str, int]:
    """Rules to the least number of rules below them."""
    out: dict[str, int] = {}
    while True:
        changed = False
        for name, rule in rules.items():
            depth = _depth(rule, out) + 1
            if depth < out.get(name, 10**6):
                out[name], changed = depth, True
        if not changed:
            return out


def _depth(expression: Expression, known: Mapping[str, int]) -> int:
    match expression:
        case Rule(name):
            return known.get(name, 10**6)
        case Sequence(items):
            return max((_depth(item, known) for item in items), default=0)
        case Choice(items):
            return min(_depth(item, known) for item in items)
        case Repeat(item, least, _):
            return _depth(item, known) if least else 0
        case _:
            return 0
