"""What the layers below say, in the window's language.

They write English sentences around values, know of no other language, and much of it is kept in the store. So a
sentence is recognised here by what stands between its values, and said anew around them; a value that is itself a
sentence, or a list of names, is translated too. What is not known stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from cutaway.ui import words

LONGEST = 1500
"""Characters of a text that are looked at: what is longer is no sentence."""
SHORTEST = 4
DEEPEST = 4
"""Sentences within sentences."""
SPAN, MOST = 4, 40
"""Full stops within one sentence; sentences that are told apart in one text."""
FEWEST = 4
"""Letters of a sentence that are not values: one with fewer (`{0} is {1}.`) counts only around a value that is known."""
_VALUE = re.compile(r"\{(\d)\}")
_BORDER = re.compile(r"(?<=[.?!:;])\s+(?=\S)")
_WIDE = "\u3000-\u303f\u4e00-\u9fff\uff00-\uffef"
_HAN = "\u4e00-\u9fff"
_APART = re.compile(f"(?<=[{_HAN}])(?=[A-Za-z0-9`'\"])|(?<=[A-Za-z0-9`'\"])(?=[{_HAN}])")
_MARKS = {":": "：", ";": "；"}
_LIST = re.compile(r"(, and |, | and |; )")


def told(text: str) -> str:
    """A sentence of the layers below, in the language in force."""
    if words.language() == "en" or not text or len(text) > LONGEST:
        return text
    known = words.tr(text)
    return known if known != text else _book(words.language()).say(text)


@dataclass(frozen=True, slots=True)
class _Sentence:
    pattern: re.Pattern[str]
    translation: str
    key: str
    """Its longest run of plain text: what does not hold it is not this sentence."""
    weight: int
    """Letters of it that are not values."""
    names: tuple[str, ...]
    """The values in their order."""


class Book:
    """Sentences with their translations; `{0}` to `{9}` stand for values."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self._plain = {source: text for source, text in table.items() if not _VALUE.search(source)}
        tails = {"{9}" + source: "{9}" + text for source, text in table.items() if source[0] in " ,"}
        made = {source: text for source, text in table.items() if source not in self._plain}
        self._made = [_sentence(source, text) for source, text in (made | tails).items()]
        self._known: dict[tuple[str, int], tuple[str, int]] = {}

    def say(self, text: str) -> str:
        if len(self._known) > 20_000:
            self._known.clear()
        return self._say(text, 0)[0]

    def _say(self, text: str, depth: int) -> tuple[str, int]:
        """The text as well as it can be said, and how many letters of it were recognised."""
        if depth > DEEPEST or len(text) < SHORTEST:
            return self._plain.get(text, text), 0
        known = self._known.get((text, depth))
        if known is None:
            known = self._known[(text, depth)] = self._best(text, depth)
        return known

    def _best(self, text: str, depth: int) -> tuple[str, int]:
        """The best way to take it apart into sentences; each is at most `SPAN` of what looks like one."""
        borders = [(match.start(), match.end()) for match in _BORDER.finditer(text)][:MOST]
        starts, ends = [0, *(end for _, end in borders)], [*(start for start, _ in borders), len(text)]
        best: list[tuple[str, int]] = [("", 0)]
        for first in range(len(starts) - 1, -1, -1):
            ways = []
            for last in range(first, min(first + SPAN, len(ends))):
                one, weight = self._one(text[starts[first] : ends[last]], depth)
                rest, more = best[len(ends) - 1 - last]
                between = text[ends[last] : starts[last + 1]] if last + 1 < len(starts) else ""
                ways.append((_follow(one, between, rest, known=bool(more)), weight + more))
            best.append(max(ways, key=lambda way: way[1]))
        return best[-1]

    def _one(self, text: str, depth: int) -> tuple[str, int]:
        """One sentence, or a value in one."""
        if (plain := self._plain.get(text)) is not None:
            return plain, len(text)
        best = self._listed(text) if depth else (text, 0)
        for sentence in self._made:
            if sentence.key in text and (match := sentence.pattern.fullmatch(text)):
                said, weight = self._fill(sentence, match, depth)
                if weight > best[1] and (sentence.weight >= FEWEST or weight > sentence.weight):
                    best = said, weight
        return best

    def _fill(self, sentence: _Sentence, match: re.Match[str], depth: int) -> tuple[str, int]:
        said = {name: self._say(value, depth + 1) for name, value in zip(sentence.names, match.groups(), strict=True)}
        parts = _VALUE.split(sentence.translation)
        parts[1::2] = [said[name][0] if name in said else "" for name in parts[1::2]]
        return _joined(parts), sentence.weight + sum(weight for _, weight in said.values())

    def _listed(self, text: str) -> tuple[str, int]:
        parts = _LIST.split(text)
        found = sum(len(part) for part in parts[::2] if part in self._plain)
        if len(parts) < 3 or not found:
            return text, 0
        return "、".join(self._plain.get(part, part) for part in parts[::2]), found


def _follow(one: str, between: str, rest: str, *, known: bool) -> str:
    """Two sentences after one another; what stands before a colon may be any place that the second speaks of."""
    if not rest:
        return one
    if known and one[-1:] in _MARKS:
        return one[:-1] + _MARKS[one[-1]] + rest
    return one + ("" if one[-1:] in "。？！：；" and "\n" not in between else between) + rest


def _joined(parts: Sequence[str]) -> str:
    """Without a blank between two Chinese characters, with one between Chinese and another script."""
    text = parts[0]
    for part in parts[1:]:
        seam = text[-1:] + part[:1]
        if len(seam) == 2 and text[-1] == " " and re.match(f"[{_WIDE}]", part) and re.search(f"[{_WIDE}]$", text[:-1]):
            text = text[:-1]
        elif _APART.search(seam):
            text += " "
        text += part
    return text


def _sentence(source: str, translation: str) -> _Sentence:
    plain = _VALUE.split(source)[::2]
    names = tuple(_VALUE.findall(source))
    pattern = "(.*?)".join(map(re.escape, plain))
    weight = sum(char.isalpha() for part in plain for char in part)
    return _Sentence(re.compile(pattern, re.DOTALL), translation, max(plain, key=len), weight, names)


@lru_cache(maxsize=4)
def _book(language: str) -> Book:
    return Book(words.read_table("sentences", language))
