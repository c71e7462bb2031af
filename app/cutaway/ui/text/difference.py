"""What changed between two texts, as one text whose runs are `same`, `added` or `removed`. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from cutaway.ui.text.runs import Run

MOST_UNITS = 3000
"""More changed units than this are shown as one removal and one addition: comparing them would take too long."""
MOST_CHARS = 2000
"""Changed lines up to this long are compared character by character."""


@dataclass(frozen=True, slots=True)
class Difference:
    text: str
    runs: tuple[Run, ...]
    added: int
    """Units (lines, or tokens) that only the new one has."""
    removed: int
    first: int
    """Index of the first unit that differs; -1 when none does."""


def difference(old: Sequence[str], new: Sequence[str], *, inside: bool = False) -> Difference:
    """Compare two sequences of pieces. `inside` compares changed pieces by their characters as well."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    a, b = old[head : len(old) - tail], new[head : len(new) - tail]
    parts: list[tuple[str, str]] = [("same", "".join(new[:head]))]
    added = removed = 0
    for tag, low, high, start, end in _opcodes(a, b):
        if tag == "equal":
            parts.append(("same", "".join(a[low:high])))
            continue
        added, removed = added + end - start, removed + high - low
        was, now = "".join(a[low:high]), "".join(b[start:end])
        parts += _inner(was, now) if inside and was and now else [("removed", was), ("added", now)]
    parts.append(("same", "".join(new[len(new) - tail :] if tail else ())))
    text, runs = _joined(parts)
    return Difference(text, runs, added, removed, head if added or removed else -1)


def by_lines(old: str, new: str) -> Difference:
    return difference(old.splitlines(keepends=True), new.splitlines(keepends=True), inside=True)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count


def _opcodes(a: Sequence[str], b: Sequence[str]) -> list[tuple[str, int, int, int, int]]:
    if not a and not b:
        return []
    if not a or not b or len(a) + len(b) > MOST_UNITS:
        return [("replace", 0, len(a), 0, len(b))]
    return list(SequenceMatcher(None, a, b, autojunk=False).get_opcodes())


def _inner(was: str, now: str) -> list[tuple[str, str]]:
    if len(was) + len(now) > MOST_CHARS:
        return [("removed", was), ("added", now)]
    parts: list[tuple[str, str]] = []
    for tag, low, high, start, end in SequenceMatcher(None, was, now, autojunk=False).get_opcodes():
        if tag == "equal":
            parts.append(("same", was[low:high]))
        else:
            parts += [("removed", was[low:high]), ("added", now[start:end])]
    return parts


def _joined(parts: Sequence[tuple[str, str]]) -> tuple[str, tuple[Run, ...]]:
    runs, at = [], 0
    for kind, text in parts:
        if text:
            runs.append(Run(at, at + len(text), kind))
            at += len(text)
    return "".join(text for _, text in parts), tuple(runs)
