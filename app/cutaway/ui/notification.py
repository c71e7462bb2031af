"""A reply that ends while the person is elsewhere: the window asks for attention, and after a long one says so."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from cutaway.ui.look.icons import application_icon
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.ui.window import MainWindow

LONG = 10.0
"""Seconds after which a reply is worth a message of the system's."""
SHOWN_MS = 8000


class Notification:
    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._began: float | None = None
        self._tray: QSystemTrayIcon | None = None
        self.said = ""
        """The last message, for a person who asks what it was, and for tests."""

    def show_running(self, running: bool) -> None:
        if running:
            self._began = self._began or time.monotonic()
            return
        began, self._began = self._began, None
        away = not self._window.isActiveWindow()
        if began is not None and away and self._window.remembered.get("notify", True):
            QApplication.alert(self._window)
            if time.monotonic() - began >= LONG:
                self._say(tr("The reply to “{0}” is there.", self._window.topbar.title.text()))

    def _say(self, words: str) -> None:
        self.said = words
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        if self._tray is None:
            self._tray = QSystemTrayIcon(application_icon(), self._window)
            self._tray.messageClicked.connect(self._window.raise_up)
            self._tray.activated.connect(lambda _: self._window.raise_up())
        self._tray.show()
        self._tray.showMessage("Cutaway", words, application_icon(), SHOWN_MS)

    def seen(self) -> None:
        """The person is back: the icon goes."""
        if self._tray is not None:
            self._tray.hide()
