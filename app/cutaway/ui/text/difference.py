"""What changed between two texts, as one text whose runs are `same`, `added` or `removed`. No Qt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from cutaway.ui.text.runs import Run

if TYPE_CHECKING:
    from cutaway.ui.text.columns import Columns

Unit = TypeVar("Unit", str, int)
_Code: TypeAlias = tuple[str, int, int, int, int]
"""What became of a stretch, as `difflib` has it: (tag, old start, old end, new start, new end)."""

MOST_UNITS = 3000
"""More changed units than this are shown as one removal and one addition: comparing them would take too long."""
MOST_CHARS = 1000
"""Changed lines up to this long (both together) are compared word by word."""
MOST_PAIRS = 300
"""Changed lines of one stretch that are compared so."""
ALIKE = 0.4
"""Lines that share less than this of their characters are shown whole: shreds of them say nothing."""
_WORD = re.compile(r"<[^<>\s]{1,40}>|\w+|\s+|[^\w\s]")
"""A control token's text, a word, blanks, a sign."""


@dataclass(frozen=True, slots=True)
class Difference:
    text: str
    runs: tuple[Run, ...]
    added: int
    """Units (lines, or tokens) that only the new one has."""
    removed: int
    first: int
    """Index of the first unit that differs; -1 when none does."""

    def new_place(self, char: int) -> int:
        """Where a character of `text` stands in the new one; -1 for what was removed."""
        at = 0
        for run in self.runs:
            if run.start <= char < run.end:
                return -1 if run.kind == "removed" else at + char - run.start
            at += 0 if run.kind == "removed" else run.end - run.start
        return -1

    def shown_place(self, char: int) -> int:
        """Where a character of the new one stands in `text`; its end for what lies behind."""
        at = 0
        for run in self.runs:
            length = 0 if run.kind == "removed" else run.end - run.start
            if char < at + length:
                return run.start + char - at
            at += length
        return len(self.text)


def difference(old: Sequence[str], new: Sequence[str], *, inside: bool = False) -> Difference:
    """Compare two sequences of pieces. `inside` compares changed pieces by their words as well."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    return _parted(old, new, _opcodes(old[head : len(old) - tail], new[head : len(new) - tail]), head, tail, inside)


def by_tokens(old: str, new: str, was: Columns, now: Columns) -> Difference:
    """Compare two prompts by their tokens' ids: the same characters may be other tokens."""
    head = _common(was.ids, now.ids)
    tail = _common(was.ids[head:][::-1], now.ids[head:][::-1])
    codes = _opcodes(was.ids[head : len(was.ids) - tail], now.ids[head : len(now.ids) - tail])
    return _parted(_pieces(old, was), _pieces(new, now), codes, head, tail, False)


def _pieces(text: str, columns: Columns) -> list[str]:
    """Each token's characters; what no token begins with belongs to the one before."""
    if not columns.starts:
        return []
    borders = [0, *columns.starts[1:], len(text)]
    return [text[low:high] for low, high in pairwise(borders)]


def _parted(
    old: Sequence[str], new: Sequence[str], codes: Sequence[_Code], head: int, tail: int, inside: bool
) -> Difference:
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    parts: list[tuple[str, str]] = [("same", "".join(new[:head]))]
    added = removed = 0
    for tag, low, high, start, end in codes:
        if tag == "equal":
            parts.append(("same", "".join(b[start:end])))
            continue
        added, removed = added + end - start, removed + high - low
        was, now = a[low:high], b[start:end]
        parts += _paired(was, now) if inside else [("removed", "".join(was)), ("added", "".join(now))]
    parts.append(("same", "".join(new[len(new) - tail :] if tail else ())))
    text, runs = _joined(parts)
    return Difference(text, runs, added, removed, head if added or removed else -1)


def by_lines(old: str, new: str) -> Difference:
    return difference(old.splitlines(keepends=True), new.splitlines(keepends=True), inside=True)


def _common(one: Sequence[Unit], other: Sequence[Unit]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _opcodes(a: Sequence[Unit], b: Sequence[Unit]) -> list[_Code]:
    if not a and not b:
        return []
    if not a or not b or len(a) + len(b) > MOST_UNITS:
        return [("replace", 0, len(a), 0, len(b))]
    return list(SequenceMatcher(None, a, b, autojunk=False).get_opcodes())


_Part: TypeAlias = tuple[str, str]
"""(kind, text)"""


def _paired(old: Sequence[str], new: Sequence[str]) -> list[_Part]:
    """Changed lines, one beside the other: those that are alike by their words, the others together."""
    parts: list[_Part] = []
    gone: list[str] = []
    come: list[str] = []
    for index, (was, now) in enumerate(zip_longest(old, new, fillvalue="")):
        inner = _inner(was, now) if was and now and index < MOST_PAIRS else None
        if inner is None:
            gone.append(was)
            come.append(now)
            continue
        parts += [("removed", "".join(gone)), ("added", "".join(come)), *inner]
        gone, come = [], []
    return [*parts, ("removed", "".join(gone)), ("added", "".join(come))]


def _inner(was: str, now: str) -> list[_Part] | None:
    """Two lines word by word; None where they are not alike."""
    if len(was) + len(now) > MOST_CHARS:
        return None
    old, new = _WORD.findall(was), _WORD.findall(now)
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    shared = sum(len("".join(old[low:high]).strip()) for tag, low, high, _, _ in codes if tag == "equal")
    if shared < ALIKE * max(len(was.strip()), len(now.strip()), 1):
        return None
    parts: list[_Part] = []
    for tag, low, high, start, end in codes:
        if tag == "equal":
            parts.append(("same", "".join(new[start:end])))
        else:
            parts += [("removed", "".join(old[low:high])), ("added", "".join(new[start:end]))]
    return parts


def _joined(parts: Sequence[tuple[str, str]]) -> tuple[str, tuple[Run, ...]]:
    runs: list[Run] = []
    at = 0
    for kind, text in parts:
        if not text:
            continue
        if runs and runs[-1].kind == kind:
            runs[-1] = Run(runs[-1].start, at + len(text), kind)
        else:
            runs.append(Run(at, at + len(text), kind))
        at += len(text)
    return "".join(text for _, text in parts), tuple(runs)
