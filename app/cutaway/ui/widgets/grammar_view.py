"""The grammar of a turn: when it held, what it made of the schemas, and how far a string that is tried gets."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QSplitter, QVBoxLayout, QWidget

from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.sentences import told
from cutaway.ui.text.view import TextView
from cutaway.ui.widgets.sheet import Sheet
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.chat.grammar.attempt import Attempt
    from cutaway.chat.grammar.schema import Coverage
    from cutaway.workbench.turn import Woke

LONGEST_TRIED = 20_000
"""Characters of a string that are tried."""
MOST_EXPECTED = 12
WAIT_MS = 150


@dataclass(frozen=True, slots=True)
class InForce:
    """What constrained a reply."""

    grammar: str = ""
    lazy: bool = False
    triggers: tuple[tuple[str, str], ...] = ()
    coverage: Mapping[str, Sequence[Coverage]] = field(default_factory=dict)
    woke: Woke | None = None
    asleep: bool = False
    """It has not begun to hold: its trigger has not come, or the model still reasons."""
    output: str = ""


class GrammarView(QWidget):
    wanted = Signal()
    """A string waits to be tried: `attempt` does it."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = InForce()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, SPACE)
        self.state = QLabel()
        self.state.setWordWrap(True)
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        layout.addWidget(self.state)
        layout.addWidget(self._build_try())
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.source = TextView()
        self.source.show_blanks = self.source.show_bounds = False
        say(self.source, "setAccessibleName", "Grammar in GBNF")
        self.coverage = Sheet("What the grammar makes of the schemas", 4, (3,))
        self.split.addWidget(self.coverage)
        self.split.addWidget(self.source)
        layout.addWidget(self.split, 1)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(self.wanted)
        self.tried.textChanged.connect(self._wait.start)
        look.changed.connect(self._fill)
        changed.language.connect(self._fill)
        self._fill()

    def _build_try(self) -> QWidget:
        self.trying = QWidget()
        inner = QVBoxLayout(self.trying)
        inner.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        self.tried = QPlainTextEdit()
        self.tried.setFont(mono())
        self.tried.setFixedHeight(3 * self.tried.fontMetrics().height() + 2 * SPACE)
        self.tried.setTabChangesFocus(True)
        say(self.tried, "setPlaceholderText", "Try a string: how far does the grammar let it through?")
        say(self.tried, "setAccessibleName", "String to try")
        row.addWidget(self.tried, 1)
        self.own = QPushButton()
        say(self.own, "setText", "Try the output")
        self.own.clicked.connect(self._take_output)
        row.addWidget(self.own, alignment=Qt.AlignmentFlag.AlignTop)
        inner.addLayout(row)
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.hide()
        inner.addWidget(self.said)
        return self.trying

    def show_grammar(self, shown: InForce) -> None:
        same = shown.grammar == self.shown.grammar and shown.coverage == self.shown.coverage
        self.shown = shown
        if same:
            self.state.setText(self._words())
        else:
            self.said.hide()
            self._fill()
            if self.tried.toPlainText():
                self._wait.start()

    def _fill(self) -> None:
        shown = self.shown
        self.state.setText(self._words())
        self.trying.setVisible(bool(shown.grammar))
        self.split.setVisible(bool(shown.grammar))
        if shown.grammar != self.source.text:
            self.source.set_text(shown.grammar)
        self.coverage.clear()
        self.coverage.setVisible(bool(shown.coverage))
        self.coverage.set_heads([tr("Schema"), tr("Keyword"), tr("Status"), tr("Note")])
        for name, rows in shown.coverage.items():
            self._add(tr("Response format") if name == "response_format" else name, rows)

    def _add(self, name: str, rows: Sequence[Coverage]) -> None:
        weak = sum(row.status != "enforced" for row in rows)
        enforced = tr("{0} of {1} enforced", len(rows) - weak, len(rows))
        heading = self.coverage.heading(f"{name} · {enforced}")
        for row in rows:
            tones = {2: "repaired"} if row.status != "enforced" else None
            self.coverage.put((row.path, row.keyword, tr(row.status), told(row.note)), heading, tones=tones)

    def _words(self) -> str:
        shown = self.shown
        if not shown.grammar:
            return tr("No grammar was in force: nothing kept the model to a form.")
        if shown.lazy:
            listed = tr(" or ").join(f"{tr(kind)} {text!r}" for kind, text in shown.triggers)
            waits = tr("The grammar sleeps until it meets {0}; it never looks into reasoning.", listed)
            return f"{waits} {self._awakening()}"
        if shown.woke is None and not shown.asleep:
            return tr("The grammar held from the first token on.")
        return f"{tr('The grammar never looks into reasoning.')} {self._awakening()}"

    def _awakening(self) -> str:
        woke = self.shown.woke
        if woke is None:
            return tr("Asleep: nothing has been kept to a form.")
        if not woke.trigger:
            return tr("Awake since the reasoning ended: token {0}, character {1}.", woke.token, woke.character)
        return tr("Woken by {0} at token {1}, character {2}.", repr(woke.trigger), woke.token, woke.character)

    def _take_output(self) -> None:
        begin = self.shown.woke.character if self.shown.woke is not None else 0
        self.tried.setPlainText(self.shown.output[begin : begin + LONGEST_TRIED])

    async def attempt(self) -> None:
        """Try the string, on a thread: a grammar may be large."""
        from cutaway.chat.grammar.attempt import attempt
        from cutaway.chat.grammar.gbnf import GrammarError

        grammar, text = self.shown.grammar, self.tried.toPlainText()[:LONGEST_TRIED]
        self.said.setVisible(bool(text and grammar))
        if not text or not grammar:
            return
        try:
            found = await asyncio.to_thread(attempt, grammar, text)
        except (GrammarError, RecursionError) as error:
            self.said.setText(told(str(error)))
            return
        if grammar == self.shown.grammar and text == self.tried.toPlainText()[:LONGEST_TRIED]:
            self.said.setText(_result(found, text))


def _result(found: Attempt, text: str) -> str:
    listed = ", ".join(found.expected[:MOST_EXPECTED]) + (" …" if len(found.expected) > MOST_EXPECTED else "")
    following = tr("Next may come {0}.", listed) if listed else ""
    if found.accepted < len(text):
        rest = repr(text[found.accepted : found.accepted + 20])
        return (
            tr("Allowed up to character {0}, then {1} does not fit.", found.accepted, rest) + " " + following
        ).strip()
    said = tr("Allowed, and it may end here.") if found.complete else tr("Allowed so far, but it may not end here.")
    return f"{said} {following}".strip()
