"""What input could become: a prompt tokenised whole, part by part, and as we do it, side by side.

Whole is what a program does that has one string: control tokens are recognised anywhere in it. Part by part keeps
control tokens out of input, but its seams are not where the model's own tokenizer would have cut, and user-defined
tokens are still recognised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cutaway.chat.prompt import Prompt
from cutaway.engine.align import align
from cutaway.engine.backend import Vocabulary
from cutaway.engine.neutral import has_space_prefix
from cutaway.engine.tokens import Tokenised, tokenise

Way: TypeAlias = Literal["whole", "parts", "ours"]
Effect: TypeAlias = Literal["ends", "begins", "border", "control", "marker"]

ROLES = frozenset(
    ("system", "user", "assistant", "tool", "developer", "model", "human", "bot", "ipython", "observation")
)
MOST_ROWS = 300
_WORD = re.compile(r"\s*([A-Za-z_]+)")


@dataclass(frozen=True, slots=True)
class Taken:
    """A special token that input became."""

    start: int
    """Characters of the prompt, half-open."""
    end: int
    token: int
    text: str
    effect: Effect
    """`ends` a turn, `begins` one, is a `border` that this template writes, another `control` token, a `marker`."""
    role: str = ""
    """Of the turn that it begins."""


@dataclass(frozen=True, slots=True)
class Tokens:
    way: Way
    ids: tuple[int, ...]
    starts: tuple[int, ...]
    """Characters of the prompt, half-open with `ends`."""
    ends: tuple[int, ...]
    taken: tuple[Taken, ...]

    @property
    def role_changes(self) -> int:
        return sum(one.effect in ("ends", "begins") for one in self.taken)


@dataclass(frozen=True, slots=True)
class Row:
    """Characters in which the ways differ, with the pieces that each makes of them."""

    start: int
    end: int
    text: str
    pieces: tuple[tuple[str, ...], ...]
    """In the order of `Boundaries.ways`."""


@dataclass(frozen=True, slots=True)
class Boundaries:
    prompt: Prompt
    ways: tuple[Tokens, ...]
    rows: tuple[Row, ...]
    known_borders: int
    """Control tokens, a BOS at the start aside, that the template wrote into this prompt.

    With none its borders are text to this model.
    """


def compare_ways(prompt: Prompt, vocabulary: Vocabulary, *, markers: frozenset[str] = frozenset()) -> Boundaries:
    """The prompt tokenised three ways, and what its input became in each."""
    ours = tokenise(prompt, vocabulary, markers=markers, add_bos=False, add_eos=False)
    control = ours.pieces.control
    inside = _input_mask(prompt)
    written = {
        int(token)
        for token, start, end in ours.triples()
        if control[token] and end > start and not inside[start:end].any()
    }
    columns = {
        "whole": _encode(prompt.text, 0, vocabulary, special=True),
        "parts": _by_part(prompt, vocabulary),
        "ours": (ours.ids.tolist(), ours.starts.tolist(), ours.ends.tolist()),
    }
    ways = tuple(_tokens(way, columns[way], prompt, inside, written, vocabulary) for way in ("whole", "parts", "ours"))
    ids = ours.ids.tolist()
    borders = sum(token in written for token in ids[1 if ids[:1] == [vocabulary.bos] else 0 :])
    return Boundaries(prompt, ways, tuple(_rows(prompt.text, ways, ours)), borders)


_Columns: TypeAlias = tuple[list[int], list[int], list[int]]


def _encode(text: str, at: int, vocabulary: Vocabulary, *, special: bool) -> _Columns:
    """(ids, starts, ends) in characters, from `at` on."""
    data = text.encode("utf-8", "replace")
    ids = vocabulary.encode_bytes(data, special=special)
    placed = align(ids, data, vocabulary.pieces(), space_prefix=has_space_prefix(vocabulary))
    heads = (np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80
    chars = np.concatenate(([0], np.cumsum(heads)))
    starts = chars[np.minimum(placed.starts + 1, len(data))] - 1
    ends = chars[np.minimum(placed.ends, len(data))]
    return ids.tolist(), (np.maximum(starts, 0) + at).tolist(), (ends + at).tolist()


def _by_part(prompt: Prompt, vocabulary: Vocabulary) -> _Columns:
    ids: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for is_input, spans in groupby(prompt.spans, key=lambda span: span.is_input):
        text = "".join(span.text for span in spans)
        found = _encode(text, at, vocabulary, special=not is_input) if text else ([], [], [])
        for column, more in zip((ids, starts, ends), found, strict=True):
            column += more
        at += len(text)
    return ids, starts, ends


def _input_mask(prompt: Prompt) -> NDArray[np.bool_]:
    """For each character whether it is input."""
    lengths = [len(span.text) for span in prompt.spans]
    return np.repeat(np.array([span.is_input for span in prompt.spans], dtype=np.bool_), lengths)


def _tokens(
    way: Way, columns: _Columns, prompt: Prompt, inside: NDArray[np.bool_], written: set[int], vocabulary: Vocabulary
) -> Tokens:
    ids, starts, ends = columns
    pieces = vocabulary.pieces()
    special = pieces.special[np.array(ids, dtype=np.int64)] if ids else np.zeros(0, dtype=np.bool_)
    taken = []
    for index in np.flatnonzero(special).tolist():
        token, start, end = ids[index], starts[index], ends[index]
        if end > start and inside[start:end].any() and not pieces.unknown[token]:
            effect, role = _effect(prompt.text, token, end, written, vocabulary, bool(pieces.control[token]))
            taken.append(Taken(start, end, token, prompt.text[start:end], effect, role))
    return Tokens(way, tuple(ids), tuple(starts), tuple(ends), tuple(taken))


def _effect(
    text: str, token: int, end: int, written: set[int], vocabulary: Vocabulary, is_control: bool
) -> tuple[Effect, str]:
    if not is_control:
        return "marker", ""
    if vocabulary.is_end(token):
        return "ends", ""
    word = _WORD.match(text, end)
    if word is not None and word[1].lower() in ROLES:
        return "begins", word[1]
    return ("border" if token in written else "control"), ""


def _rows(text: str, ways: Sequence[Tokens], ours: Tokenised) -> Iterator[Row]:
    """The stretches between places where all ways cut, as far as the ways differ there."""
    shared = set(ways[0].ends).intersection(*(way.ends for way in ways[1:]))
    groups = [_groups(way, shared) for way in ways]
    begin, count = 0, 0
    for end in sorted(shared):
        held = [group.get(end, ()) for group in groups]
        if any(one != held[0] for one in held[1:]) and count < MOST_ROWS:
            count += 1
            names = tuple(tuple(_name(ours.pieces.bytes[token]) for token in one) for one in held)
            yield Row(begin, end, text[begin:end], names)
        begin = end


def _groups(way: Tokens, shared: set[int]) -> dict[int, tuple[int, ...]]:
    """The ids up to each shared place, from the one before."""
    found: dict[int, tuple[int, ...]] = {}
    waiting: list[int] = []
    last: Any = None
    for token, end in zip(way.ids, way.ends, strict=True):
        if end == last:  # A token without characters of its own belongs to what came before it.
            found[end] = (*found[end], token)
            continue
        waiting.append(token)
        if end in shared:
            found[end], waiting, last = tuple(waiting), [], end
    return found


def _name(piece: bytes) -> str:
    return piece.decode("utf-8", "replace")
