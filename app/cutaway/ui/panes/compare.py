"""Two templates or model files side by side: hash, capabilities, truth table, prompt, and one call read by both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QStackedLayout, QTabWidget, QVBoxLayout, QWidget

from cutaway.chat.read import read_request
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.tokens import piece_text
from cutaway.ui.pane import Context, Pane
from cutaway.ui.sentences import told
from cutaway.ui.templates.choice import OWN, TemplateChoice
from cutaway.ui.templates.samples import samples
from cutaway.ui.text.difference import by_lines
from cutaway.ui.text.view import TextView
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.widgets.sheet import Sheet
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.chat.message import Request
    from cutaway.chat.reply import Reply
    from cutaway.workbench.change import Change
    from cutaway.workbench.templates import TemplateView
    from cutaway.workbench.turn import Turn

Row = tuple[str, str, str]
TABS = ("Facts", "Thinking", "One call", "Prompt", "Source")
CALL = 4
"""Among the samples: one call and its result."""
DIFFERS = {0: "accent"}
"""The tone of a row's name where its sides differ."""


class ComparePane(Pane):
    name = "compare"
    title = "Compare"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.sides: list[TemplateView | None] = [None, None]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2 * SPACE, 0, 0)
        layout.addLayout(self._build_head())
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setProperty("quiet", True)
        self.said.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        layout.addWidget(self.said)
        below = QWidget()
        self._stack = QStackedLayout(below)
        self._stack.addWidget(
            Empty(
                "Here you will see how two templates or model files differ: what they can do, the prompts they write, "
                "and one tool call that each reads.",
                "Choose the second template …",
                self.choices[1].showPopup,
            )
        )
        self._stack.addWidget(self._build_tabs())
        layout.addWidget(below, 1)
        changed.language.connect(self._rename)
        self._rename()

    def _build_head(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        grid.setSpacing(SPACE)
        self.choices = [TemplateChoice(self.context, "First template"), TemplateChoice(self.context, "Second template")]
        self.sample = QComboBox()
        say(self.sample, "setAccessibleName", "Sample conversation")
        self.sample.activated.connect(lambda _: self.context.start(self.compare()))
        for row, (words, box) in enumerate((("First", self.choices[0]), ("Second", self.choices[1]))):
            label = QLabel()
            say(label, "setText", words)
            label.setBuddy(box)
            grid.addWidget(label, row, 0)
            grid.addWidget(box, row, 1)
            box.picked.connect(lambda: self.context.start(self._take_both()))
        label = QLabel()
        say(label, "setText", "Conversation")
        label.setBuddy(self.sample)
        grid.addWidget(label, 2, 0)
        grid.addWidget(self.sample, 2, 1)
        grid.setColumnStretch(1, 1)
        return grid

    def _build_tabs(self) -> QTabWidget:
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        say(self.tabs, "setAccessibleName", "What is compared")
        self.facts = Sheet(TABS[0], 3, (1, 2))
        self.thinking = Sheet(TABS[1], 3, (1, 2))
        self.calls = Sheet(TABS[2], 3, (1, 2), code=(1, 2))
        self.prompts, self.source = TextView(), TextView()
        self.source.show_blanks = False
        for widget, title in zip((self.facts, self.thinking, self.calls, self.prompts, self.source), TABS, strict=True):
            say(widget, "setAccessibleName", title)
            self.tabs.addTab(widget, tr(title))
        return self.tabs

    def _rename(self) -> None:
        chosen = max(self.sample.currentIndex(), 0)
        self.sample.clear()
        self.sample.addItems([tr(name) for name, _ in samples()])
        self.sample.setCurrentIndex(chosen)
        for index, title in enumerate(TABS):
            self.tabs.setTabText(index, tr(title))
        self.context.start(self.compare())

    # -- Choosing -------------------------------------------------------------------------------

    def show_turn(self, turn: Turn | None) -> None:
        if self.sides[0] is None:
            self.context.start(self._take_both())

    def follow(self, change: Change) -> None:
        """The template in force may be another one now."""
        from cutaway.workbench.change import ModelChanged, TemplateChanged

        ready = isinstance(change, ModelChanged) and change.state == "ready"
        if (ready or isinstance(change, TemplateChanged)) and OWN in (choice.kind for choice in self.choices):
            self.context.start(self._take_both())

    async def take(self, side: int, path: str) -> None:
        """Compare with the template of a file or folder. Raises what reading it raises."""
        await self.choices[side].take(path)
        await self._take_both()

    async def _take_both(self) -> None:
        same = self.choices[0].kind == self.choices[1].kind == OWN
        self.sides = [await self.choices[0].template(), None if same else await self.choices[1].template()]
        await self.compare()

    # -- Comparing ------------------------------------------------------------------------------

    async def compare(self) -> None:
        one, other = self.sides
        self._stack.setCurrentIndex(1 if one is not None and other is not None else 0)
        self.said.setVisible(one is not None and other is not None)
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
                read.append(told(str(error)))
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
        """The truth tables: under each mode what both do."""
        self.thinking.clear()
        self.thinking.set_heads([tr("Thinking"), tr("First"), tr("Second")])
        tables = [{str(row["thinking"]): row for row in view.thinking_table} for view in (one, other)]
        for mode in dict.fromkeys((*tables[0], *tables[1])):
            heading = self.thinking.heading(mode)
            first, second = (_thinking_cells(table.get(mode)) for table in tables)
            for name, *cells in zip(
                (tr("Variables"), tr("Prefill"), tr("Changes the prompt")), first, second, strict=True
            ):
                self.thinking.put([name, *cells], heading, tones=DIFFERS if cells[0] != cells[1] else None)

    def _show_source(self, one: TemplateView, other: TemplateView) -> None:
        found = by_lines(one.info.source, other.info.source)
        self.source.set_text(found.text, found.runs)


def _fill(sheet: Sheet, heads: list[str], rows: list[Row]) -> None:
    sheet.clear()
    sheet.set_heads(heads)
    for row in rows:
        sheet.put(row, tones=DIFFERS if row[1] != row[2] else None)


def facts_of(one: TemplateView, other: TemplateView) -> list[Row]:
    rows: list[Row] = [
        (tr("SHA-256"), one.info.sha256[:12], other.info.sha256[:12]),
        (tr("Origin"), one.info.origin, other.info.origin),
        (tr("Format"), one.info.handler, other.info.handler),
    ]
    names = sorted({*one.caps, *other.caps})
    rows += [(name.replace("_", " "), _yes(one.caps.get(name)), _yes(other.caps.get(name))) for name in names]
    rows.append((tr("Reads"), ", ".join(n for n, _ in one.knobs), ", ".join(n for n, _ in other.knobs)))
    return rows


def _thinking_cells(row: Mapping[str, Any] | None) -> tuple[str, str, str]:
    """(variables, prefill, whether the prompt before it changes) of one mode; dashes where a template has none."""
    if row is None:
        return "–", "–", "–"
    variables = ", ".join(f"{name}={value!r}" for name, value in dict(row["kwargs"]).items())
    return variables or tr("none"), str(row["prefill"]), _yes(bool(row["changes_prompt"]))


def _as_read(reply: Reply) -> str:
    calls = "\n".join(f"{call.name}({call.arguments})" for call in reply.calls) or tr("no call")
    unparsed = sum(span.end - span.start for span in reply.spans if span.kind == "unparsed")
    notes = [tr("repairs: {0}", len(reply.repairs))] if reply.repairs else []
    notes += [tr("{0} characters unparsed", unparsed)] if unparsed else []
    return "\n".join((calls, *notes))


def _yes(on: bool | None) -> str:
    return "–" if on is None else tr("yes") if on else tr("no")
