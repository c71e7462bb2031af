"""The conversation: the messages of a branch, what can be done with them, what is selected in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from cutaway.ui.conversation.cards import Card, HeadCard
from cutaway.ui.conversation.chosen_text import ChosenText
from cutaway.ui.conversation.column import Anchor, Entry, Key
from cutaway.ui.conversation.items import Item, estimated_height, items_of, whole_code
from cutaway.ui.conversation.scroller import Scroller
from cutaway.ui.conversation.text_card import text_menu
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.workbench.calls import CallState
    from cutaway.workbench.turn import Node, Turn


class ConversationView(Scroller):
    acted = Signal(str, str, str)
    """What the person asked of a message: action, node, detail."""
    chosen = Signal(str)
    """The message that is current, by its node's id."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(self, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        say(self, "setAccessibleName", "Conversation")
        self.chosen_text = ChosenText(self.column)
        self._opened: set[str] = set()
        self._editing = ""
        self._hovered = ""
        self.current = ""
        self.busy = False
        self.calls: Mapping[tuple[str, str], CallState] = {}
        """By message and place in it: whether a call waits for its result, what is wrong with its arguments."""

    @property
    def entries(self) -> list[Entry]:
        """The messages of the branch, in order."""
        return self.column.entries

    # -- What is shown --------------------------------------------------------------------------

    def show_nodes(self, nodes: Sequence[Node], turns: Mapping[str, Turn], *, fresh: bool) -> None:
        """Show a branch. `fresh` begins at its end; otherwise the reader's place is kept."""
        anchor = None if fresh else self.anchor()
        width, line = self.text_place()[1], self.fontMetrics().height()
        self.column.show(nodes, turns, lambda node: estimated_height(node, width, line))
        if fresh:
            self.chosen_text.clear()
            self._editing = ""
            self.start_at_end()
        self._dress_all(anchor)

    def grow(self, node: str, turn: Turn) -> None:
        """The turn of a growing message has more."""
        entry = self.column.of(node)
        if entry is not None:
            entry.turn = turn
            self.note_growth()
            self.make_again(node)

    def set_busy(self, busy: bool) -> None:
        """While a reply is running some things cannot be done."""
        if busy != self.busy:
            self.busy = busy
            self._dress_all()

    def _dress_all(self, anchor: Anchor | None = None) -> None:
        for entry in self.entries:
            entry.stale = True
        self.arrange(anchor)

    def edit(self, node: str) -> None:
        self._editing = node
        self.make_again(node)
        editor = self.deck.cards.get((node, "editor"))
        if editor is not None:
            for child in editor.findChildren(QWidget):
                if child.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    child.setFocus()
                    return

    def end_edit(self) -> None:
        node, self._editing = self._editing, ""
        self.make_again(node)

    def toggle(self, node: str, what: str) -> None:
        """Open or fold: what stands above stays where it is, also for a reader at the end."""
        self._opened.symmetric_difference_update({f"{node}/{what}"})
        self.hold_still()
        self.make_again(node)
        self.check_end()

    def set_current(self, node: str, *, reveal: bool = True) -> None:
        if reveal:
            self.reveal(node)
        old, self.current = self.current, node
        self._dress_heads(old, node)
        self.viewport().update()

    def items_of(self, entry: Entry) -> list[Item]:
        node = entry.node
        if node.id == self._editing:
            return [Item((node.id, "head"), "head"), self._editor_item(node)]
        return items_of(node, entry.turn, frozenset(self._opened), entry.growth)

    def _editor_item(self, node: Node) -> Item:
        message = node.message
        follows = bool(self.entries) and self.entries[-1].node.id != node.id
        thought = message.reasoning_content or ""
        return Item((node.id, "editor"), "editor", message.text, message.role, open=follows, more=thought)

    def dress(self, card: Card, entry: Entry, item: Item) -> None:
        """Tell a card what it shows, and what it cannot know from its item."""
        growing = entry.node.status == "growing"
        if isinstance(card, HeadCard):
            card.show_node(entry.node, live=entry.node.id in (self._hovered, self.current), busy=self.busy)
        card.show_item(item)
        card.set_running(growing and not (entry.turn and entry.turn.content))
        if item.call is not None:
            card.set_state(self.calls.get((item.key[0], item.key[-1])))

    def _dress_heads(self, *nodes: str) -> None:
        for node in nodes:
            card, entry = self.deck.cards.get((node, "head")), self.column.of(node)
            if card is not None and entry is not None and card.item is not None:
                self.dress(card, entry, card.item)

    # -- Painting: the stripe beside each message -----------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        theme = look.theme
        painter.fillRect(event.rect(), QColor(theme.window))
        value, page = self.verticalScrollBar().value(), self.viewport().height()
        x = max(self.text_place()[0] - 3 * SPACE, 2)
        for index, entry in self.column.between(value, value + page):
            top = self.column.tops[index] - value
            if entry.node.in_cache is not None:
                colour = theme.reused if entry.node.in_cache else theme.line
                painter.fillRect(QRectF(x, top + SPACE, 3, entry.height - SPACE), QColor(colour))
            if entry.node.id == self.current and self.hasFocus():
                painter.setPen(QColor(theme.accent))
                painter.drawLine(int(x + 5), int(top + SPACE), int(x + 5), int(top + entry.height))
        painter.end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    # -- Pointing -------------------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.column.at(self.verticalScrollBar().value() + event.position().y())
        self._set_hovered(self.entries[index].node.id if index >= 0 else "")

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave:
            self._set_hovered("")
        return super().viewportEvent(event)

    def _set_hovered(self, node: str) -> None:
        if node != self._hovered:
            old, self._hovered = self._hovered, node
            self._dress_heads(old, node)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self.column.at(self.verticalScrollBar().value() + event.position().y())
        if index >= 0:
            self._choose(self.entries[index].node.id)

    def _choose(self, node: str) -> None:
        if node != self.current:
            old, self.current = self.current, node
            self._dress_heads(old, node)
            self.viewport().update()
            self.chosen.emit(node)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """By the keyboard: what can be done with the current message's text, its links among it."""
        shown = [card for card in self.deck.text_cards() if card.item is not None and card.item.key[0] == self.current]
        if event.reason() is QContextMenuEvent.Reason.Keyboard and shown:
            links = dict.fromkeys(link for card in sorted(shown, key=lambda card: card.y()) for link in card.links())
            menu = text_menu(self, self, self.current, list(links))
            menu.exec(self.viewport().mapToGlobal(QPoint(self.text_place()[0], max(shown[0].y(), 0))))
            menu.deleteLater()

    # -- What the cards ask (cards.Host) ----------------------------------------------------------

    def act(self, action: str, node: str, detail: str = "") -> None:
        if action == "toggle":
            self.toggle(node, detail)
        elif action == "measure":
            self.measure_again(node)
        elif action == "copy-selection":
            self.copy_selection()
        elif action == "copy-code":
            self._copy_code(node, tuple(detail.split("\n")))
        elif action == "cancel-edit":
            self.end_edit()
        else:
            self.acted.emit(action, node, detail)

    def selection_in(self, key: Key, length: int) -> tuple[int, int] | None:
        return self.chosen_text.range_in(key, length)

    def press_text(self, key: Key, char: int, *, extend: bool) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.chosen_text.press(key, char, extend=extend)
        self._choose(key[0])
        self.deck.repaint_text()

    def drag_text(self, place: QPoint) -> None:
        local = self.viewport().mapFromGlobal(place)
        bar, page = self.verticalScrollBar(), self.viewport().height()
        if not 0 <= local.y() <= page:
            bar.setValue(bar.value() + (local.y() if local.y() < 0 else local.y() - page) // 2)
        card = self.deck.text_card_at(local.y())
        if card is not None and card.item is not None:
            self.chosen_text.move(card.item.key, card.char_at(card.mapFrom(self.viewport(), local).toPointF()))
            self.deck.repaint_text()

    def selected_text(self) -> str:
        """What is selected, as it is shown."""
        return self.chosen_text.text(self.deck.reader())

    def copy_selection(self) -> None:
        text = self.selected_text()
        if text:
            QGuiApplication.clipboard().setText(text)

    def _copy_code(self, node: str, key: Key) -> None:
        entry = self.column.of(node)
        if entry is not None:
            QGuiApplication.clipboard().setText(whole_code(entry.items, key))

    # -- Keyboard -------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys, key = Qt.Key, event.key()
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if control and key == keys.Key_C:
            self._copy()
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
            super().keyPressEvent(event)

    def _copy(self) -> None:
        if self.selected_text():
            self.copy_selection()
        elif self.current:
            self.acted.emit("copy", self.current, "")

    def step(self, by: int) -> None:
        """Make the next or previous message current."""
        if not self.entries:
            return
        at = self.column.index.get(self.current, len(self.entries) if by < 0 else -1)
        node = self.entries[min(max(at + by, 0), len(self.entries) - 1)].node
        self._choose(node.id)
        self.reveal(node.id)
        self.setAccessibleDescription(tr("{0}: {1}", tr(node.message.role), node.message.text[:500]))


_KEYS = {Qt.Key.Key_E: "edit", Qt.Key.Key_R: "again", Qt.Key.Key_Delete: "delete", Qt.Key.Key_B: "branch"}
