"""Boundary lab: what text in any fields could become, tokenised whole, by part, and as this program does it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from cutaway.chat.plain import RequestError
from cutaway.chat.template.error import TemplateError
from cutaway.engine.backend import LoadError
from cutaway.ui.boundary.became import WAYS, Became, figures, taken, verdict
from cutaway.ui.boundary.payloads import request_with
from cutaway.ui.boundary.rows import PayloadRows
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.tokens import piece_text
from cutaway.ui.pane import Context, Pane
from cutaway.ui.sentences import told
from cutaway.ui.templates.choice import TemplateChoice
from cutaway.ui.text.runs import prompt_runs
from cutaway.ui.text.view import TextView
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.widgets.sheet import PLACE, Sheet
from cutaway.ui.words import changed, say, tr
from cutaway.workbench.change import Change, ModelChanged

if TYPE_CHECKING:
    from cutaway.engine.boundary import Boundaries
    from cutaway.workbench.turn import Turn

WAIT_MS = 300
"""After the last change of a payload."""
SIDE_BY_SIDE = len(WAYS)
"""The page behind those of the ways."""


class BoundaryPane(Pane):
    name = "boundary"
    title = "Boundary"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.found: Boundaries | None = None
        self._asked = 0
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2 * SPACE, 0, 0)
        layout.addWidget(self._build_question())
        self.verdict = QLabel()
        self.verdict.setWordWrap(True)
        self.verdict.setTextFormat(Qt.TextFormat.PlainText)
        self.verdict.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        layout.addWidget(self.verdict)
        self.pages = QStackedWidget()
        self.pages.addWidget(
            Empty(
                "Here you will see what control tokens in a field could become: tokenised as one text, part by part, "
                "and as this program does it.",
                "Tokenise three ways",
                lambda: context.start(self.run()),
            )
        )
        self.pages.addWidget(self._build_results())
        layout.addWidget(self.pages, 1)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(lambda: context.start(self.run()))
        self.payloads.changed.connect(self._changed)
        self.payloads.entered.connect(self._wait.start)
        self.template.picked.connect(self._wait.start)
        changed.language.connect(self._rename)
        self._rename()

    def _build_question(self) -> QWidget:
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        inner.setSpacing(SPACE)
        intro = QLabel()
        intro.setWordWrap(True)
        intro.setProperty("quiet", True)
        say(
            intro,
            "setText",
            "Text that spells control tokens, put into any fields. Ours never lets it become one. What this cannot "
            "stop: plain words that a template places where the model reads instructions.",
        )
        inner.addWidget(intro)
        row = QHBoxLayout()
        label = QLabel()
        say(label, "setText", "Template")
        self.template = TemplateChoice(self.context, "Template")
        label.setBuddy(self.template)
        row.addWidget(label)
        row.addWidget(self.template, 1)
        inner.addLayout(row)
        self.payloads = PayloadRows()
        inner.addWidget(self.payloads)
        self.go = QPushButton()
        say(self.go, "setText", "Tokenise three ways")
        self.go.clicked.connect(lambda: self.context.start(self.run()))
        self.payloads.below.addWidget(self.go)
        return made

    def _build_results(self) -> QSplitter:
        split = QSplitter(Qt.Orientation.Vertical)
        self.results = Sheet("Tokenised three ways", 4, (1, 2, 3))
        self.results.currentItemChanged.connect(lambda item, _: self._reveal(item))
        split.addWidget(self.results)
        lower = QWidget()
        inner = QVBoxLayout(lower)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        say(self.tabs, "setAccessibleName", "Views of the boundary lab")
        for _ in range(SIDE_BY_SIDE + 1):
            self.tabs.addTab("")
        self.tabs.currentChanged.connect(self._show_page)
        inner.addWidget(self.tabs)
        self.below = QStackedWidget()
        self.view = TextView()
        say(self.view, "setAccessibleName", "Prompt text")
        self.rows = Sheet("Where the ways differ", 4, (0, 1, 2, 3), code=(0, 1, 2, 3))
        self.rows.currentItemChanged.connect(lambda item, _: self._reveal(item))
        self.below.addWidget(self.view)
        self.below.addWidget(self.rows)
        inner.addWidget(self.below, 1)
        split.addWidget(lower)
        split.setSizes([260, 160])
        return split

    def _rename(self) -> None:
        for index, name in enumerate((*WAYS, "Side by side")):
            self.tabs.setTabText(index, tr(name))
        self._fill()

    def show_turn(self, turn: Turn | None) -> None:
        """The lab has its own conversation; it needs a model only."""

    def follow(self, change: Change) -> None:
        """Another model has another vocabulary."""
        if isinstance(change, ModelChanged) and change.state == "ready" and self.found is not None:
            self._wait.start()

    # -- Trying ---------------------------------------------------------------------------------

    def _changed(self) -> None:
        if self.found is not None:
            self._wait.start()

    async def run(self) -> None:
        texts = self.payloads.texts()
        request = request_with(texts)
        self._asked += 1
        asked = self._asked
        try:
            view = await self.template.template()
            if view is None:
                self._refused(tr("Open a model first: its template and vocabulary are what is tried."))
                return
            found = await self.context.bench.boundaries(view, request)
        except (
            RequestError,
            TemplateError,
            LoadError,
        ) as error:  # A template may refuse the request: that is the answer.
            self._refused(told(str(error)))
            return
        if asked == self._asked:
            self.found = found
            self.view.set_text(found.prompt.text, prompt_runs(found.prompt, request))
            self._fill()

    def _refused(self, words: str) -> None:
        self.found = None
        self.view.set_text("")
        self._fill()
        self.verdict.setText(words)
        self.verdict.show()

    # -- Showing --------------------------------------------------------------------------------

    def _fill(self) -> None:
        self.results.clear()
        self.rows.clear()
        found = self.found
        self.pages.setCurrentIndex(1 if found is not None else 0)
        self.verdict.setVisible(found is not None)
        if found is None:
            return
        ways = [tr(way) for way in WAYS]
        self.verdict.setText(verdict(found, self.payloads.texts()))
        self.results.set_heads(["", *ways])
        self.rows.set_heads([tr("Text"), *ways])
        for row in figures(found):
            self._put(row)
        became = taken(found)
        if became:
            self.results.heading(tr("What the text would become"))
            for row in became:
                self._put(row)
        for one in found.rows:
            pieces = [" │ ".join(piece_text(piece.encode()) for piece in some) for some in one.pieces]
            self.rows.put([piece_text(one.text.encode()), *pieces], place=(one.start, one.end))
        self._show_page(self.tabs.currentIndex())

    def _put(self, row: Became) -> None:
        tones = {column: "error" for column, wrong in enumerate(row.wrong, 1) if wrong}
        self.results.put([piece_text(row.text.encode()) if row.place else row.text, *row.cells], tones=tones,
                         place=row.place)  # fmt: skip

    def _show_page(self, index: int) -> None:
        """Draw the tokens of a way, and box what input became in it; or all ways' tokens beside each other."""
        self.below.setCurrentIndex(1 if index == SIDE_BY_SIDE else 0)
        if self.found is None or index == SIDE_BY_SIDE:
            return
        way = self.found.ways[index]
        self.view.bounds = list(way.starts)
        self.view.boxes = [(one.start, one.end) for one in way.taken]
        first = self.view.boxes[0] if self.view.boxes else None
        if first is not None:
            self.view.reveal(first[0])
        self.view.viewport().update()

    def _reveal(self, item: QTreeWidgetItem | None) -> None:
        place = item.data(0, PLACE) if item is not None else None
        self.view.set_outline(*(place or (-1, -1)), reveal=place is not None)
