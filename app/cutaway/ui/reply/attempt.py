"""Paste any output, choose any template, and see how it is read: as found, by another format, strict or tolerant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from cutaway.chat.message import Request
from cutaway.chat.plain import RequestError
from cutaway.chat.template.error import TemplateError
from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.reply.paste_box import PasteBox
from cutaway.ui.sentences import told
from cutaway.ui.templates.choice import TemplateChoice
from cutaway.ui.widgets.reply_view import ReplyView
from cutaway.ui.words import changed, choices, say, tr

if TYPE_CHECKING:
    from cutaway.ui.pane import Context
    from cutaway.workbench.turn import Turn

WAIT_MS = 150


class Attempt(QWidget):
    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._turn: Turn | None = None
        self._asked = 0
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 0)
        self.source = PasteBox()
        self.source.setMaximumHeight(110)
        self.source.setTabChangesFocus(True)
        say(self.source, "setPlaceholderText", "Paste a model's output here to see how it reads")
        say(self.source, "setAccessibleName", "Pasted output")
        layout.addWidget(self.source)
        layout.addLayout(self._build_choices())
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.hide()
        layout.addWidget(self.said)
        self.view = ReplyView()
        layout.addWidget(self.view, 1)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(WAIT_MS)
        self._wait.timeout.connect(lambda: context.start(self.read()))
        self.source.textChanged.connect(self._wait.start)
        self.template.picked.connect(self._wait.start)
        self.profile.currentIndexChanged.connect(lambda _: self._wait.start())
        self.format.currentIndexChanged.connect(lambda _: self._wait.start())
        self.own.clicked.connect(self._take_own)
        look.changed.connect(self._restyle)
        changed.language.connect(self._name_formats)
        self._formats_known = False
        self._restyle()

    def _build_choices(self) -> QVBoxLayout:
        self.template = TemplateChoice(self._context, "Template")
        self.format, self.profile, self.own = QComboBox(), QComboBox(), QPushButton()
        self.format.addItem(tr("Format as found"), "")
        self.format.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        say(self.format, "setAccessibleName", "Format")
        choices(self.profile, ("Tolerant", "Strict"))
        say(self.profile, "setAccessibleName", "How strictly to read")
        say(self.own, "setText", "Use this turn's output")
        above, below = QHBoxLayout(), QHBoxLayout()
        above.addWidget(self.template, 1)
        above.addWidget(self.own)
        below.addWidget(self.format, 1)
        below.addWidget(self.profile)
        rows = QVBoxLayout()
        rows.setSpacing(SPACE)
        rows.addLayout(above)
        rows.addLayout(below)
        return rows

    def _restyle(self) -> None:
        self.source.setFont(mono())

    def _name_formats(self) -> None:
        self.format.setItemText(0, tr("Format as found"))

    def showEvent(self, event: object) -> None:
        if not self._formats_known:
            self._formats_known = True
            for name in format_names():
                self.format.addItem(name, name)

    def show_turn(self, turn: Turn | None) -> None:
        """The turn whose output and tools are at hand."""
        self._turn = turn
        self.own.setEnabled(turn is not None)

    def _take_own(self) -> None:
        if self._turn is not None:
            self.source.set_text(self._turn.raw)

    async def read(self) -> None:
        text = self.source.text()
        self._asked += 1
        asked = self._asked
        request = self._turn.request if self._turn is not None else Request()
        profile: Literal["strict", "tolerant"] = "strict" if self.profile.currentIndex() == 1 else "tolerant"
        name = str(self.format.currentData() or "")
        try:
            template = await self.template.template()
            if template is None:
                self._say(tr("Open a model, or choose a template: its format says how to read."))
                return
            reply = await self._context.bench.read_output(template, request, text, format=name, profile=profile)
        except (RequestError, TemplateError) as error:  # What is wrong with it belongs here, beside it.
            self._say(told(str(error)))
            return
        if asked == self._asked:
            self._say("")
            self.view.show_reply(text, reply, fresh=True)

    def _say(self, words: str) -> None:
        self.said.setText(words)
        self.said.setVisible(bool(words))


def format_names() -> list[str]:
    """The hand-written formats by name."""
    from cutaway.chat.formats.registry import by_name

    return sorted(by_name())
