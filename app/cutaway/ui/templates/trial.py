"""Try a template: a request as editable JSON, a copy of the source, and the prompt that they make, as one types."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QSplitter, QTabWidget, QVBoxLayout, QWidget

from cutaway.chat.plain import RequestError
from cutaway.chat.read import read_request
from cutaway.chat.template.error import TemplateError
from cutaway.ui.look.marks import ORIGINS
from cutaway.ui.look.theme import SPACE
from cutaway.ui.sentences import told
from cutaway.ui.templates.adopt import adopt, verdict
from cutaway.ui.templates.body import body_of
from cutaway.ui.templates.field_place import field_line
from cutaway.ui.templates.samples import json_fault, request_json, samples
from cutaway.ui.text.columns import columns_of
from cutaway.ui.text.difference import by_lines
from cutaway.ui.text.runs import prompt_runs
from cutaway.ui.text.view import TextView
from cutaway.ui.text.where import ranges_of_line, span_at, where
from cutaway.ui.widgets.code_edit import CodeEdit
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.chat.message import Request
    from cutaway.chat.prompt import Prompt
    from cutaway.ui.pane import Context
    from cutaway.workbench.templates import TemplateView
    from cutaway.workbench.turn import PromptToken

WAIT_MS = 250
"""After the last keystroke."""
UPPER = ("Conversation", "Template copy")
LOWER = ("Prompt", "Changed in the prompt", "Changed in the template")
VIEWS = ("Preview of the prompt", "What the copy changes in the prompt", "What was edited")
PROMPT, IN_PROMPT, IN_TEMPLATE = range(3)


class Trial(QWidget):
    prepared = Signal(object)
    """The edited copy as a prepared template."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._original: TemplateView | None = None
        self._view: TemplateView | None = None
        self._request: Request | None = None
        self._prompt: Prompt | None = None
        self._asked = 0
        """How often a rendering was asked for: only the last one counts."""
        self._judged = ""
        """The source that the verdict is of."""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, 0)
        layout.addLayout(self._build_bar())
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self._build_editors())
        split.addWidget(self._build_results())
        layout.addWidget(split, 1)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(lambda: context.start(self.refresh()))
        self.request.textChanged.connect(self._wait.start)
        self.source.textChanged.connect(self._wait.start)
        self.source.cursorPositionChanged.connect(self._line_changed)
        self.sample.activated.connect(self._take_sample)
        changed.language.connect(self._rename)
        self._rename()
        self._take_sample(1)

    # -- Building -------------------------------------------------------------------------------

    def _build_bar(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.sample = QComboBox()
        say(self.sample, "setAccessibleName", "Sample conversation")
        self.sample.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.sample.setMinimumContentsLength(9)
        row.addWidget(self.sample, 1)
        self.back = QPushButton()
        say(self.back, "setText", "Original")
        say(self.back, "setToolTip", "Make the copy the original template again")
        self.back.clicked.connect(self._take_original)
        row.addWidget(self.back)
        self.use = QPushButton()
        say(self.use, "setText", "Use for this model")
        self.use.clicked.connect(lambda: self._context.start(self._use()))
        row.addWidget(self.use)
        return row

    def _build_editors(self) -> QTabWidget:
        self.editors = QTabWidget()
        self.editors.setDocumentMode(True)
        say(self.editors, "setAccessibleName", "What is tried")
        self.request, self.source = CodeEdit("Request as JSON"), CodeEdit("Copy of the template")
        for editor in (self.request, self.source):
            self.editors.addTab(editor, "")
        return self.editors

    def _build_results(self) -> QWidget:
        lower = QWidget()
        inner = QVBoxLayout(lower)
        inner.setContentsMargins(0, SPACE, 0, 0)
        inner.setSpacing(SPACE)
        self.said, self.verdict, self.place = QLabel(), QLabel(), QLabel()
        for label in (self.said, self.verdict, self.place):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.verdict.setProperty("quiet", True)
        self.place.setProperty("quiet", True)
        inner.addWidget(self.said)
        inner.addWidget(self.verdict)
        self.results = QTabWidget()
        self.results.setDocumentMode(True)
        say(self.results, "setAccessibleName", "What it makes")
        self.preview, self.changes, self.edits = TextView(), TextView(), TextView()
        self.preview.tags = {mark.kind: mark.tag for mark in ORIGINS}
        self.edits.show_blanks = False
        for view, name in zip((self.preview, self.changes, self.edits), VIEWS, strict=True):
            say(view, "setAccessibleName", name)
            self.results.addTab(view, "")
        self.results.currentChanged.connect(lambda _: self._context.start(self.refresh()))
        self.preview.chosen.connect(self._chosen)
        inner.addWidget(self.results, 1)
        inner.addWidget(self.place)
        return lower

    def _rename(self) -> None:
        index = max(self.sample.currentIndex(), 0)
        self.sample.clear()
        self.sample.addItem(tr("This conversation"))
        self.sample.addItems([tr(name) for name, _ in samples()])
        self.sample.setCurrentIndex(index)
        for number, title in enumerate(LOWER):
            self.results.setTabText(number, tr(title))
        self._name_editors()

    def _name_editors(self) -> None:
        """An editor with a fault says so on its tab."""
        for number, (title, editor) in enumerate(zip(UPPER, (self.request, self.source), strict=True)):
            self.editors.setTabText(number, f"⚠ {tr(title)}" if editor.wrong else tr(title))

    # -- What is tried --------------------------------------------------------------------------

    def show_view(self, view: TemplateView) -> None:
        """Begin with another template: the copy is its source again."""
        self._original = view
        self._take_original()

    def _take_original(self) -> None:
        if self._original is not None:
            self.source.setPlainText(self._original.info.source)

    def _take_sample(self, index: int) -> None:
        self.sample.setCurrentIndex(index)
        if index > 0:
            self.request.setPlainText(request_json(samples()[index - 1][1]))
            return
        turns = self._context.turns()
        self.request.setPlainText(request_json(body_of(turns[-1].request) if turns else {"messages": []}))

    async def refresh(self) -> None:
        """Render again: what is wrong is said at its place, and the last good preview stays."""
        text, source = self.request.toPlainText(), self.source.toPlainText()
        self._asked += 1
        asked = self._asked
        fault = json_fault(text)
        if fault is not None:
            self._refuse(tr("The conversation is not JSON yet: {0}", told(str(fault))), request_line=fault.line)
            return
        if not source:
            return
        bench, original = self._context.bench, self._original
        bos, eos = (original.bos_token, original.eos_token) if original is not None else ("", "")
        try:
            request = read_request(json.loads(text))
            view = await bench.prepare_template(source, bos, eos)
            prompt, tokens = await bench.render(view, request)
        except RequestError as error:
            self._refuse(told(str(error)), request_line=field_line(text, error.field))
            return
        except TemplateError as error:
            at_field = field_line(text, error.field) if error.field else 0
            self._refuse(told(str(error)), request_line=at_field, source_line=error.line or 0)
            return
        if asked == self._asked:
            self._accept(view, request, prompt, tokens)
            await self._show_changes(source, request, prompt)

    def _refuse(self, words: str, *, request_line: int = 0, source_line: int = 0) -> None:
        self.request.mark(request_line, words)
        self.source.mark(source_line, words)
        self._name_editors()
        self._say(words, error=True)

    def _accept(self, view: TemplateView, request: Request, prompt: Prompt, tokens: list[PromptToken]) -> None:
        self.request.mark(0)
        self.source.mark(0)
        self._name_editors()
        self._view, self._request, self._prompt = view, request, prompt
        columns = columns_of(tokens)
        self.preview.set_text(prompt.text, prompt_runs(prompt, request))
        self.preview.bounds, self.preview.chips = columns.starts, columns.control
        self.preview.boxes = columns.neutralised
        self._say("\n".join(f"⚠ {told(warning.message)}" for warning in prompt.warnings))
        self.prepared.emit(view)
        source = view.info.source
        if self._judged != source:
            self._judged = source
            self._context.start(self._judge(view))

    async def _show_changes(self, source: str, request: Request, prompt: Prompt) -> None:
        """Against the original, as far as somebody looks."""
        original, page = self._original, self.results.currentIndex()
        if original is None or page == PROMPT:
            return
        if page == IN_TEMPLATE:
            found, view = by_lines(original.info.source, source), self.edits
        else:
            try:
                other, _ = await self._context.bench.render(original, request)
            except (RequestError, TemplateError) as error:
                self._say(tr("The original refuses this conversation: {0}", error), error=True)
                return
            found, view = by_lines(other.text, prompt.text), self.changes
        view.set_text(found.text, found.runs)
        nothing = tr("Nothing differs from the original.")
        counts = tr("Lines against the original: {0} added, {1} removed.", found.added, found.removed)
        self._say(nothing if found.first < 0 else counts)
        first = next((run for run in found.runs if run.kind != "same"), None)
        if first is not None:
            view.reveal(first.start)

    def _say(self, words: str, *, error: bool = False) -> None:
        if self.said.property("error") != error:
            self.said.setProperty("error", error)
            self.said.style().polish(self.said)
        self.said.setText(words)
        self.said.setVisible(bool(words))

    # -- From the prompt to the line, and back ---------------------------------------------------

    def _chosen(self, start: int, end: int) -> None:
        """A place of the preview: its template line or its field is shown in the editor."""
        span = span_at(self._prompt, start) if self._prompt is not None else None
        if span is None:
            return
        self.place.setText(where(span))
        self.preview.set_outline(start, max(end, start + 1), reveal=False)
        field = span.origin.source if span.is_input else None
        self.source.show_line(span.origin.line or 0)
        self.request.show_line(field_line(self.request.toPlainText(), field) if field else 0)
        self.editors.setCurrentWidget(self.request if field else self.source)

    def _line_changed(self) -> None:
        """The cursor's line of the copy: what it wrote is outlined in the preview."""
        if self._prompt is None or not self.source.hasFocus():
            return
        ranges = ranges_of_line(self._prompt, self.source.line())
        start, end = ranges[0] if ranges else (-1, -1)
        self.preview.set_outline(start, end, reveal=bool(ranges))

    # -- Using it -------------------------------------------------------------------------------

    async def _use(self) -> None:
        self._context.tell(await adopt(self._context.bench, self._original, self.source.toPlainText()))

    async def _judge(self, view: TemplateView) -> None:
        """What using the copy would mean: which samples' history it rewrites, and where it departs from training."""
        words, whole = await verdict(self._context.bench, view)
        if view is self._view:
            self.verdict.setText(words)
            self.verdict.setToolTip(whole)
