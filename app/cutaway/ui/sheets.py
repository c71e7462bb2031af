"""The sheets beside the conversation: its settings and the map of its branches. One is open at a time.

Where the window is too narrow for it, what else stands beside the conversation gives way until the sheet is closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame

from cutaway.ui.steering import Steering

if TYPE_CHECKING:
    from cutaway.ui.branch_map import BranchMap
    from cutaway.ui.window import MainWindow

SIDEBAR_GOES_BELOW = 1300
INSPECTOR_GOES_BELOW = 1120
"""Pixels of the window's width below which it makes room for a sheet."""


class Sheets:
    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.steering = Steering(window.desk)
        self.map: BranchMap | None = None
        """Made when it is first asked for."""
        self._gave_way: set[str] = set()
        """What was hidden for the open sheet."""
        self.steering.closed.connect(self.toggle_steering)

    def toggle_steering(self) -> None:
        self._toggle(self.steering)

    def toggle_map(self) -> None:
        sheet = self.map or self._make_map()
        self._toggle(sheet)
        self.refresh_map()
        if not sheet.isHidden():
            sheet.grid.setFocus()

    def _make_map(self) -> BranchMap:
        from cutaway.ui.branch_map import BranchMap

        sheet = self.map = BranchMap()
        sheet.closed.connect(self.toggle_map)
        sheet.chosen.connect(self._window.requests.go_to)
        self._window.across.insertWidget(1, sheet)
        return sheet

    def _toggle(self, sheet: QFrame) -> None:
        opens = sheet.isHidden()
        for other in self._made():
            other.setVisible(other is sheet and opens)
        if opens:
            self.make_room()
        else:
            self._give_back()
        actions = self._window.actions_.by_name
        actions["conversation.map"].setChecked(self.map is not None and not self.map.isHidden())
        actions["conversation.steering"].setChecked(not self.steering.isHidden())

    def _made(self) -> list[QFrame]:
        return [self.steering] if self.map is None else [self.steering, self.map]

    def make_room(self) -> None:
        """Called when a sheet opens, and when the window's width changes under an open one."""
        window = self._window
        if all(sheet.isHidden() for sheet in self._made()):
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
        if self.map is not None and not self.map.isHidden():
            self._window.desk.start(self._read_map(self.map))

    async def _read_map(self, sheet: BranchMap) -> None:
        desk = self._window.desk
        conversation = desk.conversation
        nodes = await desk.bench.tree(conversation) if conversation else []
        if conversation == desk.conversation:
            sheet.show_tree(nodes, [node.id for node in desk.nodes])
