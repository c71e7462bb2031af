"""The conversation: a column of messages of which only what is on screen exists as widgets.

Each message is an entry with a height: estimated until it is first seen, then measured. Scrolling keeps
what is on screen where it is, whatever turns out above it; a reader at the end stays at the end while the
reply grows, and a reader elsewhere is left alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from cutaway.ui.conversation.cards import CARDS, CallCard, Card, FoldCard, HeadCard, TextCard
from cutaway.ui.conversation.items import Growth, Item, estimated_height, items_of
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE, TEXT_WIDTH
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.workbench.calls import CallState
    from cutaway.workbench.turn import Node, Turn

GAP = 4 * SPACE
"""Between messages."""
INNER_GAP = 2 * SPACE
"""Between the items of a message."""
AHEAD = 300
"""Pixels beyond the screen that are laid out in advance."""
SPARE = 24
"""Cards of a kind that are kept for later use."""

Key = tuple[str, ...]


@dataclass(slots=True)
class Entry:
    node: Node
    height: float
    items: list[Item] | None = None
    heights: list[float] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    """Below each item; none where the same code block goes on."""
    turn: Turn | None = None
    growth: Growth | None = None


class ConversationView(QAbstractScrollArea):
    acted = Signal(str, str, str)
    """What the person asked of a message: action, node, detail."""
    chosen = Signal(str)
    """The message that is current, by its node's id."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # Scrolls by moving pixels.
        say(self, "setAccessibleName", "Conversation")
        self.entries: list[Entry] = []
        self._index: dict[str, int] = {}
        self._tops: list[float] = [0.0]
        self._cards: dict[Key, Card] = {}
        self._spare: dict[str, list[Card]] = {}
        self._opened: set[str] = set()
        self._editing = ""
        self._hovered = ""
        self.current = ""
        self.busy = False
        self.calls: Mapping[tuple[str, str], CallState] = {}
        """By message and place in it: whether a call waits for its result, what is wrong with its arguments."""
        self.at_end = True
        self._anchor: tuple[Key, int] | None = None
        self._caret: tuple[Key, int] | None = None
        self._arranging = False
        self._placed_at = 0
        """The scroll bar's value at which the cards were placed."""
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.arrange)
        self.verticalScrollBar().setSingleStep(3 * self.fontMetrics().height())
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        look.changed.connect(self._restyle)
        changed.language.connect(self._restyle)

    # -- What is shown --------------------------------------------------------------------------

    def show_nodes(self, nodes: Sequence[Node], turns: dict[str, Turn], *, fresh: bool) -> None:
        """Show a branch. `fresh` begins at its end; otherwise the reader's place is kept."""
        old = {entry.node.id: entry for entry in self.entries}
        anchor = None if fresh or self.at_end else self._first_seen()
        width, line = self._column()[1], self.fontMetrics().height()
        entries = []
        for node in nodes:
            entry = old.get(node.id)
            turn = turns.get(node.id)
            if entry is None:
                entry = Entry(node, estimated_height(node, width, line), turn=turn)
            elif entry.node != node or entry.turn is not turn:
                was_growing = entry.node.status == "growing"
                entry.node, entry.turn, entry.items = node, turn, None
                if was_growing and node.status != "growing":
                    entry.growth = None
            if node.status == "growing" and entry.growth is None:
                entry.growth = Growth()
            entries.append(entry)
        self.entries = entries
        self._index = {entry.node.id: index for index, entry in enumerate(entries)}
        if fresh:
            self._anchor = self._caret = None
            self._editing, self.at_end = "", True
        self._sum()
        self.arrange(anchor=anchor)

    def grow(self, node: str, turn: Turn) -> None:
        """The turn of a growing message has more: its last items are made again."""
        index = self._index.get(node)
        if index is None:
            return
        entry = self.entries[index]
        entry.turn = turn
        if entry.growth is None:
            entry.growth = Growth()
        entry.items = None
        self._later.start()

    def edit(self, node: str) -> None:
        self._editing = node
        self._forget(node)
        self.arrange()
        editor = self._cards.get((node, "editor"))
        if editor is not None:
            editor.setFocus()
            for child in editor.findChildren(QWidget):
                if child.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    child.setFocus()
                    break

    def end_edit(self) -> None:
        node, self._editing = self._editing, ""
        self._forget(node)
        self.arrange()

    def toggle(self, node: str, what: str) -> None:
        key = f"{node}/{what}"
        self._opened.symmetric_difference_update({key})
        self._forget(node)
        self.at_end = False
        self.arrange(anchor=self._first_seen())

    def set_current(self, node: str, *, reveal: bool = True) -> None:
        self.current = node
        if reveal:
            self.reveal(node)
        self.arrange(anchor=None if self.at_end else self._first_seen())

    def reveal(self, node: str) -> None:
        index = self._index.get(node)
        if index is None:
            return
        top, bar = int(self._tops[index]), self.verticalScrollBar()
        bottom = top + int(self.entries[index].height)
        if top < bar.value() or bottom > bar.value() + self.viewport().height():
            self.at_end = False
            bar.setValue(max(top - GAP, 0))

    def measure_again(self) -> None:
        """A card has other contents: it may need another height."""
        if self.at_end:
            self._later.start()
        else:
            self.arrange(anchor=self._first_seen())

    def scroll_to_end(self) -> None:
        self.at_end = True
        self.arrange()

    def _forget(self, node: str) -> None:
        index = self._index.get(node)
        if index is not None:
            self.entries[index].items = None

    # -- Layout ---------------------------------------------------------------------------------

    def _column(self) -> tuple[int, int]:
        """Left edge and width of the text."""
        room = self.viewport().width() - 8 * SPACE
        width = max(min(TEXT_WIDTH, room), 120)
        return max((self.viewport().width() - width) // 2, 4 * SPACE), width

    def _sum(self) -> None:
        self._tops = list(accumulate((entry.height + GAP for entry in self.entries), initial=float(GAP)))

    def _total(self) -> int:
        return int(self._tops[-1]) + GAP

    def _first_seen(self) -> tuple[int, int, float] | None:
        """(entry, item, its top on screen) of the first item that is on screen: what must not move."""
        value = self.verticalScrollBar().value()
        index = self._entry_at(value)
        if index < 0:
            return None
        entry = self.entries[index]
        y = self._tops[index] - value
        for number, (height, gap) in enumerate(zip(entry.heights, entry.gaps, strict=False)):
            if y + height > 0:
                return index, number, float(y)
            y += height + gap
        return index, 0, float(self._tops[index] - value)

    def _entry_at(self, y: float) -> int:
        if not self.entries:
            return -1
        return min(max(bisect_right(self._tops, y) - 1, 0), len(self.entries) - 1)

    def arrange(self, *, anchor: tuple[int, int, float] | None = None) -> None:
        """Make, measure and place what is on screen; hide what is not."""
        if self._arranging:
            return
        self._arranging = True
        try:
            for _ in range(4):
                if not self._settle(anchor):
                    break
            self._place()
        finally:
            self._arranging = False

    def _settle(self, anchor: tuple[int, int, float] | None) -> bool:
        """Measure what is on screen at the present place; answers whether a height changed."""
        bar, page = self.verticalScrollBar(), self.viewport().height()
        changed_any = self._measure(bar.value() - AHEAD, bar.value() + page + AHEAD)
        if changed_any:
            self._sum()
        bar.blockSignals(True)
        bar.setPageStep(page)
        bar.setRange(0, max(self._total() - page, 0))
        before = bar.value()
        if self.at_end:
            bar.setValue(bar.maximum())
        elif anchor is not None and anchor[0] < len(self.entries):
            index, number, y = anchor
            entry = self.entries[index]
            inside = sum(entry.heights[:number]) + sum(entry.gaps[:number])
            bar.setValue(round(self._tops[index] + inside - y))
        bar.blockSignals(False)
        return changed_any or bar.value() != before

    def _measure(self, top: float, bottom: float) -> bool:
        _, width = self._column()
        changed_any = False
        index = self._entry_at(top)
        while 0 <= index < len(self.entries) and self._tops[index] < bottom:
            changed_any |= self._measure_entry(self.entries[index], self._tops[index], top, bottom, width)
            index += 1
        return changed_any

    def _measure_entry(self, entry: Entry, y: float, top: float, bottom: float, width: int) -> bool:
        if entry.items is None:
            self._make_items(entry, width)
        assert entry.items is not None
        at = y
        for number, item in enumerate(entry.items):
            if at + entry.heights[number] >= top and at <= bottom:
                entry.heights[number] = float(self._card(entry, item).height_for(width))
            at += entry.heights[number] + entry.gaps[number]
        height = max(at - y, 1.0)
        changed_any = abs(height - entry.height) > 0.5
        entry.height = height
        return changed_any

    def _make_items(self, entry: Entry, width: int) -> None:
        node = entry.node
        if node.id == self._editing:
            text = node.message.text
            items = [Item((node.id, "head"), "head"), Item((node.id, "editor"), "editor", text)]
        else:
            items = items_of(node, entry.turn, frozenset(self._opened), entry.growth)
        old = dict(zip((i.key for i in entry.items or ()), entry.heights, strict=False))
        line = self.fontMetrics().height()
        kept = entry.heights
        entry.items = items
        entry.gaps = [
            0 if following is None or (following.kind == "code" and following.open) else INNER_GAP
            for following in [*items[1:], None]
        ]
        entry.heights = [
            old.get(item.key) or (kept[n] if n < len(kept) else _guess(item, width, line))
            for n, item in enumerate(items)
        ]

    def _card(self, entry: Entry, item: Item) -> Card:
        card = self._cards.get(item.key)
        if card is None:
            spare = self._spare.get(item.kind)
            card = spare.pop() if spare else CARDS[item.kind](self, self.viewport())
            self._cards[item.key] = card
        elif not isinstance(card, CARDS[item.kind]):  # type: ignore[arg-type]
            self._release(item.key)
            return self._card(entry, item)
        if isinstance(card, HeadCard):
            live = entry.node.id in (self._hovered, self.current)
            card.show_node(entry.node, live=live, busy=self.busy)
            card.item = item
        else:
            card.show_item(item)
        if isinstance(card, FoldCard):
            card.set_running(entry.node.status == "growing" and not (entry.turn and entry.turn.content))
        if isinstance(card, CallCard) and item.call is not None:
            card.set_state(self.calls.get((item.key[0], item.key[-1])))
        return card

    def _place(self) -> None:
        value, page = self.verticalScrollBar().value(), self.viewport().height()
        left, width = self._column()
        if value != self._placed_at:
            if abs(value - self._placed_at) < page:
                self.viewport().scroll(0, self._placed_at - value)  # Moves the cards and what is painted.
            else:
                self.viewport().update()
            self._placed_at = value
        self.viewport().update(0, 0, left, page)
        seen: set[Key] = set()
        index = self._entry_at(value - AHEAD)
        while 0 <= index < len(self.entries) and self._tops[index] < value + page + AHEAD:
            entry = self.entries[index]
            y = self._tops[index] - value
            for item, height, gap in zip(entry.items or (), entry.heights, entry.gaps, strict=False):
                card = self._cards.get(item.key)
                if card is not None and y + height >= -AHEAD and y <= page + AHEAD:
                    card.setGeometry(left, round(y), width, round(height))
                    if card.isHidden():
                        card.show()
                    seen.add(item.key)
                y += height + gap
            index += 1
        for key in [key for key in self._cards if key not in seen]:
            self._release(key)

    def _release(self, key: Key) -> None:
        card = self._cards.pop(key)
        card.hide()
        kind = card.item.kind if card.item is not None else "head"
        spare = self._spare.setdefault(kind, [])
        if len(spare) < SPARE and kind != "editor":
            spare.append(card)
        else:
            card.deleteLater()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """`_place` moves the cards."""

    def _scrolled(self, value: int) -> None:
        bar = self.verticalScrollBar()
        self.at_end = value >= bar.maximum()
        self.arrange(anchor=None if self.at_end else self._first_seen())

    def resizeEvent(self, event: QResizeEvent) -> None:
        anchor = None if self.at_end else self._first_seen()
        if event.oldSize().width() != event.size().width():
            for entry in self.entries:
                entry.items = None
        self.arrange(anchor=anchor)

    def _restyle(self) -> None:
        for card in [*self._cards.values(), *(card for cards in self._spare.values() for card in cards)]:
            card.restyle()
        for entry in self.entries:
            entry.items = None
        self._later.start()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.FontChange and hasattr(self, "entries"):
            self._restyle()
        super().changeEvent(event)

    # -- Painting: the stripe beside each message -----------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        theme = look.theme
        painter.fillRect(event.rect(), QColor(theme.window))
        value, page = self.verticalScrollBar().value(), self.viewport().height()
        left, _ = self._column()
        index = self._entry_at(value)
        while 0 <= index < len(self.entries) and self._tops[index] < value + page:
            entry = self.entries[index]
            top = self._tops[index] - value
            x = max(left - 3 * SPACE, 2)
            if entry.node.in_cache is not None:
                colour = theme.reused if entry.node.in_cache else theme.line
                painter.fillRect(QRectF(x, top + SPACE, 3, entry.height - SPACE), QColor(colour))
            if entry.node.id == self.current and self.hasFocus():
                painter.setPen(QColor(theme.accent))
                painter.drawLine(int(x + 5), int(top + SPACE), int(x + 5), int(top + entry.height))
            index += 1
        painter.end()

    # -- Pointing -------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(event.position().toPoint())

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave:
            self._set_hovered("")
        return super().viewportEvent(event)

    def _hover(self, place: QPoint) -> None:
        index = self._entry_at(self.verticalScrollBar().value() + place.y())
        self._set_hovered(self.entries[index].node.id if index >= 0 else "")

    def _set_hovered(self, node: str) -> None:
        if node != self._hovered:
            old, self._hovered = self._hovered, node
            for name in (old, node):
                self._refresh_head(name)

    def _refresh_head(self, node: str) -> None:
        card, index = self._cards.get((node, "head")), self._index.get(node)
        if isinstance(card, HeadCard) and index is not None:
            live = node in (self._hovered, self.current)
            card.show_node(self.entries[index].node, live=live, busy=self.busy)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._entry_at(self.verticalScrollBar().value() + event.position().y())
        if index >= 0:
            self._choose(self.entries[index].node.id)

    def _choose(self, node: str) -> None:
        if node != self.current:
            old, self.current = self.current, node
            self._refresh_head(old)
            self._refresh_head(node)
            self.chosen.emit(node)
            self.viewport().update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().y() > 0:
            self.at_end = False
        super().wheelEvent(event)

    # -- What the cards ask (cards.Host) ----------------------------------------------------------

    def act(self, action: str, node: str, detail: str = "") -> None:
        if action == "toggle":
            self.toggle(node, detail)
        elif action == "measure":
            self.measure_again()
        elif action == "copy-selection":
            self.copy_selection()
        elif action == "cancel-edit":
            self.end_edit()
        else:
            self.acted.emit(action, node, detail)

    def press_text(self, key: Key, char: int, *, extend: bool) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._caret = (key, char)
        if not extend or self._anchor is None:
            self._anchor = (key, char)
        self._choose(key[0])
        self._repaint_cards()

    def drag_text(self, place: QPoint) -> None:
        local = self.viewport().mapFromGlobal(place)
        bar = self.verticalScrollBar()
        if local.y() < 0 or local.y() > self.viewport().height():
            bar.setValue(bar.value() + (local.y() if local.y() < 0 else local.y() - self.viewport().height()) // 2)
        best: TextCard | None = None
        for card in self._cards.values():
            if isinstance(card, TextCard) and card.isVisible() and card.y() <= local.y():
                best = card if best is None or card.y() > best.y() else best
        if best is not None and best.item is not None:
            at = best.char_at(best.mapFrom(self.viewport(), local).toPointF())
            self._caret = (best.item.key, at)
            self._repaint_cards()

    def _repaint_cards(self) -> None:
        for card in self._cards.values():
            if isinstance(card, TextCard):
                card.update()

    def _order(self, key: Key) -> tuple[int, int]:
        index = self._index.get(key[0], -1)
        items = self.entries[index].items or [] if index >= 0 else []
        return index, next((number for number, item in enumerate(items) if item.key == key), 0)

    def selection_in(self, key: Key, length: int) -> tuple[int, int] | None:
        if self._anchor is None or self._caret is None or self._anchor == self._caret:
            return None
        ends = sorted((self._order(place[0]), place[1]) for place in (self._anchor, self._caret))
        here = self._order(key)
        if not ends[0][0] <= here <= ends[1][0]:
            return None
        low = ends[0][1] if here == ends[0][0] else 0
        high = ends[1][1] if here == ends[1][0] else length
        return low, high

    def selected_text(self) -> str:
        if self._anchor is None or self._caret is None:
            return ""
        first, last = sorted((self._order(self._anchor[0]), self._order(self._caret[0])))
        parts = []
        for index in range(max(first[0], 0), last[0] + 1):
            for item in self.entries[index].items or ():
                card = self._cards.get(item.key)
                if isinstance(card, TextCard):
                    chosen = self.selection_in(item.key, card.document.characterCount() - 1)
                    text = card.text_between(*chosen) if chosen is not None else ""
                elif item.kind in ("text", "code"):
                    chosen = self.selection_in(item.key, len(item.text))
                    text = item.text[slice(*chosen)] if chosen is not None else ""
                else:
                    continue
                if text:
                    parts.append(text)
        return "\n\n".join(parts)

    def copy_selection(self) -> None:
        text = self.selected_text()
        if text:
            QGuiApplication.clipboard().setText(text)

    # -- Keyboard -------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys, key = Qt.Key, event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if control and key == keys.Key_C:
            if self.selected_text():
                self.copy_selection()
            elif self.current:
                self.acted.emit("copy", self.current, "")
        elif alt and key in (keys.Key_Up, keys.Key_Down):
            self.step(-1 if key == keys.Key_Up else 1)
        elif alt and key in (keys.Key_Left, keys.Key_Right) and self.current:
            self.acted.emit("back" if key == keys.Key_Left else "forth", self.current, "")
        elif key == keys.Key_End:
            self.scroll_to_end()
        elif key == keys.Key_Home:
            self.verticalScrollBar().setValue(0)
        elif self.current and not control and not alt and key in _KEYS:
            self.acted.emit(_KEYS[keys(key)], self.current, "")
        else:
            if key in (keys.Key_Up, keys.Key_PageUp):
                self.at_end = False
            super().keyPressEvent(event)

    def step(self, by: int) -> None:
        """Make the next or previous message current."""
        if not self.entries:
            return
        at = self._index.get(self.current, len(self.entries) if by < 0 else -1)
        index = min(max(at + by, 0), len(self.entries) - 1)
        node = self.entries[index].node
        self._choose(node.id)
        self.reveal(node.id)
        self.setAccessibleDescription(tr("{0}: {1}", tr(node.message.role), node.message.text[:500]))


_KEYS = {Qt.Key.Key_E: "edit", Qt.Key.Key_R: "again", Qt.Key.Key_Delete: "delete", Qt.Key.Key_B: "branch"}


def _guess(item: Item, width: int, line: int) -> float:
    if item.kind in ("text", "code"):
        per_line = max(width / (line * 0.42), 8)
        return (item.text.count("\n") + len(item.text) / per_line + 1) * line * 1.1
    return line * 1.6
