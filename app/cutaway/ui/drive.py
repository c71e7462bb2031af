"""The window driven as a person drives it: for the self-test, the measurements and the journeys' tests.

Everything goes through widgets (typing, pressing, selecting); what is read is what the widgets show.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from cutaway.ui.pane import Pane
    from cutaway.ui.window import MainWindow
    from cutaway.workbench.turn import Turn


class TooLateError(Exception):
    """Something that should have happened in the window did not happen in time."""


class Driver:
    def __init__(self, window: MainWindow) -> None:
        self.window = window

    async def until(self, true: Callable[[], object], what: str, seconds: float = 20.0) -> float:
        """Wait until `true()` holds; answers the seconds it took. Raises TooLateError."""
        began = time.perf_counter()
        while not true():
            if time.perf_counter() - began > seconds:
                raise TooLateError(f"After {seconds:g} s the window had not come to: {what}.")
            await asyncio.sleep(0.002)
        return time.perf_counter() - began

    async def settle(self) -> None:
        """Let queued work, layout and painting happen. (Qt's events must not be processed inside a task.)"""
        for _ in range(3):
            await asyncio.sleep(0.005)
            await self.window.desk.idle()
            self.window.beat.flush()

    def type(self, text: str) -> None:
        """Type into the composer, key by key."""
        box = self.window.composer.text
        box.setFocus()
        for char in text:
            press(box, 0, char)

    def send(self, text: str) -> None:
        """Put a text into the composer and press Enter."""
        self.window.composer.set_text(text)
        press(self.window.composer.text, Qt.Key.Key_Return)

    def running(self) -> Turn | None:
        return self.window.desk.bench.running()

    async def answered(self, seconds: float = 60.0) -> Turn:
        """Wait until the running reply has ended and is shown."""
        await self.until(lambda: self.running() is None, "the end of the reply", seconds)
        await self.settle()
        turn = self.window.desk.shown
        if turn is None:
            raise TooLateError("The reply has ended, but no turn is shown.")
        return turn

    async def ask(self, text: str, seconds: float = 60.0) -> Turn:
        """Send a message and wait for the whole reply."""
        before = self.window.desk.shown
        self.send(text)
        await self.until(lambda: self.window.desk.shown is not before, "the start of the reply", seconds)
        return await self.answered(seconds)

    async def pane(self, name: str) -> Pane:
        """Bring a pane to the front and wait until it is there. Raises TooLateError where it failed."""
        self.window.docks.show_pane(name)
        slot = self.window.docks.slots[name]
        await self.until(lambda: slot.pane is not None or slot.failed is not None, f"the {name} pane", 5.0)
        await self.settle()
        if slot.pane is None or slot.failed is not None:
            raise TooLateError(f"The {name} pane failed.")
        return slot.pane


def press(target: QWidget, key: int, text: str = "", modifiers: Qt.KeyboardModifier | None = None) -> None:
    """A key pressed and released in a widget."""
    held = modifiers if modifiers is not None else Qt.KeyboardModifier.NoModifier
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QCoreApplication.sendEvent(target, QKeyEvent(kind, key, held, text))
