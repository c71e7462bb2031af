"""Where the person writes: grows with its text up to a third of the window; one quiet line beneath it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from cutaway.ui.conversation.composer_rows import Beginning, Box, BranchNote
from cutaway.ui.conversation.gauge import Gauge
from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE, TEXT_WIDTH
from cutaway.ui.widgets.elided import Elided
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.workbench.forecast import Forecast


class Composer(QWidget):
    """`sent` carries the text. While a reply is running the button stops it."""

    sent = Signal(str)
    stopped = Signal()
    typed = Signal()
    hovered = Signal(bool)
    """The mouse is over Send: its forecast is asked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(4 * SPACE, 0, 4 * SPACE, 2 * SPACE)
        outer.setSpacing(SPACE)
        self.frame = QFrame()
        self.frame.setObjectName("composer")
        self.frame.setMaximumWidth(TEXT_WIDTH + 6 * SPACE)
        inside = QVBoxLayout(self.frame)
        inside.setContentsMargins(3 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        inside.setSpacing(SPACE)
        self.branch = BranchNote()
        self.text = Box()
        say(self.text, "setPlaceholderText", "Write a message")
        say(self.text, "setAccessibleName", "Message")
        self.begins = Beginning()
        self.button = QToolButton()
        self.button.setIconSize(QSize(20, 20))
        row = QHBoxLayout()
        row.addWidget(self.text, 1)
        self.more = QToolButton()
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        say(self.more, "setAccessibleName", "Steer the next reply")
        say(self.more, "setToolTip", "Steer the next reply")
        row.addWidget(self.more, alignment=Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignBottom)
        inside.addWidget(self.branch)
        inside.addLayout(row)
        inside.addWidget(self.begins)
        self.gauge = Gauge()
        inside.addWidget(self.gauge)
        centre = QHBoxLayout()
        centre.addStretch(1)
        centre.addWidget(self.frame, 1000)
        centre.addStretch(1)
        outer.addLayout(centre)
        self.line = Elided()
        self.line.setProperty("quiet", True)
        self.line.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.line.setMinimumWidth(10)
        outer.addWidget(self.line)
        self.running = self._stops = False
        self.text.sent.connect(self._send)
        self.begins.text.sent.connect(self._send)
        for box in (self.text, self.begins.text):
            box.focused.connect(self._focused)
        self.text.textChanged.connect(self._typed)
        self.button.clicked.connect(self._pressed)
        self._model = ""
        self._forecast: Forecast | None = None
        look.changed.connect(self._show_button)
        changed.language.connect(self._show_button)
        changed.language.connect(self._show_line)
        self._show_button()
        self.text.fit()

    def set_running(self, running: bool) -> None:
        if running != self.running:
            self.running = running
            self._show_button()

    def set_model(self, name: str) -> None:
        self._model = name
        if name:
            self._show_line()
        else:
            self.set_forecast(None)  # It told of the model that is gone.

    def set_forecast(self, forecast: Forecast | None) -> None:
        self._forecast = forecast
        self.gauge.show_forecast(forecast)
        self._show_line()

    def set_text(self, text: str) -> None:
        self.text.setPlainText(text)
        self.text.moveCursor(self.text.textCursor().MoveOperation.End)

    def _show_line(self) -> None:
        parts = [self._model] if self._model else [tr("No model")]
        told = forecast_words(self._forecast) if self._forecast is not None else []
        self.line.setText(" · ".join([*parts, *told]))
        self.line.setToolTip(self.line.text())

    def _show_button(self) -> None:
        """Stop while a reply runs and nothing is written, else Send."""
        self._stops = self._can_stop()
        self._name_button(stop=self._stops)

    def _can_stop(self) -> bool:
        return self.running and not self.text.toPlainText().strip()

    def _name_button(self, *, stop: bool) -> None:
        self.more.setIcon(icon("more", "quiet"))
        self.button.setIcon(icon("stop" if stop else "send", "error" if stop else "accent"))
        name = tr("Stop") if stop else tr("Send")
        self.button.setAccessibleName(name)
        self.button.setToolTip(tr("Stop (Esc)") if stop else tr("Send (Enter); Shift+Enter begins a new line"))
        self._enable_button()

    def _enable_button(self) -> None:
        self.button.setEnabled(self._stops or bool(self.text.toPlainText().strip()))

    def _typed(self) -> None:
        if self._stops != self._can_stop():
            self._show_button()
        else:  # A new icon for every key would lay the whole window out again.
            self._enable_button()
        self.typed.emit()

    def resizeEvent(self, event: object) -> None:
        self.text.fit()

    def _focused(self, focused: bool) -> None:
        self.frame.setProperty("focused", focused)
        self.frame.style().polish(self.frame)

    def _pressed(self) -> None:
        if self._can_stop():
            self.stopped.emit()
        else:
            self._send()

    def _send(self) -> None:
        text = self.text.toPlainText()
        if text.strip():
            self.text.clear()
            self.sent.emit(text)


def forecast_words(forecast: Forecast) -> list[str]:
    """Context used of total, and what Send would cost."""
    if forecast.problem:
        return [forecast.problem]
    parts = []
    if forecast.context:
        share = round(100 * forecast.prompt_tokens / forecast.context)
        parts.append(tr("{0} of {1} tokens ({2}%)", f"{forecast.prompt_tokens:,}", f"{forecast.context:,}", share))
    if forecast.prompt_tokens:
        words = tr("next turn reuses {0}, feeds {1}", f"{forecast.reused:,}", f"{forecast.fed:,}")
        if forecast.seconds:
            words += tr(", about {0} s", f"{forecast.seconds:.1f}")
        parts.append(words)
    if forecast.overflow is not None:
        parts.append(tr("{0} tokens too many", f"{forecast.overflow.excess:,}"))
    return parts
