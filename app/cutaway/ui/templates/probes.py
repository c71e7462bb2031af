"""How replies are read, and how that is known: the format, and the probe matrix.

A probe is one template, one change, two renders, one split, and what was concluded from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSplitter, QTreeWidgetItem, QVBoxLayout, QWidget

from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.sentences import told
from cutaway.ui.text.runs import Run
from cutaway.ui.text.view import TextView
from cutaway.ui.widgets.sheet import PLACE, Sheet
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.chat.analysis.evidence import Derived, Probe
    from cutaway.chat.choice import Found
    from cutaway.chat.formats.format import Format

PARTS = (("template", "the same before"), ("generation", "what differs"), ("system", "the same behind"))
"""(the mark that paints a part of a render, what it is)"""
ORIGINS = {
    "named": "The request names the hand-written format {0}.",
    "hand-written": "The hand-written format {0} knows this template; the probes below show what the template itself says.",
    "derived": "No hand-written format knows this template: its format was derived by the probes below.",
    "plain": "Nothing could be derived: a reply is read as plain text.",
}


class ProbeMatrix(QWidget):
    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2 * SPACE, 0, 0)
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.summary.setContentsMargins(2 * SPACE, 0, 2 * SPACE, 0)
        layout.addWidget(self.summary)
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.list = Sheet("Format and probes", 2)
        self.list.currentItemChanged.connect(lambda item, _: self._show(item))
        self.split.addWidget(self.list)
        self.split.addWidget(self._build_renders())
        self.split.setSizes([300, 200])
        layout.addWidget(self.split, 1)
        self.probes: tuple[Probe, ...] = ()
        self._found: Found | None = None
        look.changed.connect(self._name_parts)
        changed.language.connect(self._fill)

    def _build_renders(self) -> QWidget:
        made = QWidget()
        inner = QVBoxLayout(made)
        inner.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, 0)
        self.question = QLabel()
        self.question.setWordWrap(True)
        self.question.setTextFormat(Qt.TextFormat.PlainText)
        inner.addWidget(self.question)
        self.key = QLabel()
        self.key.setWordWrap(True)
        inner.addWidget(self.key)
        both = QSplitter(Qt.Orientation.Vertical)
        self.left, self.right = TextView(), TextView()
        say(self.left, "setAccessibleName", "First render")
        say(self.right, "setAccessibleName", "Second render")
        for view in (self.left, self.right):
            view.show_bounds = False
            both.addWidget(view)
        inner.addWidget(both, 1)
        return made

    def wait(self) -> None:
        self.summary.setText(tr("Probing the template …"))
        self.list.clear()

    def refuse(self, words: str) -> None:
        self.summary.setText(words)
        self.list.clear()

    def show_found(self, found: Found) -> None:
        self._found, self.probes = found, found.derived.evidence
        self._fill()

    def _fill(self) -> None:
        self._name_parts()
        found = self._found
        if found is None:
            return
        self.list.clear()
        self.list.set_heads([tr("What"), tr("Concluded")])
        self.summary.setText(tr(ORIGINS.get(found.origin, ORIGINS["derived"]), found.format.name))
        heading = self.list.heading(tr("Format"))
        for name, text in format_rows(found.format, found.derived):
            self.list.put((name, text), heading)
        if self.probes:
            heading = self.list.heading(tr("Probes"))
            items = [
                self.list.put((tr(probe.name.replace("-", " ")), told(probe.conclusion)), heading, place=index)
                for index, probe in enumerate(self.probes)
            ]
            self.list.setCurrentItem(items[0])
            self.list.scrollToTop()

    def _name_parts(self) -> None:
        theme = look.theme
        said = [f'<span style="color:{theme.kind(kind)}">■</span>&nbsp;{tr(words)}' for kind, words in PARTS]
        self.key.setText(" &nbsp; ".join(said))

    def _show(self, item: QTreeWidgetItem | None) -> None:
        index = item.data(0, PLACE) if item is not None else None
        if not isinstance(index, int):
            return
        probe = self.probes[index]
        self.question.setText(told(probe.question))
        for view, text, middle in (
            (self.left, probe.left, probe.left_diff),
            (self.right, probe.right, probe.right_diff),
        ):
            view.set_text(text, split_runs(text, len(probe.prefix), len(middle)))


def format_rows(format: Format, derived: Derived) -> list[tuple[str, str]]:
    """A format in the words of its modes, with the markers that a person can look for."""
    modes = format.modes
    marks = " … ".join(repr(text) for text in (format.thinking_start, *format.thinking_ends[:1]) if text)
    calls = format.calls
    opens = [m.text for m in (calls.section_open, calls.call_open) if m] if calls is not None else []
    shown = ", ".join(repr(text) for text in opens)
    roles = derived.roles
    rows = [
        (tr("Reasoning"), _joined(modes.reasoning, marks)),
        (tr("Content"), tr(modes.content)),
        (tr("Tool calls"), _joined(modes.tools, shown)),
        (tr("Call id"), tr(modes.call_id)),
        (tr("Ends"), ", ".join(map(repr, format.ends))),
        (tr("Assistant's turn"), repr(roles.assistant_start) if roles.assistant_start else ""),
        (tr("User's turn"), repr(roles.user_start) if roles.user_start else ""),
        *((tr("Note"), told(note)) for note in format.notes),
        *((tr("Not derived"), told(problem.message)) for problem in derived.problems),
    ]
    return [row for row in rows if row[1]]


def _joined(mode: str, marks: str) -> str:
    return f"{tr(mode)}: {marks}" if marks else tr(mode)


def split_runs(text: str, prefix: int, middle: int) -> list[Run]:
    """Prefix, difference and suffix of one render, as runs."""
    runs = (
        Run(0, min(prefix, len(text)), PARTS[0][0]),
        Run(prefix, min(prefix + middle, len(text)), PARTS[1][0]),
        Run(prefix + middle, len(text), PARTS[2][0]),
    )
    return [run for run in runs if run.end > run.start]
