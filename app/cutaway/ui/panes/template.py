"""The template: its source and the lines this turn used, what it can do and how that is known, and a copy to try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QStackedLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from cutaway.ui.look.theme import SPACE
from cutaway.ui.pane import Context, Pane
from cutaway.ui.selection import Selection
from cutaway.ui.templates.facts import Facts
from cutaway.ui.templates.health import find, verify
from cutaway.ui.templates.probes import ProbeMatrix
from cutaway.ui.templates.source import TemplateSource, first_span_of_line, line_at
from cutaway.ui.templates.trial import Trial
from cutaway.ui.templates.verify import VerifyCard
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.words import changed, say, tr
from cutaway.workbench.change import Aspect, Change, ModelChanged, SettingsChanged, TemplateChanged

if TYPE_CHECKING:
    from cutaway.workbench.templates import TemplateView
    from cutaway.workbench.turn import Turn

PAGES = ("Source", "Facts", "Format", "Verify", "Try")


class TemplatePane(Pane):
    name = "template"
    title = "Template"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.turn: Turn | None = None
        self.template: TemplateView | None = None
        self._verified: TemplateView | None = None
        self._derived: TemplateView | None = None
        self._own = ""
        """A path opened by itself: the model's template does not take its place until it is closed."""
        self._stack = QStackedLayout(self)
        self._stack.addWidget(
            Empty(
                "Here you will see the chat template: its source, what it can do, and how its replies are read.",
                "Open a template …",
                self.ask_open,
            )
        )
        self._stack.addWidget(self._build())
        changed.language.connect(self._retitle)

    def _build(self) -> QWidget:
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(SPACE)
        row = QHBoxLayout()
        row.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        self.head = QLabel()
        self.head.setWordWrap(True)
        row.addWidget(self.head, 1)
        self.other = QPushButton()
        say(self.other, "setText", "Open …")
        self.other.clicked.connect(self.ask_open)
        row.addWidget(self.other)
        layout.addLayout(row)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        say(self.tabs, "setAccessibleName", "Views of the template")
        self.source, self.facts, self.probes = TemplateSource(), Facts(), ProbeMatrix()
        self.verify, self.trial = VerifyCard(), Trial(self.context)
        self.source.line_chosen.connect(self._line_chosen)
        for widget, title in zip((self.source, self.facts, self.probes, self.verify, self.trial), PAGES, strict=True):
            self.tabs.addTab(widget, tr(title))
        self.tabs.currentChanged.connect(lambda _: self._fill())
        layout.addWidget(self.tabs, 1)
        return body

    def _retitle(self) -> None:
        for index, title in enumerate(PAGES):
            self.tabs.setTabText(index, tr(title))
        self._show_head()

    # -- Showing --------------------------------------------------------------------------------

    def show_turn(self, turn: Turn | None) -> None:
        self.turn = turn
        if self.template is None and self.context.is_open():
            self.context.start(self.load())
        self.source.show_used(self._prompt())

    def grow(self, turn: Turn, what: frozenset[Aspect]) -> None:
        if turn is not self.turn or "prompt" in what:
            self.show_turn(turn)

    def follow(self, change: Change) -> None:
        ready = isinstance(change, ModelChanged) and change.state == "ready"
        if (ready or isinstance(change, (TemplateChanged, SettingsChanged))) and not self._own:
            self.context.start(self.load())

    async def load(self) -> None:
        """Show the template in force."""
        found = await self.context.bench.template()
        if found is not None and (self.template is None or found.info.sha256 != self.template.info.sha256):
            self.show_template(found)

    async def open(self, path: str) -> None:
        """A .jinja file, a folder, or a GGUF whose weights are not loaded."""
        self._own = path
        self.show_template(await self.context.bench.open_template(path))

    def ask_open(self) -> None:
        kinds = tr("Templates and models") + " (*.jinja *.j2 *.gguf *.json);;" + tr("All files") + " (*)"
        path, _ = QFileDialog.getOpenFileName(self, tr("Open a template"), "", kinds)
        if path:
            self.context.start(self.open(path))

    def show_template(self, view: TemplateView) -> None:
        self.template = view
        self._stack.setCurrentIndex(1)
        self._show_head()
        self.source.show_source(view.info.source)
        self.source.show_used(self._prompt())
        self.trial.show_view(view)
        self._fill()

    def _show_head(self) -> None:
        if self.template is not None:
            info = self.template.info
            parts = [info.origin, info.variant, info.sha256[:12], info.handler]
            self.head.setText(" · ".join(part for part in parts if part))

    def _prompt(self) -> Any:
        """The shown turn's prompt, where this template made it."""
        turn, view = self.turn, self.template
        same = turn is not None and view is not None and turn.template is not None
        if same and turn is not None and turn.template is not None and view is not None:
            return turn.prompt if turn.template.sha256 == view.info.sha256 else None
        return None

    def _fill(self) -> None:
        view, page = self.template, self.tabs.currentWidget()
        if view is None:
            return
        if page is self.facts:
            self.facts.show_view(view, kwargs=dict(self.turn.request.kwargs) if self.turn is not None else {})
        elif page is self.probes:
            if self._derived is not view:
                self._derived = view
                self.context.start(self._derive(view))
        elif page is self.verify and self._verified is not view:
            self._verified = view
            self.verify.wait()
            self.context.start(self._verify(view))

    async def _derive(self, view: TemplateView) -> None:
        """Probe the template again, on a thread: its format with the evidence."""
        found = await find(view)
        if view is self.template:
            problems = [problem.message for problem in found.derived.problems]
            self.probes.show_probes(found.derived.evidence, problems, found.format.name, found.origin)

    async def _verify(self, view: TemplateView) -> None:
        found = await verify(view)
        if view is self.template:
            self.verify.show_verification(found)

    # -- Selection ------------------------------------------------------------------------------

    def _line_chosen(self, line: int) -> None:
        prompt = self._prompt()
        self.source.outline_line(line, reveal=False)
        span = first_span_of_line(prompt, line) if prompt is not None else None
        if span is not None and self.turn is not None:
            self.context.selected.choose(Selection(self.turn.id, "prompt", *span))

    def select(self, selection: Selection | None) -> None:
        self._outline(selection, reveal=True)

    def point(self, selection: Selection | None) -> None:
        self._outline(selection or self.context.selected.value, reveal=False)

    def _outline(self, selection: Selection | None, *, reveal: bool) -> None:
        prompt = self._prompt()
        ours = prompt is not None and selection is not None and selection.side == "prompt"
        line = line_at(prompt, selection.start) if ours and selection is not None else 0
        self.source.outline_line(line, reveal=reveal and bool(line))
