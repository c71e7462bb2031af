"""The probe matrix: one template, one change, two renders, one split; and what was concluded from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListWidget, QSplitter, QVBoxLayout, QWidget

from cutaway.ui.look.theme import SPACE
from cutaway.ui.text.runs import Run
from cutaway.ui.text.view import TextView
from cutaway.ui.words import say, tr


class ProbeMatrix(QWidget):
    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        layout.addWidget(self.summary)
        split = QSplitter(Qt.Orientation.Vertical)
        self.list = QListWidget()
        say(self.list, "setAccessibleName", "Probes")
        self.list.currentRowChanged.connect(self._show)
        split.addWidget(self.list)
        lower = QWidget()
        inner = QVBoxLayout(lower)
        inner.setContentsMargins(0, 0, 0, 0)
        self.question = QLabel()
        self.question.setWordWrap(True)
        self.question.setTextFormat(Qt.TextFormat.PlainText)
        inner.addWidget(self.question)
        self.left, self.right = TextView(), TextView()
        say(self.left, "setAccessibleName", "Left render")
        say(self.right, "setAccessibleName", "Right render")
        for view in (self.left, self.right):
            view.show_bounds = False
            inner.addWidget(view, 1)
        split.addWidget(lower)
        split.setStretchFactor(0, 1)
        split.setStretchFactor(1, 2)
        layout.addWidget(split, 1)
        self._probes: Sequence[Any] = ()

    def show_probes(self, probes: Sequence[Any], problems: Sequence[str], handler: str, origin: str) -> None:
        """`probes`: values of `chat.analysis.evidence.Probe`; `problems`: sentences."""
        self._probes = probes
        self.list.clear()
        self.list.addItems([f"{probe.name}: {probe.conclusion}" for probe in probes])
        known = handler if handler != origin else tr("none by hand")
        said = tr("Format: {0}, {1}.", known, tr(origin))
        self.summary.setText("\n".join([said, *problems]))
        if probes:
            self.list.setCurrentRow(0)

    def _show(self, row: int) -> None:
        if not 0 <= row < len(self._probes):
            return
        probe = self._probes[row]
        self.question.setText(f"{probe.question}\n→ {probe.conclusion}")
        for view, text, middle in (
            (self.left, probe.left, probe.left_diff),
            (self.right, probe.right, probe.right_diff),
        ):
            view.set_text(text, split_runs(text, len(probe.prefix), len(middle)))


def split_runs(text: str, prefix: int, middle: int) -> list[Run]:
    """Prefix, difference and suffix of one render, as runs."""
    runs = (
        Run(0, min(prefix, len(text)), "template"),
        Run(prefix, min(prefix + middle, len(text)), "generation"),
        Run(prefix + middle, len(text), "system"),
    )
    return [run for run in runs if run.end > run.start]
