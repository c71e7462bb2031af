"""Try a template: a request as editable JSON, a copy of the source, and the prompt that they make, as one types."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from cutaway import places
from cutaway.chat.read import read_request
from cutaway.ui.look.style import mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.templates.health import verify
from cutaway.ui.templates.samples import json_error, request_json, samples
from cutaway.ui.text.columns import columns_of
from cutaway.ui.text.difference import by_lines
from cutaway.ui.text.runs import prompt_runs
from cutaway.ui.text.view import TextView
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.chat.message import Request
    from cutaway.ui.pane import Context
    from cutaway.workbench.templates import TemplateView

WAIT_MS = 250
"""After the last keystroke."""
LISTED = 4
"""Samples that a verdict names; all are in its tool tip."""


class Trial(QWidget):
    prepared = Signal(object)
    """The edited copy as a prepared template."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._original: TemplateView | None = None
        self._view: TemplateView | None = None
        self._judged = ""
        """The source that the verdict is of."""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        layout.addLayout(self._build_bar())
        split = QSplitter(Qt.Orientation.Vertical)
        self.editors = QTabWidget()
        self.editors.setDocumentMode(True)
        self.request, self.source = self._editor("Request as JSON"), self._editor("Copy of the template")
        self.editors.addTab(self.request, tr("Conversation"))
        self.editors.addTab(self.source, tr("Template copy"))
        split.addWidget(self.editors)
        lower = QWidget()
        inner = QVBoxLayout(lower)
        inner.setContentsMargins(0, 0, 0, 0)
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        inner.addWidget(self.said)
        self.verdict = QLabel()
        self.verdict.setWordWrap(True)
        self.verdict.setTextFormat(Qt.TextFormat.PlainText)
        self.verdict.setProperty("quiet", True)
        inner.addWidget(self.verdict)
        self.preview = TextView()
        say(self.preview, "setAccessibleName", "Preview of the prompt")
        inner.addWidget(self.preview, 1)
        split.addWidget(lower)
        layout.addWidget(split, 1)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(lambda: context.start(self.refresh()))
        self.request.textChanged.connect(self._wait.start)
        self.source.textChanged.connect(self._wait.start)
        self.against.toggled.connect(lambda _: self._wait.start())
        self.sample.activated.connect(self._take_sample)
        changed.language.connect(self._name_samples)
        self._name_samples()
        self._take_sample(1)

    def _editor(self, name: str) -> QPlainTextEdit:
        editor = QPlainTextEdit()
        editor.setFont(mono())
        editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        say(editor, "setAccessibleName", name)
        return editor

    def _build_bar(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self.sample = QComboBox()
        say(self.sample, "setAccessibleName", "Sample conversation")
        row.addWidget(self.sample, 1)
        self.against = QCheckBox()
        say(self.against, "setText", "Difference")
        say(self.against, "setToolTip", "Show what the copy changes against the original template")
        row.addWidget(self.against)
        self.use = QPushButton()
        say(self.use, "setText", "Use for this model")
        self.use.clicked.connect(lambda: self._context.start(self._use()))
        row.addWidget(self.use)
        return row

    def _name_samples(self) -> None:
        index = max(self.sample.currentIndex(), 0)
        self.sample.clear()
        self.sample.addItem(tr("This conversation"))
        self.sample.addItems([tr(name) for name, _ in samples()])
        self.sample.setCurrentIndex(index)

    def show_view(self, view: TemplateView) -> None:
        """Begin with another template: the copy is its source again."""
        self._original = view
        self.source.setPlainText(view.info.source)

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
        wrong = json_error(text)
        if wrong:
            self._say(tr("The conversation is not JSON yet: {0}", wrong))
            return
        if not source:
            return
        bench = self._context.bench
        try:
            request = read_request(json.loads(text))
            original = self._original
            bos, eos = (original.bos_token, original.eos_token) if original is not None else ("", "")
            self._view = await bench.prepare_template(source, bos, eos)
            prompt, tokens = await bench.render(self._view, request)
            other = None
            if self.against.isChecked() and original is not None:
                other, _ = await bench.render(original, request)
        except Exception as error:  # Whatever is wrong with what is being typed is shown here, beside it.
            self._say(str(error))
            self._mark_line(getattr(error, "line", None))
            return
        self._say("")
        if other is not None:
            found = by_lines(other.text, prompt.text)
            self.preview.set_text(found.text, found.runs)
            self._say(tr("{0} lines added, {1} removed against the original.", found.added, found.removed))
        else:
            columns = columns_of(tokens)
            self.preview.set_text(prompt.text, prompt_runs(prompt, request))
            self.preview.bounds, self.preview.chips = columns.starts, columns.control
            self.preview.boxes = columns.neutralised
            self._say("\n".join(f"⚠ {warning.message}" for warning in prompt.warnings))
        self.prepared.emit(self._view)
        if self._judged != source:
            self._judged = source
            self._context.start(self._judge(self._view))

    def _say(self, words: str) -> None:
        self.said.setText(words)
        self.said.setVisible(bool(words))

    def _mark_line(self, line: int | None) -> None:
        """Put the cursor's line mark where the template failed, without stealing the typing."""
        if not line or self.source.hasFocus():
            return
        cursor = QTextCursor(self.source.document().findBlockByLineNumber(line - 1))
        self.source.setTextCursor(cursor)

    async def _use(self) -> None:
        """Keep the copy as a file and use it for the loaded model."""
        source = self.source.toPlainText()
        if self._original is not None and source == self._original.info.source:
            await self._context.bench.reset("template")
            self._context.tell(tr("The model's own template is used."))
            return
        view = await self._context.bench.prepare_template(source)
        folder = places.data() / "templates"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{hashlib.sha256(source.encode()).hexdigest()[:12]}.jinja"
        path.write_text(source, encoding="utf-8")
        await self._context.bench.set("template", str(path))
        words = [tr("The copy is used for this model from the next turn on.")]
        if not (await verify(view)).append_only:
            words.append(tr("It rewrites history: the cache will break at every turn."))
        self._context.tell(" ".join([*words, *await self._context.bench.misfits(view)]))

    async def _judge(self, view: TemplateView) -> None:
        """What using the copy would mean: which samples' history it rewrites, and where it departs from training."""
        bench = self._context.bench
        found = await bench.rewrites(view, [read_request(body) for _, body in samples()])
        names = [tr(name) for name, _ in samples()]
        broken = [name for name, one in zip(names, found, strict=True) if isinstance(one, int)]
        refused = [name for name, one in zip(names, found, strict=True) if isinstance(one, str)]
        kept = len(found) - len(broken) - len(refused)
        words = [tr("The next turn stays a prefix in {0} of {1} samples.", kept, len(found))]
        words += [tr("History is rewritten in: {0}.", _listed(broken))] if broken else []
        words += [tr("Refused: {0}.", _listed(refused))] if refused else []
        try:
            misfits = await bench.misfits(view)
        except Exception as error:  # A template that refuses even a greeting cannot be compared further.
            misfits = (str(error),)
        if view is self._view:
            self.verdict.setToolTip(", ".join([*broken, *refused]))
            self.verdict.setText("\n".join((" ".join(words), *(f"⚠ {misfit}" for misfit in misfits))))


def _listed(names: list[str]) -> str:
    return ", ".join(names[:LISTED]) + (" …" if len(names) > LISTED else "")


def body_of(request: Request) -> dict[str, Any]:
    """A request as a client would send it."""
    body: dict[str, Any] = {"messages": [_message(message) for message in request.messages]}
    if request.tools:
        body["tools"] = [
            _plain(tool.raw) or {"type": "function", "function": {"name": tool.name}} for tool in request.tools
        ]
    if request.kwargs:
        body["chat_template_kwargs"] = _plain(request.kwargs)
    return body


def _message(message: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"role": message.role, "content": message.text if message.content is not None else None}
    if message.reasoning_content:
        made["reasoning_content"] = message.reasoning_content
    if message.tool_calls:
        made["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id:
        made["tool_call_id"] = message.tool_call_id
    if message.name:
        made["name"] = message.name
    return made


def _plain(value: Any) -> Any:
    """Mappings and sequences as dicts and lists, for JSON."""
    if hasattr(value, "items"):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value
