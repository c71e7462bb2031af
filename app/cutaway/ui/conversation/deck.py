"""The cards that exist: one for each item on screen, and some to spare of each kind."""

from __future__ import annotations

from collections.abc import Callable, Set

from PySide6.QtWidgets import QWidget

from cutaway.ui.conversation.cards import CARDS, Card, Host, TextCard
from cutaway.ui.conversation.column import Key
from cutaway.ui.conversation.items import Item

SPARE = 24
"""Cards of a kind that are kept for later use."""
UNSEEN = 400
"""Texts that are not on screen and are laid out only to be copied; what is selected beyond is copied as its source."""


class Deck:
    def __init__(self, host: Host, parent: QWidget) -> None:
        self._host, self._parent = host, parent
        self.cards: dict[Key, Card] = {}
        self._spare: dict[str, list[Card]] = {}
        self._unseen: dict[str, TextCard] = {}
        """One of each kind, for the text of what is not on screen."""

    def card(self, item: Item) -> Card:
        """The card of an item, perhaps one that showed another."""
        card = self.cards.get(item.key)
        if card is not None and card.item is not None and card.item.kind != item.kind:
            self._release(item.key)
            card = None
        if card is None:
            card = self.cards[item.key] = self._take(item.kind)
        return card

    def _take(self, kind: str) -> Card:
        spare = self._spare.get(kind)
        return spare.pop() if spare else CARDS[kind](self._host, self._parent)

    def put(self, key: Key, left: int, top: float, width: int, height: float) -> bool:
        """Place a card and show it; answers whether there is one."""
        card = self.cards.get(key)
        if card is None:
            return False
        card.setGeometry(left, round(top), width, round(height))
        if card.isHidden():
            card.show()
        return True

    def keep(self, keys: Set[Key]) -> None:
        """Put all other cards away."""
        for key in [key for key in self.cards if key not in keys]:
            self._release(key)

    def _release(self, key: Key) -> None:
        card = self.cards.pop(key)
        card.hide()
        kind = card.item.kind if card.item is not None else "head"
        spare = self._spare.setdefault(kind, [])
        if len(spare) < SPARE and kind != "editor":
            spare.append(card)
        else:
            card.deleteLater()

    def restyle(self) -> None:
        """The theme, the font or the language changed."""
        for card in [*self.cards.values(), *(card for cards in self._spare.values() for card in cards)]:
            card.restyle()

    # -- Text -----------------------------------------------------------------------------------

    def text_cards(self) -> list[TextCard]:
        return [card for card in self.cards.values() if isinstance(card, TextCard)]

    def repaint_text(self) -> None:
        """Another part of it is selected."""
        for card in self.text_cards():
            card.update()

    def text_card_at(self, y: int) -> TextCard | None:
        """The last text that begins above a height of the screen, else the first one."""
        shown = sorted((card for card in self.text_cards() if card.isVisible()), key=lambda card: card.y())
        above = [card for card in shown if card.y() <= y]
        return above[-1] if above else (shown[0] if shown else None)

    def reader(self) -> Callable[[Item, int, int | None], str]:
        """What answers an item's text between two places as it is shown, whether it is on screen or not."""
        count = 0

        def read(item: Item, start: int, end: int | None) -> str:
            nonlocal count
            card = self.cards.get(item.key)
            if not isinstance(card, TextCard):
                count += 1
                if count > UNSEEN and start == 0 and end is None:
                    return item.text
                card = self._laid_out(item)
            return card.text_between(start, card.length if end is None else end)

        return read

    def _laid_out(self, item: Item) -> TextCard:
        card = self._unseen.get(item.kind)
        if card is None:
            made = CARDS[item.kind](self._host, self._parent)
            assert isinstance(made, TextCard)
            card = self._unseen[item.kind] = made
            card.hide()
        card.show_item(item)
        return card
