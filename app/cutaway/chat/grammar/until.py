"""Text that holds none of some delimiters, as rules: the complement of their automaton.

A state for each prefix of a delimiter; a character leads to the state of the longest such prefix that the text now
ends in, and the character that would complete a delimiter leads nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cutaway.chat.grammar.expression import EMPTY, Chars, Expression, Rules, choice, repeat, sequence


def without(
    rules: Rules, delimiters: Sequence[str], *, line: bool = False, then: str = "", hint: str = "text"
) -> Expression:
    """Any text, the empty one too, that holds no delimiter; with `line`, no newline either.

    Where `then` is what follows, the text ends only where no delimiter begins in it and ends in what follows.
    """
    words = tuple(dict.fromkeys(word for word in delimiters if word))
    if not words:
        return repeat(Chars(((10, 10),), negated=True) if line else Chars((), negated=True))
    states = sorted({word[:length] for word in words for length in range(len(word))}, key=len)
    if len(states) == 1:
        excluded = {ord(word) for word in words} | ({10} if line else set())
        return repeat(Chars(_ranges(excluded), negated=True))
    names = {state: rules.reserve(hint) for state in states}
    for state in states:
        edges = _edges(state, words, names, line)
        rules.define(names[state], choice(*edges, EMPTY) if _may_end(state, then, words) else choice(*edges))
    return names[""]


def _may_end(state: str, then: str, words: Sequence[str]) -> bool:
    whole = state + then
    return all(not -1 < whole.find(word) < len(state) for word in words)


def _edges(state: str, words: Sequence[str], names: Mapping[str, Expression], line: bool) -> list[Expression]:
    letters = sorted({word[index] for word in words for index in range(len(word))})
    special: dict[str, list[int]] = {}
    blocked: set[int] = {10} if line else set()
    for letter in letters:
        text = state + letter
        if any(text.endswith(word) for word in words):
            blocked.add(ord(letter))
            continue
        target = _longest_prefix(text, names)
        if target and not (line and letter == "\n"):
            special.setdefault(target, []).append(ord(letter))
    taken = blocked | {code for codes in special.values() for code in codes}
    edges = [sequence(Chars(_ranges(set(codes))), names[target]) for target, codes in special.items()]
    return [*edges, sequence(Chars(_ranges(taken), negated=True), names[""])]


def _longest_prefix(text: str, names: Mapping[str, Expression]) -> str:
    return next(text[start:] for start in range(len(text) + 1) if text[start:] in names)


def _ranges(codes: set[int]) -> tuple[tuple[int, int], ...]:
    out: list[tuple[int, int]] = []
    for code in sorted(codes):
        if out and out[-1][1] == code - 1:
            out[-1] = (out[-1][0], code)
        else:
            out.append((code, code))
    return tuple(out)
