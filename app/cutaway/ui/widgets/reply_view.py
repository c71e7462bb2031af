"""A parsed reply: its raw text above its blocks, linked; repairs and unparsed text named where they are."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from cutaway.chat.reply import Block, CallBlock, ReasoningBlock, Repair, Reply, ReplySpan
from cutaway.ui.look.marks import ASSISTANT, BY_KIND, REASONING, REPAIRED, TEMPLATE, TOOL_CALL, UNPARSED
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.sentences import told
from cutaway.ui.text.runs import Run, reply_runs, run_at
from cutaway.ui.text.view import TextView
from cutaway.ui.widgets.legend import Legend
from cutaway.ui.words import changed, say, tr

EXCERPT = 300
MOST_UNPARSED = 50
"""Stretches of unparsed text that are listed."""
KINDS = (REASONING, ASSISTANT, TOOL_CALL, TEMPLATE, REPAIRED, UNPARSED)
NAMES = {"template": "Markup"}
"""What kinds are called in a reply, where that is not their mark's name."""
PLACE = Qt.ItemDataRole.UserRole


class ReplyView(QWidget):
    pointed = Signal(int, int)
    """A run under the mouse; -1, -1 for none."""
    chosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        self.legend = Legend(KINDS, NAMES)
        self.legend.changed.connect(self._filter)
        self.legend.hide()
        layout.addWidget(self.legend)
        split = QSplitter(Qt.Orientation.Vertical)
        self.raw = TextView()
        self.raw.show_bounds = False
        say(self.raw, "setAccessibleName", "Raw output")
        self.raw.pointed.connect(self._point)
        self.raw.chosen.connect(self._choose)
        split.addWidget(self.raw)
        split.addWidget(self._build_blocks())
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        layout.addWidget(split, 1)
        self.place = QLabel()
        self.place.setWordWrap(True)
        self.place.setTextFormat(Qt.TextFormat.PlainText)
        self.place.setProperty("quiet", True)
        self.place.setContentsMargins(2 * SPACE, 0, 2 * SPACE, SPACE)
        self.place.setMinimumHeight(2 * self.place.fontMetrics().height() + SPACE)
        self.place.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.place)
        self._blocks: tuple[Block, ...] = ()
        self._repairs: tuple[Repair, ...] = ()
        self._unparsed: tuple[ReplySpan, ...] = ()
        self._kinds: frozenset[str] = frozenset()
        look.changed.connect(self._rebuild)
        changed.language.connect(self._rebuild)

    def _build_blocks(self) -> QTreeWidget:
        self.blocks = QTreeWidget()
        self.blocks.setColumnCount(3)
        self.blocks.setRootIsDecorated(False)
        self.blocks.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.blocks.setUniformRowHeights(True)
        self.blocks.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.blocks.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        say(self.blocks, "setAccessibleName", "Blocks of the reply")
        self.blocks.itemSelectionChanged.connect(self._block_chosen)
        return self.blocks

    # -- Showing --------------------------------------------------------------------------------

    def show_reply(self, raw: str, reply: Reply | None, *, fresh: bool, blocks: bool = True) -> None:
        """`fresh` False: the text is the shown one with more at its end; `blocks` False leaves their list for later."""
        if fresh or not raw.startswith(self.raw.text[-64:], max(len(self.raw.text) - 64, 0)):
            self.raw.set_text(raw)
            self.place.setText("")
        elif len(raw) > len(self.raw.text):
            self.raw.append(raw[len(self.raw.text) :])
        if reply is None:
            self.raw.set_runs([])
            self._set_blocks((), (), ())
            return
        self.raw.set_runs(_with_repairs(reply))
        if blocks:
            unparsed = tuple(span for span in reply.spans if span.kind == "unparsed")
            self._set_blocks(reply.blocks, reply.repairs, unparsed)

    def _set_blocks(
        self, blocks: tuple[Block, ...], repairs: tuple[Repair, ...], unparsed: tuple[ReplySpan, ...]
    ) -> None:
        same = len(blocks) == len(self._blocks) and (repairs, unparsed) == (self._repairs, self._unparsed)
        same = same and self.blocks.topLevelItemCount() > 0
        self._blocks, self._repairs, self._unparsed = blocks, repairs, unparsed
        self._show_legend()
        if same and blocks:
            last = len(blocks) - 1
            item = self.blocks.topLevelItem(last)
            if item is not None:
                self._fill(item, blocks[last])
        else:
            self._rebuild()

    def _show_legend(self) -> None:
        kinds = frozenset(run.kind for run in self.raw.runs)
        if kinds != self._kinds:
            self._kinds = kinds
            self.legend.show_kinds(kinds)
            self.legend.setVisible(bool(kinds))

    def _filter(self) -> None:
        self.raw.hidden_kinds = self.legend.hidden()
        self.raw.viewport().update()

    def _rebuild(self) -> None:
        self.blocks.setHeaderLabels([tr("Block"), tr("Characters"), tr("Text")])
        self.blocks.blockSignals(True)
        self.blocks.clear()
        for block in self._blocks:
            item = QTreeWidgetItem()
            self._fill(item, block)
            self.blocks.addTopLevelItem(item)
        for repair in self._repairs:
            said = f"{repair.code}: {told(repair.message)}"
            self._add("repaired", tr("Repair"), repair.start, repair.end, said)
        for span in self._unparsed[:MOST_UNPARSED]:
            text = self.raw.text[span.start : span.end]
            self._add("unparsed", tr("Unparsed"), span.start, span.end, text)
        self.blocks.blockSignals(False)

    def _add(self, kind: str, name: str, start: int, end: int, text: str) -> None:
        item = QTreeWidgetItem([name, f"{start}–{end}", " ".join(text[:EXCERPT].split())])
        item.setToolTip(2, text[:EXCERPT])
        item.setData(0, PLACE, (start, end))
        item.setForeground(0, QColor(look.theme.kind(kind)))
        self.blocks.addTopLevelItem(item)

    def _fill(self, item: QTreeWidgetItem, block: Block) -> None:
        kind = "reasoning" if isinstance(block, ReasoningBlock) else "assistant"
        text = getattr(block, "text", "")
        if isinstance(block, CallBlock):
            kind, text = "tool_call", f"{block.name}({block.arguments[:EXCERPT]})"
        item.setText(0, tr(NAMES.get(kind, BY_KIND[kind].name)))
        item.setText(1, f"{block.start}–{block.end}")
        item.setText(2, " ".join(text[:EXCERPT].split()))
        item.setToolTip(2, text[:EXCERPT])
        item.setForeground(0, QColor(look.theme.kind(kind)))
        item.setData(0, PLACE, (block.start, block.end))

    # -- Pointing -------------------------------------------------------------------------------

    def outline(self, start: int, end: int, *, reveal: bool) -> None:
        """Outline characters in the raw text and mark the block that holds them."""
        self.raw.set_outline(start, end, reveal=reveal)
        if not reveal or start < 0:
            return
        self.place.setText(self.describe(start))
        for index, block in enumerate(self._blocks):
            if block.start <= start < max(block.end, block.start + 1):
                self._mark(index)
                return

    def describe(self, char: int) -> str:
        """What a character was read as, and what was forgiven there."""
        run = run_at(self.raw.runs, char)
        if run is None:
            return tr("not read yet") if char < len(self.raw.text) else ""
        said = [tr(NAMES.get(run.kind, BY_KIND[run.kind].name)), tr("characters {0} to {1}", run.start, run.end)]
        said += [
            f"{repair.code}: {told(repair.message)}"
            for repair in self._repairs
            if repair.start <= char < max(repair.end, repair.start + 1)
        ]
        return " · ".join(said)

    def _mark(self, index: int) -> None:
        item = self.blocks.topLevelItem(index)
        current = self.blocks.currentItem()
        held = current.data(0, PLACE) if current is not None else None
        same = held is not None and item is not None and held == item.data(0, PLACE)
        if item is not None and not same:
            self.blocks.blockSignals(True)
            self.blocks.setCurrentItem(item)
            self.blocks.blockSignals(False)

    def _point(self, char: int) -> None:
        span = run_at(self.raw.runs, char) if char >= 0 else None
        if span is not None:
            self.place.setText(self.describe(char))
        self.pointed.emit(span.start if span else -1, span.end if span else -1)

    def _choose(self, start: int, end: int) -> None:
        self.place.setText(self.describe(start))
        self.chosen.emit(start, end)

    def _block_chosen(self) -> None:
        items = self.blocks.selectedItems()
        if items:
            start, end = items[0].data(0, PLACE)
            self.raw.set_outline(start, end, reveal=True)
            self.place.setText(items[0].toolTip(2))
            self.chosen.emit(start, end)


def _with_repairs(reply: Reply) -> list[Run]:
    """The reply's runs, with what a repair covers painted as repaired."""
    runs = reply_runs(reply)
    for repair in reply.repairs:
        if repair.end <= repair.start:
            continue
        cut: list[Run] = []
        for run in runs:
            if run.end <= repair.start or run.start >= repair.end:
                cut.append(run)
                continue
            low, high = max(run.start, repair.start), min(run.end, repair.end)
            pieces = (Run(run.start, low, run.kind, run.source), Run(low, high, "repaired", run.source))
            cut += [piece for piece in (*pieces, Run(high, run.end, run.kind, run.source)) if piece.end > piece.start]
        runs = cut
    return runs
