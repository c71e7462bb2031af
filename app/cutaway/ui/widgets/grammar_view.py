"""The grammar of a turn: when it held, what it made of the schemas, and how far a string that is tried gets."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.sentences import told
from cutaway.ui.text.runs import Run
from cutaway.ui.text.view import TextView
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.chat.grammar.attempt import Attempt
    from cutaway.chat.grammar.schema import Coverage

LONGEST_TRIED = 20_000
"""Characters of a string that are tried."""
MOST_EXPECTED = 12
WAIT_MS = 150


@dataclass(frozen=True, slots=True)
class InForce:
    """What constrained a reply. `woke` is the output's character where a lazy grammar began to hold."""

    grammar: str = ""
    lazy: bool = False
    triggers: tuple[tuple[str, str], ...] = ()
    coverage: Mapping[str, Sequence[Coverage]] = field(default_factory=dict)
    woke: int | None = None
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
        self.coverage = QTreeWidget()
        self.coverage.setColumnCount(4)
        self.coverage.setIndentation(12)
        for column in range(3):
            self.coverage.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        say(self.coverage, "setAccessibleName", "What the grammar makes of the schemas")
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
            self.source.set_text(shown.grammar, [Run(0, len(shown.grammar), "template")])
        self.coverage.clear()
        self.coverage.setVisible(bool(shown.coverage))
        self.coverage.setHeaderLabels([tr("Schema"), tr("Keyword"), tr("Status"), tr("Note")])
        for name, rows in shown.coverage.items():
            self._add(tr("Response format") if name == "response_format" else name, rows)

    def _add(self, name: str, rows: Sequence[Coverage]) -> None:
        weak = sum(row.status != "enforced" for row in rows)
        group = QTreeWidgetItem([name, "", tr("{0} of {1} enforced", len(rows) - weak, len(rows))])
        for row in rows:
            item = QTreeWidgetItem([row.path, row.keyword, tr(row.status), told(row.note)])
            item.setToolTip(3, told(row.note))
            if row.status != "enforced":
                item.setForeground(2, QColor(look.theme.kind("repaired")))
            group.addChild(item)
        self.coverage.addTopLevelItem(group)
        group.setExpanded(True)

    def _words(self) -> str:
        shown = self.shown
        if not shown.grammar:
            return tr("No grammar was in force: nothing kept the model to a form.")
        if not shown.lazy:
            return tr("The grammar held from the first token on.")
        waits = tr("The grammar waits for {0}.", ", ".join(f"{kind} {text!r}" for kind, text in shown.triggers))
        if shown.woke is None:
            return waits + " " + tr("It has not come: nothing was kept to a form.")
        return waits + " " + tr("It woke at character {0} of the output.", shown.woke)

    def _take_output(self) -> None:
        begin = self.shown.woke or 0
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
