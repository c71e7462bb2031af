"""Which bytes of a text each of its tokens stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import combining, normalize

import numpy as np

from cutaway.engine.pieces import Ids, Offsets, Pieces

_BLANKS = b" \t\n\v\f\r"
_NEARBY = 32
"""Bytes that a tokenizer may have left out between two tokens."""


@dataclass(frozen=True, slots=True)
class Alignment:
    starts: Offsets
    """Byte offsets, one per token, half-open with `ends`."""
    ends: Offsets
    joined: bool
    """Whether the pieces are the text, blanks that a token swallows or adds left aside."""


def align(ids: Ids, text: bytes, pieces: Pieces, *, space_prefix: bool) -> Alignment:
    """Place every token in the text that it came from.

    `space_prefix` says that the vocabulary puts a blank before the first word of each run of ordinary text.
    """
    lengths = pieces.lengths[ids]
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ids) else 0
    if total == len(text) and np.array_equal(pieces.join(ids), np.frombuffer(text, dtype=np.uint8)):
        return Alignment(ends - lengths, ends, True)
    return _align_runs(ids, text, pieces, space_prefix)


def _align_runs(ids: Ids, text: bytes, pieces: Pieces, space_prefix: bool) -> Alignment:
    """Walk from one special token to the next; the ordinary tokens between are placed in one go."""
    lengths = pieces.lengths[ids]
    cumulated = np.concatenate(([0], np.cumsum(lengths)))
    starts, ends = cumulated[:-1].copy(), cumulated[1:].copy()
    special = np.flatnonzero(pieces.special[ids] & ~pieces.unknown[ids]).tolist()
    missing: set[bytes] = set()
    joined = pieces.join(ids).tobytes()
    at, first, whole = 0, 0, True
    for index in [*special, len(ids)]:
        run = joined[cumulated[first] : cumulated[index]]
        piece = pieces.bytes[int(ids[index])] if index < len(ids) else None
        if first < index:
            placed = _place_run(run, text, at, space_prefix)
            if placed is not None and _special_follows(text, placed[0] + len(run) - placed[1], piece):
                begin, cut = placed
                starts[first:index] += begin - cut - cumulated[first]
                ends[first:index] += begin - cut - cumulated[first]
                starts[first:index] = np.maximum(starts[first:index], begin)
                at = begin + len(run) - cut
            else:
                limit = _find_special(text, at, piece, missing)
                exact = _crawl(ids[first:index], text, at, limit, pieces, starts[first:index], ends[first:index])
                whole = whole and exact
                at = max(at, int(ends[index - 1]))
        if piece is not None:
            at, found = _place_special(text, at, piece, missing)
            starts[index], ends[index] = at, at + (len(piece) if found else 0)
            at = int(ends[index])
            whole = whole and found
        first = index + 1
    whole = whole and not text[at:].strip(_BLANKS)
    return Alignment(starts, ends, whole)


def _skip_blanks(text: bytes, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    return at


def _place_run(run: bytes, text: bytes, at: int, space_prefix: bool) -> tuple[int, int] | None:
    """(where the run begins in the text, how many bytes of an added blank to take off its front)."""
    after = _skip_blanks(text, at) if at < len(text) and text[at] in _BLANKS else at
    if space_prefix and run[:1] == b" ":
        if text.startswith(run[1:], at):
            return at, 1
        if after != at and text.startswith(run[1:], after):
            return after, 1
    if text.startswith(run, at):
        return at, 0
    if after != at and text.startswith(run, after):
        return after, 0
    return None


def _special_follows(text: bytes, at: int, piece: bytes | None) -> bool:
    after = _skip_blanks(text, at)
    return after == len(text) if piece is None else text.startswith(piece, after) or text.startswith(piece, at)


def _find_special(text: bytes, at: int, piece: bytes | None, missing: set[bytes]) -> int:
    """Where a special token comes next; the end of the text where it does not. Looks for each in vain only once."""
    if piece is None or piece in missing:
        return len(text)
    found = text.find(piece, at)
    if found < 0:
        missing.add(piece)
    return found if found >= 0 else len(text)


def _place_special(text: bytes, at: int, piece: bytes, missing: set[bytes]) -> tuple[int, bool]:
    after = _skip_blanks(text, at)
    for place in (at, after):
        if text.startswith(piece, place):
            return place, True
    found = _find_special(text, at, piece, missing)
    return (found, False) if found < len(text) else (at, False)


def _crawl(ids: Ids, text: bytes, at: int, limit: int, pieces: Pieces, starts: Offsets, ends: Offsets) -> bool:
    """Token by token, for vocabularies that change the text (lower case, accents, unknown characters).

    Text and pieces are compared without case and accents. A piece that is found nearby is placed there; one
    that is not found covers the text up to the next that is. Fills `starts` and `ends`; answers whether the
    pieces are the text all the same, with only blanks between.
    """
    folded, begins, stops = _fold(text[at:limit])
    position, whole = 0, True
    first, last = [at] * len(ids), [at] * len(ids)
    for index, token in enumerate(ids.tolist()):
        piece = pieces.bytes[token]
        found, length = _find_piece(_fold_piece(piece), folded, position)
        if found < 0:
            first[index] = last[index] = at + (begins[position] if position < len(begins) else limit - at)
            whole = False
            continue
        first[index] = at + begins[found] if found < len(begins) else limit
        last[index] = at + stops[found + length - 1] if length else first[index]
        whole = whole and piece.endswith(text[first[index] : last[index]]) and not folded[position:found].strip(_BLANKS)
        position = found + length
    _stretch(first, last, limit, text)
    starts[:], ends[:] = first, last
    return whole and not folded[position:].strip(_BLANKS)


def _find_piece(piece: bytes, folded: bytes, position: int) -> tuple[int, int]:
    """(where the piece stands at or soon after `position`, its length there), -1 where it does not."""
    word = piece[1:] if piece[:1] == b" " and len(piece) > 1 else piece
    found = folded.find(word, position, position + len(word) + _NEARBY) if word else position
    if found > position and word is not piece and folded[found - 1 : found] == b" ":
        return found - 1, len(piece)
    return found, len(word)


@lru_cache(maxsize=1 << 16)
def _fold_piece(piece: bytes) -> bytes:
    return _fold(piece)[0]


def _fold(data: bytes) -> tuple[bytes, Sequence[int], Sequence[int]]:
    """The text without case, accents and compatibility forms.

    With it, for each byte, where the character that it came from begins in `data`, and where it ends.
    """
    if data.isascii():
        return data.lower(), range(len(data)), range(1, len(data) + 1)
    folded, begins, stops, at = bytearray(), [], [], 0
    for character in data.decode("utf-8", "surrogateescape"):
        size = len(character.encode("utf-8", "surrogateescape"))
        plain = "".join(part for part in normalize("NFKD", character).lower() if not combining(part))
        part = plain.encode("utf-8", "surrogateescape")
        folded += part
        begins += [at] * len(part)
        at += size
        stops += [at] * len(part)
        if not part and stops:
            stops[-1] = at
    return bytes(folded), begins, stops


def _stretch(first: list[int], last: list[int], upto: int, text: bytes) -> None:
    """Give a token that was not found the text up to the next one, without blanks around it."""
    for index in range(len(first) - 1, -1, -1):
        begin = first[index]
        if begin == last[index] and begin < upto:
            gap = text[begin:upto]
            last[index] = begin + len(gap.rstrip(_BLANKS))
            first[index] = min(begin + len(gap) - len(gap.lstrip(_BLANKS)), last[index])
        upto = begin
