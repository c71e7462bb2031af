"""Compares two texts without ever cutting a token: a split falls between markers, words and blanks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

MARKER = re.compile(r"<[^<>\n]{1,120}>|\[/?[A-Z][A-Z_ ]*\]")
"""What stands for itself: `<tool_call>`, `<|im_end|>`, `[TOOL_CALLS]`."""

_ATOM = re.compile(r"<[^<>\n]{1,120}>|\[/?[A-Z][A-Z_ ]*\]|</?[^\s<>\"'=:]+|\w+|.", re.DOTALL)


def atoms(text: str) -> list[str]:
    """The text in pieces that no split may cut: whole markers, tag heads, words; every other character alone."""
    return _ATOM.findall(text)


def common_prefix(texts: Iterable[str]) -> str:
    """The longest beginning that all texts share, in whole atoms; empty for no texts."""
    return "".join(_shared([atoms(text) for text in texts]))


def common_suffix(texts: Iterable[str]) -> str:
    """The longest end that all texts share, in whole atoms."""
    return "".join(reversed(_shared([atoms(text)[::-1] for text in texts])))


def _shared(lists: Sequence[list[str]]) -> list[str]:
    if not lists:
        return []
    first, *others = lists
    length = 0
    for index, atom in enumerate(first):
        if any(index >= len(other) or other[index] != atom for other in others):
            break
        length = index + 1
    return first[:length]


def split(left: str, right: str) -> tuple[str, str, str, str]:
    """(prefix, left difference, right difference, suffix): what both begin and end with, and what is between."""
    prefix = common_prefix((left, right))
    left, right = left[len(prefix) :], right[len(prefix) :]
    suffix = common_suffix((left, right))
    end = len(suffix)
    return prefix, left[: len(left) - end], right[: len(right) - end], suffix


def first_marker(text: str) -> str:
    found = MARKER.search(text)
    return found.group() if found else ""


def last_marker(text: str) -> re.Match[str] | None:
    """The last whole marker in the text, with its place."""
    last = None
    for last in MARKER.finditer(text):  # noqa: B007
        pass
    return last


def blanks_before(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def blanks_after(text: str) -> str:
    return text[len(text.rstrip()) :]
