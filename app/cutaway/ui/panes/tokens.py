"""The stream of tokens: what each was, how sure the model was of it, and what else it might have been."""

from __future__ import annotations

import math
from itertools import pairwise
from math import ceil

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from cutaway.engine.event import Token
from cutaway.ui.beat import Slowly
from cutaway.ui.look.marks import BY_KIND
from cutaway.ui.look.style import cell, look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.grammar import hold_at
from cutaway.ui.models.tokens import GRAMMAR, PromptTokens, ReplyTokens
from cutaway.ui.pane import Context, Pane
from cutaway.ui.selection import Selection
from cutaway.ui.text.columns import NO_COLUMNS, columns_of
from cutaway.ui.text.places import Places
from cutaway.ui.text.runs import Run, prompt_runs, run_at
from cutaway.ui.widgets.alternatives import Alternatives
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.widgets.sparkline import Sparkline
from cutaway.ui.widgets.token_table import TokenTable
from cutaway.ui.words import changed, choices, say, tr
from cutaway.workbench.change import Aspect
from cutaway.workbench.turn import PromptToken, Turn

SPARK_TOKENS = 2000
"""The sparklines show the last so many tokens: their cost does not grow with the reply."""


class TokensPane(Pane):
    name = "tokens"
    title = "Tokens"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.turn: Turn | None = None
        self.places = Places()
        self._columns = NO_COLUMNS
        self._prompt_runs: list[Run] = []
        self._prompt_shown: object = None
        self._slowly = Slowly()
        self.reply, self.prompt = ReplyTokens(), PromptTokens()
        self.reply.block_of = self._block_of
        self.reply.hold_of = self._hold_of
        self.prompt.origin_of = self._origin_of
        self._stack = QStackedLayout(self)
        self._stack.addWidget(
            Empty(
                "Here you will see every token as it is sampled: its probability, and what else the model considered.",
                "Write a message",
                lambda: context.do("composer.focus"),
            )
        )
        self._stack.addWidget(self._build())
        look.changed.connect(self._restyle)
        changed.language.connect(self._show_words)

    def _build(self) -> QWidget:
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, SPACE)
        layout.setSpacing(SPACE)
        row = QHBoxLayout()
        self.which = QComboBox()
        choices(self.which, ("Reply", "Prompt"))
        say(self.which, "setAccessibleName", "Which tokens")
        self.which.currentIndexChanged.connect(self._switch)
        self.heat = QComboBox()
        choices(self.heat, ("Heat by probability", "Heat by time"))
        say(self.heat, "setAccessibleName", "Heat")
        self.heat.currentIndexChanged.connect(self._reheat)
        row.addWidget(self.which)
        row.addWidget(self.heat)
        row.addStretch()
        layout.addLayout(row)
        self.summary = QLabel()
        self.summary.setProperty("quiet", True)
        self.summary.setWordWrap(True)
        layout.addWidget(self.summary)
        sparks = QHBoxLayout()
        self.speed, self.confidence = Sparkline("reused"), Sparkline("accent")
        sparks.addWidget(self.speed)
        sparks.addSpacing(2 * SPACE)
        sparks.addWidget(self.confidence)
        layout.addLayout(sparks)
        self.table = self._build_table()
        layout.addWidget(self.table, 1)
        self.alternatives = Alternatives()
        self.alternatives.chosen.connect(self._branch)
        layout.addWidget(self.alternatives)
        return body

    def _build_table(self) -> TokenTable:
        table = TokenTable()
        table.setModel(self.reply)
        say(table, "setAccessibleName", "Tokens")
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        table.verticalHeader().setVisible(False)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.horizontalHeader().setHighlightSections(False)
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.horizontalHeader().setStretchLastSection(True)
        table.setFont(mono())
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + SPACE)
        self._size_columns(table)
        table.selectionModel().currentRowChanged.connect(self._row_chosen)
        table.activated.connect(lambda _: self.alternatives.enter())
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._menu)
        return table

    def _menu(self, place: QPoint) -> None:
        """Ban or favour a token from where it is seen."""
        index, turn = self.table.indexAt(place), self.turn
        if not index.isValid() or turn is None:
            return
        on_prompt = self.table.model() is self.prompt
        token = turn.prompt_tokens[index.row()].id if on_prompt else turn.tokens[index.row()].id
        menu = QMenu(self)
        for text, bias in (("Ban this token", -math.inf), ("Favour this token", 3.0), ("Leave this token alone", 0.0)):
            action = menu.addAction(tr(text))
            action.triggered.connect(lambda _=False, bias=bias: self.context.start(self.context.favour(token, bias)))
        menu.exec(self.table.viewport().mapToGlobal(place))
        menu.deleteLater()

    def _size_columns(self, table: QTableView) -> None:
        zero = cell(table.font())
        widths = (4, 10, 6, 5, 5, 5, 5, 10, 13, 7, 30) if table.model() is self.reply else (5, 11, 7, 17, 12)
        for column, width in enumerate(widths):
            table.setColumnWidth(column, ceil(width * zero) + 2 * SPACE + 1)

    def _restyle(self) -> None:
        self.table.setFont(mono())
        self.table.verticalHeader().setDefaultSectionSize(self.table.fontMetrics().height() + SPACE)
        self._size_columns(self.table)

    # -- Showing --------------------------------------------------------------------------------

    def show_turn(self, turn: Turn | None) -> None:
        self.turn = turn
        there = turn is not None and bool(turn.tokens or len(turn.prompt_tokens))
        self._stack.setCurrentIndex(1 if there else 0)
        if turn is None or not there:
            return
        self.places = Places()
        self.places.extend(turn.tokens, turn.raw)
        self.reply.set_tokens(turn.tokens)
        self._prompt_shown = None
        if self.which.currentIndex() == 1:
            self._load_prompt()
        self.alternatives.show_token(None)
        self._show_grammar()
        self._show_words()
        if turn.state == "decoding":
            self.table.scrollToBottom()

    def grow(self, turn: Turn, what: frozenset[Aspect]) -> None:
        if turn is not self.turn or self._stack.currentIndex() == 0 or self.reply.tokens is not turn.tokens:
            self.show_turn(turn)
            return
        if "tokens" in what:
            bar = self.table.verticalScrollBar()
            at_end = bar.value() >= bar.maximum()
            self.places.extend(turn.tokens, turn.raw)
            if self.reply.take_new() and at_end and self.which.currentIndex() == 0:
                self.table.scrollToBottom()
        if "prompt" in what and self.which.currentIndex() == 1:
            self._load_prompt()
        if "state" in what:
            self.table.forget()  # Until now blocks and the grammar's state could only be guessed.
            self._show_grammar()
        if self._slowly.due(now="state" in what):
            self._show_words()

    def _show_grammar(self) -> None:
        """Its column is there where there is a grammar."""
        on_reply = self.table.model() is self.reply
        self.table.setColumnHidden(GRAMMAR, on_reply and (self.turn is None or not self.turn.grammar))

    def _load_prompt(self) -> None:
        turn = self.turn
        if turn is None or turn.prompt is None or self._prompt_shown is turn.prompt_tokens:
            return
        self._prompt_shown = turn.prompt_tokens
        self._columns = columns_of(turn.prompt_tokens)
        self._prompt_runs = prompt_runs(turn.prompt, turn.request)
        self.prompt.set_tokens(turn.prompt_tokens)

    def _switch(self, index: int) -> None:
        if index == 1:
            self._load_prompt()
        self.table.setModel(self.prompt if index == 1 else self.reply)
        self._size_columns(self.table)
        self._show_grammar()
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self.alternatives.setVisible(index == 0)
        self.speed.setVisible(index == 0)
        self.confidence.setVisible(index == 0)
        self.heat.setVisible(index == 0)

    def _reheat(self, index: int) -> None:
        self.reply.heat = "time" if index == 1 else "probability"
        self.table.forget()

    def _show_words(self) -> None:
        self.alternatives.name()
        turn = self.turn
        if turn is None:
            return
        tokens = turn.tokens
        parts = [tr("{0} generated", f"{len(tokens):,}"), tr("{0} in the prompt", f"{len(turn.prompt_tokens):,}")]
        if turn.timings is not None and turn.timings.decode_tok_s:
            parts.append(tr("{0} tokens/s", f"{turn.timings.decode_tok_s:,.1f}"))
            parts.append(tr("first after {0} ms", f"{turn.timings.first_token_ms:,.0f}"))
        self.summary.setText(" · ".join(parts))
        last = tokens[-SPARK_TOKENS:]
        gaps = [max(b.ms - a.ms, 0.01) for a, b in pairwise(last)]
        speeds = [1000 / gap for gap in gaps]
        mean = 1000 * len(gaps) / sum(gaps) if gaps else 0.0
        self.speed.set_values(speeds, mean * 2, tr("Speed, mean {0} tokens/s", f"{mean:,.1f}"))
        sure = [token.probability for token in last]
        average = sum(sure) / len(sure) if sure else 0.0
        self.confidence.set_values(sure, 1.0, tr("Probability, mean {0}", f"{average:.2f}"))

    def _block_of(self, index: int) -> str:
        turn = self.turn
        if turn is None or turn.reply is None or index >= len(self.places.ends):
            return ""
        low, _ = self.places.span(index)
        span = run_at(turn.reply.spans, low)
        return "" if span is None else span.kind.replace("_", " ")

    def _hold_of(self, index: int) -> str:
        return hold_at(self.turn, index) if self.turn is not None else ""

    def _origin_of(self, token: PromptToken) -> str:
        run = run_at(self._prompt_runs, token.start)
        return BY_KIND[run.kind].name if run else BY_KIND["template"].name

    # -- Choosing -------------------------------------------------------------------------------

    def _row_chosen(self, current: QModelIndex, _: QModelIndex) -> None:
        turn = self.turn
        if turn is None or not current.isValid():
            return
        row = current.row()
        if self.table.model() is self.prompt:
            token = turn.prompt_tokens[row]
            self.context.selected.choose(Selection(turn.id, "prompt", token.start, token.end))
            return
        self._show_alternatives(row)
        self.context.selected.choose(Selection(turn.id, "reply", *self.places.span(row)))

    def _show_alternatives(self, row: int) -> None:
        turn = self.turn
        if turn is None:
            return
        token = turn.tokens[row]
        held = hold_at(turn, token.index) == "holds"
        self.alternatives.show_token(token, can_branch=turn.state in ("done", "stopped"), held=held)

    def _branch(self, token: Token, alternative: int) -> None:
        if self.turn is not None:
            self.context.start(self.context.bench.branch_from_token(self.turn.id, token.index, alternative))

    def select(self, selection: Selection | None) -> None:
        if selection is None or self.turn is None or selection.turn != self.turn.id:
            return
        on_prompt = selection.side == "prompt"
        if on_prompt:
            self._load_prompt()
        row = self._columns.token_at(selection.start) if on_prompt else self.places.token_at(selection.start)
        if row < 0 or on_prompt != (self.which.currentIndex() == 1):
            if row < 0 or self.table.hasFocus():
                return
            self.which.setCurrentIndex(1 if on_prompt else 0)
        model = self.table.model()
        if self.table.currentIndex().row() == row:
            return
        selection_model = self.table.selectionModel()
        selection_model.blockSignals(True)
        flags = QItemSelectionModel.SelectionFlag
        selection_model.setCurrentIndex(model.index(row, 1), flags.ClearAndSelect | flags.Rows)
        selection_model.blockSignals(False)
        self.table.scrollTo(model.index(row, 1))
        self.table.viewport().update()
        if not on_prompt:
            self._show_alternatives(row)
