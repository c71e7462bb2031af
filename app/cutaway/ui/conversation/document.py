"""A message's markdown as a document that Qt lays out, and the text of it that a selection copies."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QTextTable,
    QTextTableFormat,
)

from cutaway.ui.conversation.formulas import FormulaObject, Source
from cutaway.ui.conversation.markdown import render
from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import CONVERSATION_LEADING, SPACE

INDENT = 6 * SPACE
"""Pixels of a list within another, and of a quotation."""
QUOTED = 40
"""Pixels by which Qt's own reading of HTML moves a quotation in."""
LEADING = CONVERSATION_LEADING * 100 * 0.86
"""Percent of a font's own line, which is some 1.16 em high."""


class SafeDocument(QTextDocument):
    """A document that never loads anything."""

    def loadResource(self, kind: int, name: QUrl | str) -> None:
        return None


class MessageDocument(SafeDocument):
    """`show` fills it; `text_between` answers what stands between two places, in UTF-16 units as Qt counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(0)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setDefaultTextOption(option)
        self.setIndentWidth(INDENT)
        self.formulas = FormulaObject(self)
        self.quotes: list[tuple[QTextBlock, int]] = []
        """Paragraphs of quotations, and how deep each is."""
        self._styled: object = None

    def show(self, source: str, font: QFont, *, quiet: bool) -> list[Source]:
        """Show markdown; answers the formulas that are not drawn yet."""
        self._style(font)
        made = render(source)
        self.setHtml(made.html)
        self.formulas.place(made.formulas)
        self._space(quiet)
        return made.missing

    def _style(self, font: QFont) -> None:
        theme = look.theme
        if self._styled == (theme, font):
            return
        self._styled = (theme, QFont(font))
        self.setDefaultFont(font)
        self.setDefaultStyleSheet(
            f"a {{ color: {theme.accent}; }} code, pre {{ font-family: '{mono().family()}'; "
            f"background-color: {theme.raised}; }} blockquote {{ color: {theme.quiet}; }}"
            f"th {{ background-color: {theme.raised}; }} hr {{ background-color: {theme.line}; }}"
            "h1 { font-size: x-large; } h2 { font-size: large; } h3, h4, h5, h6 { font-size: medium; }"
        )

    def _space(self, quiet: bool) -> None:
        cursor = QTextCursor(self)
        cursor.select(QTextCursor.SelectionType.Document)
        leading = QTextBlockFormat()
        leading.setLineHeight(LEADING, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(leading)
        if quiet:
            dim = QTextCharFormat()
            dim.setForeground(QColor(look.theme.quiet))
            cursor.mergeCharFormat(dim)
        for table in self._tables():
            self._set_apart(table)
        self.quotes = list(self._quotations())

    def _tables(self) -> list[QTextTable]:
        return [frame for frame in self.rootFrame().childFrames() if isinstance(frame, QTextTable)]

    def _quotations(self) -> Iterator[tuple[QTextBlock, int]]:
        block = self.begin()
        while block.isValid():
            style = block.blockFormat()
            depth = round(style.leftMargin() / QUOTED)
            if depth:
                style.setLeftMargin(depth * INDENT)
                style.setRightMargin(0)
                QTextCursor(block).setBlockFormat(style)
                yield block, depth
            block = block.next()

    def _set_apart(self, table: QTextTable) -> None:
        """A table has lines and stands apart; the empty lines that Qt puts beside it take no room."""
        style = table.format()
        style.setTopMargin(2 * SPACE)
        style.setBottomMargin(2 * SPACE)
        style.setBorder(1)
        style.setBorderStyle(QTextTableFormat.BorderStyle.BorderStyle_Solid)
        style.setBorderBrush(QColor(look.theme.line))
        style.setBorderCollapse(True)
        style.setCellSpacing(0)
        style.setCellPadding(1.5 * SPACE)
        table.setFormat(style)
        flat = QTextBlockFormat()
        flat.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        first, last = table.firstCursorPosition().block().previous(), table.lastCursorPosition().block().next()
        for block in (first, last):
            if block.isValid() and _is_idle(block):
                QTextCursor(block).mergeBlockFormat(flat)

    # -- What is copied -------------------------------------------------------------------------

    @property
    def length(self) -> int:
        return self.characterCount() - 1

    def text_between(self, start: int, end: int) -> str:
        """As it reads on screen: lists with their signs, a table's cells apart by tabs, formulas as their LaTeX."""
        parts: list[str] = []
        last: QTextBlock | None = None
        for block in self._blocks(start, end):
            if not _is_idle(block):
                parts += [_between(last, block)] if last is not None else []
                parts.append(self._text_of(block, start, end))
                last = block
        return "".join(parts)

    def _blocks(self, start: int, end: int) -> Iterator[QTextBlock]:
        block = self.findBlock(start)
        while block.isValid() and block.position() < end:
            yield block
            block = block.next()

    def _text_of(self, block: QTextBlock, start: int, end: int) -> str:
        at = block.position()
        low, high = max(start, at), min(end, at + block.length() - 1)
        units = block.text().encode("utf-16-le", "surrogatepass")
        parts, done = [], low
        for place, (latex, displayed) in sorted(self.formulas.sources.items()):
            if low <= place < high:
                mark = "$$" if displayed else "$"
                parts += [_cut(units, done - at, place - at), f"{mark}{latex}{mark}"]
                done = place + 1
        sign = _sign(block) if low == at and high > low else ""
        text = "".join([sign, *parts, _cut(units, done - at, high - at)])
        return text.rstrip(" ") if block.textList() is not None and high == at + block.length() - 1 else text


def _cut(units: bytes, start: int, end: int) -> str:
    return units[2 * start : 2 * end].decode("utf-16-le", "replace").replace("\u2028", "\n")


def _sign(block: QTextBlock) -> str:
    """The sign before a list's item."""
    listed = block.textList()
    if listed is None:
        return ""
    style = listed.format().style()
    indent = "  " * max(listed.format().indent() - 1, 0)
    return indent + ("- " if style.value > LAST_BULLET else listed.itemText(block) + " ")


LAST_BULLET = -4
"""Of Qt's list styles: discs, circles and squares are -1 to -3, numbers of all kinds lie below."""


def _between(one: QTextBlock, other: QTextBlock) -> str:
    """What parts two blocks: cells stand in a row, items in a list, lines in a code block; paragraphs are apart."""
    table = _table_of(one)
    if table is not None and _table_of(other) == table:
        first, second = table.cellAt(one.position()), table.cellAt(other.position())
        return "\t" if first.row() == second.row() and first.column() != second.column() else "\n"
    code = one.blockFormat().nonBreakableLines() and other.blockFormat().nonBreakableLines()
    return "\n" if code or _in_one_list(one, other) else "\n\n"


def _in_one_list(one: QTextBlock, other: QTextBlock) -> bool:
    first, second = one.textList(), other.textList()
    if first is None or second is None:
        return False
    return first == second or first.format().indent() != second.format().indent()


def _is_idle(block: QTextBlock) -> bool:
    """An empty line that stands there only because a document may not begin or end with a table."""
    if block.text() or _table_of(block) is not None:
        return False
    beside = (block.previous(), block.next())
    return any(other.isValid() and _table_of(other) is not None for other in beside)


def _table_of(block: QTextBlock) -> QTextTable | None:
    return QTextCursor(block).currentTable()
