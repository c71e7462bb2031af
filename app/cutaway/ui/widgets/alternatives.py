"""The candidates that a token had, with their probabilities; pressing one asks for a branch from there."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from cutaway.engine.event import Alternative, Token
from cutaway.ui.look.style import look, mono
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.tokens import piece_text
from cutaway.ui.setting_rows import STAGES
from cutaway.ui.words import tr

MOST = 10


def removed_words(stage: str) -> str:
    """Who removed a candidate: the stage's name where the sampler was traced."""
    if stage == "grammar":
        return tr("not allowed by the grammar")
    return tr("removed by {0}", tr(STAGES.get(stage, stage))) if stage else tr("removed by the sampler")


class _Candidate(QAbstractButton):
    def __init__(self) -> None:
        super().__init__()
        self.alternative: Alternative | None = None
        self.was_chosen = False
        self.allowed: bool | None = None

    def show_alternative(self, alternative: Alternative, was_chosen: bool, allowed: bool | None = None) -> None:
        """`allowed`: whether the grammar lets it follow; None where no grammar held."""
        self.alternative, self.was_chosen, self.allowed = alternative, was_chosen, allowed
        said = tr("{0}, probability {1}", repr(alternative.piece.decode("utf-8", "replace")), self._number())
        if allowed is not None:
            said += " · " + (tr("allowed by the grammar") if allowed else tr("not allowed by the grammar"))
        self.setAccessibleName(tr("{0}, chosen", said) if was_chosen else said)
        removed = "" if alternative.chosen_probability or was_chosen else removed_words(alternative.removed_by)
        after = tr("after the sampler: {0}", f"{alternative.chosen_probability:.4f}")
        self.setToolTip(f"{said}\nid {alternative.token}\n{removed or after}")
        self.update()

    def _number(self) -> str:
        return f"{self.alternative.probability:.3f}" if self.alternative else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses it; the arrows go to the next one."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() == Qt.Key.Key_Down:
            self.focusNextChild()
        elif event.key() == Qt.Key.Key_Up:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        return QSize(200, self.fontMetrics().height() + SPACE)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.alternative is None:
            return
        theme = look.theme
        painter = QPainter(self)
        painter.setFont(mono())
        metrics = painter.fontMetrics()
        base = round((self.height() + metrics.ascent() - metrics.descent()) / 2)
        name = 18 * metrics.horizontalAdvance("0")
        number = 7 * metrics.horizontalAdvance("0")
        room = self.width() - name - number - SPACE
        height = self.height() - 2 * SPACE
        colour = QColor(theme.accent if self.was_chosen else theme.held)
        if room > 8:
            painter.fillRect(QRectF(name, SPACE, max(room * self.alternative.probability, 1.0), height), colour)
        live = self.was_chosen or self.alternative.chosen_probability > 0
        painter.setPen(QColor(theme.text if live else theme.quiet))
        mark = "● " if self.was_chosen else "✕ " if self.allowed is False else "  "
        text = mark + piece_text(self.alternative.piece)
        painter.drawText(0, base, metrics.elidedText(text, Qt.TextElideMode.ElideRight, name - SPACE))
        painter.drawText(self.width() - number + SPACE, base, self._number())
        if self.hasFocus() or (self.underMouse() and self.isEnabled()):
            painter.setPen(QColor(theme.accent))
            painter.drawRoundedRect(QRectF(0.5, 0.5, self.width() - 1, self.height() - 1), 4, 4)
        painter.end()


class Alternatives(QWidget):
    chosen = Signal(object, int)
    """The token, and the id of the candidate that was pressed."""

    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, SPACE, 0, 0)
        layout.setSpacing(0)
        row = QHBoxLayout()
        self.label = QLabel()
        self.label.setProperty("quiet", True)
        self.label.setWordWrap(True)
        row.addWidget(self.label, 1)
        layout.addLayout(row)
        self.token: Token | None = None
        self._can_branch = False
        self.candidates = [_Candidate() for _ in range(MOST)]
        for candidate in self.candidates:
            layout.addWidget(candidate)
            candidate.clicked.connect(self._pressed)
        self.show_token(None)

    def show_token(self, token: Token | None, *, can_branch: bool = False, held: bool = False) -> None:
        """`held`: a grammar restricted what could be chosen here."""
        self.token, self._can_branch = token, can_branch
        alternatives = token.alternatives[:MOST] if token is not None else ()
        self.name()
        for index, candidate in enumerate(self.candidates):
            candidate.setVisible(index < len(alternatives))
            if token is not None and index < len(alternatives):
                one = alternatives[index]
                same = one.token == token.id
                candidate.show_alternative(one, same, one.removed_by != "grammar" if held else None)
                candidate.setEnabled(can_branch and not same)

    def enter(self) -> None:
        """Give the keyboard to the first candidate that can be chosen."""
        first = next((one for one in self.candidates if one.isEnabled() and not one.isHidden()), None)
        if first is not None:
            first.setFocus()

    def name(self) -> None:
        """Say what is shown, in the language in force."""
        token = self.token
        alternatives = token.alternatives if token is not None else ()
        if token is None:
            self.label.setText(tr("Select a token to see what else the model considered."))
        elif self._can_branch and alternatives:
            words = tr("Press a candidate to continue the reply from there as a new branch.")
            barred = tr("The grammar barred {0} tokens here.", f"{token.masked:,}") if token.masked is not None else ""
            self.label.setText(f"{words} {barred}".strip())
        else:
            kept = tr("What the model considered here:")
            self.label.setText(kept if alternatives else tr("No candidates were kept."))

    def _pressed(self) -> None:
        sender = self.sender()
        if isinstance(sender, _Candidate) and sender.alternative is not None and self.token is not None:
            self.chosen.emit(self.token, sender.alternative.token)
