"""Above the composer when the prompt does not fit: how much is too much, and each way out with what it would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QVBoxLayout

from cutaway.ui.look.theme import SPACE, TEXT_WIDTH
from cutaway.ui.sentences import told
from cutaway.ui.words import changed, tr

if TYPE_CHECKING:
    from cutaway.workbench.forecast import OverflowPlan


class OverflowBar(QFrame):
    chosen = Signal(str)
    """The remedy: `drop`, `shorten`, `raise` or `stop`."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("banner")
        self.setMaximumWidth(TEXT_WIDTH + 6 * SPACE)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * SPACE, 2 * SPACE, 4 * SPACE, 2 * SPACE)
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setProperty("error", True)
        layout.addWidget(self.label)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        layout.addLayout(self._grid)
        self.buttons: dict[str, QPushButton] = {}
        self._words: list[QLabel] = []
        self._plan: OverflowPlan | None = None
        changed.language.connect(self._again)
        self.hide()

    def show_plan(self, plan: OverflowPlan | None, *, again: bool = False) -> None:
        if plan == self._plan and not again:
            self.setVisible(plan is not None)
            return
        self._plan = plan
        for widget in (*self.buttons.values(), *self._words):
            self._grid.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self.buttons, self._words = {}, []
        if plan is not None:
            self.label.setText(tr("This does not fit: {0} tokens too many.", f"{plan.excess:,}"))
            for row, offer in enumerate(plan.offers):
                self._add(row, offer.remedy, told(offer.sentence))
            self.setAccessibleName(self.label.text())
        self.setVisible(plan is not None)

    def _again(self) -> None:
        self.show_plan(self._plan, again=True)

    def _add(self, row: int, remedy: str, sentence: str) -> None:
        titles = {
            "drop": tr("Leave out old messages"),
            "shorten": tr("Shorten"),
            "raise": tr("Larger context"),
            "stop": tr("Don't send"),
        }
        button = self.buttons[remedy] = QPushButton(titles[remedy])
        button.setAccessibleDescription(sentence)
        button.clicked.connect(lambda: self.chosen.emit(remedy))
        words = QLabel(sentence)
        words.setWordWrap(True)
        words.setProperty("quiet", True)
        self._words.append(words)
        self._grid.addWidget(button, row, 0)
        self._grid.addWidget(words, row, 1)
