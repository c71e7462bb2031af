"""Whether a text fits a grammar, and what may come next: a pushdown automaton fed character by character.

A position is a node of the automaton and the stack of rules it is in. All positions that the text so far allows are
kept at once; stacks are shared, so that equal ones are one object. An acceptor is a value: `advance` answers a new one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from cutaway.chat.grammar.expression import Chars, Choice, Expression, Grammar, Repeat, Rule, Sequence, Text
from cutaway.chat.grammar.gbnf import GrammarError, left_recursive

MOST_POSITIONS = 20_000
"""A grammar that is in more places at once is too ambiguous to follow."""

END = 0
"""The node where a rule is over."""


@dataclass(frozen=True, slots=True)
class _Read:
    """Reads one character."""

    test: Chars
    next: int


@dataclass(frozen=True, slots=True)
class _Split:
    nexts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Call:
    rule: str
    next: int


_Node: TypeAlias = "_Read | _Split | _Call | None"


@dataclass(frozen=True, slots=True, eq=False)
class _Stack:
    """Where to go on when the rule is over; compared by identity, since equal ones are shared."""

    next: int
    below: _Stack | None


class Automaton:
    """A grammar's rules as nodes. Made once; the acceptors of one grammar share it."""

    def __init__(self, grammar: Grammar) -> None:
        looping = left_recursive(grammar)
        if looping:
            raise GrammarError(f"The rule {looping} begins with itself (left recursion).")
        self.nodes: list[_Node] = [None]
        self.starts: dict[str, int] = {}
        self.root = grammar.root
        for name, rule in grammar.rules.items():
            self.starts[name] = self._build(rule, END)
        self._stacks: dict[tuple[int, int], _Stack] = {}

    def push(self, next: int, below: _Stack | None) -> _Stack | None:
        if next == END:
            return below  # nothing to come back for
        key = (next, id(below))
        stack = self._stacks.get(key)
        if stack is None:
            stack = self._stacks[key] = _Stack(next, below)
        return stack

    def _add(self, node: _Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _build(self, expression: Expression, next: int) -> int:
        match expression:
            case Text(text):
                for character in reversed(text):
                    next = self._add(_Read(Chars(((ord(character), ord(character)),)), next))
                return next
            case Chars():
                return self._add(_Read(expression, next))
            case Rule(name):
                return self._add(_Call(name, next))
            case Sequence(items):
                for item in reversed(items):
                    next = self._build(item, next)
                return next
            case Choice(items):
                return self._add(_Split(tuple(self._build(item, next) for item in items)))
            case Repeat(item, least, most):
                return self._repeat(item, least, most, next)

    def _repeat(self, item: Expression, least: int, most: int | None, next: int) -> int:
        if most is None:
            loop = self._add(None)
            self.nodes[loop] = _Split((self._build(item, loop), next))
            start = loop
        else:
            start = next
            for _ in range(most - least):
                start = self._add(_Split((self._build(item, start), next)))
        for _ in range(least):
            start = self._build(item, start)
        return start


_Position: TypeAlias = "tuple[int, _Stack | None]"


@dataclass(frozen=True, slots=True)
class Acceptor:
    """What the text so far allows.

    `complete` says whether it may end here, `expected` which characters may follow.
    """

    automaton: Automaton
    positions: tuple[_Position, ...]
    """Nodes that read a character, with their stacks."""
    complete: bool
    read: int = 0
    """Characters accepted so far."""

    @classmethod
    def of(cls, grammar: Grammar) -> Acceptor:
        """At the start of the root rule. Raises GrammarError."""
        automaton = Automaton(grammar)
        return _settle(automaton, [(automaton.starts[automaton.root], None)], 0)

    def advance(self, text: str) -> Acceptor | None:
        """After `text`; None where the grammar does not allow it."""
        here: Acceptor = self
        for character in text:
            following = here._step(ord(character))
            if following is None:
                return None
            here = following
        return here

    def longest(self, text: str) -> int:
        """How many leading characters of `text` the grammar allows."""
        here: Acceptor = self
        for index, character in enumerate(text):
            following = here._step(ord(character))
            if following is None:
                return index
            here = following
        return len(text)

    @property
    def expected(self) -> tuple[Chars, ...]:
        """The classes of which the next character must be one, without repetition."""
        return tuple(dict.fromkeys(node.test for node in self._readers()))

    def _readers(self) -> Iterator[_Read]:
        for index, _ in self.positions:
            node = self.automaton.nodes[index]
            assert isinstance(node, _Read)
            yield node

    def _step(self, character: int) -> Acceptor | None:
        if character == 0:
            return None  # llama.cpp reads NUL as the end of a text: no class holds it there, so none does here
        nodes = self.automaton.nodes
        moved: list[_Position] = []
        for index, stack in self.positions:
            node = nodes[index]
            if isinstance(node, _Read) and node.test.holds(character):
                moved.append((node.next, stack))
        return _settle(self.automaton, moved, self.read + 1) if moved else None


def _settle(automaton: Automaton, waiting: list[_Position], read: int) -> Acceptor:
    """Follow everything that reads no character."""
    seen: set[tuple[int, int]] = set()
    found: list[_Position] = []
    complete = False
    while waiting:
        index, stack = waiting.pop()
        if (index, id(stack)) in seen:
            continue
        seen.add((index, id(stack)))
        if len(seen) > MOST_POSITIONS:
            raise GrammarError(f"The grammar is too ambiguous: {MOST_POSITIONS} readings at character {read}.")
        if index == END:
            if stack is None:
                complete = True
            else:
                waiting.append((stack.next, stack.below))
            continue
        node = automaton.nodes[index]
        if isinstance(node, _Split):
            waiting.extend((next, stack) for next in node.nexts)
        elif isinstance(node, _Call):
            waiting.append((automaton.starts[node.rule], automaton.push(node.next, stack)))
        else:
            found.append((index, stack))
    return Acceptor(automaton, tuple(found), complete, read)


def accepts(grammar: Grammar, text: str) -> bool:
    """Whether the whole text is of the grammar's language."""
    end = Acceptor.of(grammar).advance(text)
    return end is not None and end.complete
