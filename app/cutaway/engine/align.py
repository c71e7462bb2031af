"""Which bytes of a text each of its tokens stands for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cutaway.engine.pieces import Ids, Offsets, Pieces

_BLANKS = b" \t\n\v\f\r"


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
    if total == len(text) and pieces.join(ids) == text:
        return Alignment(ends - lengths, ends, True)
    return _align_runs(ids, text, pieces, space_prefix)


def _align_runs(ids: Ids, text: bytes, pieces: Pieces, space_prefix: bool) -> Alignment:
    """Walk from one special token to the next; the ordinary tokens between are placed in one go."""
    lengths = pieces.lengths[ids]
    cumulated = np.concatenate(([0], np.cumsum(lengths)))
    starts, ends = cumulated[:-1].copy(), cumulated[1:].copy()
    special = np.flatnonzero(pieces.special[ids] & ~pieces.unknown[ids]).tolist()
    missing: set[bytes] = set()
    joined = pieces.join(ids)
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

    A piece that is found nearby is placed there; one that is not found covers the text up to the next
    that is. Fills `starts` and `ends`; answers whether every piece was found in order with only blanks between.
    """
    whole = True
    folded = text[at:limit].lower()
    base, position = at, 0
    first, last = [0] * len(ids), [0] * len(ids)
    for index, token in enumerate(ids.tolist()):
        piece = pieces.bytes[token].lower()
        word = piece[1:] if piece[:1] == b" " and len(piece) > 1 else piece
        found = folded.find(word, position, position + len(word) + 64) if word else position
        if found > position and word is not piece and folded[found - 1 : found] == b" ":
            found, word = found - 1, piece
        if found < 0:
            first[index] = last[index] = base + position
            whole = False
            continue
        first[index], last[index] = base + found, base + found + len(word)
        position = found + len(word)
    _stretch(first, last, base + len(folded))
    starts[:], ends[:] = first, last
    return whole and folded == text[at:limit] and not folded[position:].strip(_BLANKS)


def _stretch(first: list[int], last: list[int], upto: int) -> None:
    """Give a token that was not found the text up to the next one."""
    for index in range(len(first) - 1, -1, -1):
        if first[index] == last[index] and first[index] < upto:
            last[index] = upto
        upto = first[index]
