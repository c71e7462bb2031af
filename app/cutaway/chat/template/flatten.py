"""From what a template put out to the spans of a prompt: neighbours of one origin become one span."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..prompt import Origin, Span
from .limits import LimitError, Meter
from .marked import Mark

MAX_LEAVES = 1_000_000


@dataclass(slots=True)
class _Spans:
    """Collects leaves; a run of leaves that belong together is joined when the next one doesn't."""

    done: list[Span] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    source: str | None = None
    start: int | None = None
    end: int | None = None
    line: int = 0
    column: int = 0
    template: Origin | None = None

    def template_text(self, text: str, origin: Origin, line: int, column: int) -> None:
        if origin.line is None:
            if self.template is None or self.template.line != line or self.template.column != column:
                self.flush()
                self.template = Origin("template", None, None, None, line or None, column or None)
        elif self.template is not origin:
            self.flush()
            self.template = origin
        self.texts.append(text)

    def input_text(self, text: str, source: str | None, start: int | None, line: int, column: int) -> None:
        same = (
            self.texts
            and self.template is None
            and self.source == source
            and self.end == start
            and self.line == line
            and self.column == column
        )
        if not same:
            self.flush()
            self.source, self.start, self.line, self.column = source, start, line, column
        self.end = None if start is None else start + len(text)
        self.texts.append(text)

    def flush(self) -> None:
        if self.texts:
            text = self.texts[0] if len(self.texts) == 1 else "".join(self.texts)
            self.done.append(Span(str.__str__(text), self.template or self._input()))
            self.texts = []
        self.template = None

    def _input(self) -> Origin:
        return Origin("input", self.source, self.start, self.end, self.line or None, self.column or None)


def flatten(parts: list[Any], meter: Meter) -> tuple[tuple[Span, ...], tuple[tuple[int, int], ...]]:
    """The spans, and the ranges of the `generation` blocks, in characters."""
    spans = _Spans()
    ranges: list[tuple[int, int]] = []
    opened: list[int] = []
    at = count = 0
    line = column = 0
    stack: list[tuple[Iterator[Any], int, int]] = [(iter(parts), 0, 0)]
    while stack:
        iterator, line, column = stack.pop()
        for part in iterator:
            if type(part) is list:
                stack += [(iterator, line, column), (iter(part), line, column)]
                break
            if type(part) is Mark:
                if part.kind == "place":
                    line, column = part.line, part.column
                elif part.kind == "generation":
                    opened.append(at)
                elif opened:
                    ranges.append((opened.pop(), at))
                continue
            trace = part._trace
            if type(trace) is list:
                stack += [(iterator, line, column), (iter(trace), line, column)]
                break
            if not part:
                continue
            at += len(part)
            count += 1
            if not count & 255:
                meter.spend(64)
            if type(trace) is tuple:
                spans.input_text(part, trace[0], trace[1], line, column)
            elif trace.kind == "template":
                spans.template_text(part, trace, line, column)
            else:
                spans.input_text(part, trace.source, None, line, column)
        if count > MAX_LEAVES:
            raise LimitError(f"the prompt consists of more than {MAX_LEAVES:,} pieces")
    spans.flush()
    return tuple(spans.done), tuple(sorted(ranges))
