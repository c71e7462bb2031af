"""What the KV cache held, what each turn reused and fed, where the prefix broke and why."""

from __future__ import annotations

import json
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from cutaway.engine.plan import Break
from cutaway.ui.beat import Slowly
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.pane import Context, Pane
from cutaway.ui.selection import Selection
from cutaway.ui.text.columns import NO_COLUMNS, Columns, columns_of
from cutaway.ui.text.places import Places
from cutaway.ui.widgets.bar import Bar, Notch, Part
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.words import changed, say, tr
from cutaway.workbench.change import Aspect, Change, IdleChanged, ModelChanged
from cutaway.workbench.turn import Turn

MOST_TURNS = 24
"""Strips of the last so many turns are shown."""

SETTINGS: Mapping[str, tuple[str, object]] = {
    "M13": ("keep_reasoning", True),
    "M17": ("keep_reasoning", True),
    "M25": ("idle_prefill", True),
}
"""The setting that is the remedy of a break, by its code; where the remedy departs from the trained format there is
none."""
BESIDE_SETTINGS = frozenset(("M4", "M12", "M15", "M18"))


class CachePane(Pane):
    name = "cache"
    title = "Cache"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.turn: Turn | None = None
        self._rows: dict[str, _Strip] = {}
        self._columns: Columns = NO_COLUMNS
        self._idle: IdleChanged | None = None
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
        area = QScrollArea()
        area.setWidgetResizable(True)
        say(area, "setAccessibleName", "Cache")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 3 * SPACE)
        layout.setSpacing(2 * SPACE)
        self.key = QLabel()
        self.key.setWordWrap(True)
        self.key.setTextFormat(Qt.TextFormat.RichText)
        layout.addWidget(self.key)
        self.strips = QVBoxLayout()
        self.strips.setSpacing(2 * SPACE)
        layout.addLayout(self.strips)
        self.place = QLabel()
        self.place.setWordWrap(True)
        layout.addWidget(self.place)
        self.idle = QLabel()
        self.idle.setProperty("quiet", True)
        self.idle.setWordWrap(True)
        layout.addWidget(self.idle)
        self.figures = QGridLayout()
        self.figures.setHorizontalSpacing(4 * SPACE)
        self.figures.setColumnStretch(1, 1)
        layout.addLayout(self.figures)
        self.breaks = QVBoxLayout()
        layout.addLayout(self.breaks)
        self.memory = QGridLayout()
        self.memory.setHorizontalSpacing(4 * SPACE)
        self.memory.setColumnStretch(1, 1)
        layout.addLayout(self.memory)
        layout.addStretch()
        area.setWidget(body)
        return area

    # -- Showing --------------------------------------------------------------------------------

    def show_turn(self, turn: Turn | None) -> None:
        self.turn = turn
        self._refresh()

    def grow(self, turn: Turn, what: frozenset[Aspect]) -> None:
        if turn is not self.turn or what & {"plan", "state", "prompt"} or turn.id not in self._rows:
            self.show_turn(turn)
        elif what & {"tokens", "prefill"} and self._slowly.due():
            self._refresh_strip(turn)

    def follow(self, change: Change) -> None:
        if isinstance(change, IdleChanged):
            self._idle = change
            self._show_idle()
        elif isinstance(change, ModelChanged):
            self._show_memory()

    def _refresh_strip(self, turn: Turn) -> None:
        self._rows[turn.id].show_turn(turn, self._widest(), selected=True)

    def strips_shown(self) -> set[str]:
        """Ids of the turns that have a strip."""
        return set(self._rows)

    def _turns(self) -> list[Turn]:
        turns = [turn for turn in self.context.turns() if turn.plan is not None]
        if self.turn is not None and self.turn.plan is not None and self.turn not in turns:
            turns.append(self.turn)
        return turns[-MOST_TURNS:]

    def _widest(self) -> int:
        return max((_total(turn) for turn in self._turns()), default=1)

    def _refresh(self) -> None:
        turns = self._turns()
        self._stack.setCurrentIndex(1 if turns else 0)
        if not turns:
            return
        self.key.setText(_key())
        for gone in set(self._rows) - {turn.id for turn in turns}:
            strip = self._rows.pop(gone)
            self.strips.removeWidget(strip)
            strip.deleteLater()
        widest = self._widest()
        numbers = {turn.id: number for number, turn in enumerate(self.context.turns(), 1)}
        for turn in turns:
            if turn.id not in self._rows:
                self._rows[turn.id] = _Strip(self.context)
                self.strips.addWidget(self._rows[turn.id])
            strip = self._rows[turn.id]
            strip.number = numbers.get(turn.id, len(numbers))
            strip.show_turn(turn, widest, selected=turn is self.turn)
        self._show_details()
        self._show_memory()
        self._show_idle()

    def _show_details(self) -> None:
        _clear(self.figures)
        _clear(self.breaks)
        self._columns = NO_COLUMNS
        turn = self.turn
        if turn is None or turn.plan is None:
            return
        plan = turn.plan
        rows = [
            (tr("Prompt"), tr("{0} tokens", f"{plan.prompt_tokens:,}")),
            (tr("Held before"), tr("{0} tokens", f"{plan.held:,}")),
            (tr("Reused"), tr("{0} tokens, {1}%", f"{plan.reused:,}", _percent(plan.reused, plan.prompt_tokens))),
            (tr("Fed while idle"), tr("{0} tokens", f"{turn.idle_fed:,}")),
            (tr("Fed after Send"), tr("{0} tokens", f"{plan.fed:,}")),
            (tr("Generated"), tr("{0} tokens", f"{len(turn.tokens):,}")),
        ]
        if plan.restored_from:
            rows.insert(3, (tr("Restored from"), plan.restored_from))
        if plan.approximate:
            rows.insert(3, (tr("Of these approximate"), tr("{0} tokens", f"{plan.approximate:,}")))
        if plan.shifts:
            moved = tr("{0} tokens in {1} runs, approximate", f"{plan.moved:,}", len(plan.shifts))
            rows.insert(len(rows) - 2, (tr("Moved"), moved))
        if turn.timings is not None:
            rows.append((tr("Prefill"), f"{turn.timings.prefill_ms:,.0f} ms"))
            rows.append((tr("First token"), f"{turn.timings.first_token_ms:,.0f} ms"))
        _fill(self.figures, rows)
        for broken in plan.breaks:
            self.breaks.addWidget(_BreakCard(broken, turn.conversation, self.context))

    def _show_memory(self) -> None:
        _clear(self.memory)
        facts = self.context.bench.model.facts
        if facts is None or not facts.memory:
            return
        names = {
            "weights": tr("Weights"),
            "kv": tr("KV cache"),
            "compute": tr("Compute buffers"),
            "measured": tr("Measured, in all"),
        }
        _fill(
            self.memory,
            [(tr("Memory"), "")]
            + [(names.get(name, name), f"{size / 1e6:,.1f} MB") for name, size in facts.memory.items()],
        )

    def _show_idle(self) -> None:
        idle, turn = self._idle, self.turn
        mine = idle is not None and turn is not None and idle.conversation == turn.conversation
        self.idle.setVisible(mine)
        if mine and idle is not None:
            state = tr("being fed while idle") if idle.running else tr("idle work is done")
            self.idle.setText(
                tr("Next turn: {0} of {1} tokens of its stable prefix held, {2}.", idle.held, idle.wanted, state)
            )

    # -- Selection ------------------------------------------------------------------------------

    def select(self, selection: Selection | None) -> None:
        """Say where the selected character lies in the cache, and mark it on the strip."""
        turn = self.turn
        for strip in self._rows.values():
            strip.mark(-1)
        if selection is None or turn is None or turn.plan is None or selection.turn != turn.id:
            self.place.setText("")
            return
        if selection.side == "reply":
            self.place.setText(tr("The selected text was generated: it is in the cache after the prompt."))
            places = Places()
            places.extend(turn.tokens, turn.raw)
            self._mark(turn, turn.plan.prompt_tokens + max(places.token_at(selection.start), 0))
            return
        if not self._columns.ids:
            self._columns = columns_of(turn.prompt_tokens)
        token = self._columns.token_at(selection.start)
        if token < 0:
            return
        kept = token < turn.plan.reused
        fate = tr("it was reused from the cache") if kept else tr("it was fed after Send")
        self.place.setText(tr("Selected: token {0} of {1}; {2}.", token, turn.plan.prompt_tokens, fate))
        self._mark(turn, token)

    def _mark(self, turn: Turn, token: int) -> None:
        strip = self._rows.get(turn.id)
        if strip is not None:
            strip.mark(token)


class _Strip(QFrame):
    """One turn: its number and figures above its bar. Pressing it selects the turn."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._given_up = 0
        """Units of the bar before the prompt's first token."""
        self.number = 0
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        self.label = QPushButton()
        self.label.setProperty("link", True)
        self.label.clicked.connect(self._pressed)
        layout.addWidget(self.label, alignment=Qt.AlignmentFlag.AlignLeft)
        self.bar = Bar(tr("Cache of this turn"), 14)
        self.bar.placed.connect(self._placed)
        layout.addWidget(self.bar)
        self.turn: Turn | None = None

    def show_turn(self, turn: Turn, widest: int, *, selected: bool) -> None:
        self.turn = turn
        plan = turn.plan
        assert plan is not None
        theme = look.theme
        restored = bool(plan.restored_from)
        given_up = self._given_up = max(plan.held - plan.reused - plan.moved, 0)
        idle = min(turn.idle_fed, plan.reused)
        parts = [
            Part("held", tr("Held before and given up"), given_up, theme.held),
            Part("restored", tr("Restored"), plan.reused - idle if restored else 0, theme.restored),
            Part("reused", tr("Reused"), 0 if restored else plan.reused - idle, theme.reused),
            Part("moved", tr("Moved, approximate"), plan.moved, theme.restored),
            Part("idle", tr("Fed while idle"), idle, theme.idle),
            Part("sent", tr("Fed after Send"), plan.fed, theme.sent),
            Part("generated", tr("Generated"), len(turn.tokens), theme.generated),
        ]
        notches = [Notch(given_up + b.at_token, f"{b.reason}: {b.detail}") for b in plan.breaks]
        self.bar.set_parts(parts, notches, total=widest)
        mark = "▸ " if selected else ""
        self.label.setText(mark + tr("Turn {0}: {1} reused, {2} fed", self.number, f"{plan.reused:,}", f"{plan.fed:,}"))
        self.bar.updateGeometry()

    def mark(self, token: int) -> None:
        """Mark a token's place, counted from the start of the prompt; -1 marks none."""
        self.bar.set_mark(self._given_up + token if token >= 0 else -1)

    def _pressed(self) -> None:
        if self.turn is not None:
            self._context.show_turn(self.turn.id)

    def _placed(self, at: int) -> None:
        """Select what stands in the cache where the bar was pressed: a token of the prompt or of the reply."""
        turn, token = self.turn, at - self._given_up
        if turn is None or token < 0:
            return
        self._context.show_turn(turn.id)
        count = len(turn.prompt_tokens)
        if token < count:
            one = turn.prompt_tokens[token]
            self._context.selected.choose(Selection(turn.id, "prompt", one.start, max(one.end, one.start + 1)))
        elif token - count < len(turn.tokens):
            places = Places()
            places.extend(turn.tokens, turn.raw)
            start, end = places.span(token - count)
            self._context.selected.choose(Selection(turn.id, "reply", start, max(end, start + 1)))


class _BreakCard(QFrame):
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
        detail = QLabel(broken.detail)
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
    sides = (
        (tr("Held"), broken.held_place, broken.held_text, broken.held),
        (tr("Wanted"), broken.wanted_place, broken.wanted_text, broken.wanted),
    )
    return [
        f"{name}: {place} {json.dumps(text, ensure_ascii=False)}" if place else f"{name}: {list(tokens)}"
        for name, place, text, tokens in sides
        if place or tokens
    ]


def _cost(broken: Break) -> str:
    given_up = tr("Cost: {0} held tokens given up.", f"{broken.lost:,}")
    if not broken.fed:
        return given_up
    seconds = tr(", about {0} s", f"{broken.seconds:.1f}") if broken.seconds is not None else ""
    return f"{given_up} {tr('{0} tokens fed', f'{broken.fed:,}')}{seconds}."


def _remedy(broken: Break) -> str:
    words = tr("Avoided by: {0}", broken.avoidable_by)
    return f"{words} {tr('This departs from the format that the model was trained with.')}" if broken.departs else words


def _total(turn: Turn) -> int:
    plan = turn.plan
    given_up = max(plan.held - plan.reused - plan.moved, 0) if plan is not None else 0
    return plan.prompt_tokens + len(turn.tokens) + given_up if plan is not None else 1


def _percent(part: int, whole: int) -> int:
    return round(100 * part / whole) if whole else 0


def _key() -> str:
    theme = look.theme
    names = (
        (theme.held, tr("held")),
        (theme.restored, tr("restored")),
        (theme.reused, tr("reused")),
        (theme.idle, tr("fed while idle")),
        (theme.sent, tr("fed after Send")),
        (theme.generated, tr("generated")),
        (theme.error, tr("▾ break")),
    )
    return " &nbsp; ".join(f'<span style="color:{colour}">■</span>&nbsp;{name}' for colour, name in names)


def _fill(grid: QGridLayout, rows: list[tuple[str, str]]) -> None:
    for index, (name, value) in enumerate(rows):
        left, right = QLabel(name), QLabel(value)
        left.setProperty("quiet", True)
        right.setWordWrap(True)
        grid.addWidget(left, index, 0)
        grid.addWidget(right, index, 1)


def _clear(layout: QGridLayout | QVBoxLayout) -> None:
    while layout.count():
        item = layout.takeAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()
