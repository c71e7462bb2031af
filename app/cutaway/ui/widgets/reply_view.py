"""A parsed reply: its raw text above its blocks, linked; repairs and unparsed text named where they are."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from cutaway.chat.reply import Block, CallBlock, ReasoningBlock, Repair, Reply
from cutaway.ui.look.marks import BY_KIND
from cutaway.ui.look.style import look
from cutaway.ui.sentences import told
from cutaway.ui.text.runs import Run, reply_runs, run_at
from cutaway.ui.text.view import TextView
from cutaway.ui.words import say, tr

EXCERPT = 300


class ReplyView(QWidget):
    pointed = Signal(int, int)
    """A run under the mouse; -1, -1 for none."""
    chosen = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        split = QSplitter(Qt.Orientation.Vertical)
        self.raw = TextView()
        self.raw.show_bounds = False
        say(self.raw, "setAccessibleName", "Raw output")
        self.raw.pointed.connect(self._point)
        self.raw.chosen.connect(self.chosen)
        self.blocks = QTreeWidget()
        self.blocks.setColumnCount(3)
        self.blocks.setRootIsDecorated(False)
        self.blocks.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.blocks.setUniformRowHeights(True)
        self.blocks.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.blocks.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        say(self.blocks, "setAccessibleName", "Blocks of the reply")
        self.blocks.itemSelectionChanged.connect(self._block_chosen)
        split.addWidget(self.raw)
        split.addWidget(self.blocks)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        layout.addWidget(split)
        self._blocks: tuple[Block, ...] = ()
        self._repairs: tuple[Repair, ...] = ()
        look.changed.connect(self._rebuild)

    def show_reply(self, raw: str, reply: Reply | None, *, fresh: bool, blocks: bool = True) -> None:
        """`fresh` False: the text is the shown one with more at its end; `blocks` False leaves their list for later."""
        if fresh or not raw.startswith(self.raw.text[-64:], max(len(self.raw.text) - 64, 0)):
            self.raw.set_text(raw)
        elif len(raw) > len(self.raw.text):
            self.raw.append(raw[len(self.raw.text) :])
        if reply is None:
            self.raw.set_runs([])
            self._set_blocks((), ())
            return
        self.raw.set_runs(_with_repairs(reply))
        if blocks:
            self._set_blocks(reply.blocks, reply.repairs)

    def _set_blocks(self, blocks: tuple[Block, ...], repairs: tuple[Repair, ...]) -> None:
        same = len(blocks) == len(self._blocks) and repairs == self._repairs and self.blocks.topLevelItemCount() > 0
        self._blocks, self._repairs = blocks, repairs
        if same and blocks:
            last = len(blocks) - 1
            item = self.blocks.topLevelItem(last)
            if item is not None:
                self._fill(item, blocks[last])
        else:
            self._rebuild()

    def _rebuild(self) -> None:
        self.blocks.setHeaderLabels([tr("Block"), tr("Characters"), tr("Text")])
        self.blocks.clear()
        for block in self._blocks:
            item = QTreeWidgetItem()
            self._fill(item, block)
            self.blocks.addTopLevelItem(item)
        for repair in self._repairs:
            item = QTreeWidgetItem([tr("Repair"), f"{repair.start}–{repair.end}", f"{repair.code}: {told(repair.message)}"])
            item.setData(0, Qt.ItemDataRole.UserRole, (repair.start, repair.end))
            item.setForeground(0, QColor(look.theme.kind("repaired")))
            self.blocks.addTopLevelItem(item)

    def _fill(self, item: QTreeWidgetItem, block: Block) -> None:
        kind = "reasoning" if isinstance(block, ReasoningBlock) else "assistant"
        text = getattr(block, "text", "")
        if isinstance(block, CallBlock):
            kind, text = "tool_call", f"{block.name}({block.arguments[:EXCERPT]})"
        item.setText(0, tr(BY_KIND[kind].name))
        item.setText(1, f"{block.start}–{block.end}")
        item.setText(2, " ".join(text[:EXCERPT].split()))
        item.setForeground(0, QColor(look.theme.kind(kind)))
        item.setData(0, Qt.ItemDataRole.UserRole, (block.start, block.end))

    def outline(self, start: int, end: int, *, reveal: bool) -> None:
        """Outline characters in the raw text and mark the block that holds them."""
        self.raw.set_outline(start, end, reveal=reveal)
        if not reveal or start < 0:
            return
        for index, block in enumerate(self._blocks):
            if block.start <= start < max(block.end, block.start + 1):
                self._mark(index)
                return

    def _mark(self, index: int) -> None:
        item = self.blocks.topLevelItem(index)
        if item is not None:
            self.blocks.blockSignals(True)
            self.blocks.setCurrentItem(item)
            self.blocks.blockSignals(False)

    def _point(self, char: int) -> None:
        span = run_at(self.raw.runs, char) if char >= 0 else None
        self.pointed.emit(span.start if span else -1, span.end if span else -1)

    def _block_chosen(self) -> None:
        items = self.blocks.selectedItems()
        if items:
            start, end = items[0].data(0, Qt.ItemDataRole.UserRole)
            self.raw.set_outline(start, end, reveal=True)
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
