"""The prompt as the model gets it: each character coloured by where it came from."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from pathlib import Path

from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from cutaway.chat.prompt import Span
from cutaway.ui.look.marks import BY_KIND, ORIGINS
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.pane import Context, Pane
from cutaway.ui.selection import Selection
from cutaway.ui.sentences import told
from cutaway.ui.text.columns import NO_COLUMNS, columns_of
from cutaway.ui.text.difference import by_lines, difference
from cutaway.ui.text.page import page
from cutaway.ui.text.runs import Run, prompt_runs, run_at, tokens_by_kind
from cutaway.ui.text.view import TextView
from cutaway.ui.widgets.bar import Bar, Part
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.widgets.legend import Legend
from cutaway.ui.words import changed, say, tr
from cutaway.workbench.change import Aspect
from cutaway.workbench.turn import PromptToken, Turn

MOST_FOUND = 5000


class PromptPane(Pane):
    name = "prompt"
    title = "Prompt"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.turn: Turn | None = None
        self._shown: object = None
        self._runs: list[Run] = []
        self._columns = NO_COLUMNS
        self._stack = QStackedLayout(self)
        self._stack.addWidget(
            Empty(
                "Here you will see the exact text the model reads, each character coloured by where it came from.",
                "Write a message",
                lambda: context.do("composer.focus"),
            )
        )
        self._stack.addWidget(self._build())
        look.changed.connect(self._show_amounts)
        changed.language.connect(self._show_words)

    # -- Building -------------------------------------------------------------------------------

    def _build(self) -> QWidget:
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, SPACE)
        layout.setSpacing(SPACE)
        layout.addLayout(self._build_bar())
        self.summary = QLabel()
        self.summary.setWordWrap(True)
        self.summary.setProperty("quiet", True)
        layout.addWidget(self.summary)
        self.bar = Bar(tr("Tokens by origin"))
        layout.addWidget(self.bar)
        self.legend = Legend(ORIGINS)
        self.legend.changed.connect(self._filter)
        layout.addWidget(self.legend)
        self.view = TextView()
        say(self.view, "setAccessibleName", "Prompt text")
        self.view.tags = {mark.kind: mark.tag for mark in ORIGINS}
        self.view.pointed.connect(self._pointed)
        self.view.chosen.connect(self._chosen)
        layout.addWidget(self.view, 1)
        self.place = QLabel()
        self.place.setWordWrap(True)
        self.place.setProperty("quiet", True)
        self.place.setMinimumHeight(self.place.fontMetrics().height() * 2)
        layout.addWidget(self.place)
        self.warnings = QLabel()
        self.warnings.setWordWrap(True)
        layout.addWidget(self.warnings)
        return body

    def _build_bar(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        say(self.search, "setPlaceholderText", "Search the prompt")
        say(self.search, "setAccessibleName", "Search the prompt")
        self.search.textChanged.connect(self._search)
        self.search.returnPressed.connect(self._next_found)
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.setContext(find.context().WidgetWithChildrenShortcut)
        find.activated.connect(self.search.setFocus)
        row.addWidget(self.search, 1)
        self.compare = QComboBox()
        say(self.compare, "setAccessibleName", "Difference with")
        say(self.compare, "setToolTip", "Show what differs from another turn's prompt")
        self.compare.activated.connect(lambda _: self._show_text())
        row.addWidget(self.compare)
        self.more = QToolButton()
        self.more.setText("⋯")
        say(self.more, "setAccessibleName", "More for the prompt")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(self._build_menu())
        row.addWidget(self.more)
        return row

    def _build_menu(self) -> QMenu:
        menu = QMenu(self)
        self.tags = self._toggle(menu, "Tags in the text", False)
        self.blanks = self._toggle(menu, "Blanks and newlines", True)
        self.bounds = self._toggle(menu, "Token boundaries", True)
        self.as_tokens = self._toggle(menu, "Difference by tokens", False)
        menu.addSeparator()
        for text, call in (
            ("Copy as text", self.copy_text),
            ("Copy as token ids", self.copy_ids),
            ("Copy as JSON", self.copy_json),
            ("Save as a web page …", self._ask_save),
        ):
            action = QAction(menu)
            say(action, "setText", text)
            action.triggered.connect(lambda _=False, call=call: call())
            menu.addAction(action)
        return menu

    def _toggle(self, menu: QMenu, text: str, on: bool) -> QAction:
        action = QAction(menu)
        say(action, "setText", text)
        action.setCheckable(True)
        action.setChecked(on)
        action.toggled.connect(lambda _: self._show_text())
        menu.addAction(action)
        return action

    # -- Showing --------------------------------------------------------------------------------

    def show_turn(self, turn: Turn | None) -> None:
        self.turn = turn
        there = turn is not None and turn.prompt is not None
        self._stack.setCurrentIndex(1 if there else 0)
        key = (turn.id, id(turn.prompt), len(turn.prompt_tokens)) if turn is not None and there else None
        if key is None or key == self._shown:
            return
        self._shown = key
        assert turn is not None
        assert turn.prompt is not None
        self._runs = prompt_runs(turn.prompt, turn.request)
        self._columns = columns_of(turn.prompt_tokens)
        self._fill_compare(turn)
        self._show_text()
        self._show_amounts()
        self._show_words()

    def grow(self, turn: Turn, what: frozenset[Aspect]) -> None:
        if what & {"prompt", "plan"} or turn is not self.turn:
            self.show_turn(turn)

    def _fill_compare(self, turn: Turn) -> None:
        chosen = self.compare.currentData()
        self.compare.blockSignals(True)
        self.compare.clear()
        self.compare.addItem(tr("No difference"), "")
        others = [other for other in self.context.turns() if other.id != turn.id and other.prompt is not None]
        self.compare.addItem(tr("Previous turn"), "previous")
        for number, other in enumerate(others, 1):
            self.compare.addItem(tr("Turn {0}", number), other.id)
        index = self.compare.findData(chosen)
        self.compare.setCurrentIndex(max(index, 0))
        self.compare.setEnabled(bool(others))
        self.compare.blockSignals(False)

    def _other(self) -> Turn | None:
        wanted = self.compare.currentData()
        turns = [turn for turn in self.context.turns() if turn.prompt is not None]
        if wanted == "previous" and self.turn is not None:
            before = [turn for turn in turns if turn.id != self.turn.id and turn.id < self.turn.id]
            return before[-1] if before else None
        return next((turn for turn in turns if turn.id == wanted), None) if wanted else None

    def _show_text(self) -> None:
        turn = self.turn
        if turn is None or turn.prompt is None:
            return
        other = self._other()
        self.view.show_blanks = self.blanks.isChecked()
        self.view.show_tags = self.tags.isChecked()
        self.view.show_bounds = self.bounds.isChecked()
        if other is not None and other.prompt is not None:
            self._show_difference(other, turn)
            return
        if self.view.text != turn.prompt.text or self.view.runs is not self._runs:
            self.view.set_text(turn.prompt.text, self._runs)
        self.view.bounds = self._columns.starts
        self.view.chips = self._columns.control
        self.view.boxes = self._columns.neutralised
        self._filter()
        self._search(self.search.text())

    def _show_difference(self, other: Turn, turn: Turn) -> None:
        assert other.prompt is not None
        assert turn.prompt is not None
        if self.as_tokens.isChecked() and other.prompt_tokens and turn.prompt_tokens:
            old = [token.piece.decode("utf-8", "replace") for token in other.prompt_tokens]
            new = [token.piece.decode("utf-8", "replace") for token in turn.prompt_tokens]
            found, unit = difference(old, new), tr("tokens")
        else:
            found, unit = by_lines(other.prompt.text, turn.prompt.text), tr("lines")
        self.view.set_text(found.text, found.runs)
        if found.first < 0:
            self.place.setText(tr("Both prompts are the same."))
            return
        self.place.setText(tr("{0} {2} added, {1} {2} removed.", found.added, found.removed, unit))
        change = next((run for run in found.runs if run.kind != "same"), None)
        if change is not None:
            self.view.reveal(change.start)

    def _show_amounts(self) -> None:
        if self.turn is None:
            return
        amounts = tokens_by_kind(self._runs, self._columns.starts)
        if not amounts:
            for run in self._runs:
                amounts[run.kind] = amounts.get(run.kind, 0) + run.end - run.start
        theme = look.theme
        self.bar.set_parts(
            [Part(m.kind, tr(m.name), amounts.get(m.kind, 0), theme.mark(m)) for m in ORIGINS if m.kind in amounts]
        )
        self.legend.set_amounts(amounts)

    def _show_words(self) -> None:
        turn = self.turn
        if turn is None or turn.prompt is None:
            return
        for index, words in enumerate(("No difference", "Previous turn")[: self.compare.count()]):
            self.compare.setItemText(index, tr(words))
        parts = [tr("{0} characters", f"{len(turn.prompt.text):,}")]
        if turn.prompt_tokens:
            parts.insert(0, tr("{0} tokens", f"{len(turn.prompt_tokens):,}"))
        neutralised = len(self._columns.neutralised)
        if neutralised:
            parts.append(tr("control-token texts neutralised: {0}", neutralised))
        self.summary.setText(" · ".join(parts))
        warnings = [*turn.warnings, *(w for w in turn.prompt.warnings if w not in turn.warnings)]
        lines = [f"⚠ {told(w.message)}" + (f" ({w.field})" if w.field else "") for w in warnings]
        self.warnings.setText("\n".join(lines))
        self.warnings.setVisible(bool(lines))

    def _filter(self) -> None:
        self.view.hidden_kinds = self.legend.hidden()
        self.view.viewport().update()

    # -- Searching ------------------------------------------------------------------------------

    def _search(self, words: str) -> None:
        found = []
        if words:
            for match in re.finditer(re.escape(words), self.view.text, re.IGNORECASE):
                found.append(match.span())
                if len(found) >= MOST_FOUND:
                    break
        self.view.found = found
        self.view.viewport().update()
        if words:
            self.place.setText(tr("Found {0} times", len(found)) if found else tr("Not found"))
        if found:
            self.view.reveal(found[0][0])

    def _next_found(self) -> None:
        found = self.view.found
        if found:
            index = bisect_right(found, (self.view.caret, 1 << 62)) % len(found)
            self.view.anchor, self.view.caret = found[index]
            self.view.reveal(found[index][0])
            self.view.viewport().update()

    # -- Pointing -------------------------------------------------------------------------------

    def _plain(self) -> bool:
        """Whether the view shows the prompt itself, not a difference."""
        return self.view.runs is self._runs

    def _pointed(self, char: int) -> None:
        if not self._plain() or self.turn is None:
            return
        self.place.setText(self.describe(char) if char >= 0 else "")
        run = run_at(self._runs, char) if char >= 0 else None
        self.context.selected.point(Selection(self.turn.id, "prompt", run.start, run.end) if run else None)

    def _chosen(self, start: int, end: int) -> None:
        if not self._plain() or self.turn is None:
            return
        if start == end:
            token = self._token_at(start)
            start, end = (token.start, token.end) if token else (start, min(start + 1, len(self.view.text)))
        self.place.setText(self.describe(start))
        self.context.selected.choose(Selection(self.turn.id, "prompt", start, end))

    def _token_at(self, char: int) -> PromptToken | None:
        assert self.turn is not None
        index = self._columns.token_at(char)
        return self.turn.prompt_tokens[index] if index >= 0 else None

    def describe(self, char: int) -> str:
        """Where one character came from, and its token, in words."""
        turn, run = self.turn, run_at(self._runs, char)
        if turn is None or turn.prompt is None or run is None:
            return ""
        parts = [tr(BY_KIND[run.kind].name), where(turn.prompt.spans[run.source])]
        token = self._token_at(char)
        if token is not None:
            index = self._columns.token_at(char)
            parts.append(tr("token {0}: {1} {2}", index, token.id, repr(token.piece.decode("utf-8", "replace"))))
            if token.neutralised:
                parts.append(tr("spells a control token; encoded as plain text, so it has no effect"))
            elif token.control:
                parts.append(tr("control token"))
        return " · ".join(parts)

    def select(self, selection: Selection | None) -> None:
        self._outline(selection, reveal=True)

    def point(self, selection: Selection | None) -> None:
        self._outline(selection or self.context.selected.value, reveal=False)

    def _outline(self, selection: Selection | None, *, reveal: bool) -> None:
        ours = selection is not None and self.turn is not None and selection.turn == self.turn.id and self._plain()
        if ours and selection is not None and selection.side == "prompt":
            self.view.set_outline(selection.start, selection.end, reveal=reveal)
        else:
            self.view.set_outline(-1, -1, reveal=False)

    # -- Taking away ----------------------------------------------------------------------------

    def copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self.view.selected_text() or self.view.text)

    def copy_ids(self) -> None:
        if self.turn is not None:
            QGuiApplication.clipboard().setText(json.dumps(self._columns.ids))

    def copy_json(self) -> None:
        if self.turn is not None and self.turn.prompt is not None:
            QGuiApplication.clipboard().setText(json.dumps(spans_json(self._runs, self.turn), ensure_ascii=False))

    def _ask_save(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, tr("Save as a web page"), "prompt.html", "HTML (*.html)")
        if path:
            self.save_page(Path(path))

    def save_page(self, path: Path) -> None:
        if self.turn is None or self.turn.prompt is None:
            return
        notes = [told(warning.message) for warning in self.turn.warnings]
        try:
            path.write_text(page(tr("Prompt"), self.turn.prompt.text, self._runs, notes), encoding="utf-8")
        except OSError as error:
            self.context.tell(tr("The page could not be written: {0}. Choose another folder.", error.strerror or error))
        else:
            self.context.tell(tr("Saved as {0}", path.name))


def where(span: Span) -> str:
    """A span's origin in words: the field and its range, or the template's line and column."""
    origin = span.origin
    if origin.kind == "template":
        if origin.line is None:
            return tr("template")
        return tr("template line {0}, column {1}", origin.line, origin.column or 1)
    if origin.start is None or origin.end is None:
        return tr("{0}, derived", origin.source or "input")
    return tr("{0}, characters {1} to {2}", origin.source or "input", origin.start, origin.end)


def spans_json(runs: list[Run], turn: Turn) -> list[dict[str, object]]:
    assert turn.prompt is not None
    made: list[dict[str, object]] = []
    for run in runs:
        origin = turn.prompt.spans[run.source].origin
        made.append(
            {
                "text": turn.prompt.text[run.start : run.end],
                "kind": run.kind,
                "origin": {
                    name: getattr(origin, name)
                    for name in ("kind", "source", "start", "end", "line", "column")
                    if getattr(origin, name) is not None
                },
            }
        )
    return made
