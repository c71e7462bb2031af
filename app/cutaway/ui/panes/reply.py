"""The reply as it is read: raw text beside its blocks, calls against their schema, events; and any pasted output."""

from __future__ import annotations

import json

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QLabel, QListView, QStackedLayout, QTabWidget, QVBoxLayout, QWidget

from cutaway.ui.beat import Slowly
from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.events import Events, Place, event_places
from cutaway.ui.models.grammar import is_asleep
from cutaway.ui.pane import Context, Pane
from cutaway.ui.reply.attempt import Attempt
from cutaway.ui.reply.calls import CallSheet
from cutaway.ui.reply.message import openai_message
from cutaway.ui.selection import Selection
from cutaway.ui.text.view import TextView
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.widgets.grammar_view import GrammarView, InForce
from cutaway.ui.widgets.reply_view import ReplyView
from cutaway.ui.words import changed, say, tr
from cutaway.workbench.change import Aspect
from cutaway.workbench.turn import Turn


class ReplyPane(Pane):
    name = "reply"
    title = "Reply"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.turn: Turn | None = None
        self._slowly = Slowly()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.summary.setProperty("quiet", True)
        above = QVBoxLayout()
        above.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, SPACE)
        above.addWidget(self.summary)
        layout.addLayout(above)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        say(self.tabs, "setAccessibleName", "Views of the reply")
        layout.addWidget(self.tabs, 1)
        self._pages = (
            (self._build_blocks(), "Blocks"),
            (self._build_calls(), "Calls"),
            (self._build_message(), "Message"),
            (self._build_events(), "Events"),
            (self._build_grammar(), "Grammar"),
            (Attempt(context), "Paste"),
        )
        for widget, title in self._pages:
            self.tabs.addTab(widget, tr(title))
            say(widget, "setAccessibleName", title)
        attempt = self._pages[-1][0]
        assert isinstance(attempt, Attempt)
        self.attempt = attempt
        self.tabs.currentChanged.connect(lambda _: self._show_rest())
        changed.language.connect(self._retitle)
        look.changed.connect(self._restyle)
        self._restyle()

    def _build_blocks(self) -> QWidget:
        page = QWidget()
        self._stack = QStackedLayout(page)
        self._stack.addWidget(
            Empty(
                "Here you will see how the model's output is read: reasoning, content and tool calls, and each repair.",
                "Write a message",
                lambda: self.context.do("composer.focus"),
            )
        )
        self.view = ReplyView()
        self.view.pointed.connect(self._pointed)
        self.view.chosen.connect(self._chosen)
        self._stack.addWidget(self.view)
        return page

    def _build_calls(self) -> QWidget:
        self.calls = CallSheet()
        self.calls.chosen.connect(self._chosen)
        return self.calls

    def _build_message(self) -> QWidget:
        self.message = TextView()
        self.message.show_blanks = self.message.show_bounds = False
        return self.message

    def _build_events(self) -> QWidget:
        self.events_model = Events()
        self.events = QListView()
        self.events.setModel(self.events_model)
        self.events.setUniformItemSizes(True)
        self.events.selectionModel().currentChanged.connect(self._event_chosen)
        return self.events

    def _build_grammar(self) -> QWidget:
        self.grammar = GrammarView()
        self.grammar.wanted.connect(lambda: self.context.start(self.grammar.attempt()))
        return self.grammar

    def _restyle(self) -> None:
        self.events.setFont(mono())

    def _retitle(self) -> None:
        for index, (_, title) in enumerate(self._pages):
            self.tabs.setTabText(index, tr(title))
        self._show_words()
        self._show_rest()

    # -- Showing --------------------------------------------------------------------------------

    def show_turn(self, turn: Turn | None) -> None:
        self.turn = turn
        self._stack.setCurrentIndex(1 if turn is not None and turn.raw else 0)
        if turn is not None:
            self.view.show_reply(turn.raw, turn.reply, fresh=True)
        self.attempt.show_turn(turn)
        self._show_words()
        self._show_rest()

    def grow(self, turn: Turn, what: frozenset[Aspect]) -> None:
        if turn is not self.turn or (turn.raw and self._stack.currentIndex() == 0):
            self.show_turn(turn)
            return
        if what & {"tokens", "reply", "state"}:
            due = self._slowly.due(now="state" in what)
            self.view.show_reply(turn.raw, turn.reply, fresh=False, blocks=due)
            if due:
                self._show_words()
                self._show_rest()

    def _show_words(self) -> None:
        turn = self.turn
        self.summary.setVisible(turn is not None)
        if turn is not None:
            self.summary.setText(" · ".join(summary_of(turn)))

    def _show_rest(self) -> None:
        """Fill the page that is open; the others wait until they are."""
        turn, page = self.turn, self.tabs.currentWidget()
        if turn is None:
            return
        if page is self.events:
            self.events_model.take_new(turn.events)
        elif page is self.calls:
            self.calls.show_calls(turn.reply.calls if turn.reply is not None else (), turn.request.tools)
        elif page is self.grammar:
            self.grammar.show_grammar(grammar_of(turn))
        elif page is self.message:
            text = json.dumps(openai_message(turn), ensure_ascii=False, indent=2)
            if text != self.message.text:
                self.message.set_text(text)

    # -- Selection ------------------------------------------------------------------------------

    def _pointed(self, start: int, end: int) -> None:
        if self.turn is not None:
            value = Selection(self.turn.id, "reply", start, end) if start >= 0 else None
            self.context.selected.point(value)

    def _chosen(self, start: int, end: int) -> None:
        if self.turn is not None:
            self.context.selected.choose(Selection(self.turn.id, "reply", start, max(end, start + 1)))

    def _event_chosen(self, current: QModelIndex, _: QModelIndex) -> None:
        places = self._event_places()
        place = places[current.row()] if current.isValid() and current.row() < len(places) else None
        if place is not None:
            self._chosen(*place)

    def _event_places(self) -> list[Place | None]:
        turn = self.turn
        return event_places(turn.events, turn.reply) if turn is not None and turn.reply is not None else []

    def _mark_event(self, char: int) -> None:
        """Stand on the event that told of a character, without choosing it again."""
        held = [(place, row) for row, place in enumerate(self._event_places()) if place and place[0] <= char < place[1]]
        if held and self.events.currentIndex().row() not in (row for _, row in held):
            _, row = min(held, key=lambda one: one[0][1] - one[0][0])  # The least that holds it, not the whole call.
            self.events.selectionModel().blockSignals(True)
            self.events.setCurrentIndex(self.events_model.index(row, 0))
            self.events.selectionModel().blockSignals(False)
            self.events.viewport().update()

    def select(self, selection: Selection | None) -> None:
        self._outline(selection, reveal=True)

    def point(self, selection: Selection | None) -> None:
        self._outline(selection or self.context.selected.value, reveal=False)

    def _outline(self, selection: Selection | None, *, reveal: bool) -> None:
        ours = selection is not None and self.turn is not None and selection.turn == self.turn.id
        if not ours or selection is None or selection.side != "reply":
            self.view.outline(-1, -1, reveal=False)
            return
        self.view.outline(selection.start, selection.end, reveal=reveal)
        if reveal and self.tabs.currentWidget() is self.calls:
            self.calls.mark(selection.start)
        elif reveal and self.tabs.currentWidget() is self.events:
            self._mark_event(selection.start)


def summary_of(turn: Turn) -> list[str]:
    """A reply in a few figures."""
    parts = [tr("{0} characters", f"{len(turn.raw):,}")]
    if turn.reply is not None:
        parts.append(tr("blocks: {0}", len(turn.reply.blocks)))
        if turn.reply.repairs:
            parts.append(tr("repairs: {0}", len(turn.reply.repairs)))
        unparsed = sum(span.end - span.start for span in turn.reply.spans if span.kind == "unparsed")
        if unparsed:
            parts.append(tr("{0} characters unparsed", unparsed))
    if turn.template is not None and turn.template.handler:
        parts.append(tr("format: {0}", turn.template.handler))
    if turn.finish_reason:
        parts.append(tr("ended by {0}", turn.finish_reason))
    return parts


def grammar_of(turn: Turn) -> InForce:
    """What constrained the turn's reply, and where the engine said that it woke."""
    return InForce(turn.grammar, turn.grammar_lazy, turn.triggers, turn.coverage, turn.woke, is_asleep(turn), turn.raw)
