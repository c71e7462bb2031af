"""Input never becomes a control token: what spells one is cut out and encoded as plain text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cutaway.engine.align import align
from cutaway.engine.backend import Vocabulary
from cutaway.engine.pieces import Ids, Offsets, Pieces

_SENTINELS = ("\n", "\x01", "。")
_ROUNDS = 6
_BEGINNING = 4
_SEARCHED = 64
"""Characters up to which every way to cut a text in two is tried, and a text is remembered."""

Occurrence = tuple[int, int, int]
"""(start, end, token) in characters: the text of an added token."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A run of text that must be encoded as plain text, and what in it spelled added tokens."""

    start: int
    end: int
    occurrences: tuple[Occurrence, ...]


@dataclass(frozen=True, slots=True)
class Encoded:
    """Tokens of a text, with the characters that each stands for."""

    ids: Ids
    starts: Offsets
    ends: Offsets
    joined: bool
    """Whether the pieces are the text."""
    neutral: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Guard:
    """What must not come from input."""

    vocabulary: Vocabulary
    pieces: Pieces
    tokens: NDArray[np.bool_]
    """One entry per token of the vocabulary: whether it is a control token or a marker."""
    space_prefix: bool
    """Whether a blank is put before the first word of each run of ordinary text."""
    span_of: NDArray[np.int32]
    """The span of each character of the prompt, and of its end."""
    inputs: NDArray[np.int32]
    """Number of spans of input before each span, and in all."""
    known: dict[tuple[str, bool, bool], Encoded] = field(default_factory=dict)
    """Short texts that were encoded before, by text, beginning of a run, plain or not: a hostile text repeats itself."""

    def has_input(self, start: int, end: int) -> bool:
        return bool(start < end and self.inputs[self.span_of[end - 1] + 1] > self.inputs[self.span_of[start]])

    def breaches(self, encoded: Encoded) -> list[Occurrence]:
        """Guarded tokens that stand for input. An unknown token does only where the text spells it."""
        at = np.flatnonzero(self.tokens[encoded.ids])
        first, last = self.span_of[encoded.starts[at]], self.span_of[np.maximum(encoded.ends[at] - 1, 0)]
        at = at[(self.inputs[last + 1] > self.inputs[first]) & (encoded.ends[at] > encoded.starts[at])]
        return [
            (int(encoded.starts[index]), int(encoded.ends[index]), int(encoded.ids[index]))
            for index in at.tolist()
            if not self.pieces.unknown[encoded.ids[index]]
        ]


def has_space_prefix(vocabulary: Vocabulary) -> bool:
    if vocabulary.kind not in ("spm", "ugm"):
        return False
    ids = vocabulary.encode("a", special=False)
    return bool(ids) and vocabulary.pieces().bytes[ids[0]].startswith(b" ")


def encode_guarded(text: str, guard: Guard) -> tuple[Encoded, tuple[Cut, ...]]:
    """The text's tokens, none of which input has made a control token, and what was cut out for that.

    Where no input spells a guarded token this is one plain pass of the model's tokenizer.
    """
    occurrences = list(_occurrences(text, guard))
    hostile = any(guard.has_input(start, end) for start, end, _ in occurrences)
    cuts = _cuts(occurrences, guard) if hostile else ()
    for _ in range(_ROUNDS):
        encoded = _encode_around(text, cuts, guard)
        found = guard.breaches(encoded)
        if not found:
            break
        occurrences += found
        cuts = _cuts(occurrences, guard)
    return encoded, cuts


def _occurrences(text: str, guard: Guard) -> Iterator[Occurrence]:
    """Every place where a guarded token's text stands, overlapping ones included.

    Such texts share their first characters, so the text is searched once for each beginning of them.
    """
    beginnings: dict[str, dict[str, int]] = {}
    for added in guard.pieces.added:
        if guard.tokens[added.id] or guard.pieces.unknown[added.id]:
            beginnings.setdefault(added.text[:_BEGINNING], {})[added.text] = added.id
    for beginning, tokens in beginnings.items():
        lengths = sorted({len(spelled) for spelled in tokens})
        at = text.find(beginning)
        while at >= 0:
            for length in lengths:
                token = tokens.get(text[at : at + length])
                if token is not None and at + length <= len(text):
                    yield at, at + length, token
            at = text.find(beginning, at + 1)


def _cuts(occurrences: list[Occurrence], guard: Guard) -> tuple[Cut, ...]:
    """Runs of occurrences that hold input, without what the template's own tokens cover of them."""
    own = sorted(found for found in occurrences if not guard.has_input(found[0], found[1]))
    hostile = sorted(set(occurrences) - set(own))
    longest = max((end - start for start, end, _ in own), default=0)
    pieces = [
        (begin, stop, number)
        for number, (start, end, _) in enumerate(hostile)
        for begin, stop in _uncovered(start, end, own, bisect_left(own, (start - longest, 0, 0)))
    ]
    cuts: list[Cut] = []
    counted: set[int] = set()
    for begin, stop, number in sorted(pieces):
        found = (hostile[number],) if number not in counted else ()
        counted.add(number)
        if cuts and begin < cuts[-1].end:
            last = cuts.pop()
            cuts.append(Cut(last.start, max(stop, last.end), (*last.occurrences, *found)))
        else:
            cuts.append(Cut(begin, stop, found))
    return tuple(cuts)


def _uncovered(start: int, end: int, own: Sequence[Occurrence], first: int) -> Iterator[tuple[int, int]]:
    """The parts of `[start, end)` that none of the template's tokens covers, those from `first` on looked at."""
    for index in range(first, len(own)):
        own_start, own_end, _ = own[index]
        if own_start >= end:
            break
        if own_end > start:
            if own_start > start:
                yield start, own_start
            start = own_end
    if start < end:
        yield start, end


def _encode_around(text: str, cuts: tuple[Cut, ...], guard: Guard) -> Encoded:
    parts: list[Encoded] = []
    at = 0
    for cut in (*cuts, Cut(len(text), len(text), ())):
        if cut.start > at:
            part = _encode_segment(text[at : cut.start], guard, _begins_run(parts, guard))
            parts.append(_shift(part, at, neutral=False))
        if cut.end > cut.start:
            part = _encode_plain(text[cut.start : cut.end], guard, _begins_run(parts, guard))
            parts.append(_shift(part, cut.start, neutral=True))
        at = cut.end
    return _concatenate(parts)


def _begins_run(parts: list[Encoded], guard: Guard) -> bool:
    """Whether ordinary text that follows is the first after a special token, or of the whole."""
    last = next((part for part in reversed(parts) if len(part.ids)), None)
    return last is None or bool(guard.pieces.special[last.ids[-1]])


def _concatenate(parts: list[Encoded]) -> Encoded:
    if not parts:
        none = np.zeros(0, dtype=np.int64)
        return Encoded(none.astype(np.int32), none, none, True, none.astype(np.bool_))
    return Encoded(
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.starts for part in parts]),
        np.concatenate([part.ends for part in parts]),
        all(part.joined for part in parts),
        np.concatenate([part.neutral for part in parts]),
    )


def _encode(text: str, guard: Guard, *, special: bool) -> Encoded:
    data = text.encode("utf-8")
    ids = guard.vocabulary.encode_bytes(data, special=special)
    aligned = align(ids, data, guard.pieces, space_prefix=guard.space_prefix)
    starts, ends = aligned.starts, aligned.ends
    known = None if aligned.joined else guard.vocabulary.offsets(text, special=special)
    if known is not None:
        starts, ends = _close_gaps(text, *known)
    elif len(data) != len(text):
        starts, ends = _to_characters(starts, ends, data)
    return Encoded(ids, starts, ends, aligned.joined, np.zeros(len(ids), dtype=np.bool_))


def _to_characters(starts: Offsets, ends: Offsets, data: bytes) -> tuple[Offsets, Offsets]:
    """Byte offsets as character offsets; a token that holds part of a character gets the whole of it."""
    begins = (np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80
    before = np.zeros(len(data) + 1, dtype=np.int64)
    np.cumsum(begins, out=before[1:])
    first = before[np.minimum(starts + 1, len(data))] - (starts < len(data))
    last = before[ends]
    return first, np.where(ends > starts, last, first)


def _close_gaps(text: str, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
    """Give marks that a tokenizer has composed with the letter before them to that letter's token."""
    for index in np.flatnonzero(starts[1:] > ends[:-1]).tolist():
        end, upto = int(ends[index]), int(starts[index + 1])
        if text[end:upto].strip():
            ends[: index + 1][ends[: index + 1] == end] = upto
    return starts, ends


def _shift(part: Encoded, by: int, *, neutral: bool) -> Encoded:
    flags = np.full(len(part.ids), neutral)
    return Encoded(part.ids, part.starts + by, part.ends + by, part.joined, flags)


def _encode_segment(segment: str, guard: Guard, begins_run: bool) -> Encoded:
    """Part of a text between two cuts."""
    if len(segment) > _SEARCHED:
        return _encode_run(segment, guard, begins_run, special=True)
    key = segment, begins_run, False
    if key not in guard.known:
        guard.known[key] = _encode_run(segment, guard, begins_run, special=True)
    return guard.known[key]


def _encode_run(segment: str, guard: Guard, begins_run: bool, *, special: bool) -> Encoded:
    """Part of a text, without the blank that the vocabulary puts before a run that begins there."""
    if guard.space_prefix and not begins_run:
        for sentinel in _SENTINELS:
            whole = _encode(sentinel + segment, guard, special=special)
            inside = int(np.searchsorted(whole.starts, 1))
            clean = inside and int(whole.ends[inside - 1]) == 1 and not guard.pieces.special[whole.ids[inside - 1]]
            if clean and whole.joined:
                starts, ends = whole.starts[inside:] - 1, whole.ends[inside:] - 1
                return Encoded(whole.ids[inside:], starts, ends, whole.joined, whole.neutral[inside:])
    return _encode(segment, guard, special=special)


def _encode_plain(segment: str, guard: Guard, begins_run: bool) -> Encoded:
    """Text as ordinary tokens only: where it still makes a guarded one, it is encoded in pieces.

    Of all ways to cut it in two the one with the fewest tokens is nearest to what training has shown the model, and
    of those the last: tokenizers join a sign to the word behind it rather than to the one before.
    """
    known = guard.known.get((segment, begins_run, True))
    if known is not None:
        return known
    part = _encode_run(segment, guard, begins_run, special=False)
    guarded = np.flatnonzero(guard.tokens[part.ids] & ~guard.pieces.unknown[part.ids])
    if len(guarded):
        begins = part.starts[guarded].tolist()
        points = [at for at in dict.fromkeys(min(at + 1, len(segment)) for at in begins) if at < len(segment)]
        points = points or [at for at in begins[:1] if at > 0]
        if not points:
            part = _encode_as_bytes(segment, guard)
        elif len(segment) > _SEARCHED:
            part = _in_pieces(segment, points, guard, begins_run)
        else:
            middles = reversed(range(points[0], max(points[0] + 1, min(int(part.ends[guarded[0]]), len(segment)))))
            pieces = (_in_pieces(segment, [middle], guard, begins_run) for middle in middles)
            part = min(pieces, key=lambda piece: len(piece.ids))
    guard.known[(segment, begins_run, True)] = part
    return part


def _in_pieces(segment: str, points: Sequence[int], guard: Guard, begins_run: bool) -> Encoded:
    """Plain text, encoded between the points one by one."""
    parts: list[Encoded] = []
    for start, end in pairwise((0, *points, len(segment))):
        begins_run = _begins_run(parts, guard) if any(len(part.ids) for part in parts[-1:]) else begins_run
        parts.append(_shift(_encode_plain(segment[start:end], guard, begins_run), start, neutral=True))
    return _concatenate(parts)


def _encode_as_bytes(segment: str, guard: Guard) -> Encoded:
    """Text that cannot be cut, as bytes: as far as the vocabulary has tokens for them."""
    single = guard.pieces.single
    placed = [
        (single[byte], at)
        for at, character in enumerate(segment)
        for byte in character.encode("utf-8")
        if byte in single
    ]
    ids = np.array([token for token, _ in placed], dtype=np.int32)
    starts = np.array([at for _, at in placed], dtype=np.int64)
    whole = len(ids) == len(segment.encode("utf-8"))
    return Encoded(ids, starts, starts + 1, whole, np.ones(len(ids), dtype=np.bool_))
