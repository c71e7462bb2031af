"""Two templates or model files side by side: hash, capabilities, truth table, prompt, and one call read by both."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from cutaway.chat.message import Request
from cutaway.chat.read import read_request
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.tokens import piece_text
from cutaway.ui.pane import Context, Pane
from cutaway.ui.templates.samples import samples
from cutaway.ui.text.difference import by_lines
from cutaway.ui.text.view import TextView
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cutaway.chat.reply import Reply
    from cutaway.workbench.templates import TemplateView
    from cutaway.workbench.turn import Turn

Row = tuple[str, str, str]
TABS = ("Facts", "Thinking", "One call", "Prompt", "Source")
CALL = 4
"""Among the samples: one call and its result."""


class ComparePane(Pane):
    name = "compare"
    title = "Compare"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.sides: list[TemplateView | None] = [None, None]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2 * SPACE, 0, 0)
        head = QHBoxLayout()
        head.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        self.names = [QLabel(), QLabel()]
        for side, title in ((0, "First …"), (1, "Second …")):
            button = QPushButton()
            say(button, "setText", title)
            button.clicked.connect(lambda _=False, side=side: self.ask_open(side))
            head.addWidget(button)
            self.names[side].setWordWrap(True)
            head.addWidget(self.names[side], 1)
        layout.addLayout(head)
        self.sample = QComboBox()
        say(self.sample, "setAccessibleName", "Sample conversation")
        self.sample.activated.connect(lambda _: context.start(self.compare()))
        layout.addWidget(self.sample)
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setProperty("quiet", True)
        self.said.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        layout.addWidget(self.said)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        say(self.tabs, "setAccessibleName", "What is compared")
        self.facts, self.calls, self.thinking = _table(), _table(), _table()
        self.thinking.setRootIsDecorated(True)
        self.prompts, self.source = TextView(), TextView()
        self.source.show_blanks = False
        for widget, title in zip((self.facts, self.thinking, self.calls, self.prompts, self.source), TABS, strict=True):
            say(widget, "setAccessibleName", title)
            self.tabs.addTab(widget, tr(title))
        layout.addWidget(self.tabs, 1)
        changed.language.connect(self._rename)
        self._rename()

    def _rename(self) -> None:
        index = max(self.sample.currentIndex(), 0)
        self.sample.clear()
        self.sample.addItems([tr(name) for name, _ in samples()])
        self.sample.setCurrentIndex(index)
        for index, title in enumerate(TABS):
            self.tabs.setTabText(index, tr(title))
        self._show_names()
        if None not in self.sides:
            self.context.start(self.compare())

    def _show_names(self) -> None:
        for side, view in enumerate(self.sides):
            words = f"{view.info.origin} {view.info.sha256[:8]}" if view else tr("not chosen")
            self.names[side].setText(words)
        if None in self.sides:
            self.said.setText(tr("Choose two templates or model files: what differs between them is shown here."))

    def show_turn(self, turn: Turn | None) -> None:
        if self.sides[0] is None and turn is not None:
            self.context.start(self._take_own())

    async def _take_own(self) -> None:
        """The model's own template is the first, until another is chosen."""
        view = await self.context.bench.template()
        if view is not None and self.sides[0] is None:
            self.sides[0] = view
            await self.compare()

    def ask_open(self, side: int) -> None:
        kinds = tr("Templates and models") + " (*.jinja *.j2 *.gguf *.json);;" + tr("All files") + " (*)"
        path, _ = QFileDialog.getOpenFileName(self, tr("Open a template"), "", kinds)
        if path:
            self.context.start(self.take(side, path))

    async def take(self, side: int, path: str) -> None:
        self.sides[side] = await self.context.bench.open_template(path)
        await self.compare()

    async def compare(self) -> None:
        self._show_names()
        one, other = self.sides
        if one is None or other is None:
            return
        self._show_source(one, other)
        request = read_request(samples()[max(self.sample.currentIndex(), 0)][1])
        made = [await self._prompt(view, request) for view in (one, other)]
        found = by_lines(*(text for text, _ in made))
        self.prompts.set_text(found.text, found.runs)
        same = tr("Both write the same prompt.")
        counts = tr("{0} lines only in the second, {1} only in the first.", found.added, found.removed)
        self.said.setText(same if found.first < 0 else counts)
        begins = (tr("Generation prompt"), piece_text(made[0][1].encode()), piece_text(made[1][1].encode()))
        _fill(self.facts, [tr("What"), tr("First"), tr("Second")], [*facts_of(one, other), begins])
        self._show_thinking(one, other)
        calls = [await self._call(view, one, other) for view in (one, other)]
        names = (tr("Written"), tr("Read by the first"), tr("Read by the second"))
        rows = [(name, *cells) for name, cells in zip(names, zip(*calls, strict=True), strict=True)]
        _fill(self.calls, [tr("One call"), tr("By the first"), tr("By the second")], rows)

    async def _prompt(self, view: TemplateView, request: Request) -> tuple[str, str]:
        """(the prompt, its generation prompt)"""
        try:
            prompt, _ = await self.context.bench.render(view, request)
        except Exception as error:  # What a template refuses is part of the comparison.
            return f"{error}\n", "–"
        return prompt.text, prompt.generation_prompt

    async def _call(self, writer: TemplateView, one: TemplateView, other: TemplateView) -> Row:
        """One call as a template writes it, read by both formats."""
        request = read_request(samples()[CALL][1])
        text = await self._written_call(writer, request)
        read = []
        for view in (one, other):
            try:
                read.append(_as_read(await self.context.bench.read_output(view, request, text)))
            except Exception as error:  # A template that cannot be read with is part of the comparison.
                read.append(str(error))
        return text or tr("no call"), read[0], read[1]

    async def _written_call(self, view: TemplateView, request: Request) -> str:
        """What the template writes for the assistant's call behind the generation prompt, without the turn's end."""
        asked = replace(request, messages=request.messages[:1])
        told = replace(request, messages=request.messages[:2], add_generation_prompt=False)
        before, whole = (await self._prompt(view, asked))[0], (await self._prompt(view, told))[0]
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, whole, strict=False)))
        written = whole[shared:]
        ends = [at for end in (view.format.ends if view.format else ()) if end and (at := written.find(end)) > 0]
        return written[: min(ends, default=len(written))].strip()

    def _show_thinking(self, one: TemplateView, other: TemplateView) -> None:
        """The truth tables: for each mode a row of the first and one of the second."""
        self.thinking.clear()
        self.thinking.setColumnCount(4)
        self.thinking.header().setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        self.thinking.setHeaderLabels([tr("Thinking"), tr("Variables"), tr("Prefill"), tr("Changes the prompt")])
        tables = [{str(row["thinking"]): row for row in view.thinking_table} for view in (one, other)]
        for mode in dict.fromkeys((*tables[0], *tables[1])):
            rows = [_thinking_row(table.get(mode)) for table in tables]
            group = QTreeWidgetItem([mode])
            if rows[0] != rows[1]:
                group.setForeground(0, QColor(look.theme.accent))
            for name, cells in zip((tr("First"), tr("Second")), rows, strict=True):
                group.addChild(QTreeWidgetItem([name, *cells]))
            self.thinking.addTopLevelItem(group)
        self.thinking.expandAll()

    def _show_source(self, one: TemplateView, other: TemplateView) -> None:
        found = by_lines(one.info.source, other.info.source)
        self.source.set_text(found.text, found.runs)


def _table() -> QTreeWidget:
    made = QTreeWidget()
    made.setColumnCount(3)
    made.setRootIsDecorated(False)
    made.setWordWrap(True)
    made.header().setStretchLastSection(False)
    made.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
    made.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
    return made


def _fill(table: QTreeWidget, heads: list[str], rows: list[Row]) -> None:
    table.clear()
    table.setHeaderLabels(heads)
    for row in rows:
        item = QTreeWidgetItem(list(row))
        if row[1] != row[2]:
            item.setForeground(0, QColor(look.theme.accent))
        for column, text in enumerate(row):
            item.setToolTip(column, text)
        table.addTopLevelItem(item)


def facts_of(one: TemplateView, other: TemplateView) -> list[Row]:
    rows: list[Row] = [
        (tr("SHA-256"), one.info.sha256[:16], other.info.sha256[:16]),
        (tr("Origin"), one.info.origin, other.info.origin),
        (tr("Format"), one.info.handler, other.info.handler),
    ]
    names = sorted({*one.caps, *other.caps})
    rows += [(name.replace("_", " "), _yes(one.caps.get(name)), _yes(other.caps.get(name))) for name in names]
    rows.append((tr("Reads"), ", ".join(n for n, _ in one.knobs), ", ".join(n for n, _ in other.knobs)))
    return rows


def _thinking_row(row: Mapping[str, Any] | None) -> tuple[str, str, str]:
    """(variables, prefill, whether the prompt before it changes) of one mode; dashes where a template has none."""
    if row is None:
        return "–", "–", "–"
    variables = ", ".join(f"{name}={value!r}" for name, value in dict(row["kwargs"]).items())
    return variables, str(row["prefill"]), _yes(bool(row["changes_prompt"]))


def _as_read(reply: Reply) -> str:
    calls = ", ".join(f"{call.name}({call.arguments})" for call in reply.calls) or tr("no call")
    unparsed = sum(span.end - span.start for span in reply.spans if span.kind == "unparsed")
    notes = [tr("repairs: {0}", len(reply.repairs))] if reply.repairs else []
    notes += [tr("{0} characters unparsed", unparsed)] if unparsed else []
    return " · ".join((calls, *notes))


def _yes(on: bool | None) -> str:
    return "–" if on is None else tr("yes") if on else tr("no")
