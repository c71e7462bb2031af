"""The sheets beside the conversation: its settings and the map of its branches. One is open at a time.

Where the window is too narrow for it, what else stands beside the conversation gives way until the sheet is closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame

from cutaway.ui.branch_map import BranchMap
from cutaway.ui.steering import Steering

if TYPE_CHECKING:
    from cutaway.ui.window import MainWindow

SIDEBAR_GOES_BELOW = 1300
INSPECTOR_GOES_BELOW = 1120
"""Pixels of the window's width below which it makes room for a sheet."""


class Sheets:
    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.steering = Steering(window.desk)
        self.map = BranchMap()
        self._gave_way: set[str] = set()
        """What was hidden for the open sheet."""
        self.steering.closed.connect(self.toggle_steering)
        self.map.closed.connect(self.toggle_map)
        self.map.chosen.connect(window.requests.go_to)

    def toggle_steering(self) -> None:
        self._toggle(self.steering)

    def toggle_map(self) -> None:
        self._toggle(self.map)
        self.refresh_map()
        if not self.map.isHidden():
            self.map.grid.setFocus()

    def _toggle(self, sheet: QFrame) -> None:
        opens = sheet.isHidden()
        for other in (self.steering, self.map):
            other.setVisible(other is sheet and opens)
        if opens:
            self.make_room()
        else:
            self._give_back()
        actions = self._window.actions_.by_name
        actions["conversation.map"].setChecked(not self.map.isHidden())
        actions["conversation.steering"].setChecked(not self.steering.isHidden())

    def make_room(self) -> None:
        """Called when a sheet opens, and when the window's width changes under an open one."""
        window = self._window
        if self.steering.isHidden() and self.map.isHidden():
            return
        if window.width() < SIDEBAR_GOES_BELOW and not window.sidebar.isHidden():
            self._gave_way.add("sidebar")
            window.sidebar.hide()
        if window.width() < INSPECTOR_GOES_BELOW and window.docks.is_open():
            self._gave_way.add("inspector")
            window.set_inspector(False)

    def _give_back(self) -> None:
        window, gave_way = self._window, self._gave_way
        self._gave_way = set()
        if "sidebar" in gave_way:
            window.sidebar.show()
        window.set_inspector(window.docks.is_open() or "inspector" in gave_way)

    # -- The map --------------------------------------------------------------------------------

    def refresh_map(self) -> None:
        if not self.map.isHidden():
            self._window.desk.start(self._read_map())

    async def _read_map(self) -> None:
        desk = self._window.desk
        conversation = desk.conversation
        nodes = await desk.bench.tree(conversation) if conversation else []
        if conversation == desk.conversation:
            self.map.show_tree(nodes, [node.id for node in desk.nodes])
