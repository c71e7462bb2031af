"""A grammar as data: expressions over characters, named rules, a root.

The vocabulary is GBNF's, no more: literals, character classes, sequences, choices, counted repetition, references.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

LAST_CHARACTER = 0x10FFFF


@dataclass(frozen=True, slots=True)
class Text:
    """Exactly this text; the empty text matches nothing's worth."""

    text: str


@dataclass(frozen=True, slots=True)
class Chars:
    """One character of (or, negated, none of) the ranges; both ends are inside."""

    ranges: tuple[tuple[int, int], ...]
    negated: bool = False

    def holds(self, character: int) -> bool:
        return any(low <= character <= high for low, high in self.ranges) != self.negated


@dataclass(frozen=True, slots=True)
class Sequence:
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    item: Expression
    least: int
    most: int | None
    """None: without end."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A reference to a rule by its name."""

    name: str


Expression: TypeAlias = Text | Chars | Sequence | Choice | Repeat | Rule

EMPTY = Text("")
ANY = Chars((), negated=True)


def chars(*ranges: str, negated: bool = False) -> Chars:
    """A class from single characters and `a-z` ranges."""
    return Chars(tuple((ord(part[0]), ord(part[-1])) for part in ranges), negated)


def sequence(*items: Expression | str) -> Expression:
    flat: list[Expression] = []
    for item in map(_expression, items):
        for part in item.items if isinstance(item, Sequence) else (item,):
            if part == EMPTY:
                continue
            if isinstance(part, Text) and flat and isinstance(flat[-1], Text):
                flat[-1] = Text(flat[-1].text + part.text)
            else:
                flat.append(part)
    return EMPTY if not flat else flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def choice(*items: Expression | str) -> Expression:
    """One of the items; the same item twice counts once."""
    flat: dict[Expression, None] = {}
    for item in map(_expression, items):
        flat.update(dict.fromkeys(item.items if isinstance(item, Choice) else (item,)))
    if not flat:
        raise ValueError("a choice needs at least one item")
    return next(iter(flat)) if len(flat) == 1 else Choice(tuple(flat))


def optional(*items: Expression | str) -> Expression:
    item = sequence(*items)
    return EMPTY if item == EMPTY else Repeat(item, 0, 1)


def repeat(item: Expression | str, least: int = 0, most: int | None = None) -> Expression:
    made = _expression(item)
    if most == 0 or made == EMPTY:
        return EMPTY
    return made if (least, most) == (1, 1) else Repeat(made, least, most)


def _expression(item: Expression | str) -> Expression:
    return Text(item) if isinstance(item, str) else item


@dataclass(frozen=True, slots=True)
class Grammar:
    rules: Mapping[str, Expression]
    root: str = "root"


class Rules:
    """Collects rules under unique names: however two tools are named, their rules stay apart."""

    def __init__(self) -> None:
        self._rules: dict[str, Expression] = {}
        self._names: dict[Expression, Rule] = {}

    def __len__(self) -> int:
        return len(self._rules)

    def reserve(self, hint: str) -> Rule:
        """A name for a rule that is defined later, for recursion."""
        base = re.sub(r"[^A-Za-z0-9]+", "-", hint).strip("-") or "rule"
        if not base[0].isalpha():
            base = f"r{base}"
        name, count = base, 1
        while name in self._rules:
            count += 1
            name = f"{base}-{count}"
        self._rules[name] = EMPTY
        return Rule(name)

    def define(self, rule: Rule, expression: Expression) -> Rule:
        self._rules[rule.name] = expression
        return rule

    def add(self, hint: str, expression: Expression) -> Rule:
        """A rule for the expression; an equal expression that was added before keeps its rule."""
        known = self._names.get(expression)
        if known is None:
            known = self.define(self.reserve(hint), expression)
            self._names[expression] = known
        return known

    def grammar(self, root: Expression) -> Grammar:
        """The rules that `root` reaches, with it."""
        rules = {"root": root}
        waiting = list(references(root))
        while waiting:
            name = waiting.pop()
            if name not in rules:
                rules[name] = self._rules[name]
                waiting.extend(references(rules[name]))
        return Grammar(rules)


def references(expression: Expression) -> Iterator[str]:
    """Names of the rules that an expression refers to."""
    waiting = [expression]
    while waiting:
        match waiting.pop():
            case Rule(name):
                yield name
            case Sequence(items) | Choice(items):
                waiting.extend(items)
            case Repeat(item, _, _):
                waiting.append(item)


def productive(rules: Mapping[str, Expression]) -> frozenset[str]:
    """Names of the rules that match some finite text; a rule outside can never be finished."""
    found: set[str] = set()
    while True:
        more = {name for name, rule in rules.items() if name not in found and _finishes(rule, found)}
        if not more:
            return frozenset(found)
        found |= more


def _finishes(expression: Expression, known: set[str]) -> bool:
    match expression:
        case Rule(name):
            return name in known
        case Sequence(items):
            return all(_finishes(item, known) for item in items)
        case Choice(items):
            return any(_finishes(item, known) for item in items)
        case Repeat(item, least, _):
            return least == 0 or _finishes(item, known)
        case _:
            return True


def literals(words: Iterable[str]) -> Expression:
    return choice(*(Text(word) for word in words))
