"""The conversation takes part in the selection: a message is a stretch of the prompt, or the reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cutaway.ui.selection import Selected, Selection
from cutaway.ui.text.message_place import node_of, place_of

if TYPE_CHECKING:
    from cutaway.ui.conversation.view import ConversationView
    from cutaway.ui.desk import Desk


class Linking:
    def __init__(self, desk: Desk, view: ConversationView, selected: Selected) -> None:
        self._desk, self._view, self._selected = desk, view, selected

    def choose_message(self, node: str) -> None:
        """A message was chosen: show its turn, and select what it is there."""
        self._desk.start(self._choose_message(node))

    async def _choose_message(self, node: str) -> None:
        await self._desk.select(node)
        self._view.set_current(node, reveal=False)
        turn = self._desk.shown
        self._selected.choose(place_of(turn, node) if turn is not None else None)

    def go_to(self, selection: Selection) -> None:
        """Show the turn of a selection, and select it there."""
        self._desk.start(self._go_to(selection))

    async def _go_to(self, selection: Selection) -> None:
        turn = next((turn for turn in self._desk.branch_turns() if turn.id == selection.turn), None)
        if turn is not None and turn is not self._desk.shown:
            await self._desk.select(turn.message)
        self._selected.choose(selection)

    def follow(self, selection: Selection | None) -> None:
        """Something was selected in a pane: its message is the current one."""
        turn = self._desk.shown
        if selection is None or turn is None or turn.id != selection.turn:
            return
        node = node_of(turn, selection)
        if node and node != self._view.current:
            self._view.set_current(node)
