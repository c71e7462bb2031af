"""One turn's strip: what the cache held, what was reused and fed, where it broke. Each place stands for a token."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout

from cutaway.engine.plan import Plan
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.pane import Context
from cutaway.ui.selection import Selection
from cutaway.ui.sentences import told
from cutaway.ui.text.places import Places
from cutaway.ui.widgets.bar import Bar, Notch, Part
from cutaway.ui.widgets.elided import Elided
from cutaway.ui.words import say, tr
from cutaway.workbench.turn import Turn


class Strip(QFrame):
    """Its turn's number, figures and break above its bar. Pressing the number selects the turn."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.given_up = 0
        """Units of the bar before the prompt's first token."""
        self.number = 0
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(SPACE)
        self.label = QPushButton()
        self.label.setProperty("link", True)
        self.label.clicked.connect(self._pressed)
        self.said = Elided()
        self.said.setProperty("quiet", True)
        self.said.setMinimumWidth(40)
        head.addWidget(self.label)
        head.addWidget(self.said, 1)
        layout.addLayout(head)
        self.bar = Bar("", 14)
        say(self.bar, "setAccessibleName", "Cache of this turn")
        self.bar.placed.connect(self.choose)
        layout.addWidget(self.bar)
        self.turn: Turn | None = None

    def show_turn(self, turn: Turn, widest: int, *, selected: bool) -> None:
        self.turn = turn
        plan = turn.plan
        assert plan is not None
        self.given_up = given_up(plan)
        notches = [Notch(self.given_up + b.at_token, f"{b.reason}: {told(b.detail)}") for b in plan.breaks]
        self.bar.set_parts(parts_of(turn, plan), notches, total=widest)
        self.label.setText(("▸ " if selected else "") + tr("Turn {0}", self.number))
        self.label.setAccessibleName(tr("Show turn {0}", self.number))
        said = [tr("{0} reused, {1} fed", f"{plan.reused:,}", f"{plan.fed:,}")]
        said += [told(plan.detail)] if plan.breaks and plan.detail else []
        self.said.setText(" · ".join(said))
        self.said.setToolTip("\n".join(said))
        self.bar.updateGeometry()

    def mark(self, token: int) -> None:
        """Mark a token's place, counted from the start of the prompt; -1 marks none."""
        self.bar.set_mark(self.given_up + token if token >= 0 else -1)

    def _pressed(self) -> None:
        if self.turn is not None:
            self._context.show_turn(self.turn.id)

    def choose(self, at: int) -> None:
        """Select what stands in the cache at a place of the bar: a token of the prompt or of the reply."""
        turn, token = self.turn, at - self.given_up
        if turn is None or token < 0:
            return
        count = len(turn.prompt_tokens)
        if token < count:
            one = turn.prompt_tokens[token]
            self._context.go_to(Selection(turn.id, "prompt", one.start, max(one.end, one.start + 1)))
        elif token - count < len(turn.tokens):
            places = Places()
            places.extend(turn.tokens, turn.raw)
            start, end = places.span(token - count)
            self._context.go_to(Selection(turn.id, "reply", start, max(end, start + 1)))


def given_up(plan: Plan) -> int:
    """Held tokens that were not kept."""
    return max(plan.held - plan.reused - plan.moved, 0)


def width_of(turn: Turn) -> int:
    """Tokens that a turn's bar stands for."""
    plan = turn.plan
    return plan.prompt_tokens + len(turn.tokens) + given_up(plan) if plan is not None else 1


def parts_of(turn: Turn, plan: Plan) -> list[Part]:
    """In the order in which they lie in the cache, what was given up first."""
    theme = look.theme
    restored = bool(plan.restored_from)
    idle = min(turn.idle_fed, plan.reused)
    kept = plan.reused - idle
    return [
        Part("held", tr("Held before and given up"), given_up(plan), theme.held),
        Part("restored", tr("Restored"), kept if restored else 0, theme.restored),
        Part("reused", tr("Reused"), 0 if restored else kept, theme.reused),
        Part("idle", tr("Fed while idle"), idle, theme.idle),
        Part("moved", tr("Moved, approximate"), plan.moved, theme.restored),
        Part("sent", tr("Fed after Send"), plan.fed, theme.sent),
        Part("generated", tr("Generated"), len(turn.tokens), theme.generated),
    ]


def fate(turn: Turn, plan: Plan, token: int) -> str:
    """What became of one token of the prompt, as a sentence's end."""
    idle = min(turn.idle_fed, plan.reused)
    if any(shift.to <= token < shift.to + shift.length for shift in plan.shifts):
        return tr("it was moved here from elsewhere in the cache")
    if token >= plan.reused:
        return tr("it was fed after Send")
    if token >= plan.reused - idle:
        return tr("it was fed while idle")
    return tr("it was restored") if plan.restored_from else tr("it was reused from the cache")


def key() -> str:
    """What the colours of a strip mean, as rich text."""
    theme = look.theme
    names = (
        (theme.held, tr("held")),
        (theme.restored, tr("restored")),
        (theme.reused, tr("reused")),
        (theme.idle, tr("fed while idle")),
        (theme.sent, tr("fed after Send")),
        (theme.generated, tr("generated")),
    )
    said = [f'<span style="color:{colour}">■</span>&nbsp;{name.replace(" ", "&nbsp;")}' for colour, name in names]
    return " &nbsp; ".join([*said, f'<span style="color:{theme.error}">▾</span>&nbsp;{tr("break")}'])
