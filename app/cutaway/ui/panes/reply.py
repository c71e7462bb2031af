"""The reply as it is read: raw text beside its blocks, calls against their schema, events; and any pasted output."""

from __future__ import annotations

import json
from typing import Literal

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QStackedLayout,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from cutaway.chat.grammar.attempt import woke_at
from cutaway.chat.message import Request
from cutaway.chat.reply import ReasoningBlock, Reply
from cutaway.ui.beat import Slowly
from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.calls import argument_rows
from cutaway.ui.models.events import Events
from cutaway.ui.pane import Context, Pane
from cutaway.ui.selection import Selection
from cutaway.ui.sentences import told
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.widgets.grammar_view import GrammarView, InForce
from cutaway.ui.widgets.reply_view import ReplyView
from cutaway.ui.words import changed, say, tr
from cutaway.workbench.change import Aspect
from cutaway.workbench.turn import Turn

SHOWN = 60
"""Characters of a cell; the rest is in its tool tip."""


class ReplyPane(Pane):
    name = "reply"
    title = "Reply"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.turn: Turn | None = None
        self._slowly = Slowly()
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        say(self.tabs, "setAccessibleName", "Views of the reply")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.summary.setProperty("quiet", True)
        self.summary.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, SPACE)
        layout.addWidget(self.summary)
        layout.addWidget(self.tabs, 1)
        self.view = ReplyView()
        self.view.pointed.connect(self._pointed)
        self.view.chosen.connect(self._chosen)
        self._blocks_page = QWidget()
        self._stack = QStackedLayout(self._blocks_page)
        self._stack.addWidget(
            Empty(
                "Here you will see how the model's output is read: reasoning, content and tool calls, and each repair.",
                "Write a message",
                lambda: context.do("composer.focus"),
            )
        )
        self._stack.addWidget(self.view)
        self.calls = QTableWidget(0, 5)
        self.calls.verticalHeader().setVisible(False)
        head = self.calls.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(4, QHeaderView.ResizeMode.Stretch)
        self.calls.setWordWrap(True)
        self.calls.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.message = QPlainTextEdit()
        self.message.setReadOnly(True)
        self.message.setFont(mono())
        self.events_model = Events()
        self.events = QListView()
        self.events.setModel(self.events_model)
        self.events.setUniformItemSizes(True)
        self.events.setFont(mono())
        self.grammar = GrammarView()
        self.grammar.wanted.connect(lambda: context.start(self.grammar.attempt()))
        self.attempt = Attempt(context)
        self._pages = (
            (self._blocks_page, "Blocks"),
            (self.calls, "Calls"),
            (self.message, "Message"),
            (self.events, "Events"),
            (self.grammar, "Grammar"),
            (self.attempt, "Paste"),
        )
        for widget, title in self._pages:
            self.tabs.addTab(widget, tr(title))
            say(widget, "setAccessibleName", title)
        self.tabs.currentChanged.connect(lambda _: self._show_rest())
        changed.language.connect(self._retitle)

    def _retitle(self) -> None:
        for index, (_, title) in enumerate(self._pages):
            self.tabs.setTabText(index, tr(title))
        self._show_words()

    def show_turn(self, turn: Turn | None) -> None:
        self.turn = turn
        self._stack.setCurrentIndex(1 if turn is not None and turn.raw else 0)
        if turn is not None:
            self.view.show_reply(turn.raw, turn.reply, fresh=True)
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
        if turn is None:
            self.summary.setText("")
            return
        parts = [tr("{0} characters", f"{len(turn.raw):,}")]
        if turn.reply is not None:
            parts.append(tr("blocks: {0}", len(turn.reply.blocks)))
            if turn.reply.repairs:
                parts.append(tr("repairs: {0}", len(turn.reply.repairs)))
            unparsed = sum(s.end - s.start for s in turn.reply.spans if s.kind == "unparsed")
            if unparsed:
                parts.append(tr("{0} characters unparsed", unparsed))
        if turn.template is not None and turn.template.handler:
            parts.append(tr("format: {0}", turn.template.handler))
        if turn.finish_reason:
            parts.append(tr("ended by {0}", turn.finish_reason))
        self.summary.setText(" · ".join(parts))

    def _show_rest(self) -> None:
        """Fill the page that is open; the others wait until they are."""
        turn, page = self.turn, self.tabs.currentWidget()
        if turn is None:
            return
        if page is self.events:
            self.events_model.take_new(turn.events)
        elif page is self.calls:
            self._show_calls(turn)
        elif page is self.grammar:
            self.grammar.show_grammar(grammar_of(turn))
        elif page is self.message:
            text = json.dumps(openai_message(turn), ensure_ascii=False, indent=2)
            if text != self.message.toPlainText():
                self.message.setPlainText(text)

    def _show_calls(self, turn: Turn) -> None:
        self.calls.setHorizontalHeaderLabels([tr(t) for t in ("Call", "Argument", "Value", "Declared", "Check")])
        rows: list[tuple[str, ...]] = []
        for call in turn.reply.calls if turn.reply is not None else ():
            checked = argument_rows(call, turn.request.tools)
            rows += [(call.name, row.name, row.value, row.declared, row.verdict) for row in checked]
            rows += [] if checked else [(call.name, "", "", "", "ok")]
        self.calls.setRowCount(len(rows))
        for index, texts in enumerate(rows):
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text if column == 4 or len(text) <= SHOWN else text[:SHOWN] + " …")
                item.setToolTip(text)
                if column == 4 and text != "ok":
                    item.setForeground(QColor(look.theme.error))
                self.calls.setItem(index, column, item)
        self.calls.resizeRowsToContents()

    # -- Selection ------------------------------------------------------------------------------

    def _pointed(self, start: int, end: int) -> None:
        if self.turn is not None:
            value = Selection(self.turn.id, "reply", start, end) if start >= 0 else None
            self.context.selected.point(value)

    def _chosen(self, start: int, end: int) -> None:
        if self.turn is not None:
            self.context.selected.choose(Selection(self.turn.id, "reply", start, max(end, start + 1)))

    def select(self, selection: Selection | None) -> None:
        self._outline(selection, reveal=True)

    def point(self, selection: Selection | None) -> None:
        self._outline(selection or self.context.selected.value, reveal=False)

    def _outline(self, selection: Selection | None, *, reveal: bool) -> None:
        ours = selection is not None and self.turn is not None and selection.turn == self.turn.id
        if ours and selection is not None and selection.side == "reply":
            self.view.outline(selection.start, selection.end, reveal=reveal)
        else:
            self.view.outline(-1, -1, reveal=False)


def grammar_of(turn: Turn) -> InForce:
    """What constrained the turn's reply, and where a grammar that waits for a trigger woke."""
    blocks = turn.reply.blocks if turn.reply is not None else ()
    begin = blocks[0].end if blocks and isinstance(blocks[0], ReasoningBlock) else 0
    woke = woke_at(turn.triggers, turn.raw, begin) if turn.grammar_lazy else None
    return InForce(turn.grammar, turn.grammar_lazy, turn.triggers, turn.coverage, woke, turn.raw)


def openai_message(turn: Turn) -> dict[str, object]:
    reply = turn.reply or Reply(turn.raw)
    message: dict[str, object] = {"role": "assistant", "content": turn.content or reply.content or None}
    reasoning = turn.reasoning or reply.reasoning_content
    if reasoning:
        message["reasoning_content"] = reasoning
    if reply.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.calls
        ]
    return message


class Attempt(QWidget):
    """Paste any output and see how the template's format reads it, strictly or tolerantly."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, SPACE)
        self.source = QPlainTextEdit()
        self.source.setFont(mono())
        self.source.setMaximumHeight(140)
        say(self.source, "setPlaceholderText", "Paste a model's output here to see how it reads")
        say(self.source, "setAccessibleName", "Pasted output")
        layout.addWidget(self.source)
        row = QHBoxLayout()
        self.profile = QComboBox()
        for value, title in (("tolerant", "Tolerant"), ("strict", "Strict")):
            self.profile.addItem(tr(title), value)
        say(self.profile, "setAccessibleName", "How strictly to read")
        self.format = QComboBox()
        self.format.setEditable(True)
        self.format.addItem(tr("Format as found"), "")
        say(self.format, "setAccessibleName", "Format")
        self.own = QPushButton()
        say(self.own, "setText", "Use this turn's output")
        row.addWidget(self.format, 1)
        row.addWidget(self.profile)
        row.addWidget(self.own)
        layout.addLayout(row)
        self.said = QLabel()
        self.said.setWordWrap(True)
        layout.addWidget(self.said)
        self.view = ReplyView()
        layout.addWidget(self.view, 1)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(150)
        self._wait.timeout.connect(lambda: context.start(self.read()))
        self.source.textChanged.connect(self._wait.start)
        self.profile.currentIndexChanged.connect(lambda _: self._wait.start())
        self.format.currentTextChanged.connect(lambda _: self._wait.start())
        self.own.clicked.connect(self._take_own)
        self._formats_known = False

    def showEvent(self, event: object) -> None:
        if not self._formats_known:
            self._formats_known = True
            for name in format_names():
                self.format.addItem(name, name)

    def _take_own(self) -> None:
        turns = self._context.turns()
        if turns:
            self.source.setPlainText(turns[-1].raw)

    async def read(self) -> None:
        text = self.source.toPlainText()
        turns = self._context.turns()
        template = await self._context.bench.template()
        if template is None:
            self.said.setText(tr("Open a model or a template first: its format says how to read."))
            return
        found = self.format.currentIndex() == 0
        name = "" if found else str(self.format.currentData() or self.format.currentText())
        request = turns[-1].request if turns else Request()
        profile: Literal["strict", "tolerant"] = "strict" if self.profile.currentData() == "strict" else "tolerant"
        try:
            reply = await self._context.bench.read_output(template, request, text, format=name, profile=profile)
        except Exception as error:  # Whatever is wrong with pasted text belongs here, beside it.
            self.said.setText(told(str(error)))
            return
        self.said.setText("")
        self.view.show_reply(text, reply, fresh=True)


def format_names() -> list[str]:
    """The hand-written formats by name."""
    from cutaway.chat.formats.registry import by_name

    return sorted(by_name())
