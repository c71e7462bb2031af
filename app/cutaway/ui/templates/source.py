"""A template's source: line numbers, highlighting, the lines that the shown turn used; linked with its spans."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from cutaway.ui.conversation import highlight
from cutaway.ui.look.theme import SPACE
from cutaway.ui.text.view import TextView
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.chat.prompt import Prompt
    from cutaway.ui.text.runs import Run


class TemplateSource(QWidget):
    line_chosen = Signal(int)
    """A 1-based line that was pressed, or reached by the keyboard."""
    line_pointed = Signal(int)
    """A 1-based line under the mouse; 0 for none."""
    coloured = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.view = TextView()
        self.view.gutter = 4
        self.view.show_blanks = False
        self.view.show_bounds = False
        say(self.view, "setAccessibleName", "Template source")
        self.view.chosen.connect(lambda start, end: self.line_chosen.emit(self.view.rows.line_of(start) + 1))
        self.view.pointed.connect(self._pointed)
        layout.addWidget(self.view, 1)
        self.label = QLabel()
        self.label.setProperty("quiet", True)
        self.label.setWordWrap(True)
        self.label.setContentsMargins(2 * SPACE, 0, 2 * SPACE, SPACE)
        layout.addWidget(self.label)
        self.coloured.connect(self._colour)

    def show_source(self, source: str) -> None:
        if source != self.view.text:
            self.view.set_text(source)
            highlight.ask(source, "jinja", self.coloured.emit)

    def _colour(self, source: str, runs: tuple[Run, ...]) -> None:
        if source == self.view.text:
            self.view.set_runs(runs)

    def show_used(self, prompt: Prompt | None) -> None:
        """Mark the lines that wrote into this prompt."""
        spans = prompt.spans if prompt is not None else ()
        used = Counter(span.origin.line for span in spans if span.origin.line is not None)
        self.view.used_lines = {line: times for line, times in used.items() if line is not None}
        self._tell(0)
        self.view.viewport().update()

    def _tell(self, line: int) -> None:
        """How often a line wrote into the prompt; for none how many lines did."""
        used = self.view.used_lines
        if line in used:
            self.label.setText(tr("Line {0} wrote into this turn's prompt, {1} times.", line, used[line]))
        else:
            words = tr("{0} lines wrote into this turn's prompt: marked at the left.", len(used))
            self.label.setText(words if used else "")

    def _pointed(self, char: int) -> None:
        line = self.view.rows.line_of(char) + 1 if char >= 0 else 0
        self._tell(line)
        self.line_pointed.emit(line)

    def outline_line(self, line: int, *, reveal: bool) -> None:
        """Outline one 1-based line; 0 for none."""
        starts = self.view.rows.line_starts
        if not 0 < line <= len(starts):
            self.view.set_outline(-1, -1, reveal=False)
            return
        end = starts[line] - 1 if line < len(starts) else len(self.view.text)
        self.view.set_outline(starts[line - 1], max(end, starts[line - 1] + 1), reveal=reveal)
