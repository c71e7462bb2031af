"""Two templates or model files side by side: hash, capabilities, truth table, prompt, and one call read by both."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

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
from cutaway.ui.pane import Context, Pane
from cutaway.ui.templates.samples import samples
from cutaway.ui.text.difference import by_lines
from cutaway.ui.text.view import TextView
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.workbench.templates import TemplateView
    from cutaway.workbench.turn import Turn

Row = tuple[str, str, str]


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
        self.facts = QTreeWidget()
        self.facts.setColumnCount(3)
        self.facts.setRootIsDecorated(False)
        self.facts.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.prompts, self.source = TextView(), TextView()
        self.source.show_blanks = False
        for widget, title in ((self.facts, "Facts"), (self.prompts, "Prompt"), (self.source, "Source")):
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
        self._show_names()

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
        texts = [await self._prompt(view, request) for view in (one, other)]
        found = by_lines(*texts)
        self.prompts.set_text(found.text, found.runs)
        same = tr("Both write the same prompt.")
        counts = tr("{0} lines only in the second, {1} only in the first.", found.added, found.removed)
        self.said.setText(same if found.first < 0 else counts)
        rows = facts_of(one, other)
        rows += await self._calls(one, other)
        self._fill(rows)

    async def _prompt(self, view: TemplateView, request: Request) -> str:
        try:
            prompt, _ = await self.context.bench.render(view, request)
        except Exception as error:  # What a template refuses is part of the comparison.
            return f"{error}\n"
        return prompt.text

    async def _calls(self, one: TemplateView, other: TemplateView) -> list[Row]:
        """One call as each template writes it, read by the other's format."""
        request = read_request(samples()[4][1])
        rows: list[Row] = []
        written = [_written_call(await self._prompt(view, request)) for view in (one, other)]
        for name, text in ((tr("the first's call"), written[0]), (tr("the second's call"), written[1])):
            read = []
            for view in (one, other):
                reply = await self.context.bench.read_output(view, request, text)
                read.append(", ".join(f"{call.name}({call.arguments})" for call in reply.calls) or tr("no call"))
            rows.append((tr("Reads {0}", name), read[0], read[1]))
        return rows

    def _show_source(self, one: TemplateView, other: TemplateView) -> None:
        found = by_lines(one.info.source, other.info.source)
        self.source.set_text(found.text, found.runs)

    def _fill(self, rows: list[Row]) -> None:
        self.facts.clear()
        self.facts.setHeaderLabels([tr("What"), tr("First"), tr("Second")])
        for row in rows:
            item = QTreeWidgetItem(list(row))
            if row[1] != row[2]:
                item.setForeground(0, QColor(look.theme.accent))
            for column in (1, 2):
                item.setToolTip(column, row[column])
            self.facts.addTopLevelItem(item)


def facts_of(one: TemplateView, other: TemplateView) -> list[Row]:
    rows: list[Row] = [
        (tr("SHA-256"), one.info.sha256[:16], other.info.sha256[:16]),
        (tr("Origin"), one.info.origin, other.info.origin),
        (tr("Format"), one.info.handler, other.info.handler),
    ]
    names = sorted({*one.caps, *other.caps})
    rows += [(name.replace("_", " "), _yes(one.caps.get(name)), _yes(other.caps.get(name))) for name in names]
    rows.append((tr("Reads"), ", ".join(n for n, _ in one.knobs), ", ".join(n for n, _ in other.knobs)))
    first, second = _thinking(one), _thinking(other)
    modes = sorted({*first, *second})
    return rows + [(tr("Thinking {0}", mode), first.get(mode, "–"), second.get(mode, "–")) for mode in modes]


def _thinking(view: TemplateView) -> dict[str, str]:
    return {str(row.get("thinking")): json.dumps(dict(row), default=str) for row in view.thinking_table}


def _yes(on: bool | None) -> str:
    return "–" if on is None else tr("yes") if on else tr("no")


def _written_call(prompt: str) -> str:
    """The part of a prompt that holds the assistant's call, roughly: from its name's line to the result's."""
    at = prompt.rfind("get_weather")
    begin = prompt.rfind("Paris?", 0, at)
    end = prompt.find("temperature", at)
    return prompt[begin + len("Paris?") : end if end > 0 else len(prompt)] if at >= 0 else ""
