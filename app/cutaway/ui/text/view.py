"""A view of one long text that a person points at, selects in and copies from: what is copied is the text itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from cutaway.ui import access
from cutaway.ui.text.painted import PaintedText
from cutaway.ui.words import tr


class TextView(PaintedText):
    pointed = Signal(int)
    """The character under the mouse, -1 for none."""
    chosen = Signal(int, int)
    """The selected range; both ends equal where only the caret was set."""

    def __init__(self, parent: QWidget | None = None) -> None:
        access.install()
        super().__init__(parent)
        self._hover = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)

    def selected_text(self) -> str:
        low, high = sorted((self.anchor, self.caret))
        return self.text[low:high]

    # -- Pointing and typing --------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move_to(self._nearest(place.x(), place.y()), keep_anchor=True)
            return
        char = self.char_at(place.x(), place.y())
        if char != self._hover:
            self._hover = char
            self.pointed.emit(char)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover = -1
        self.pointed.emit(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            place = event.position()
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._move_to(self._nearest(place.x(), place.y()), keep_anchor=shift)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit(*sorted((self.anchor, self.caret)))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = event.position()
        char = self.char_at(place.x(), place.y())
        for run in self._overlapping(char, char + 1) if char >= 0 else ():
            self.anchor, self.caret = run.start, run.end
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, keys = event.key(), Qt.Key
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and key == keys.Key_C:
            QGuiApplication.clipboard().setText(self.selected_text())
            return
        if control and key == keys.Key_A:
            self.anchor = 0
            self._move_to(len(self.text), keep_anchor=True)
            return
        target = self._target(key, control)
        if target is None:
            super().keyPressEvent(event)
            return
        self._move_to(target, keep_anchor=shift)
        self.chosen.emit(*sorted((self.anchor, self.caret)))

    def _target(self, key: int, control: bool) -> int | None:
        keys, row = Qt.Key, self.rows.row_of(self.caret)
        if key == keys.Key_Left:
            return max(self.caret - 1, 0)
        if key == keys.Key_Right:
            return min(self.caret + 1, len(self.text))
        if key in (keys.Key_Up, keys.Key_Down, keys.Key_PageUp, keys.Key_PageDown):
            step = {keys.Key_Up: -1, keys.Key_Down: 1, keys.Key_PageUp: -self._page()}.get(keys(key), self._page())
            other = min(max(row + step, 0), len(self.rows) - 1)
            column = self.caret - self.rows.starts[row]
            return min(self.rows.starts[other] + column, max(self.rows.end(other) - 1, self.rows.starts[other]))
        if key == keys.Key_Home:
            return 0 if control else self.rows.starts[row]
        if key == keys.Key_End:
            return len(self.text) if control else max(self.rows.end(row) - 1, self.rows.starts[row])
        return None

    def _move_to(self, char: int, *, keep_anchor: bool) -> None:
        self.caret = char
        if not keep_anchor:
            self.anchor = char
        self.reveal(char)
        self.setAccessibleDescription(self._spoken())
        self.viewport().update()

    def _spoken(self) -> str:
        """What a screen reader says at the caret: the line, and what it is."""
        row = self.rows.row_of(self.caret)
        line = self.text[self.rows.starts[row] : self.rows.end(row)].rstrip("\n")
        kinds = self._overlapping(self.caret, self.caret + 1)
        kind = kinds[0].kind if kinds else "plain"
        return tr("Line {0}, {1}: {2}", self.rows.line_of(self.caret) + 1, kind.replace("_", " "), line)
