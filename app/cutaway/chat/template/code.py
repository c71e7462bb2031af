"""The code that a template is compiled to, and the way back from a place in it to the template's own text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from types import CodeType, TracebackType

from jinja2 import nodes

from .marked import Mark, Marked
from .places import place_of

FILENAME = "<chat template>"

Place = tuple[int, int | None]
"""Line and column of the template, 1-based."""


class Stream(StringIO):
    """What a generator writes to; it knows the column, in bytes, as Python counts them."""

    column = 0

    def write(self, text: str) -> int:
        _, broken, rest = text.rpartition("\n")
        size = len(rest) if rest.isascii() else len(rest.encode("utf-8"))
        self.column = size if broken else self.column + size
        return super().write(text)


@dataclass(frozen=True, slots=True)
class Code:
    """What the generator made of a template."""

    compiled: CodeType
    constants: Mapping[str, Marked | Mark]
    lines: tuple[tuple[int, int], ...]
    """Pairs of a template line and the line of the generated code where its code begins."""
    spots: tuple[tuple[int, int, nodes.Expr], ...]
    """Where the code of each expression begins: line and column of the generated code, in order."""
    block_lines: tuple[tuple[int, ...], ...]
    """For each block of statements, the template lines of its statements."""
    roles: frozenset[str]

    def lines_used(self, ran: list[int]) -> frozenset[int]:
        return frozenset(line for lines, used in zip(self.block_lines, ran, strict=True) if used for line in lines)

    def place_of(self, trace: TracebackType | None) -> Place | None:
        """The place in the template of what failed: the innermost frame of generated code says it."""
        found = None
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == FILENAME:
                found = trace
            trace = trace.tb_next
        return None if found is None else self._expression(found) or (self._line(found.tb_lineno), None)

    def _expression(self, trace: TracebackType) -> Place | None:
        """The expression whose code ran, or the last one that begins before it on the same line."""
        instructions = trace.tb_frame.f_code.co_positions()
        line, _, column, _ = next(islice(instructions, trace.tb_lasti // 2, None), (None, None, None, None))
        if line is None or column is None:
            return None
        at = bisect_right(self.spots, (line, column), key=lambda spot: spot[:2])
        if not at or self.spots[at - 1][0] != line:
            return None
        return place_of(self.spots[at - 1][2])

    def _line(self, code_line: int) -> int:
        return next((line for line, code in reversed(self.lines) if code <= code_line), 1)
