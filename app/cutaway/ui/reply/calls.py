"""The calls of a reply against their tools' schemas, argument by argument; choosing one selects its characters."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTreeWidgetItem

from cutaway.chat.message import Tool
from cutaway.chat.reply import CallBlock
from cutaway.ui.models.calls import argument_rows
from cutaway.ui.sentences import told
from cutaway.ui.widgets.sheet import PLACE, Sheet
from cutaway.ui.words import language, say, tr

Place = tuple[int, int]


class CallSheet(Sheet):
    chosen = Signal(int, int)
    """The characters of a call that was chosen."""

    def __init__(self) -> None:
        super().__init__("", 4, (1, 3))
        say(self, "setAccessibleName", "Calls")
        self._shown: object = None
        self.currentItemChanged.connect(self._current)

    def show_calls(self, calls: Sequence[CallBlock], tools: Sequence[Tool]) -> None:
        """Nothing is built anew where nothing changed: the person may stand on a row."""
        if (calls, tools, language()) == self._shown:
            return
        self._shown = (calls, tools, language())
        self.blockSignals(True)
        self.clear()
        self.set_heads([tr("Argument"), tr("Value"), tr("Declared"), tr("Check")])
        if not calls:
            self.put([tr("No calls in this reply."), "", "", ""], tones={0: "quiet"}).setFirstColumnSpanned(True)
        for call in calls:
            self._put_call(call, tools)
        self.blockSignals(False)

    def _put_call(self, call: CallBlock, tools: Sequence[Tool]) -> None:
        place = (call.start, call.end)
        state = "" if call.complete else f" · {tr('still growing')}"
        heading = self.heading(" · ".join(part for part in (call.name, call.id) if part) + state, place=place)
        rows = argument_rows(call, tools)
        for row in rows:
            good = row.verdict == "ok"
            cells = (row.name, row.value, row.declared, tr("ok") if good else told(row.verdict))
            self.put(cells, heading, tones={2: "quiet", 3: "tool_definition" if good else "error"}, place=place)
        if not rows:
            self.put(("", tr("no arguments"), "", ""), heading, tones={1: "quiet"}, place=place)

    def mark(self, char: int) -> None:
        """Stand on the call that holds a character, without choosing it again."""
        for index in range(self.topLevelItemCount()):
            item = self.topLevelItem(index)
            place: Place | None = item.data(0, PLACE) if item is not None else None
            current = self.currentItem()
            if item is not None and place and place[0] <= char < place[1]:
                if current is None or current.data(0, PLACE) != place:
                    self.blockSignals(True)
                    self.setCurrentItem(item)
                    self.blockSignals(False)
                return

    def _current(self, item: QTreeWidgetItem | None) -> None:
        place: Place | None = item.data(0, PLACE) if item is not None else None
        if place:
            self.chosen.emit(*place)
