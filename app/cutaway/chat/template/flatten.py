"""From what a template put out to the spans of a prompt: neighbours of one origin become one span."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ..prompt import Origin, Span
from .limits import LimitError, Meter
from .marked import Mark

_plain = str.__str__

MAX_LEAVES = 1_000_000


class _Spans:
    """Collects leaves; a run of leaves that belong together is joined when the next one doesn't."""

    __slots__ = ("done", "end", "place", "source", "start", "template", "texts")

    def __init__(self) -> None:
        self.done: list[Span] = []
        self.texts: list[str] = []
        self.template: Origin | None = None
        """The origin of the run, where it is the template's."""
        self.source: str | None = None
        self.start: int | None = None
        self.end: int | None = None
        self.place: tuple[int, int] = (0, 0)

    def template_text(self, text: str, origin: Origin, place: tuple[int, int]) -> None:
        if origin.line is None:
            if self.template is None or (self.template.line, self.template.column) != place:
                self.flush()
                self.template = _vouched_at(place)
        elif self.template is not origin:
            if self.texts:
                self.flush()
            self.template = origin
        self.texts.append(text)

    def input_text(self, text: str, source: str | None, start: int | None, place: tuple[int, int]) -> None:
        if (
            self.template is not None
            or self.source != source
            or self.end != start
            or self.place != place
            or not self.texts
        ):
            if self.texts:
                self.flush()
            self.source, self.start, self.place = source, start, place
        self.end = None if start is None else start + len(text)
        self.texts.append(text)

    def flush(self) -> None:
        texts = self.texts
        if texts:
            text = _plain(texts[0]) if len(texts) == 1 else "".join(texts)
            if self.template is not None:
                origin = self.template
            elif self.start is None:
                origin = _derived_at(self.source, self.place)
            else:
                origin = Origin(
                    "input", self.source, self.start, self.end, self.place[0] or None, self.place[1] or None
                )
            self.done.append(Span(text, origin))
            self.texts = []
        self.template = None


@lru_cache(maxsize=32768)
def _derived_at(source: str | None, place: tuple[int, int]) -> Origin:
    return Origin("input", source, None, None, place[0] or None, place[1] or None)


@lru_cache(maxsize=4096)
def _vouched_at(place: tuple[int, int]) -> Origin:
    return Origin("template", None, None, None, place[0] or None, place[1] or None)


def flatten(parts: list[Any], meter: Meter) -> tuple[tuple[Span, ...], tuple[tuple[int, int], ...]]:
    """The spans, and the ranges of the `generation` blocks, in characters. Raises `LimitError`, with the place."""
    spans = _Spans()
    try:
        return _flattened(parts, meter, spans)
    except LimitError as error:
        error.place = spans.place if spans.place != (0, 0) else (1, 1)
        raise


def _flattened(parts: list[Any], meter: Meter, spans: _Spans) -> tuple[tuple[Span, ...], tuple[tuple[int, int], ...]]:
    ranges: list[tuple[int, int]] = []
    opened: list[int] = []
    at = count = 0
    place = (0, 0)
    stack: list[tuple[Iterator[Any], tuple[int, int]]] = [(iter(parts), place)]
    while stack:
        iterator, place = stack.pop()
        for part in iterator:
            count += 1
            if not count & 255:
                meter.spend(64)
            if type(part) is list:
                stack += [(iterator, place), (iter(part), place)]
                break
            if type(part) is Mark:
                if part.kind == "place":
                    place = part.place
                elif part.kind == "generation":
                    opened.append(at)
                elif opened:
                    ranges.append((opened.pop(), at))
                continue
            trace = part._trace
            if type(trace) is list:
                stack += [(iterator, place), (iter(trace), place)]
                break
            if not part:
                continue
            at += len(part)
            if type(trace) is tuple:
                spans.input_text(part, trace[0], trace[1], place)
            elif trace.kind == "template":
                spans.template_text(part, trace, place)
            else:
                spans.input_text(part, trace.source, None, place)
        if count > MAX_LEAVES:
            raise LimitError(f"the prompt consists of more than {MAX_LEAVES:,} pieces")
    spans.flush()
    return tuple(spans.done), tuple(sorted(ranges))
