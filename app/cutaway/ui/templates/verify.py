"""The verify card: the round trip of known messages, case by case, and whether history only ever grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from cutaway.ui.look.theme import SPACE
from cutaway.ui.sentences import told
from cutaway.ui.widgets.sheet import Sheet
from cutaway.ui.words import changed, tr

if TYPE_CHECKING:
    from cutaway.chat.analysis.verification import Verification

TONES = {"ok": "tool_definition", "parsed wrongly": "error", "error": "error", "not applicable": "quiet"}
"""What an outcome is painted in; the others are the template's own doing, and amber."""


class VerifyCard(QWidget):
    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2 * SPACE, 0, 0)
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.summary.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        layout.addWidget(self.summary)
        self.cases = Sheet("Cases of the round trip", 3, (0, 2))
        layout.addWidget(self.cases, 1)
        self._found: Verification | None = None
        changed.language.connect(self._fill)

    def wait(self) -> None:
        self._found = None
        self.summary.setText(tr("Rendering known messages and reading them back …"))
        self.cases.clear()

    def refuse(self, words: str) -> None:
        self.summary.setText(told(words))
        self.cases.clear()

    def show_verification(self, found: Verification) -> None:
        self._found = found
        self._fill()

    def _fill(self) -> None:
        """What went wrong stands first."""
        found = self._found
        if found is None:
            return
        self.cases.clear()
        self.cases.set_heads([tr("Case"), tr("Outcome"), tr("Detail")])
        grows = (
            tr("Later turns leave earlier text as it was.")
            if found.append_only
            else tr("Later turns rewrite earlier text: the cache breaks there.")
        )
        self.summary.setText(f"{_begun(told(found.sentence))} {grows}")
        for case in sorted(found.cases, key=lambda case: case.outcome == "ok"):
            tones = {1: TONES.get(case.outcome, "repaired"), 2: "quiet"}
            self.cases.put((told(case.name), tr(case.outcome), told(case.detail)), tones=tones)


def _begun(words: str) -> str:
    """As the first sentence of a text."""
    return f"{words[:1].upper()}{words[1:]}" + ("." if words.isascii() else "。")
