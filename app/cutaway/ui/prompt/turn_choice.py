"""Which turn's prompt is compared with the shown one: the previous, any of this branch, or of another branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox

from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.ui.pane import Context
    from cutaway.workbench.turn import Turn

NOTHING, PREVIOUS = "", "previous"
MOST_OTHERS = 20
"""Turns of other branches that are listed."""
EXCERPT = 24
SPECIAL = {NOTHING: "No difference", PREVIOUS: "Previous turn"}


class TurnChoice(QComboBox):
    picked = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._turn: Turn | None = None
        self._others: dict[str, Turn] = {}
        """Turns of other branches, by their id."""
        say(self, "setAccessibleName", "Difference with")
        say(self, "setToolTip", "Show what differs from another turn's prompt")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(11)
        self.activated.connect(lambda _: self.picked.emit())
        changed.language.connect(self._fill)

    def show_turn(self, turn: Turn) -> None:
        if self._turn is None or turn.conversation != self._turn.conversation:
            self._others = {}
        self._turn = turn
        self._fill()

    def choose(self, kind: str) -> None:
        """`NOTHING`, `PREVIOUS`, or a turn's id."""
        self.setCurrentIndex(max(self.findData(kind), 0))
        self.picked.emit()

    def _branch(self) -> list[Turn]:
        return [turn for turn in self._context.turns() if turn.prompt is not None]

    def _fill(self) -> None:
        turn, chosen = self._turn, self.currentData()
        if turn is None:
            return
        self.blockSignals(True)
        self.clear()
        for kind, words in SPECIAL.items():
            self.addItem(tr(words), kind)
        for number, other in enumerate(self._context.turns(), 1):  # The numbers are those of the cache's strips.
            if other.id != turn.id and other.prompt is not None:
                self.addItem(_named(tr("Turn {0}", number), other), other.id)
        for other in self._others.values():
            self.addItem(_named(tr("Other branch"), other), other.id)
        self.setCurrentIndex(max(self.findData(chosen), 0))
        self.blockSignals(False)

    def showPopup(self) -> None:
        """Turns of other branches are read when somebody looks for them."""
        self._context.start(self.read_others())
        super().showPopup()

    async def read_others(self) -> None:
        turn = self._turn
        if turn is None or not turn.conversation:
            return
        here = {other.id for other in self._context.turns()}
        nodes = [node for node in await self._context.bench.tree(turn.conversation) if node.turn]
        wanted = [node for node in nodes if node.turn not in here and node.turn != turn.id][-MOST_OTHERS:]
        found = [await self._context.bench.turn(node.id) for node in wanted]
        others = {other.id: other for other in found if other is not None and other.prompt is not None}
        if turn is self._turn and others.keys() != self._others.keys():
            self._others = others
            self._fill()

    def other(self) -> Turn | None:
        """The chosen turn; None where no difference is asked for, or there is none."""
        wanted, turn = self.currentData(), self._turn
        if wanted == PREVIOUS and turn is not None:
            before = [other for other in self._branch() if other.id < turn.id]  # Ids grow with time.
            return before[-1] if before else None
        if wanted in self._others:
            return self._others[str(wanted)]
        return next((other for other in self._branch() if other.id == wanted), None) if wanted else None


def _named(name: str, turn: Turn) -> str:
    """With the beginning of what was asked."""
    asked = next((message.text for message in reversed(turn.request.messages) if message.role == "user"), "")
    excerpt = " ".join(asked.split())
    return f"{name}: {excerpt[:EXCERPT]}" + (" …" if len(excerpt) > EXCERPT else "") if excerpt else name
