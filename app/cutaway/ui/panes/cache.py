"""What the KV cache held, what each turn reused and fed, where the prefix broke and why."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from cutaway.engine.event import ModelFacts
from cutaway.engine.memory import Forecast
from cutaway.ui.beat import Slowly
from cutaway.ui.cache.break_card import BreakCard
from cutaway.ui.cache.strip import Strip, fate, key, width_of
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.memory import forecast_of, kv_formula, memory_rows
from cutaway.ui.pane import Context, Pane
from cutaway.ui.selection import Selection
from cutaway.ui.text.columns import NO_COLUMNS, Columns, columns_of
from cutaway.ui.text.places import Places
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.words import changed, say, tr
from cutaway.workbench.change import Aspect, Change, IdleChanged, ModelChanged
from cutaway.workbench.turn import Turn

MOST_TURNS = 24
"""Strips of the last so many turns are shown."""


class CachePane(Pane):
    name = "cache"
    title = "Cache"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.turn: Turn | None = None
        self.rows: dict[str, Strip] = {}
        """By the id of the turn."""
        self._columns: Columns = NO_COLUMNS
        self._idle: IdleChanged | None = None
        self._facts: ModelFacts | None = None
        self._forecast: Forecast | None = None
        self._slowly = Slowly()
        self._stack = QStackedLayout(self)
        self._stack.addWidget(
            Empty(
                "Here you will see how much of each turn was already in the model's cache, and why it broke if it did.",
                "Write a message",
                lambda: context.do("composer.focus"),
            )
        )
        self._stack.addWidget(self._build())
        look.changed.connect(self._refresh)
        changed.language.connect(self._refresh)

    def _build(self) -> QWidget:
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        say(self.area, "setAccessibleName", "Cache")
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        self.key, self.place, self.idle, self.formula = QLabel(), QLabel(), QLabel(), QLabel()
        for label in (self.key, self.place, self.idle, self.formula):
            label.setWordWrap(True)
        self.key.setTextFormat(Qt.TextFormat.RichText)
        self.idle.setProperty("quiet", True)
        self.formula.setProperty("quiet", True)
        self.strips = QVBoxLayout()
        self.strips.setSpacing(2 * SPACE)
        self.breaks = QVBoxLayout()
        self.figures, self.memory = QGridLayout(), QGridLayout()
        layout.addWidget(self.key)
        layout.addLayout(self.strips)
        layout.addWidget(self.place)
        layout.addWidget(self.idle)
        layout.addLayout(self.breaks)
        layout.addLayout(self.figures)
        layout.addLayout(self.memory)
        layout.addWidget(self.formula)
        for grid in (self.figures, self.memory):
            grid.setHorizontalSpacing(4 * SPACE)
            grid.setVerticalSpacing(SPACE)
            grid.setColumnStretch(3, 1)
        layout.addStretch()
        self.area.setWidget(body)
        return self.area

    # -- Showing --------------------------------------------------------------------------------

    def show_turn(self, turn: Turn | None) -> None:
        self.turn = turn
        self._refresh()

    def grow(self, turn: Turn, what: frozenset[Aspect]) -> None:
        if turn is not self.turn or what & {"plan", "state", "prompt"} or turn.id not in self.rows:
            self.show_turn(turn)
        elif what & {"tokens", "prefill"} and self._slowly.due():
            self.rows[turn.id].show_turn(turn, self._widest(), selected=True)

    def follow(self, change: Change) -> None:
        if isinstance(change, IdleChanged):
            self._idle = change
            self._show_idle()
        elif isinstance(change, ModelChanged):
            self._show_memory()

    def strips_shown(self) -> set[str]:
        """Ids of the turns that have a strip."""
        return set(self.rows)

    def _turns(self) -> list[Turn]:
        turns = [turn for turn in self.context.turns() if turn.plan is not None]
        if self.turn is not None and self.turn.plan is not None and self.turn not in turns:
            turns.append(self.turn)
        return turns[-MOST_TURNS:]

    def _widest(self) -> int:
        return max(map(width_of, self._turns()), default=1)

    def _refresh(self) -> None:
        turns = self._turns()
        self._stack.setCurrentIndex(1 if turns else 0)
        if not turns:
            return
        self.key.setText(key())
        for gone in set(self.rows) - {turn.id for turn in turns}:
            strip = self.rows.pop(gone)
            self.strips.removeWidget(strip)
            strip.deleteLater()
        widest = self._widest()
        numbers = {turn.id: number for number, turn in enumerate(self.context.turns(), 1)}
        for turn in turns:
            if turn.id not in self.rows:
                self.rows[turn.id] = Strip(self.context)
                self.strips.addWidget(self.rows[turn.id])
            strip = self.rows[turn.id]
            strip.number = numbers.get(turn.id, len(numbers) + 1)
            strip.show_turn(turn, widest, selected=turn is self.turn)
        self._show_details()
        self._show_memory()
        self._show_idle()
        self.select(self.context.selected.value)

    def _show_details(self) -> None:
        _clear(self.figures)
        _clear(self.breaks)
        self._columns = NO_COLUMNS
        turn = self.turn
        if turn is None or turn.plan is None:
            return
        _fill(self.figures, [(name, value, "") for name, value in figures_of(turn)])
        for broken in turn.plan.breaks:
            self.breaks.addWidget(BreakCard(broken, turn.conversation, self.context))

    def _show_memory(self) -> None:
        facts = self.context.bench.model.facts if self.context.is_open() else None
        if facts is not None and facts is not self._facts:
            self._facts, self._forecast = facts, None
            self.context.start(self._ask_forecast(facts))
        _clear(self.memory)
        rows = memory_rows(facts, self._forecast) if facts is not None else []
        if facts is None or not rows:
            self.formula.hide()
            return
        _fill(self.memory, [(tr("Memory"), tr("by formula"), tr("in use")), *rows])
        said = kv_formula(facts, self.context.bench.model_settings(facts.path), self._forecast)
        self.formula.setText(said)
        self.formula.setVisible(bool(said))

    async def _ask_forecast(self, facts: ModelFacts) -> None:
        found = await forecast_of(self.context.bench, facts)
        if facts is self._facts:
            self._forecast = found
            self._show_memory()

    def _show_idle(self) -> None:
        idle, turn = self._idle, self.turn
        mine = idle is not None and turn is not None and idle.conversation == turn.conversation
        self.idle.setVisible(mine)
        if mine and idle is not None:
            state = tr("being fed while idle") if idle.running else tr("idle work is done")
            held, wanted = f"{idle.held:,}", f"{idle.wanted:,}"
            self.idle.setText(tr("Next turn: {0} of {1} tokens of its stable prefix held, {2}.", held, wanted, state))

    # -- Selection ------------------------------------------------------------------------------

    def select(self, selection: Selection | None) -> None:
        """Say where the selected character lies in the cache, and mark it on the strip."""
        turn = self.turn
        for strip in self.rows.values():
            strip.mark(-1)
        said, token = "", -1
        if selection is not None and turn is not None and turn.plan is not None and selection.turn == turn.id:
            if selection.side == "reply":
                said = tr("The selected text was generated: it is in the cache after the prompt.")
                places = Places()
                places.extend(turn.tokens, turn.raw)
                token = turn.plan.prompt_tokens + max(places.token_at(selection.start), 0)
            else:
                token = self._prompt_token(turn, selection.start)
                whole = f"{turn.plan.prompt_tokens:,}"
                if token >= 0:
                    said = tr("Selected: token {0} of {1}; {2}.", token, whole, fate(turn, turn.plan, token))
        self.place.setText(said)
        self.place.setVisible(bool(said))
        if turn is not None and turn.id in self.rows:
            self.rows[turn.id].mark(token)

    def _prompt_token(self, turn: Turn, char: int) -> int:
        if not self._columns.ids:
            self._columns = columns_of(turn.prompt_tokens)
        return self._columns.token_at(char)


def figures_of(turn: Turn) -> list[tuple[str, str]]:
    """A turn's plan in figures."""
    plan = turn.plan
    assert plan is not None
    share = round(100 * plan.reused / plan.prompt_tokens) if plan.prompt_tokens else 0
    rows = [
        (tr("Prompt"), _tokens(plan.prompt_tokens)),
        (tr("Held before"), _tokens(plan.held)),
        (tr("Reused"), tr("{0} tokens, {1}%", f"{plan.reused:,}", share)),
    ]
    if plan.restored_from:
        rows.append((tr("Restored from"), plan.restored_from))
    if plan.approximate:
        rows.append((tr("Of these approximate"), _tokens(plan.approximate)))
    rows += [(tr("Fed while idle"), _tokens(turn.idle_fed)), (tr("Fed after Send"), _tokens(plan.fed))]
    if plan.shifts:
        moved = tr("{0} tokens in {1} runs, approximate", f"{plan.moved:,}", len(plan.shifts))
        rows.append((tr("Moved"), moved))
    rows.append((tr("Generated"), _tokens(len(turn.tokens))))
    if turn.timings is not None:
        rows.append((tr("Prefill"), f"{turn.timings.prefill_ms:,.0f} ms"))
        rows.append((tr("First token"), f"{turn.timings.first_token_ms:,.0f} ms"))
    return rows


def _tokens(count: int) -> str:
    return tr("{0} tokens", f"{count:,}")


def _fill(grid: QGridLayout, rows: list[tuple[str, str, str]]) -> None:
    for index, (name, *values) in enumerate(rows):
        left = QLabel(name)
        left.setProperty("quiet", True)
        grid.addWidget(left, index, 0)
        for column, value in enumerate(values, 1):
            label = QLabel(value)
            if any(row[2] for row in rows):
                label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            grid.addWidget(label, index, column)


def _clear(layout: QGridLayout | QVBoxLayout) -> None:
    while layout.count():
        item = layout.takeAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()
