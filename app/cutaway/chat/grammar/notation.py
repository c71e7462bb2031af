"""How values are spelled: JSON, Python literals, or a family's own. What a schema allows is said apart from this."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cutaway.chat.grammar.expression import (
    LAST_CHARACTER,
    Chars,
    Expression,
    Rules,
    Text,
    chars,
    choice,
    repeat,
    sequence,
)
from cutaway.chat.grammar.until import without

BLANKS = 40
"""The most blanks that a constrained model may write between two tokens of a value."""

Ranges = tuple[tuple[int, int], ...]

_CONTROL: Ranges = ((0, 0x1F),)
_HEX = chars("0-9", "a-f", "A-F")


def invert(ranges: Ranges) -> Ranges:
    """The characters outside the ranges, surrogates left out: they are no characters."""
    out, at = [], 0
    for low, high in sorted((*ranges, (0xD800, 0xDFFF))):
        if low > at:
            out.append((at, low - 1))
        at = max(at, high + 1)
    return (*out, (at, LAST_CHARACTER)) if at <= LAST_CHARACTER else tuple(out)


def intersect(left: Ranges, right: Ranges) -> Ranges:
    pairs = ((max(a, c), min(b, d)) for a, b in left for c, d in right)
    return tuple(sorted({pair for pair in pairs if pair[0] <= pair[1]}))


@dataclass(frozen=True, slots=True)
class Notation:
    """JSON as it stands. Other notations override the words and the strings."""

    true: str = "true"
    false: str = "false"
    null: str = "null"

    def space(self, rules: Rules) -> Expression:
        return rules.add("space", repeat(chars(" ", "\t", "\n"), 0, BLANKS))

    def joined(self, rules: Rules, *parts: Expression | str) -> Expression:
        """The parts with blanks allowed between them."""
        space = self.space(rules)
        out: list[Expression | str] = []
        for part in parts:
            out += [space, part] if out else [part]
        return sequence(*out)

    def character(self, rules: Rules, ranges: Ranges) -> Expression:
        """One character of the ranges, inside a string."""
        plain = intersect(ranges, invert((*_CONTROL, (0x22, 0x22), (0x5C, 0x5C))))
        options: list[Expression] = [Chars(plain)] if plain else []
        for code, spelled in _SHORT_ESCAPES.items():
            if any(low <= code <= high for low, high in ranges):
                options.append(Text(spelled))
        if not options:
            raise ValueError("no character of the class can be written in a string")
        return choice(*options)

    def any_character(self, rules: Rules) -> Expression:
        plain = Chars((*_CONTROL, (0x22, 0x22), (0x5C, 0x5C)), negated=True)
        code = choice(
            sequence(chars("0-9", "A-C", "a-c", "E-F", "e-f"), repeat(_HEX, 3, 3)),
            sequence(chars("D", "d"), chars("0-7"), repeat(_HEX, 2, 2)),
        )
        short = Chars(tuple((ord(letter), ord(letter)) for letter in '"\\/bfnrt'))
        escape = sequence("\\", choice(short, sequence("u", code)))
        return rules.add("character", choice(plain, escape))

    def string(self, rules: Rules, inside: Expression) -> Expression:
        """A string whose characters are `inside`."""
        return sequence('"', inside, '"')

    def any_string(self, rules: Rules, least: int = 0, most: int | None = None) -> Expression:
        body = self.string(rules, repeat(self.any_character(rules), least, most))
        return rules.add("string", body) if (least, most) == (0, None) else body

    def key(self, rules: Rules, name: str) -> Expression:
        """A known key and its colon."""
        return self.joined(rules, Text(self.literal(name)), ":")

    def other_key(self, rules: Rules, known: tuple[str, ...]) -> Expression:
        """Any key but the known ones, and its colon."""
        if not known:
            return self.joined(rules, self.any_string(rules), ":")
        plain = Chars((*_CONTROL, (0x22, 0x22), (0x5C, 0x5C)), negated=True)
        inside = other_word(rules, known, plain, escapes=_SHORT_ESCAPES)
        return self.joined(rules, self.string(rules, inside), ":")

    def pair_key(self, rules: Rules, inside: Expression) -> Expression:
        """A key whose characters are `inside`, and its colon."""
        return self.joined(rules, self.string(rules, inside), ":")

    def literal(self, value: Any) -> str:
        """A value as text."""
        return json.dumps(value, ensure_ascii=False)


JSON = Notation()

_SHORT_ESCAPES = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x0D: "\\r", 0x09: "\\t", 0x08: "\\b", 0x0C: "\\f"}


@dataclass(frozen=True, slots=True)
class PythonNotation(Notation):
    """Python literals: strings in either quote."""

    true: str = "True"
    false: str = "False"
    null: str = "None"

    def any_string(self, rules: Rules, least: int = 0, most: int | None = None) -> Expression:
        options = []
        for quote in "\"'":
            plain = Chars(((0, 0x1F), (ord(quote), ord(quote)), (0x5C, 0x5C)), negated=True)
            escape = sequence("\\", chars('"', "'", "\\", "n", "r", "t"))
            options.append(sequence(quote, repeat(choice(plain, escape), least, most), quote))
        return choice(*options)

    def literal(self, value: Any) -> str:
        return python_literal(value)


def python_literal(value: Any) -> str:
    """A JSON value as a Python literal whose strings stand in double quotes, escaped as JSON escapes them."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{python_literal(key)}: {python_literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(python_literal, value)) + "]"
    if value is None or isinstance(value, bool):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class QuotedNotation(Notation):
    """Strings between a quote of the family's own (Gemma 4), keys bare."""

    quote: str = '<|"|>'

    def character(self, rules: Rules, ranges: Ranges) -> Expression:
        kept = intersect(ranges, invert(((ord(self.quote[0]), ord(self.quote[0])),)))
        if not kept:
            raise ValueError("no character of the class can be written in a string")
        return Chars(kept)

    def any_character(self, rules: Rules) -> Expression:
        return Chars(((ord(self.quote[0]), ord(self.quote[0])),), negated=True)

    def string(self, rules: Rules, inside: Expression) -> Expression:
        return sequence(self.quote, inside, self.quote)

    def any_string(self, rules: Rules, least: int = 0, most: int | None = None) -> Expression:
        if (least, most) == (0, None):
            return sequence(self.quote, without(rules, [self.quote], then=self.quote, hint="quoted"), self.quote)
        return self.string(rules, repeat(self.any_character(rules), least, most))

    def key(self, rules: Rules, name: str) -> Expression:
        return Text(f"{name}:")

    def other_key(self, rules: Rules, known: tuple[str, ...]) -> Expression:
        letter = chars("a-z", "A-Z", "0-9", "_")
        return sequence(other_word(rules, known, letter, least=1), ":")

    def pair_key(self, rules: Rules, inside: Expression) -> Expression:
        return sequence(inside, ":")

    def literal(self, value: Any) -> str:
        if isinstance(value, str):
            return f"{self.quote}{value}{self.quote}"
        if isinstance(value, dict):
            return "{" + ",".join(f"{key}:{self.literal(item)}" for key, item in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ",".join(map(self.literal, value)) + "]"
        return json.dumps(value, ensure_ascii=False)


def other_word(
    rules: Rules, known: tuple[str, ...], letter: Chars, least: int = 0, escapes: Mapping[int, str] | None = None
) -> Expression:
    """Any run of `letter`s and escaped characters that is not exactly one of the known words."""
    if not known:
        return repeat(letter, least)
    return _Beyond(rules, letter, escapes or {}).words(tuple(sorted(set(known))), least)


@dataclass(frozen=True, slots=True)
class _Beyond:
    """The trie of the known words, left at any point but at a word's end."""

    rules: Rules
    letter: Chars
    escapes: Mapping[int, str]

    def words(self, words: tuple[str, ...], least: int) -> Expression:
        options: list[Expression] = []
        first = sorted({word[0] for word in words if word})
        for character in first:
            rest = tuple(word[1:] for word in words if word.startswith(character))
            spelled = self.escapes.get(ord(character), character)
            options.append(sequence(spelled, self.rules.add("key", self.words(rest, 0))))
        options.append(sequence(self._one_but(first), repeat(self._one_but([]), 0)))
        if least == 0 and "" not in words:
            options.append(Text(""))
        return choice(*options)

    def _one_but(self, gone: list[str]) -> Expression:
        """One character, plain or escaped, that is none of those."""
        allowed = invert(self.letter.ranges) if self.letter.negated else self.letter.ranges
        plain = Chars(intersect(allowed, invert(tuple((ord(character), ord(character)) for character in gone))))
        escaped = [Text(spelled) for code, spelled in self.escapes.items() if chr(code) not in gone]
        return choice(plain, *escaped)
