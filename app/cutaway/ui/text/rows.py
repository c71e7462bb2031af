"""Text as rows of equal cells: where each row begins, for any width, without a font.

A row never crosses a newline; long lines break after a blank where there is one. Half a million characters
take some tens of milliseconds, and only the last line is laid out again when text is added.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
import numpy.typing as npt

TAB_CELLS = 4
_WIDE = (
    (0x1100, 0x115F), (0x2E80, 0x303E), (0x3041, 0x33FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA000, 0xA4CF),
    (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFE30, 0xFE6F), (0xFF00, 0xFF60), (0xFFE0, 0xFFE6), (0x1F300, 0x1F64F),
    (0x1F680, 0x1F6FF), (0x1F900, 0x1FAFF), (0x20000, 0x3FFFD),
)  # fmt: skip
_NONE = ((0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x20D0, 0x20FF), (0xFE00, 0xFE0F), (0xFE20, 0xFE2F))
"""Combining marks and variation selectors. Joiners and other invisible characters get a cell: they are shown."""


def cells(text: str) -> npt.NDArray[np.int64]:
    """Cells taken by each character: 0, 1, 2, or a tab's."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    width = np.ones(len(points), np.int64)
    width[points == 9] = TAB_CELLS
    if points.size and points.max() >= 0x300:
        for low, high in _WIDE:
            width[(points >= low) & (points <= high)] = 2
        for low, high in _NONE:
            width[(points >= low) & (points <= high)] = 0
    return width


def is_plain(text: str) -> bool:
    """Whether each character takes exactly one cell."""
    return text.isascii() and "\t" not in text


class Rows:
    """The rows of one text at one width. `starts[i]` is the first character of row i."""

    def __init__(self, columns: int = 80) -> None:
        self.text = ""
        self.columns = max(columns, 8)
        self.starts: list[int] = [0]
        self.line_starts: list[int] = [0]
        """The first character of each line, as newlines part them."""

    def __len__(self) -> int:
        return len(self.starts)

    def set(self, text: str, columns: int | None = None) -> None:
        self.columns = max(columns or self.columns, 8)
        self.text = ""
        self.starts, self.line_starts = [0], [0]
        self.append(text)

    def append(self, text: str) -> None:
        """Add text at the end: the last line is laid out again, nothing before it."""
        if not text:
            return
        begin = self.line_starts[-1]
        if len(self.text) - begin > 4 * self.columns:  # A long last line: go on from its last whole row.
            begin = max(begin, self.starts[-1])
        self.text += text
        while self.starts and self.starts[-1] >= begin:
            self.starts.pop()
        self._lay_out(begin)

    def end(self, row: int) -> int:
        return self.starts[row + 1] if row + 1 < len(self.starts) else len(self.text)

    def row_of(self, char: int) -> int:
        return max(bisect_right(self.starts, char) - 1, 0)

    def line_of(self, char: int) -> int:
        """0-based line that holds the character."""
        return max(bisect_right(self.line_starts, char) - 1, 0)

    def _lay_out(self, begin: int) -> None:
        text, find = self.text, self.text.find
        size, columns = len(text), self.columns
        plain = is_plain(text[begin:])
        fitting = columns if plain else columns // TAB_CELLS  # Lines up to this many characters fit in any case.
        starts, lines = self.starts, self.line_starts
        at = begin
        while True:
            newline = find("\n", at)
            end = size if newline < 0 else newline + 1
            starts.append(at)
            if end - at > fitting:
                self._break(at, end, plain or is_plain(text[at:end]))
            if newline < 0:
                return
            at = end
            lines.append(at)

    def _break(self, start: int, end: int, plain: bool) -> None:
        if plain:
            self._break_plain(start, end)
            return
        ends = np.cumsum(cells(self.text[start:end]))
        at, used = start, 0
        while True:
            limit = start + int(np.searchsorted(ends, used + self.columns, side="right"))
            if limit >= end or (limit == end - 1 and self.text[limit] == "\n"):
                return
            at = self._cut(at, max(limit, at + 1))
            used = int(ends[at - start - 1])
            self.starts.append(at)

    def _break_plain(self, start: int, end: int) -> None:
        at, columns = start, self.columns
        while end - at > columns:
            if end - at == columns + 1 and self.text[end - 1] == "\n":
                return
            at = self._cut(at, at + columns)
            self.starts.append(at)

    def _cut(self, start: int, limit: int) -> int:
        """Where the row that begins at `start` ends: after the last blank before `limit`, else there."""
        blank = self.text.rfind(" ", start + self.columns // 2, limit)
        return blank + 1 if blank > start else limit
