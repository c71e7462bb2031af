"""A break's card: where the prefix broke and why, what that cost, and what would avoid it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout

from cutaway.engine.plan import Break
from cutaway.ui.look.theme import SPACE
from cutaway.ui.pane import Context
from cutaway.ui.sentences import told
from cutaway.ui.words import say, tr

SETTINGS: Mapping[str, tuple[str, object]] = {
    "M13": ("keep_reasoning", True),
    "M17": ("keep_reasoning", True),
    "M25": ("idle_prefill", True),
}
"""The setting that is the remedy of a break, by its code; where the remedy departs from the trained format there is
none."""
BESIDE_SETTINGS = frozenset(("M4", "M12", "M15", "M18"))


class BreakCard(QFrame):
    """One break: its reason, what it cost, what would avoid it."""

    def __init__(self, broken: Break, conversation: str, context: Context) -> None:
        super().__init__()
        self._conversation, self._context = conversation, context
        self.apply: QPushButton | None = None
        self.setObjectName("card")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 2 * SPACE, 3 * SPACE, 2 * SPACE)
        head = QLabel(tr("Broke at token {0} ({1})", f"{broken.at_token:,}", broken.reason))
        font = head.font()
        font.setBold(True)
        head.setFont(font)
        layout.addWidget(head)
        detail = QLabel(told(broken.detail))
        detail.setWordWrap(True)
        layout.addWidget(detail)
        for words in (*_sides(broken), _cost(broken)):
            quiet = QLabel(words)
            quiet.setTextFormat(Qt.TextFormat.PlainText)
            quiet.setProperty("quiet", True)
            quiet.setWordWrap(True)
            layout.addWidget(quiet)
        if broken.avoidable_by:
            remedy = QLabel(_remedy(broken))
            remedy.setWordWrap(True)
            layout.addWidget(remedy)
            self._offer(layout, broken)

    def _offer(self, layout: QVBoxLayout, broken: Break) -> None:
        """A remedy that is a setting is one press; others that a setting bears on open the settings."""
        button = QPushButton()
        setting = SETTINGS.get(broken.reason)
        if setting is not None and not broken.departs:
            say(button, "setText", "Do so in this conversation")
            button.clicked.connect(lambda: self._context.start(self._set(*setting)))
            self.apply = button
        elif broken.reason in BESIDE_SETTINGS:
            say(button, "setText", "Open the settings")
            button.clicked.connect(lambda: self._context.do("conversation.steering"))
        else:
            button.deleteLater()
            return
        layout.addWidget(button, alignment=Qt.AlignmentFlag.AlignLeft)

    async def _set(self, name: str, value: object) -> None:
        await self._context.bench.set(name, value, conversation=self._conversation)
        if self.apply is not None:
            self.apply.setEnabled(False)
        self._context.tell(tr("Set. It counts from the next turn on."))


def _sides(broken: Break) -> list[str]:
    """The first that differs of both sides: the place and the text, or the tokens where the text is not known."""
    held = _side(broken.held_place, broken.held_text, broken.held)
    wanted = _side(broken.wanted_place, broken.wanted_text, broken.wanted)
    return [words for words in (held and tr("Held: {0}", held), wanted and tr("Wanted: {0}", wanted)) if words]


def _side(place: str, text: str, tokens: tuple[int, ...]) -> str:
    if place:
        return f"{told(place)} {json.dumps(text, ensure_ascii=False)}"
    return str(list(tokens)) if tokens else ""


def _cost(broken: Break) -> str:
    given_up = tr("Cost: {0} held tokens given up.", f"{broken.lost:,}")
    if not broken.fed:
        return given_up
    seconds = _about(broken.seconds) if broken.seconds is not None else ""
    return f"{given_up} {tr('{0} tokens fed', f'{broken.fed:,}')}{seconds}."


def _remedy(broken: Break) -> str:
    words = tr("Avoided by: {0}", told(broken.avoidable_by or ""))
    return f"{words} {tr('This departs from the format that the model was trained with.')}" if broken.departs else words


def _about(seconds: float) -> str:
    return tr(", under 0.1 s") if seconds < 0.05 else tr(", about {0} s", f"{seconds:.1f}")
