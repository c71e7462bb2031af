"""GBNF, llama.cpp's notation for grammars: written from data, read into data.

Read are grammars that people write; whatever llama.cpp would refuse is refused here, with the line.
"""

from __future__ import annotations

from cutaway.chat.grammar.expression import (
    EMPTY,
    Chars,
    Choice,
    Expression,
    Grammar,
    Repeat,
    Rule,
    Sequence,
    Text,
    choice,
    references,
    sequence,
)

MOST_REPETITIONS = 2000
"""llama.cpp refuses a counted repetition beyond this."""
DEEPEST = 200
"""Nested groups; deeper ones are refused rather than overflowing somebody's stack."""


class GrammarError(ValueError):
    """A grammar that is none. The message says where (line and column) and what was expected."""


# -- Writing ---------------------------------------------------------------------------------------


def write(grammar: Grammar) -> str:
    """The grammar in GBNF, its root first."""
    names = [grammar.root, *(name for name in grammar.rules if name != grammar.root)]
    return "".join(f"{name} ::= {_alternatives(grammar.rules[name])}\n" for name in names)


def _alternatives(expression: Expression) -> str:
    if isinstance(expression, Choice):
        return " | ".join(_run(item) for item in expression.items)
    return _run(expression)


def _run(expression: Expression) -> str:
    if isinstance(expression, Sequence):
        return " ".join(_item(item) for item in expression.items)
    return _item(expression)


def _item(expression: Expression) -> str:
    match expression:
        case Text(text):
            return '"' + "".join(map(_quoted, text)) + '"'
        case Chars((), True):
            return "."
        case Chars(ranges, negated):
            return "[" + "^" * negated + "".join(map(_range, ranges)) + "]"
        case Rule(name):
            return name
        case Repeat(item, least, most):
            inner = _item(item) if isinstance(item, Text | Chars | Rule) else f"({_alternatives(item)})"
            return inner + _count(least, most)
        case _:
            return f"({_alternatives(expression)})"


def _count(least: int, most: int | None) -> str:
    plain = {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((least, most))
    if plain:
        return plain
    return f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


def _quoted(character: str) -> str:
    return '\\"' if character == '"' else _escaped(character)


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    code = ord(character)
    if code < 0x20 or 0x7F <= code < 0xA0:
        return f"\\x{code:02X}"
    return character


def _range(pair: tuple[int, int]) -> str:
    low, high = pair
    return _bracketed(low) if low == high else f"{_bracketed(low)}-{_bracketed(high)}"


def _bracketed(code: int) -> str:
    if 0xD800 <= code <= 0xDFFF:
        return f"\\u{code:04X}"
    if code in map(ord, "]^-["):
        return f"\\x{code:02X}"
    return _escaped(chr(code)) if code < 0x2000 else f"\\U{code:08X}"


# -- Reading ---------------------------------------------------------------------------------------


def read(text: str) -> Grammar:
    """The grammar that GBNF text describes. Raises GrammarError."""
    reader = _Reader(text)
    rules = reader.grammar()
    if "root" not in rules:
        raise GrammarError("The grammar has no rule named root; llama.cpp starts there.")
    for name, rule in rules.items():
        for used in references(rule):
            if used not in rules:
                raise GrammarError(f"The rule {name} uses {used}, which is not defined.")
    looping = left_recursive(Grammar(rules))
    if looping:
        raise GrammarError(f"The rule {looping} begins with itself (left recursion); llama.cpp refuses that.")
    return Grammar(rules)


def left_recursive(grammar: Grammar) -> str | None:
    """The name of a rule that can come to itself without a character in between; None when there is none."""
    empties = _empties(grammar)
    edges = {name: set(_leading(rule, empties)) for name, rule in grammar.rules.items()}
    state: dict[str, int] = {}
    for start in edges:
        path = [(start, iter(edges[start]))] if start not in state else []
        state.setdefault(start, 1)
        while path:
            name, targets = path[-1]
            target = next(targets, None)
            if target is None:
                state[name] = 2
                path.pop()
            elif state.get(target) == 1:
                return target
            elif target not in state and target in edges:
                state[target] = 1
                path.append((target, iter(edges[target])))
    return None


def _empties(grammar: Grammar) -> set[str]:
    found: set[str] = set()
    while True:
        more = {name for name, rule in grammar.rules.items() if name not in found and _may_be_empty(rule, found)}
        if not more:
            return found
        found |= more


def _may_be_empty(expression: Expression, known: set[str]) -> bool:
    match expression:
        case Text(text):
            return not text
        case Rule(name):
            return name in known
        case Sequence(items):
            return all(_may_be_empty(item, known) for item in items)
        case Choice(items):
            return any(_may_be_empty(item, known) for item in items)
        case Repeat(item, least, _):
            return least == 0 or _may_be_empty(item, known)
        case _:
            return False


def _leading(expression: Expression, empties: set[str]) -> list[str]:
    match expression:
        case Rule(name):
            return [name]
        case Choice(items):
            return [name for item in items for name in _leading(item, empties)]
        case Repeat(item, _, _):
            return _leading(item, empties)
        case Sequence(items):
            names: list[str] = []
            for item in items:
                names += _leading(item, empties)
                if not _may_be_empty(item, empties):
                    break
            return names
        case _:
            return []


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def grammar(self) -> dict[str, Expression]:
        rules: dict[str, Expression] = {}
        self.space(newlines=True)
        while self.at < len(self.text):
            name = self.name()
            self.space(newlines=False)
            if not self.take("::="):
                raise self.error("expected ::= after the rule's name")
            self.space(newlines=True)
            rules[name] = self.alternatives(nested=False)  # a second definition replaces the first, as in llama.cpp
            if self.at < len(self.text) and self.text[self.at] not in "\r\n":
                raise self.error("expected the end of the line")
            self.space(newlines=True)
        return rules

    def alternatives(self, *, nested: bool) -> Expression:
        items = [self.run(nested)]
        while self.take("|"):
            self.space(newlines=True)
            items.append(self.run(nested))
        return choice(*items)

    def run(self, nested: bool) -> Expression:
        items: list[Expression] = []
        while (item := self.item(nested)) is not None:
            self.space(newlines=nested)
            items.append(self.counted(item, nested))
        return sequence(*items)

    def item(self, nested: bool) -> Expression | None:
        if self.at >= len(self.text):
            return None
        character = self.text[self.at]
        if character == '"':
            return self.literal()
        if character == "[":
            return self.bracket()
        if character == ".":
            self.at += 1
            return Chars((), negated=True)
        if character == "(":
            return self.group()
        if _is_word(character):
            return Rule(self.name())
        if character in "<!":
            raise self.error("a token (<...>) depends on the vocabulary and is not supported in a grammar here")
        if character in "*+?{":
            raise self.error(f"expected something before {character}")
        return None

    def group(self) -> Expression:
        self.at += 1
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"more than {DEEPEST} nested groups")
        self.space(newlines=True)
        inner = self.alternatives(nested=True)
        if not self.take(")"):
            raise self.error("expected )")
        self.depth -= 1
        return inner

    def counted(self, item: Expression, nested: bool) -> Expression:
        while self.at < len(self.text) and self.text[self.at] in "*+?{":
            least, most = self.count()
            self.space(newlines=nested)
            item = Repeat(item, least, most) if most != 0 else EMPTY
        return item

    def count(self) -> tuple[int, int | None]:
        sign = self.text[self.at]
        self.at += 1
        if sign != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        least = self.number()
        most: int | None = least
        if self.take(","):
            most = self.number() if self.text[self.at : self.at + 1].isdigit() else None
        if not self.take("}"):
            raise self.error("expected }")
        if max(least, most or 0) > MOST_REPETITIONS or (most is not None and most < least):
            raise self.error(f"a repetition counts from m to n, at most {MOST_REPETITIONS}")
        return least, most

    def literal(self) -> Expression:
        self.at += 1
        out = []
        while not self.take('"'):
            out.append(self.character("a closing quote"))
        return Text("".join(out))

    def bracket(self) -> Expression:
        self.at += 1
        negated = self.take("^")
        ranges = []
        while not self.take("]"):
            low = high = ord(self.character("]"))
            if self.text[self.at : self.at + 1] == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = ord(self.character("]"))
            ranges.append((low, high))
        return Chars(tuple(ranges), negated)

    def character(self, awaited: str) -> str:
        if self.at >= len(self.text):
            raise self.error(f"expected {awaited} before the end")
        character = self.text[self.at]
        self.at += 1
        if character != "\\":
            return character
        kind = self.text[self.at : self.at + 1]
        self.at += 1
        if kind in ("x", "u", "U"):
            return self.hexadecimal({"x": 2, "u": 4, "U": 8}[kind])
        found = {"t": "\t", "r": "\r", "n": "\n", "\\": "\\", '"': '"', "[": "[", "]": "]", "-": "-", "^": "^"}.get(
            kind
        )
        if found is None:
            raise self.error(f"unknown escape \\{kind}")
        return found

    def hexadecimal(self, digits: int) -> str:
        word = self.text[self.at : self.at + digits]
        try:
            code = int(word, 16) if len(word) == digits and word.isalnum() else -1
            self.at += digits
            return chr(code)
        except (ValueError, OverflowError):
            raise self.error(f"expected {digits} hexadecimal digits of a character") from None

    def name(self) -> str:
        start = self.at
        while self.at < len(self.text) and _is_word(self.text[self.at]):
            self.at += 1
        if start == self.at:
            raise self.error("expected a rule's name")
        return self.text[start : self.at]

    def number(self) -> int:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] in "0123456789":
            self.at += 1
        if start == self.at or self.at - start > 9:
            raise self.error("expected a number")
        return int(self.text[start : self.at])

    def space(self, *, newlines: bool) -> None:
        blanks = " \t\r\n" if newlines else " \t"
        while self.at < len(self.text):
            if self.text[self.at] == "#":
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            elif self.text[self.at] in blanks:
                self.at += 1
            else:
                return

    def take(self, word: str) -> bool:
        if self.text.startswith(word, self.at):
            self.at += len(word)
            return True
        return False

    def error(self, what: str) -> GrammarError:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - (self.text.rfind("\n", 0, self.at) + 1) + 1
        return GrammarError(f"Line {line}, column {column} of the grammar: {what}.")


def _is_word(character: str) -> bool:
    return character.isascii() and (character.isalnum() or character == "-")
