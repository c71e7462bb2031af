"""One long text, painted: every character in its cell, runs tinted and underlined, blanks visible.

Only the rows on screen are painted, so that a million characters scroll like a hundred. Text may grow at
its end while it is shown. What is drawn stands for the text one to one.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from cutaway.ui.look.style import cell, look, mono
from cutaway.ui.look.theme import PANE_LEADING, SPACE
from cutaway.ui.text.paint import Brush, box, brushes, underline
from cutaway.ui.text.rows import Rows, cells, is_plain
from cutaway.ui.text.runs import Run

_INVISIBLE = {
    **{code: chr(0x2400 + code) for code in range(32)},
    0x7F: "␡", 0xA0: "⍽", 0xAD: "‐", 0x200B: "◦", 0x200C: "◦", 0x200D: "◦", 0x200E: "◦", 0x200F: "◦", 0x2028: "↵",
    0x2029: "↵", 0x202A: "◦", 0x202B: "◦", 0x202C: "◦", 0x202D: "◦", 0x202E: "◦", 0x2060: "◦", 0x2066: "◦",
    0x2067: "◦", 0x2068: "◦", 0x2069: "◦", 0xFEFF: "◦",
    **dict.fromkeys(range(0xD800, 0xE000), "�"),
}  # fmt: skip
_HIDE_BLANKS = {**_INVISIBLE, 0x20: " ", 0x09: " ", 0x0A: " "}
_ONLY_BLANKS = {0x20: "·", 0x09: "→", 0x0A: "↵"}


class PaintedText(QAbstractScrollArea):
    """Shows `text` with `runs`. Characters are counted from 0; ranges are half-open."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = Rows()
        self.runs: Sequence[Run] = ()
        self._run_starts: list[int] = []
        self.bounds: Sequence[int] = ()
        """Where tokens begin, rising: a hairline is drawn at each."""
        self.chips: Sequence[tuple[int, int]] = ()
        """Control tokens, drawn as chips."""
        self.boxes: Sequence[tuple[int, int]] = ()
        """Neutralised control text, outlined in red."""
        self.found: Sequence[tuple[int, int]] = ()
        """What a search found."""
        self.hidden_kinds: frozenset[str] = frozenset()
        """Kinds that the legend has switched off: painted dim, without their mark."""
        self.show_blanks = True
        self.show_bounds = True
        self.show_tags = False
        """Switched by `set_tags`."""
        self.tags: dict[str, str] = {}
        self.gutter = 0
        """Cells at the left for line numbers; 0 for none."""
        self.used_lines: dict[int, int] = {}
        """1-based line: how often it was used; a mark is drawn in the gutter."""
        self.outline: tuple[int, int] | None = None
        self.anchor = self.caret = 0
        self.setFrameShape(self.Shape.NoFrame)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # Scrolls by moving pixels.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        look.changed.connect(self._restyle)
        self._restyle()

    # -- What is shown --------------------------------------------------------------------------

    @property
    def text(self) -> str:
        return self.rows.text

    def set_text(self, text: str, runs: Sequence[Run] = ()) -> None:
        self.rows.set(text, self._columns())
        self.set_runs(runs)
        self.bounds, self.chips, self.boxes, self.found = (), (), (), ()
        self.outline = None
        self.anchor = self.caret = 0
        self.verticalScrollBar().setValue(0)
        self._extent()

    def append(self, text: str) -> None:
        """Add text at the end; a reader at the bottom stays at the bottom."""
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum()
        before = max(len(self.text) - 1, 0)
        self.rows.append(text)
        self._extent(all_of_it=False)
        self._update_from(before)
        if at_end:
            bar.setValue(bar.maximum())

    def set_runs(self, runs: Sequence[Run]) -> None:
        same = _common(self.runs, runs)
        begin = runs[same].start if same < len(runs) else len(self.text)
        if same < min(len(self.runs), len(runs)) and _is_grown(self.runs[same], runs[same]):
            begin = max(self.runs[same].end - 1, 0)
        self.runs = runs
        self._run_starts[same:] = [run.start for run in runs[same:]]
        self._update_from(begin)

    def _update_from(self, char: int) -> None:
        """Paint again what stands from a character on."""
        top = (self.rows.row_of(char) - self.verticalScrollBar().value()) * self._height
        self.viewport().update(0, max(top, 0), self.viewport().width(), self.viewport().height())

    def set_tags(self, on: bool) -> None:
        """Each run's two letters above its first character; the rows are higher for it."""
        if on != self.show_tags:
            self.show_tags = on
            self._restyle()

    def set_outline(self, start: int, end: int, *, reveal: bool) -> None:
        """Outline a range, as every pane does with what is selected; `start` < 0 outlines nothing."""
        self.outline = (start, end) if start >= 0 else None
        if reveal and self.outline:
            self.reveal(start)
        self.viewport().update()

    def reveal(self, char: int) -> None:
        """Scroll so that the character is on screen, with some rows before it."""
        row, bar = self.rows.row_of(char), self.verticalScrollBar()
        if not bar.value() <= row < bar.value() + self._page():
            bar.setValue(max(row - self._page() // 3, 0))

    # -- Measures -------------------------------------------------------------------------------

    def _restyle(self) -> None:
        self._font = mono()
        self._bold = QFont(self._font)
        self._bold.setBold(True)
        self._small = mono(0.75)
        metrics = QFontMetricsF(self._font)
        self._cell = cell(self._font)
        self._ascent = metrics.ascent()
        self._letters = metrics.height()
        self._band = round(self._letters * PANE_LEADING) + 1
        """Pixels of a row's text; its tags stand above it."""
        self._above = round(QFontMetricsF(self._small).height()) - 2 if self.show_tags else 0
        self._height = self._band + self._above
        self._brushes = brushes(look.theme)
        self._relayout()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.FontChange:
            self._restyle()
        super().changeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._relayout()

    def _left(self) -> float:
        return 2 * SPACE + (self.gutter + 1.5) * self._cell if self.gutter else 2 * SPACE

    def _columns(self) -> int:
        return max(int((self.viewport().width() - self._left() - 2 * SPACE) / self._cell), 8)

    def _page(self) -> int:
        return max(int(self.viewport().height() / self._height), 1)

    def _relayout(self) -> None:
        columns = self._columns()
        if columns != self.rows.columns:
            top = self.rows.starts[min(self.verticalScrollBar().value(), len(self.rows) - 1)]
            self.rows.set(self.rows.text, columns)
            self._extent()
            self.verticalScrollBar().setValue(self.rows.row_of(top))
        else:
            self._extent()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """Move what is painted; only what comes into sight is painted anew."""
        self.viewport().scroll(0, dy * self._height)

    def _extent(self, *, all_of_it: bool = True) -> None:
        page = self._page()
        bar = self.verticalScrollBar()
        bar.setPageStep(page)
        bar.setSingleStep(1)
        bar.setRange(0, max(len(self.rows) - page, 0))
        if all_of_it:
            self.viewport().update()

    def _offsets(self, start: int, end: int) -> list[float]:
        """The x of each character of a row, and of its end, from the row's left."""
        text = self.text[start:end]
        if is_plain(text):
            return [index * self._cell for index in range(len(text) + 1)]
        at, offsets = 0.0, [0.0]
        for width in cells(text):
            at += int(width) * self._cell
            offsets.append(at)
        return offsets

    def char_at(self, x: float, y: float) -> int:
        """The character at a place in the viewport, or -1."""
        row = self.verticalScrollBar().value() + int(y / self._height)
        if y < 0 or row >= len(self.rows):
            return -1
        start, end = self.rows.starts[row], self.rows.end(row)
        offsets = self._offsets(start, end)
        index = bisect_right(offsets, x - self._left()) - 1
        return start + index if 0 <= index < end - start else -1

    def _nearest(self, x: float, y: float) -> int:
        """The caret's place nearest to a point."""
        row = self.verticalScrollBar().value() + int(max(y, 0) / self._height)
        if row >= len(self.rows):
            return len(self.text)
        start, end = self.rows.starts[row], self.rows.end(row)
        offsets = self._offsets(start, end)
        index = bisect_right(offsets, x - self._left() + self._cell / 2) - 1
        last = end - start - (1 if end > start and self.text[end - 1] == "\n" else 0)
        return start + min(max(index, 0), last)

    # -- Painting -------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), QColor(look.theme.window))
        first = self.verticalScrollBar().value()
        begin = first + max(event.rect().top() - 1, 0) // self._height
        last = min(first + (event.rect().bottom() + 1) // self._height + 1, len(self.rows))
        for row in range(begin, last):
            self._paint_row(painter, row, (row - first) * self._height + self._above)
        painter.end()

    def _paint_row(self, painter: QPainter, row: int, top: float) -> None:
        start, end = self.rows.starts[row], self.rows.end(row)
        left = self._left()
        offsets = [left + offset for offset in self._offsets(start, end)]
        if self.gutter:
            self._paint_gutter(painter, row, start, top)
        self._paint_behind(painter, start, end, offsets, top)
        self._paint_text(painter, start, end, offsets, top)
        self._paint_marks(painter, start, end, offsets, top)

    def _paint_gutter(self, painter: QPainter, row: int, start: int, top: float) -> None:
        line = self.rows.line_of(start)
        if self.rows.line_starts[line] != start:
            return
        theme = look.theme
        times = self.used_lines.get(line + 1, 0)
        if times:
            painter.fillRect(QRectF(0, top, 3, self._band), QColor(theme.reused))
        painter.setPen(QColor(theme.text if times else theme.quiet))
        painter.setFont(self._font)
        painter.drawText(QPointF(SPACE + self._cell * 0.5, top + self._ascent + 1), f"{line + 1:>{self.gutter}}")

    def _overlapping(self, start: int, end: int) -> list[Run]:
        low = max(bisect_right(self._run_starts, start) - 1, 0)
        high = bisect_left(self._run_starts, max(end, start + 1))
        return [run for run in self.runs[low:high] if run.end > start and run.start < end]

    def _paint_behind(self, painter: QPainter, start: int, end: int, offsets: list[float], top: float) -> None:
        height = self._band - 1
        for run in self._overlapping(start, end):
            behind = self._brushes.get(run.kind, _NO_BRUSH).behind
            if behind is not None and run.kind not in self.hidden_kinds:
                left, right = self._span(run.start, run.end, start, end, offsets)
                painter.fillRect(QRectF(left, top, right - left, height), behind)
        low, high = sorted((self.anchor, self.caret))
        if high > start and low < end and high > low:
            left, right = self._span(low, high, start, end, offsets)
            painter.fillRect(QRectF(left, top, right - left, height), look.colour(look.theme.accent, 90))
        for low, high in _within(self.found, start, end):
            left, right = self._span(low, high, start, end, offsets)
            painter.fillRect(QRectF(left, top, right - left, height), look.colour(look.theme.heat, 120))

    def _paint_text(self, painter: QPainter, start: int, end: int, offsets: list[float], top: float) -> None:
        text = self.text[start:end]
        base = top + self._ascent + 1
        theme = look.theme
        painter.setFont(self._font)
        letters = text.translate(_HIDE_BLANKS)
        plain = is_plain(text)
        for run_start, run_end, colour, bold in self._pieces(start, end):
            painter.setPen(colour)
            painter.setFont(self._bold if bold else self._font)
            self._draw(painter, letters, run_start - start, run_end - start, offsets, base, plain)
        if self.show_blanks and (" " in text or "\n" in text or "\t" in text):
            painter.setPen(QColor(theme.faint))
            painter.setFont(self._font)
            blanks = "".join(_ONLY_BLANKS.get(ord(char), " ") for char in text)
            self._draw(painter, blanks, 0, len(blanks), offsets, base, plain)

    def _pieces(self, start: int, end: int) -> list[tuple[int, int, QColor, bool]]:
        """Parts of the row in one colour: mostly the whole row."""
        theme = look.theme
        pieces: list[tuple[int, int, QColor, bool]] = []
        at, usual = start, QColor(theme.text)
        for run in self._overlapping(start, end):
            brush = self._brushes.get(run.kind, _NO_BRUSH)
            dim = run.kind in self.hidden_kinds
            if brush.text is None and not dim:
                continue
            low, high = max(run.start, start), min(run.end, end)
            if low > at:
                pieces.append((at, low, usual, False))
            pieces.append((low, high, QColor(theme.faint) if dim else brush.text or usual, brush.bold and not dim))
            at = high
        if at < end:
            pieces.append((at, end, usual, False))
        return pieces

    def _draw(
        self, painter: QPainter, text: str, low: int, high: int, offsets: list[float], base: float, plain: bool
    ) -> None:
        if plain:
            piece = text[low:high]
            if piece.strip():
                painter.drawText(QPointF(offsets[low], base), piece)
            return
        at = low
        while at < high:
            stop = at + 1
            narrow = offsets[stop] - offsets[at] <= self._cell
            while stop < high and narrow and offsets[stop + 1] - offsets[stop] <= self._cell:
                stop += 1
            while stop < high and offsets[stop + 1] == offsets[stop]:
                stop += 1  # combining marks stay with what they combine with
            piece = text[at:stop]
            if piece.strip():
                painter.drawText(QPointF(offsets[at], base), piece)
            at = stop

    def _paint_marks(self, painter: QPainter, start: int, end: int, offsets: list[float], top: float) -> None:
        base = top + self._letters + 0.5
        for run in self._overlapping(start, end):
            brush = self._brushes.get(run.kind, _NO_BRUSH)
            if brush.line is None or run.kind in self.hidden_kinds:
                continue
            left, right = self._span(run.start, run.end, start, end, offsets)
            underline(painter, brush.underline, brush.line, left, right, base)
            if self.show_tags and run.start >= start and run.kind in self.tags and self._is_first(run):
                self._paint_tag(painter, self.tags[run.kind], brush.line, left, top - self._above)
        theme = look.theme
        if self.show_bounds and self.bounds:
            painter.setPen(QPen(look.colour(theme.quiet, 150), 1))
            for char in self.bounds[bisect_left(self.bounds, start) : bisect_left(self.bounds, end)]:
                x = offsets[char - start]
                painter.drawLine(QPointF(x, top + 2), QPointF(x, top + self._letters * 0.45))
        for low, high in _within(self.chips, start, end):
            left, right = self._span(low, high, start, end, offsets)
            box(painter, QColor(theme.quiet), left, right, top, top + self._band - 1)
        for low, high in _within(self.boxes, start, end):
            left, right = self._span(low, high, start, end, offsets)
            box(painter, QColor(theme.kind("neutralised")), left, right, top, top + self._band - 1)
        if self.outline and self.outline[1] > start and self.outline[0] < end:
            left, right = self._span(*self.outline, start, end, offsets)
            box(painter, QColor(theme.outline), left - 1, max(right, left + 3) + 1, top - 1, top + self._band)
        if self.hasFocus() and (start <= self.caret < end or (self.caret == end == len(self.text))):
            x = offsets[min(self.caret - start, len(offsets) - 1)]
            painter.fillRect(QRectF(x, top, 1.5, self._letters), QColor(theme.accent))

    def _is_first(self, run: Run) -> bool:
        """Whether no run of the same kind stands just before it: neighbours share a tag."""
        at = bisect_left(self._run_starts, run.start)
        before = self.runs[at - 1] if at > 0 else None
        return before is None or before.kind != run.kind or before.end < run.start

    def _paint_tag(self, painter: QPainter, tag: str, colour: QColor, left: float, top: float) -> None:
        painter.setFont(self._small)
        metrics = QFontMetricsF(self._small)
        width = metrics.horizontalAdvance(tag) + 2
        painter.fillRect(QRectF(left, top, width, metrics.height() - 2), colour)
        painter.setPen(QColor(look.theme.window))
        painter.drawText(QPointF(left + 1, top + metrics.ascent() - 1), tag)

    @staticmethod
    def _span(low: int, high: int, start: int, end: int, offsets: list[float]) -> tuple[float, float]:
        return offsets[max(low, start) - start], offsets[min(high, end) - start]


_NO_BRUSH = Brush()


def _common(one: Sequence[Run], other: Sequence[Run]) -> int:
    """How many runs at the beginning are the same."""
    count, low = min(len(one), len(other)), 0
    while low < count and one[low] == other[low]:
        low += 1
    return low


def _is_grown(old: Run, new: Run) -> bool:
    """The same run with more at its end: what was painted of it still stands."""
    return (old.start, old.kind) == (new.start, new.kind) and old.end <= new.end


def _within(ranges: Sequence[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """The ranges, sorted and apart, that overlap `[start, end)`."""
    if not ranges:
        return []
    low = max(bisect_right(ranges, (start, 1 << 62)) - 1, 0)
    high = bisect_left(ranges, (end, -1))
    return [pair for pair in ranges[low:high] if pair[1] > start]
