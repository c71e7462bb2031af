"""The template: its source and the lines this turn used, what it can do and how that is known, and a copy to try."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QStackedLayout,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from cutaway.chat.template.error import TemplateError
from cutaway.ui.look.theme import SPACE
from cutaway.ui.pane import Context, Pane
from cutaway.ui.selection import Selection
from cutaway.ui.sentences import told
from cutaway.ui.templates.choice import ask_file, ask_folder
from cutaway.ui.templates.facts import Facts
from cutaway.ui.templates.health import find, verify
from cutaway.ui.templates.probes import ProbeMatrix
from cutaway.ui.templates.source import TemplateSource
from cutaway.ui.templates.trial import Trial
from cutaway.ui.templates.verify import VerifyCard
from cutaway.ui.text.where import ranges_of_line, span_at
from cutaway.ui.widgets.elided import Elided
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.words import changed, say, tr
from cutaway.workbench.change import Aspect, Change, ModelChanged, SettingsChanged, TemplateChanged

if TYPE_CHECKING:
    from cutaway.chat.prompt import Prompt
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
        self.head = Elided()
        self.head.setMinimumWidth(80)
        row.addWidget(self.head, 1)
        self.variant = QComboBox()
        say(self.variant, "setAccessibleName", "Variant of the template")
        self.variant.activated.connect(lambda _: self.context.start(self._show_variant(self.variant.currentText())))
        row.addWidget(self.variant)
        self.other = QPushButton()
        say(self.other, "setText", "Open")
        say(self.other, "setAccessibleName", "Open another template")
        self.other.setMenu(self._build_menu())
        row.addWidget(self.other)
        layout.addLayout(row)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        say(self.tabs, "setAccessibleName", "Views of the template")
        self.source, self.facts, self.probes = TemplateSource(), Facts(), ProbeMatrix()
        self.verify, self.trial = VerifyCard(), Trial(self.context)
        self.source.line_chosen.connect(self._line_chosen)
        self.source.line_pointed.connect(self._line_pointed)
        for widget, title in zip((self.source, self.facts, self.probes, self.verify, self.trial), PAGES, strict=True):
            self.tabs.addTab(widget, tr(title))
        self.tabs.currentChanged.connect(lambda _: self._fill())
        layout.addWidget(self.tabs, 1)
        return body

    def _build_menu(self) -> QMenu:
        menu = QMenu(self)
        for text, call in (
            ("Template or model file …", self.ask_open),
            ("Hugging Face folder …", self._ask_folder),
            ("ChatML", lambda: self.context.start(self.open("chatml"))),
            ("The model's own", lambda: self.context.start(self._close())),
        ):
            action = QAction(menu)
            say(action, "setText", text)
            action.triggered.connect(lambda _=False, call=call: call())
            menu.addAction(action)
        return menu

    def _retitle(self) -> None:
        for index, title in enumerate(PAGES):
            self.tabs.setTabText(index, tr(title))
        self._show_head()
        self.source.show_used(self._prompt())
        self._fill()

    # -- Showing --------------------------------------------------------------------------------

    def show_turn(self, turn: Turn | None) -> None:
        self.turn = turn
        wanted = turn.template.sha256 if turn is not None and turn.template is not None else ""
        shown = self.template.info.sha256 if self.template is not None else ""
        if self.context.is_open() and not self._own and (not shown or (wanted and wanted != shown)):
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
        """Show the template that made the turn; without a turn the one in force."""
        turn = self.turn
        found = await self.context.bench.template(turn.conversation if turn is not None else "")
        made = turn.template if turn is not None else None
        if made is not None and made.source and (found is None or found.info.sha256 != made.sha256):
            view = await self.context.bench.prepare_template(made.source)
            found = replace(view, info=replace(view.info, origin=made.origin, variant=made.variant))
        if found is not None and (self.template is None or found.info.sha256 != self.template.info.sha256):
            self.show_template(found)

    async def open(self, path: str) -> None:
        """A .jinja file, a folder, or a GGUF whose weights are not loaded."""
        self._own = path
        self.show_template(await self.context.bench.open_template(path))

    async def _close(self) -> None:
        """Back to the template of the loaded model."""
        self._own = ""
        await self.load()
        if self.template is None or self.context.bench.model.facts is None:
            self.context.tell(tr("No model is loaded, so there is no template of its own."))

    def ask_open(self) -> None:
        path = ask_file(self)
        if path:
            self.context.start(self.open(path))

    def _ask_folder(self) -> None:
        path = ask_folder(self)
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

    async def _show_variant(self, name: str) -> None:
        """Another of the templates that a model has: the one for tools, for one."""
        view = self.template
        if view is None or name == view.info.variant:
            return
        source = view.sources.choose(tools=False, variant=name)
        made = await self.context.bench.prepare_template(source.text, view.bos_token, view.eos_token)
        self._own = self._own or source.origin
        info = replace(made.info, origin=source.origin, variant=source.variant)
        self.show_template(replace(made, info=info, sources=view.sources))

    def _name_variants(self) -> None:
        """To choose from where there is more than one."""
        view = self.template
        names = [view.sources.default.variant, *view.sources.named] if view is not None else []
        names = list(dict.fromkeys(names))
        self.variant.setVisible(len(names) > 1)
        self.variant.clear()
        self.variant.addItems(names)
        if view is not None:
            self.variant.setCurrentText(view.info.variant)

    def _show_head(self) -> None:
        if self.template is not None:
            info = self.template.info
            parts = [
                info.origin,
                info.variant,
                info.sha256[:12],
                tr("format {0}", info.handler) if info.handler else "",
            ]
            self.head.setText(" · ".join(part for part in parts if part))
            self._name_variants()
            self.head.setToolTip(f"{self._own}\n{info.sha256}".strip())

    def _prompt(self) -> Prompt | None:
        """The shown turn's prompt, where this template made it."""
        turn, view = self.turn, self.template
        if turn is None or view is None or turn.template is None:
            return None
        return turn.prompt if turn.template.sha256 == view.info.sha256 else None

    def _fill(self) -> None:
        view, page = self.template, self.tabs.currentWidget()
        if view is None:
            return
        if page is self.facts:
            self.facts.show_view(view, kwargs=dict(self.turn.request.kwargs) if self.turn is not None else {})
        elif page is self.probes:
            if self._derived is not view:
                self._derived = view
                self.probes.wait()
                self.context.start(self._derive(view))
        elif page is self.verify and self._verified is not view:
            self._verified = view
            self.verify.wait()
            self.context.start(self._verify(view))

    async def _derive(self, view: TemplateView) -> None:
        """Probe the template again, on a thread: its format with the evidence."""
        try:
            found = await find(view)
        except TemplateError as error:  # One that cannot even be rendered once.
            self.probes.refuse(told(str(error)))
            return
        if view is self.template:
            self.probes.show_found(found)

    async def _verify(self, view: TemplateView) -> None:
        try:
            found = await verify(view)
        except TemplateError as error:
            self.verify.refuse(str(error))
            return
        if view is self.template:
            self.verify.show_verification(found)

    # -- Selection ------------------------------------------------------------------------------

    def _line_chosen(self, line: int) -> None:
        prompt = self._prompt()
        self.source.outline_line(line, reveal=False)
        ranges = ranges_of_line(prompt, line) if prompt is not None else []
        if ranges and self.turn is not None:
            self.context.selected.choose(Selection(self.turn.id, "prompt", *ranges[0]))

    def _line_pointed(self, line: int) -> None:
        prompt = self._prompt()
        ranges = ranges_of_line(prompt, line) if prompt is not None and line else []
        value = Selection(self.turn.id, "prompt", *ranges[0]) if ranges and self.turn is not None else None
        self.context.selected.point(value)

    def select(self, selection: Selection | None) -> None:
        self._outline(selection, reveal=True)

    def point(self, selection: Selection | None) -> None:
        self._outline(selection or self.context.selected.value, reveal=False)

    def _outline(self, selection: Selection | None, *, reveal: bool) -> None:
        prompt, turn = self._prompt(), self.turn
        ours = selection is not None and turn is not None and selection.turn == turn.id and selection.side == "prompt"
        span = span_at(prompt, selection.start) if prompt is not None and ours and selection is not None else None
        line = (span.origin.line or 0) if span is not None else 0
        self.source.outline_line(line, reveal=reveal and bool(line))
