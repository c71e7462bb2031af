"""A column of cards that scrolls, of which only what is on screen exists as widgets.

Scrolling keeps what is on screen where it is, whatever turns out above it; a reader at the end stays at the
end while it grows, and a reader elsewhere is left alone.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from cutaway.ui.conversation import tab_order
from cutaway.ui.conversation.cards import Card, Host, TextCard
from cutaway.ui.conversation.column import GAP, Anchor, Column, Entry, Key
from cutaway.ui.conversation.deck import Deck
from cutaway.ui.conversation.items import Item, guessed_height
from cutaway.ui.conversation.to_end import ToEnd
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE, TEXT_WIDTH
from cutaway.ui.words import changed

AHEAD = 300
"""Pixels beyond the screen that are laid out in advance."""
ROUNDS = 4
"""How often what is on screen is measured again because something else turned out to be there."""


class Scroller(QAbstractScrollArea):
    """Lays out the items of a `Column`; which items a message has, and how they are dressed, is its heirs' to say."""

    def __init__(self, host: Host, parent: QWidget | None = None) -> None:
        """`host` is what the cards ask: an heir gives itself."""
        super().__init__(parent)
        self.setFrameShape(self.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # Scrolls by moving pixels.
        self.column = Column()
        self.deck = Deck(host, self.viewport())
        self.to_end = ToEnd(self)
        self.to_end.clicked.connect(self.scroll_to_end)
        self.at_end = True
        self._grown = False
        """More came at the end while the reader was elsewhere."""
        self._read: Anchor | None = None
        """The line that was read when the window was first resized; until the reader scrolls."""
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

    def items_of(self, entry: Entry) -> list[Item]:
        """The items that a message has now."""
        raise NotImplementedError

    def dress(self, card: Card, entry: Entry, item: Item) -> None:
        """Tell a card what it shows, and what it cannot know from its item."""
        raise NotImplementedError

    # -- Changes --------------------------------------------------------------------------------

    def make_again(self, node: str, anchor: Anchor | None = None) -> None:
        """A message has other items, or its cards are to be dressed anew."""
        entry = self.column.of(node)
        if entry is not None:
            entry.stale = True
        self.arrange(anchor)

    def measure_again(self, node: str) -> None:
        """A card has other contents: it may need another height."""
        entry = self.column.of(node)
        if entry is not None:
            entry.measured = [False] * len(entry.measured)
        self._later.start()

    def scroll_to_end(self) -> None:
        self.start_at_end()
        self.arrange()

    def start_at_end(self) -> None:
        """For another conversation."""
        self.at_end, self._grown, self._read = True, False, None

    def note_growth(self) -> None:
        """There is more at the end: a reader who is elsewhere is told."""
        self._grown = not self.at_end

    def hold_still(self) -> None:
        """What is on screen stays there, whatever comes; until `check_end`."""
        self.at_end, self._read = False, None

    def check_end(self) -> None:
        bar = self.verticalScrollBar()
        self.at_end = bar.value() >= bar.maximum()

    def reveal(self, node: str) -> None:
        """Scroll to a message that is not whole on screen."""
        entry = self.column.of(node)
        if entry is None:
            return
        top, bar = int(self.column.tops[self.column.index[node]]), self.verticalScrollBar()
        if top < bar.value() or top + int(entry.height) > bar.value() + self.viewport().height():
            bar.setValue(max(top - GAP, 0))

    # -- Layout ---------------------------------------------------------------------------------

    def text_place(self) -> tuple[int, int]:
        """Left edge and width of the text."""
        room = self.viewport().width() - 8 * SPACE
        width = max(min(TEXT_WIDTH, room), 120)
        return max((self.viewport().width() - width) // 2, 4 * SPACE), width

    def anchor(self) -> Anchor | None:
        """What must not move; nothing for a reader who is at the end, where new text moves all."""
        return None if self.at_end else self.column.anchor(self.verticalScrollBar().value())

    def _line_anchor(self) -> Anchor | None:
        """As `_anchor`, to the very line that is read: for when lines break elsewhere."""
        anchor = self.anchor()
        card = self.deck.cards.get(anchor.key) if anchor is not None else None
        if anchor is None or not isinstance(card, TextCard):
            return anchor
        char = card.char_at(QPointF(card.inset, max(-anchor.top, 0.0)))
        return replace(anchor, char=char, line=card.top_of(char))

    def arrange(self, anchor: Anchor | None = None) -> None:
        """Make, measure and place what is on screen; hide what is not."""
        if self._arranging:
            return
        self._arranging = True
        try:
            anchor = anchor or self.anchor()
            for _ in range(ROUNDS):
                if not self._settle(anchor):
                    break
            self._place()
        finally:
            self._arranging = False

    def _settle(self, anchor: Anchor | None) -> bool:
        """Measure what is on screen at the present place; answers whether something changed."""
        bar, page = self.verticalScrollBar(), self.viewport().height()
        changed_any = self._measure(bar.value() - AHEAD, bar.value() + page + AHEAD)
        bar.blockSignals(True)
        bar.setPageStep(page)
        bar.setRange(0, max(self.column.total - page, 0))
        before = bar.value()
        if self.at_end:
            bar.setValue(bar.maximum())
        elif anchor is not None:
            self._put(anchor)
        bar.blockSignals(False)
        return changed_any or bar.value() != before

    def _put(self, anchor: Anchor) -> None:
        """Scroll so that the anchor is where it was on screen."""
        top = self.column.place_of(anchor)
        if top is None:
            return
        card = self.deck.cards.get(anchor.key)
        if anchor.char >= 0 and isinstance(card, TextCard):
            top += card.top_of(anchor.char) - anchor.line
        self.verticalScrollBar().setValue(round(top - anchor.top))

    def _measure(self, top: float, bottom: float) -> bool:
        first, width = -1, self.text_place()[1]
        for index, entry in self.column.between(top, bottom):
            if self._measure_entry(entry, self.column.tops[index], top, bottom, width):
                first = index if first < 0 else first
                self.column.sum(index)
        return first >= 0

    def _measure_entry(self, entry: Entry, y: float, top: float, bottom: float, width: int) -> bool:
        """Answers whether the message has another height now."""
        if entry.stale:
            line = self.fontMetrics().height()
            entry.take(self.items_of(entry), lambda item: guessed_height(item, width, line))
        at = y
        for number, item in enumerate(entry.items):
            if at + entry.heights[number] >= top and at <= bottom:
                self._measure_item(entry, number, item, width)
            at += entry.heights[number] + entry.gaps[number]
        height = max(at - y, 1.0)
        changed_height = abs(height - entry.height) > 0.5
        entry.height = height
        return changed_height

    def _measure_item(self, entry: Entry, number: int, item: Item, width: int) -> None:
        there = item.key in self.deck.cards
        if there and entry.measured[number]:
            return
        card = self.deck.card(item)
        self.dress(card, entry, item)
        entry.heights[number] = float(card.height_for(width))
        entry.measured[number] = True

    def _place(self) -> None:
        value, page = self.verticalScrollBar().value(), self.viewport().height()
        left, width = self.text_place()
        if value != self._placed_at:
            if abs(value - self._placed_at) < page:
                self.viewport().scroll(0, self._placed_at - value)  # Moves the cards and what is painted.
            else:
                self.viewport().update()
            self._placed_at = value
        self.viewport().update(max(left - 4 * SPACE, 0), 0, 4 * SPACE, page)
        seen: set[Key] = set()
        for index, entry in self.column.between(value - AHEAD, value + page + AHEAD):
            y = self.column.tops[index] - value
            for item, height, gap in zip(entry.items, entry.heights, entry.gaps, strict=True):
                if y + height >= -AHEAD and y <= page + AHEAD and self.deck.put(item.key, left, y, width, height):
                    seen.add(item.key)
                y += height + gap
        self.deck.keep(seen)
        self._note_place()

    def _note_place(self) -> None:
        """Whether the way back to the end is offered."""
        bar = self.verticalScrollBar()
        away = bar.maximum() - bar.value() > self.viewport().height() // 4
        if not away:
            self._grown = False
        left, width = self.text_place()
        self.to_end.show_at(left + width // 2, self.viewport().height(), away=away, new=self._grown)

    # -- Qt's events ----------------------------------------------------------------------------

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """`_place` moves the cards."""

    def _scrolled(self, value: int) -> None:
        self._read = None
        self.check_end()
        self.arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._read = self._read or self._line_anchor()
        if event.oldSize().width() != event.size().width():
            self.column.forget_heights()
        self.arrange(self._read)

    def _restyle(self) -> None:
        anchor = self._line_anchor()
        self.deck.restyle()
        for entry in self.column.entries:
            entry.stale = True
        self.column.forget_heights()
        self.arrange(anchor)
        self.viewport().update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.FontChange and hasattr(self, "_later"):
            self._restyle()
        super().changeEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes down the conversation and scrolls it, then leaves it."""
        shown = [card for card in sorted(self.deck.cards.values(), key=lambda card: card.y()) if card.isVisible()]
        to = tab_order.step(self, [*shown, self.to_end], forward=forward)
        inside = to is not None
        to = to or tab_order.beyond(self, forward=forward)
        if to is None:
            return False
        to.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        if inside and to is not self and to is not self.to_end:
            self._bring_into_sight(to)
        return True

    def _bring_into_sight(self, widget: QWidget) -> None:
        bar, page = self.verticalScrollBar(), self.viewport().height()
        top = widget.mapTo(self.viewport(), QPoint(0, 0)).y()
        if top < 0:
            bar.setValue(bar.value() + top - GAP)
        elif top + widget.height() > page:
            bar.setValue(bar.value() + top + widget.height() - page + GAP)

    def wheelEvent(self, event: QWheelEvent) -> None:
        super().wheelEvent(event)
        self.check_end()
