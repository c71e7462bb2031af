"""Regular expressions of a JSON Schema's `pattern`, as expressions.

Read is what ECMA-262 and Python share and a grammar can say: classes, groups, alternation, counted repetition and
anchors at the ends. Lookaround, back references and word boundaries have no counterpart; they raise PatternError.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from cutaway.chat.grammar.expression import EMPTY, LAST_CHARACTER, Expression, choice, repeat, sequence
from cutaway.chat.grammar.gbnf import MOST_REPETITIONS
from cutaway.chat.grammar.notation import Ranges, invert

Spell = Callable[[Ranges], Expression]
"""One character of the ranges, in the notation at hand."""

DIGITS: Ranges = ((0x30, 0x39),)
WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
BLANK: Ranges = ((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x2028, 0x2029), (0xFEFF, 0xFEFF))
ANYTHING: Ranges = ((0, 0xD7FF), (0xE000, LAST_CHARACTER))
DOT = invert(((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)))
DEEPEST = 50


class PatternError(ValueError):
    """A pattern that a grammar cannot say, or none at all. The message says which part."""


def translate(pattern: str, spell: Spell) -> Expression:
    """Texts in which the pattern is found; where it is not anchored, any text may stand around it."""
    return _Reader(pattern, spell).whole()


_ONE_CLASS = re.compile(r"\^(\[(?:\\.|[^\]\\])+\]|\\[dwsDWS]|\.)(?:([*+?])|\{(\d+)(,?)(\d*)\})?\$")


def within(pattern: str, least: int, most: int | None) -> str | None:
    """The pattern with bounds on the length of its texts, where it is one class of characters and a count."""
    found = _ONE_CLASS.fullmatch(pattern)
    if found is None:
        return None
    one, sign, low, comma, high = found.groups()
    first, last = {"*": (0, None), "+": (1, None), "?": (0, 1), None: (1, 1)}[sign]
    if low:
        first, last = int(low), int(high) if high else None if comma else int(low)
    least = max(least, first)
    most = last if most is None else most if last is None else min(most, last)
    return f"^{one}{{{least},{'' if most is None else most}}}$" if most is None or least <= most else None


class _Reader:
    def __init__(self, pattern: str, spell: Spell) -> None:
        self.pattern = pattern
        self.spell = spell
        self.at = 0
        self.depth = 0

    def whole(self) -> Expression:
        around = repeat(self.spell(ANYTHING))
        options = []
        for branch in self.branches():
            start, middle, end = branch
            options.append(sequence(*([] if start else [around]), middle, *([] if end else [around])))
        if self.at < len(self.pattern):
            raise PatternError(f"an unmatched ) at {self.at}")
        return choice(*options)

    def branches(self) -> list[tuple[bool, Expression, bool]]:
        """The alternatives of the outermost level: (anchored at the start, what is between, anchored at the end)."""
        found = [self.branch()]
        while self.take("|"):
            found.append(self.branch())
        return found

    def branch(self) -> tuple[bool, Expression, bool]:
        start = self.take("^")
        items: list[Expression] = []
        end = False
        while self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
            if self.take("$"):
                end = True
                if self.at < len(self.pattern) and self.pattern[self.at] not in "|)":
                    raise PatternError("$ in the middle")
                break
            items.append(self.counted(self.atom()))
        return start, sequence(*items), end

    def group(self) -> Expression:
        self.depth += 1
        if self.depth > DEEPEST:
            raise PatternError(f"more than {DEEPEST} nested groups")
        if self.take("?") and not self.take(":") and not self.named():
            raise PatternError("a lookaround or a flag group")
        options = []
        for start, item, end in self.branches():
            if start or end:
                raise PatternError("an anchor inside a group")
            options.append(item)
        if not self.take(")"):
            raise PatternError("a missing )")
        self.depth -= 1
        return choice(*options)

    def named(self) -> bool:
        """`(?<name>` and `(?P<name>`, consumed; False for anything else."""
        self.take("P")
        if not self.take("<") or self.pattern[self.at : self.at + 1] in ("=", "!"):
            return False
        end = self.pattern.find(">", self.at)
        if end < 0:
            return False
        self.at = end + 1
        return True

    def counted(self, item: Expression) -> Expression:
        while self.at < len(self.pattern) and self.pattern[self.at] in "*+?{":
            bounds = self.count()
            if bounds is None:
                return item
            item = repeat(item, *bounds) if bounds[1] != 0 else EMPTY
            if self.take("?"):
                continue  # lazy or greedy is the same language
        return item

    def count(self) -> tuple[int, int | None] | None:
        sign = self.pattern[self.at]
        if sign != "{":
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        end = self.pattern.find("}", self.at)
        least, comma, most = self.pattern[self.at + 1 : end].partition(",")
        if end < 0 or not least.isdigit() or (most and not most.isdigit()):
            raise PatternError("a { that counts nothing")
        self.at = end + 1
        low, high = int(least), int(most) if most else (None if comma else int(least))
        if max(low, high or 0) > MOST_REPETITIONS or (high is not None and high < low):
            raise PatternError(f"a repetition of more than {MOST_REPETITIONS}")
        return low, high

    def atom(self) -> Expression:
        character = self.next()
        if character == "(":
            return self.group()
        if character == "[":
            return self.one(self.bracket())
        if character == ".":
            return self.one(DOT)
        if character == "\\":
            return self.one(self.escape(inside=False))
        if character in "*+?{^":
            raise PatternError(f"{character} with nothing before it" if character != "^" else "^ in the middle")
        return self.one(((ord(character), ord(character)),))

    def one(self, ranges: Ranges) -> Expression:
        try:
            return self.spell(ranges)
        except ValueError as error:
            raise PatternError(str(error)) from None

    def bracket(self) -> Ranges:
        negated = self.take("^")
        ranges: list[tuple[int, int]] = []
        first = True
        while first or not self.take("]"):
            first = False
            low = self.member()
            if self.pattern[self.at : self.at + 1] == "-" and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = self.member()
                if len(low) != 1 or len(high) != 1 or low[0][0] != low[0][1] or high[0][0] < low[0][0]:
                    raise PatternError("a class whose range has no ends")
                low = ((low[0][0], high[0][1]),)
            ranges += low
        return invert(tuple(ranges)) if negated else tuple(ranges)

    def member(self) -> Ranges:
        character = self.next()
        if character == "\\":
            return self.escape(inside=True)
        return ((ord(character), ord(character)),)

    def escape(self, *, inside: bool) -> Ranges:
        kind = self.next()
        classes = {"d": DIGITS, "w": WORD, "s": BLANK}
        if kind.lower() in classes:
            return classes[kind] if kind.islower() else invert(classes[kind.lower()])
        plain = {"n": 0x0A, "r": 0x0D, "t": 0x09, "f": 0x0C, "v": 0x0B, "0": 0}
        if inside:
            plain["b"] = 0x08
        if kind in plain:
            return ((plain[kind], plain[kind]),)
        if kind in "xu":
            return self.code(2 if kind == "x" else 4)
        if kind.isalnum():
            raise PatternError(f"\\{kind}")
        return ((ord(kind), ord(kind)),)

    def code(self, digits: int) -> Ranges:
        word = self.pattern[self.at : self.at + digits]
        if digits == 4 and word.startswith("{"):
            end = self.pattern.find("}", self.at)
            word, self.at = self.pattern[self.at + 1 : end], end + 1
        else:
            self.at += digits
        try:
            code = int(word, 16)
        except ValueError:
            raise PatternError("an escape without its hexadecimal digits") from None
        if code > LAST_CHARACTER:
            raise PatternError("an escape beyond the last character")
        return ((code, code),)

    def next(self) -> str:
        if self.at >= len(self.pattern):
            raise PatternError("an end where more was expected")
        self.at += 1
        return self.pattern[self.at - 1]

    def take(self, word: str) -> bool:
        if self.pattern.startswith(word, self.at):
            self.at += len(word)
            return True
        return False
