"""What is laid out in a conversation: a widget that is told its item and answers the height it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget

from cutaway.ui.conversation.items import Item

if TYPE_CHECKING:
    from cutaway.workbench.calls import CallState


class Host(Protocol):
    """What the cards need of the view they are in."""

    def selection_in(self, key: tuple[str, ...], length: int) -> tuple[int, int] | None:
        """The selected characters of a text, half-open; None where nothing of it is selected."""
        ...

    def press_text(self, key: tuple[str, ...], char: int, *, extend: bool) -> None: ...

    def drag_text(self, place: QPoint) -> None: ...

    def act(self, action: str, node: str, detail: str = "") -> None:
        """Something that the person asked of a message: `copy`, `edit`, `toggle`, ..."""
        ...


class Card(QWidget):
    """Base of what is laid out in a conversation."""

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(parent)
        self.host = host
        self.item: Item | None = None

    def show_item(self, item: Item) -> None:
        self.item = item

    def set_running(self, running: bool) -> None:
        """Whether the message is still being written, and is in its reasoning."""

    def set_state(self, state: CallState | None) -> None:
        """What a call waits for and what is wrong with it, where this is a call."""

    def height_for(self, width: int) -> int:
        return self.sizeHint().height()

    def ask(self, action: str, detail: str = "") -> None:
        if self.item is not None:
            self.host.act(action, self.item.key[0], detail)

    def restyle(self) -> None:
        """The theme or the font changed."""
        if self.item is not None:
            item, self.item = self.item, None
            self.show_item(item)
