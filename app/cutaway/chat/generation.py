"""Where the assistant's turn begins in a prompt, found by where the characters came from."""

from __future__ import annotations

from collections.abc import Sequence

from cutaway.chat.prompt import Origin, Span


def length(spans: Sequence[Span]) -> int:
    return sum(len(span.text) for span in spans)


def generation_start(with_prompt: Sequence[Span], without: Sequence[Span]) -> int:
    """Character offset in `with_prompt` of what an explicit true added to an explicit false.

    Both are renderings of the same conversation. Equal characters from different places of the template are
    different, so a shared first character can't fool it. Input is never part of what was added: where the two
    renderings already differ before some input, the added text is the run at the end that no earlier output shares.
    """
    total = length(with_prompt)
    start = common_prefix(with_prompt, without)
    if start >= total:
        return total
    last_input = _end_of_last_input(with_prompt)
    return start if last_input <= start else own_run(with_prompt)


def buried_prompt(with_prompt: Sequence[Span], without: Sequence[Span]) -> str | None:
    """The last field, when an explicit true added template text before it instead of at the end."""
    places = {(span.origin.line, span.origin.column) for span in without}
    added = [not span.is_input and (span.origin.line, span.origin.column) not in places for span in with_prompt]
    last = max((at for at, span in enumerate(with_prompt) if span.is_input), default=-1)
    return with_prompt[last].origin.source if last >= 0 and any(added[:last]) else None


def start_of_lines(spans: Sequence[Span], line: int) -> int:
    """Where the run at the end begins that the template wrote from a line on."""
    start = length(spans)
    for span in reversed(spans):
        if span.origin.line is None or span.origin.line < line:
            break
        start -= len(span.text)
    return start


def common_prefix(left: Sequence[Span], right: Sequence[Span]) -> int:
    """Characters that are equal and from the same place, from the start on."""
    at = i = j = used_left = used_right = 0
    while i < len(left) and j < len(right):
        a, b = left[i], right[j]
        size = min(len(a.text) - used_left, len(b.text) - used_right)
        one, other = a.text[used_left : used_left + size], b.text[used_right : used_right + size]
        if not _same_place(a.origin, b.origin):
            return at
        if one != other:
            return at + _equal_characters(one, other)
        at += size
        used_left, used_right = used_left + size, used_right + size
        if used_left == len(a.text):
            i, used_left = i + 1, 0
        if used_right == len(b.text):
            j, used_right = j + 1, 0
    return at


def _same_place(one: Origin, other: Origin) -> bool:
    if one.kind != other.kind:
        return False
    if one.kind == "template":
        return (one.line, one.column) == (other.line, other.column)
    return one.source == other.source


def _equal_characters(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _end_of_last_input(spans: Sequence[Span]) -> int:
    at = end = 0
    for span in spans:
        at += len(span.text)
        if span.is_input:
            end = at
    return end


def own_run(spans: Sequence[Span]) -> int:
    """The start of the template's run at the end whose places in the template wrote nothing before the last input."""
    after = _end_of_last_input(spans)
    at, ends, earlier = 0, [], set()
    for span in spans:
        at += len(span.text)
        ends.append(at)
        if at <= after:
            earlier.add((span.origin.line, span.origin.column))
    start = at
    for span, end in zip(reversed(spans), reversed(ends), strict=True):
        if end <= after or (span.origin.line, span.origin.column) in earlier:
            break
        start = end - len(span.text)
    return start


def cut_spans(spans: Sequence[Span], end: int) -> tuple[Span, ...]:
    """The spans of the first `end` characters."""
    kept: list[Span] = []
    at = 0
    for span in spans:
        if at >= end:
            break
        size = min(len(span.text), end - at)
        kept.append(span if size == len(span.text) else _shortened(span, size))
        at += size
    return tuple(kept)


def _shortened(span: Span, size: int) -> Span:
    origin = span.origin
    if origin.start is not None and origin.end is not None:
        origin = Origin(
            origin.kind, origin.source, origin.start, origin.start + size, line=origin.line, column=origin.column
        )
    return Span(span.text[:size], origin)
