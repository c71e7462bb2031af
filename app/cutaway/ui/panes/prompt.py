"""The prompt as the model gets it: each character coloured by where it came from."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMenu,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from cutaway.ui.look.marks import BY_KIND, ORIGINS
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.tokens import piece_text
from cutaway.ui.pane import Context, Pane
from cutaway.ui.prompt.taking import ids_json, save_page, spans_json
from cutaway.ui.prompt.turn_choice import PREVIOUS, TurnChoice
from cutaway.ui.selection import Selection
from cutaway.ui.sentences import told
from cutaway.ui.text.columns import NO_COLUMNS, columns_of
from cutaway.ui.text.difference import Difference, by_lines, by_tokens
from cutaway.ui.text.runs import Run, prompt_runs, run_at, tokens_by_kind
from cutaway.ui.text.view import TextView
from cutaway.ui.text.where import where
from cutaway.ui.widgets.bar import Bar, Part
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.widgets.legend import Legend
from cutaway.ui.widgets.search_line import SearchLine
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
        self._difference: Difference | None = None
        """What is shown instead of the prompt itself."""
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
        self.bar = Bar()
        say(self.bar, "setAccessibleName", "Tokens by origin")
        self.bar.pressed.connect(self._next_of_kind)
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
        self.place, self.warnings = QLabel(), QLabel()
        for label in (self.place, self.warnings):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            layout.addWidget(label)
        self.place.setProperty("quiet", True)
        self.place.setMinimumHeight(self.place.fontMetrics().height() * 2)
        return body

    def _build_bar(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE)
        self.search = SearchLine()
        say(self.search, "setPlaceholderText", "Search the prompt")
        say(self.search, "setAccessibleName", "Search the prompt")
        say(self.search, "setToolTip", "Enter goes to the next place, Shift+Enter to the one before")
        self.search.textChanged.connect(self._search)
        self.search.stepped.connect(self._go_to_found)
        find = QShortcut(QKeySequence.StandardKey.Find, self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self.search.setFocus)
        row.addWidget(self.search, 1)
        self.compare = TurnChoice(self.context)
        self.compare.picked.connect(self._show_text)
        row.addWidget(self.compare, 1)
        self.more = QToolButton()
        self.more.setText("⋯")
        say(self.more, "setAccessibleName", "More for the prompt")
        say(self.more, "setToolTip", "More for the prompt")
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
        self.compare.show_turn(turn)
        self.place.setText("")
        self._show_text()
        self._show_amounts()
        self._show_words()

    def grow(self, turn: Turn, what: frozenset[Aspect]) -> None:
        if what & {"prompt", "plan"} or turn is not self.turn:
            self.show_turn(turn)

    def _show_text(self) -> None:
        turn = self.turn
        if turn is None or turn.prompt is None:
            return
        other = self.compare.other()
        self.view.show_blanks = self.blanks.isChecked()
        self.view.set_tags(self.tags.isChecked())
        self.view.show_bounds = self.bounds.isChecked()
        different = other is not None and other.prompt is not None
        if self._difference is not None and not different:
            self.place.setText("")
        if self.compare.currentData() == PREVIOUS and not different:
            self.place.setText(tr("There is no earlier turn in this branch."))
        self.legend.setVisible(not different)
        self._difference = self._compared(other, turn) if different and other is not None else None
        if self._difference is not None:
            self._show_difference(self._difference)
        else:
            if self.view.text != turn.prompt.text or self.view.runs is not self._runs:
                self.view.set_text(turn.prompt.text, self._runs)
            self.view.bounds = self._columns.starts
            self.view.chips = self._columns.control
            self.view.boxes = self._columns.neutralised
            self._filter()
        self._outline(self.context.selected.value, reveal=False)
        if self.search.text():
            self._search(self.search.text())

    def _compared(self, other: Turn, turn: Turn) -> Difference:
        assert other.prompt is not None
        assert turn.prompt is not None
        if self.as_tokens.isChecked() and len(other.prompt_tokens) and len(turn.prompt_tokens):
            was = columns_of(other.prompt_tokens)
            return by_tokens(other.prompt.text, turn.prompt.text, was, self._columns)
        return by_lines(other.prompt.text, turn.prompt.text)

    def _show_difference(self, found: Difference) -> None:
        self.view.set_text(found.text, found.runs)
        if found.first < 0:
            self.place.setText(tr("Both prompts are the same."))
            return
        counts = (f"{found.added:,}", f"{found.removed:,}")
        by_token = self.as_tokens.isChecked()
        by_line = tr("Lines: {0} added, {1} removed.", *counts)
        self.place.setText(tr("Tokens: {0} added, {1} removed.", *counts) if by_token else by_line)
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
        parts = [tr("{0} characters", f"{len(turn.prompt.text):,}")]
        if len(turn.prompt_tokens):
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
            self.place.setText(tr("Found {0} times", f"{len(found):,}") if found else tr("Not found"))
        if found:
            self.view.reveal(found[0][0])

    def _go_to_found(self, back: bool = False) -> None:
        found = self.view.found
        if not found:
            return
        low, high = sorted((self.view.anchor, self.view.caret))
        index = bisect_left(found, (low, -1)) - 1 if back else bisect_right(found, (high, -1))
        index %= len(found)
        self.view.anchor, self.view.caret = found[index]
        self.view.reveal(found[index][0])
        self.view.viewport().update()
        self.place.setText(tr("{0} of {1}", f"{index + 1:,}", f"{len(found):,}"))

    def _next_of_kind(self, kind: str) -> None:
        """A part of the bar was pressed: go to its next run in the text."""
        if self._difference is not None:
            return
        runs = [run for run in self._runs if run.kind == kind]
        run = next((run for run in runs if run.start > self.view.caret), runs[0] if runs else None)
        if run is not None:
            self.view.anchor = self.view.caret = run.start
            self._choose(run.start, run.end)
            self.view.reveal(run.start)

    # -- Pointing -------------------------------------------------------------------------------

    def _in_prompt(self, char: int) -> int:
        """The prompt's character that one of the view stands for; -1 for what was removed."""
        return self._difference.new_place(char) if self._difference is not None else char

    def _pointed(self, char: int) -> None:
        if self.turn is None:
            return
        at = self._in_prompt(char) if char >= 0 else -1
        run = run_at(self._runs, at) if at >= 0 else None
        if run is not None:
            self.place.setText(self.describe(at))
        self.context.selected.point(Selection(self.turn.id, "prompt", run.start, run.end) if run else None)

    def _chosen(self, start: int, end: int) -> None:
        if self.turn is None or self.turn.prompt is None:
            return
        low, high = self._in_prompt(start), self._in_prompt(max(end - 1, start)) + 1
        if low < 0 or high <= low:
            return
        if start == end:
            token = self._token_at(low)
            low, high = (token.start, token.end) if token else (low, min(low + 1, len(self.turn.prompt.text)))
        self._choose(low, max(high, low + 1))

    def _choose(self, start: int, end: int) -> None:
        if self.turn is not None:
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
            index = f"{self._columns.token_at(char):,}"
            parts.append(tr("token {0}: {1}, id {2}", index, f"“{piece_text(token.piece)}”", token.id))
            if token.neutralised:
                parts.append(tr("spells a control token; encoded as plain text, so it has no effect"))
            elif token.control:
                parts.append(tr("control token"))
        return " · ".join(parts)

    def select(self, selection: Selection | None) -> None:
        self._outline(selection, reveal=True)
        if selection is not None and self._ours(selection):
            self.place.setText(self.describe(selection.start))

    def point(self, selection: Selection | None) -> None:
        self._outline(selection or self.context.selected.value, reveal=False)

    def _ours(self, selection: Selection) -> bool:
        return self.turn is not None and selection.turn == self.turn.id and selection.side == "prompt"

    def _outline(self, selection: Selection | None, *, reveal: bool) -> None:
        if selection is None or not self._ours(selection):
            self.view.set_outline(-1, -1, reveal=False)
            return
        start, end = selection.start, selection.end
        if self._difference is not None:
            start, end = self._difference.shown_place(start), self._difference.shown_place(max(end - 1, start)) + 1
        self.view.set_outline(start, end, reveal=reveal)

    # -- Taking away ----------------------------------------------------------------------------

    def copy_text(self) -> None:
        QGuiApplication.clipboard().setText(self.view.selected_text() or self.view.text)

    def copy_ids(self) -> None:
        """Those of the selected text; of all where nothing is selected."""
        start, end = sorted((self.view.anchor, self.view.caret)) if self._difference is None else (0, 0)
        QGuiApplication.clipboard().setText(ids_json(self._columns, start, end))

    def copy_json(self) -> None:
        if self.turn is not None and self.turn.prompt is not None:
            QGuiApplication.clipboard().setText(spans_json(self._runs, self.turn.prompt))

    def _ask_save(self) -> None:
        path, _ = QFileDialog.getSaveFileName(self, tr("Save as a web page"), "prompt.html", "HTML (*.html)")
        if path:
            self.save_page(Path(path))

    def save_page(self, path: Path) -> None:
        if self.turn is None or self.turn.prompt is None:
            return
        try:
            save_page(path, self.turn, self._runs)
        except OSError as error:
            self.context.tell(tr("The page could not be written: {0}. Choose another folder.", error.strerror or error))
        else:
            self.context.tell(tr("Saved as {0}", path.name))
