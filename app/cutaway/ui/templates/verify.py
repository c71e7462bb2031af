"""The verify card: the round trip of known messages, case by case, and whether history only ever grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QLabel, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.chat.analysis.verification import Verification


class VerifyCard(QWidget):
    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, SPACE)
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        layout.addWidget(self.summary)
        self.cases = QTreeWidget()
        self.cases.setColumnCount(3)
        self.cases.setRootIsDecorated(False)
        self.cases.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.cases.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        say(self.cases, "setAccessibleName", "Cases of the round trip")
        layout.addWidget(self.cases, 1)

    def wait(self) -> None:
        self.summary.setText(tr("Rendering known messages and reading them back …"))
        self.cases.clear()

    def show_verification(self, found: Verification) -> None:
        """`found`: a `chat.analysis.verification.Verification`."""
        self.cases.clear()
        self.cases.setHeaderLabels([tr("Case"), tr("Outcome"), tr("Detail")])
        grows = (
            tr("later turns leave earlier text as it was") if found.append_only else tr("history is rewritten later")
        )
        self.summary.setText(f"{found.sentence}. {grows[:1].upper()}{grows[1:]}.")
        for case in found.cases:
            item = QTreeWidgetItem([case.name, tr(case.outcome), case.detail])
            item.setToolTip(2, case.detail)
            item.setForeground(1, QColor(_colour(case.outcome)))
            self.cases.addTopLevelItem(item)


def _colour(outcome: str) -> str:
    theme = look.theme
    if outcome == "ok":
        return theme.kind("tool_definition")
    if outcome in ("parsed wrongly", "error"):
        return theme.error
    return theme.kind("repaired") if outcome != "not applicable" else theme.quiet
