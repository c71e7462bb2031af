"""Formulas in LaTeX as vector drawings: made on a thread by a library, kept, and drawn as characters of a document.

What the library cannot draw, or what is too long to be drawn in bounded time, stays as its source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from PySide6.QtCore import QByteArray, QRect, QRectF, QSizeF
from PySide6.QtGui import (
    QColor,
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QPyTextObject,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer

from cutaway.ui.look.style import look

LONGEST = 800
"""Characters of a formula that is drawn."""
DEEPEST = 6
"""Groups within groups: the library's time doubles with each."""
LARGEST = 400_000
"""Characters of a drawing."""
KEPT = 2000
SIZE = 16.0
"""Pixels of an em in the drawings."""
INK = "#010203"
"""Stands for the colour of the text in the drawings."""
OBJECT = QTextFormat.ObjectTypes.UserObject.value + 1
_INDEX = QTextFormat.Property.UserProperty.value + 1

_executor = ThreadPoolExecutor(1, thread_name_prefix="formulas")
_BOX = re.compile(r'viewBox="([-\d.e]+) ([-\d.e]+) ([-\d.e]+) ([-\d.e]+)"')
_TAG = re.compile(r"<([A-Za-z]+)")
_ROW = re.compile(r"(?:\\[A-Za-z]+\s*){8}")
"""Commands one after another, which may each take the next as their argument."""
_OPENING = ("{", "\\left", "\\begin")
_GROUP = re.compile(r"[{}]|\\left(?![a-z])|\\right(?![a-z])|\\begin|\\end")
_DRAWN = {"svg", "g", "path", "rect", "line"}

Source = tuple[str, bool]
"""A formula's LaTeX, and whether it stands on a line of its own."""


@dataclass(frozen=True, slots=True)
class Drawing:
    svg: str
    width: float
    ascent: float
    """Above the baseline, in pixels for an em of `SIZE`."""
    descent: float


_known: dict[Source, Drawing | None] = {}


def known(source: Source) -> bool:
    """It was drawn already, or it cannot be."""
    return source in _known


def drawing(source: Source) -> Drawing | None:
    return _known.get(source)


def ask(sources: Sequence[Source], answer: Callable[[], None]) -> None:
    """Draw them on the thread, then call `answer()` there."""

    def work() -> None:
        for source in sources:
            if source not in _known:
                _keep(source, draw(source))
        try:
            answer()
        except RuntimeError:  # The card that asked is gone.
            pass

    _executor.submit(work)


def _keep(source: Source, made: Drawing | None) -> None:
    while len(_known) >= KEPT:
        _known.pop(next(iter(_known)), None)
    _known[source] = made


def draw(source: Source) -> Drawing | None:
    """The drawing; None for what cannot be drawn."""
    latex, displayed = source
    if not _is_drawable(latex):
        return None
    try:
        from ziamath.config import config
        from ziamath.zmath import Latex

        config.svg2 = False  # Paths only: Qt does not know symbols.
        svg = Latex(latex, size=SIZE, color=INK, inline=not displayed).svg()
    except Exception:  # Whatever a model writes: the library raises many kinds.
        return None
    box = _BOX.search(svg)
    if box is None or len(svg) > LARGEST or not set(_TAG.findall(svg)) <= _DRAWN:
        return None
    _, top, width, height = (float(number) for number in box.groups())
    return Drawing(svg, width, -top, height + top)


def _is_drawable(latex: str) -> bool:
    """Short and flat enough for bounded time, and of characters that the formula font has."""
    if not latex.strip() or len(latex) > LONGEST or any(ord(char) > 0x2FFF for char in latex):
        return False
    if _ROW.search(latex):
        return False
    steps = (1 if found in _OPENING else -1 for found in _GROUP.findall(latex))
    return max(accumulate(steps), default=0) <= DEEPEST


class FormulaObject(QPyTextObject):
    """Draws the formulas of one document. Each is one character, U+FFFC, whose format has its number."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self.sources: dict[int, Source] = {}
        """By their place in the document."""
        self._drawings: list[Drawing] = []
        document.documentLayout().registerHandler(OBJECT, self)

    def place(self, sources: Sequence[Source]) -> None:
        """Put the formulas where the document has images named `formula:N`."""
        self.sources, self._drawings = {}, []
        for position, number in _images(self._document):
            made = drawing(sources[number])
            if made is None:
                continue
            style = QTextCharFormat()
            style.setObjectType(OBJECT)
            style.setProperty(_INDEX, len(self._drawings))
            self._drawings.append(made)
            if made.descent > 1.5:
                style.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignMiddle)
            cursor = QTextCursor(self._document)
            cursor.setPosition(position)
            cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText("\ufffc", style)
            self.sources[position] = sources[number]

    def intrinsicSize(self, doc: QTextDocument, posInDocument: int, format: QTextFormat) -> QSizeF:
        made = self._drawings[format.property(_INDEX)]
        scale = self._scale(made)
        if format.toCharFormat().verticalAlignment() is not QTextCharFormat.VerticalAlignment.AlignMiddle:
            return QSizeF(made.width * scale, (made.ascent + made.descent) * scale)
        half = self._half_x()
        height = max(2 * made.ascent * scale - half, 2 * made.descent * scale + half)
        return QSizeF(made.width * scale, height)

    def drawObject(
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        doc: QTextDocument,
        posInDocument: int,
        format: QTextFormat,
    ) -> None:
        made = self._drawings[format.property(_INDEX)]
        scale = self._scale(made)
        style = format.toCharFormat()
        middle = style.verticalAlignment() is QTextCharFormat.VerticalAlignment.AlignMiddle
        top = float(rect.top())
        if middle:  # Qt puts half of it, and a quarter of the letter x, above the baseline.
            top += (rect.height() + self._half_x()) / 2 - made.ascent * scale
        ink = style.foreground().color() if style.hasProperty(QTextFormat.Property.ForegroundBrush.value) else None
        place = QRectF(rect.left(), top, made.width * scale, (made.ascent + made.descent) * scale)
        _renderer(made.svg, (ink or QColor(look.theme.text)).name()).render(painter, place)

    def _scale(self, made: Drawing) -> float:
        """As large as the text, and never wider than it."""
        wanted = 1.12 * QFontInfo(self._document.defaultFont()).pixelSize() / SIZE
        room = self._document.textWidth()
        return min(wanted, room / made.width) if room > 0 else wanted

    def _half_x(self) -> float:
        return QFontMetricsF(self._document.defaultFont()).xHeight() / 2


def _images(document: QTextDocument) -> list[tuple[int, int]]:
    """(place, number) of each image that stands for a formula."""
    found = []
    block = document.begin()
    while block.isValid():
        for part in block:  # type: ignore[attr-defined]
            fragment = part.fragment()
            style = fragment.charFormat()
            if style.isImageFormat():
                number = int(style.toImageFormat().name().removeprefix("formula:"))
                found.append((fragment.position(), number))
        block = block.next()
    return found


@lru_cache(maxsize=256)
def _renderer(svg: str, colour: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(svg.replace(INK, colour).encode()))
