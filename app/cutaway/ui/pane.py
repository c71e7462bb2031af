"""What a pane is: a widget that shows one turn (or what goes with it) and takes part in the selection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from cutaway.ui.selection import Selected, Selection

if TYPE_CHECKING:
    from cutaway.workbench.bench import Workbench
    from cutaway.workbench.change import Aspect, Change
    from cutaway.workbench.turn import Turn


@dataclass(frozen=True, slots=True)
class Context:
    """What a pane may call. `turns` answers the turns of the open conversation, oldest first."""

    opened: Callable[[], Workbench]
    """The workbench; there is one whenever there is a turn or a model."""
    is_open: Callable[[], bool]
    selected: Selected
    turns: Callable[[], list[Turn]]
    show_turn: Callable[[str], None]
    """Select another turn, by its id."""
    go_to: Callable[[Selection], None]
    """Show the turn of a selection, and select it there."""
    do: Callable[[str], None]
    """Run one of the window's actions by its name, e.g. `composer.focus`."""
    favour: Callable[[int, float], Coroutine[Any, Any, None]]
    """Make a token (by its id) likelier or less likely in the open conversation."""
    start: Callable[[Coroutine[Any, Any, object]], asyncio.Task[object] | None]
    """Run a coroutine; what it raises is shown as a sentence."""
    tell: Callable[[str], None]
    """Say one sentence in the window, for a few seconds."""

    @property
    def bench(self) -> Workbench:
        return self.opened()


class Pane(QWidget):
    """Base of all panes. Each method may raise: its slot then shows the error and the raw value instead."""

    name = ""
    title = ""
    """English; shown through `words.tr`."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context

    def show_turn(self, turn: Turn | None) -> None:
        """Show another turn; None shows the empty state."""

    def grow(self, turn: Turn, what: frozenset[Aspect]) -> None:
        """The shown turn grew. Bounded work: only what is new."""
        self.show_turn(turn)

    async def open(self, path: str) -> None:
        """Show a file, where the pane can."""

    def follow(self, change: Change) -> None:
        """Something other than the shown turn changed."""

    def select(self, selection: Selection | None) -> None:
        """Show what is selected, wherever it was selected."""

    def point(self, selection: Selection | None) -> None:
        """Outline what the mouse points at in another pane."""
