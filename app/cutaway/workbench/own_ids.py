"""Tokens of a prompt in which the model's own earlier tokens are kept where the text is the same.

A reply that is rendered again often has the same text but other tokens: the model wrote `.` and two newlines, the
tokenizer makes one token of them. The cache holds the model's. So the text of each earlier reply that the new prompt
repeats keeps the ids that the model produced; all the rest is tokenised as ever.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from cutaway.chat.prompt import Prompt, Span
from cutaway.engine.backend import Vocabulary
from cutaway.engine.neutral import has_space_prefix
from cutaway.engine.tokens import Mode, Neutralised, Tokenised, tokenise

_MESSAGE = re.compile(r"messages\[(\d+)\]")
_TRIES = 8
_ANCHORS = (64, 16, 4)
"""Characters at the front of a field by which its text is found in what the model wrote; fewer where it was changed."""


@dataclass(frozen=True, slots=True)
class OwnIds:
    """What the model produced for one message of the request, its end token included."""

    message: int
    """The message's index in the request."""
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """Characters of the prompt whose tokens are the model's own."""

    start: int
    end: int
    ids: tuple[int, ...]
    ends: tuple[int, ...]
    """Where each token's characters end in the prompt."""
    message: int


def tokenise_keeping(
    prompt: Prompt,
    vocabulary: Vocabulary,
    own: Sequence[OwnIds] = (),
    *,
    markers: frozenset[str] = frozenset(),
    mode: Mode = "neutral",
) -> tuple[Tokenised, tuple[Kept, ...]]:
    """The prompt's tokens, and where they are the model's own."""
    kept = tuple(_place(prompt, vocabulary, own)) if own else ()
    if not kept:
        return tokenise(prompt, vocabulary, markers=markers, mode=mode), ()
    markers |= _written_markers(prompt, vocabulary)
    starts = list(accumulate((len(span.text) for span in prompt.spans), initial=0))
    parts: list[tuple[int, Tokenised | Kept]] = []
    at = 0
    for piece in kept:
        parts += [(at, _part(prompt, starts, at, piece.start, vocabulary, markers, mode)), (piece.start, piece)]
        at = piece.end
    parts.append((at, _part(prompt, starts, at, len(prompt.text), vocabulary, markers, mode)))
    return _join(starts, vocabulary, parts), kept


# -- Where the model's own text stands in the prompt ------------------------------------------------------


def _place(prompt: Prompt, vocabulary: Vocabulary, own: Sequence[OwnIds]) -> Iterator[Kept]:
    fields = _input_spans(prompt)
    floor = 0
    for one in sorted(own, key=lambda item: item.message):
        if one.message in fields:
            found = _place_one(prompt, vocabulary, one, fields[one.message], floor)
            if found is not None:
                floor = found.end
                yield found


def _input_spans(prompt: Prompt) -> dict[int, list[tuple[int, str]]]:
    """For each message its input spans: (start in the prompt, text)."""
    found: dict[int, list[tuple[int, str]]] = {}
    at = 0
    for span in prompt.spans:
        if span.is_input and span.text and (match := _MESSAGE.match(span.origin.source or "")):
            found.setdefault(int(match.group(1)), []).append((at, span.text))
        at += len(span.text)
    return found


def _place_one(
    prompt: Prompt, vocabulary: Vocabulary, own: OwnIds, spans: Sequence[tuple[int, str]], floor: int
) -> Kept | None:
    written = _characters(vocabulary, own.ids)
    if written is None:
        return None
    text, ends = written
    first, anchor_text = spans[0]
    best, length = -1, 0
    for size in _ANCHORS:
        for offset in _occurrences(text, anchor_text[:size]):
            start = first - offset
            if start >= floor and (shared := _shared(text, prompt.text, start)) > length:
                best, length = start, shared
        if length:
            break
    if length <= first - best:
        return None
    count = bisect_right(ends, length)
    while count and not _may_end(vocabulary, own.ids, count, prompt, best + ends[count - 1]):
        count -= 1
    if not count or not _control_is_template(prompt, vocabulary, own.ids[:count], ends, best):
        return None
    return Kept(best, best + ends[count - 1], own.ids[:count], tuple(best + end for end in ends[:count]), own.message)


def _characters(vocabulary: Vocabulary, ids: Sequence[int]) -> tuple[str, list[int]] | None:
    """The text of the ids, and after each id how many whole characters there are; None when it is no text.

    Tokens that end inside a character share the count before it.
    """
    pieces = vocabulary.pieces().bytes
    if not ids or max(ids) >= len(pieces):
        return None
    try:
        text = b"".join(pieces[token] for token in ids).decode("utf-8")
    except UnicodeDecodeError:
        return None
    ends, count = [], 0
    for token in ids:
        count += sum(byte & 0xC0 != 0x80 for byte in pieces[token])
        ends.append(count)
    return text, ends


def _occurrences(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted)
    for _ in range(_TRIES):
        if at < 0:
            return
        yield at
        at = text.find(wanted, at + 1)


def _shared(text: str, prompt: str, start: int) -> int:
    """How many characters `text` and the prompt from `start` on have in common."""
    low, high = 0, min(len(text), len(prompt) - start)
    if text[:high] == prompt[start : start + high]:
        return high
    while low < high:
        middle = (low + high + 1) // 2
        if text[low:middle] == prompt[start + low : start + middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _may_end(vocabulary: Vocabulary, ids: Sequence[int], count: int, prompt: Prompt, at: int) -> bool:
    """Whether what follows can be tokenised by itself: not inside a character, and no blank would be put before it."""
    pieces = vocabulary.pieces()
    following = pieces.bytes[ids[count]] if count < len(ids) else b""
    if following and following[0] & 0xC0 == 0x80:
        return False
    if not has_space_prefix(vocabulary) or at >= len(prompt.text) or pieces.special[ids[count - 1]]:
        return True
    return any(prompt.text.startswith(added.text, at) for added in pieces.added if added.text)


def _control_is_template(
    prompt: Prompt, vocabulary: Vocabulary, ids: Sequence[int], ends: Sequence[int], start: int
) -> bool:
    """A control id is kept only where the new prompt's template writes it."""
    controls = [index for index, token in enumerate(ids) if vocabulary.is_control(token)]
    if not controls:
        return True
    starts = list(accumulate((len(span.text) for span in prompt.spans), initial=0))
    for index in controls:
        begin, end = start + (ends[index - 1] if index else 0), start + ends[index]
        if any(span.is_input for span in _spans(prompt, starts, begin, end)):
            return False
    return True


# -- The rest, tokenised part by part -----------------------------------------------------------------------


def _written_markers(prompt: Prompt, vocabulary: Vocabulary) -> frozenset[str]:
    """Markers that the template writes anywhere in this prompt: each part must know them all."""
    written = "\0".join({span.text for span in prompt.spans if not span.is_input})
    added = vocabulary.pieces().added
    return frozenset(one.text for one in added if not one.control and one.is_marker and one.text in written)


def _spans(prompt: Prompt, starts: Sequence[int], start: int, end: int) -> Iterable[Span]:
    """The spans of the characters `[start, end)`, cut to them."""
    first = max(0, bisect_right(starts, start) - 1)
    for index in range(first, len(prompt.spans)):
        at = starts[index]
        if at >= end:
            return
        text = prompt.spans[index].text[max(0, start - at) : end - at]
        if text:
            yield replace(prompt.spans[index], text=text)


def _part(
    prompt: Prompt,
    starts: Sequence[int],
    start: int,
    end: int,
    vocabulary: Vocabulary,
    markers: frozenset[str],
    mode: Mode,
) -> Tokenised:
    spans = tuple(_spans(prompt, starts, start, end))
    generation = min(max(prompt.generation_start - start, 0), end - start)
    last = end == len(prompt.text)
    return tokenise(
        Prompt(spans, generation),
        vocabulary,
        markers=markers,
        mode=mode,
        add_bos=None if start == 0 else False,
        add_eos=None if last else False,
    )


def _join(starts: Sequence[int], vocabulary: Vocabulary, parts: Sequence[tuple[int, Tokenised | Kept]]) -> Tokenised:
    ids, begins, ends, neutral = [], [], [], []
    neutralised: list[Neutralised] = []
    warnings = []
    added = np.zeros(0, dtype=np.bool_)
    for offset, part in parts:
        if isinstance(part, Kept):
            ids.append(np.array(part.ids, dtype=np.int32))
            begins.append(np.array([part.start, *part.ends[:-1]], dtype=np.int64))
            ends.append(np.array(part.ends, dtype=np.int64))
            neutral.append(np.zeros(len(part.ids), dtype=np.bool_))
            added = np.concatenate((added, neutral[-1]))
            continue
        ids.append(part.ids)
        begins.append(part.starts + offset)
        ends.append(part.ends + offset)
        neutral.append(part.neutral)
        added = np.concatenate((added, part.first_spans < 0))
        neutralised += [replace(one, start=one.start + offset, end=one.end + offset) for one in part.neutralised]
        warnings += [one for one in part.warnings if one not in warnings]
    first, last = np.concatenate(begins), np.concatenate(ends)
    first_spans = np.searchsorted(starts[:-1], first, side="right") - 1
    last_spans = np.searchsorted(starts[:-1], np.maximum(last - 1, first), side="right") - 1
    first_spans[added] = last_spans[added] = -1
    return Tokenised(
        np.concatenate(ids).astype(np.int32),
        first,
        last,
        first_spans,
        last_spans,
        np.concatenate(neutral),
        vocabulary.pieces(),
        tuple(neutralised),
        tuple(warnings),
    )
