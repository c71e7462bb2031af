"""The inspector: one dock per pane, beside the conversation; tabs that can be torn off, moved and hidden."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QObject, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QTabBar, QTabWidget

from cutaway.ui.layouts import DEFAULT, PRESETS, Layout
from cutaway.ui.look.theme import INSPECTOR_WIDTH
from cutaway.ui.pane import Context
from cutaway.ui.registry import KINDS, make_slot
from cutaway.ui.slot import Slot
from cutaway.ui.words import changed, say, tr


class Docks(QObject):
    def __init__(self, window: QMainWindow, context: Context) -> None:
        super().__init__(window)
        self._window = window
        self.slots: dict[str, Slot] = {}
        self.docks: dict[str, QDockWidget] = {}
        for kind in KINDS:
            slot = make_slot(kind, context)
            dock = QDockWidget(window)
            dock.setObjectName(f"dock-{kind.name}")
            dock.setWidget(slot)
            say(dock, "setWindowTitle", kind.title)
            say(dock, "setAccessibleName", kind.title)
            self.slots[kind.name], self.docks[kind.name] = slot, dock
        window.setTabPosition(Qt.DockWidgetArea.RightDockWidgetArea, QTabWidget.TabPosition.North)
        self.arrange(DEFAULT)
        changed.language.connect(self.name_tabs)

    def arrange(self, layout: Layout) -> None:
        """Put every pane where the layout says, in the dock area at the right."""
        right = Qt.DockWidgetArea.RightDockWidgetArea
        previous: QDockWidget | None = None
        for dock in self.docks.values():
            self._window.removeDockWidget(dock)
        for group in layout.columns:  # Neighbours first: beside tabs Qt makes another tab.
            first = self.docks[group[0]]
            first.setFloating(False)
            self._window.addDockWidget(right, first)
            if previous is not None:
                self._window.splitDockWidget(previous, first, Qt.Orientation.Vertical)
            previous = first
        for group in layout.columns:
            for name in group[1:]:
                self.docks[name].setFloating(False)
                self._window.tabifyDockWidget(self.docks[group[0]], self.docks[name])
        named = {name for group in layout.columns for name in group}
        for name, dock in self.docks.items():
            if name not in named and previous is not None:
                dock.setFloating(False)
                self._window.tabifyDockWidget(previous, dock)
            dock.setVisible(layout.inspector and name in named)
        fronts = [self.docks[group[0]] for group in layout.columns]
        for dock in fronts:
            dock.raise_()
        self._window.resizeDocks(fronts, [INSPECTOR_WIDTH] * len(fronts), Qt.Orientation.Horizontal)
        self.name_tabs()

    def tile(self, names: tuple[str, ...], columns: int = 2) -> None:
        """Every named pane visible at once, side by side: for measuring, and for wide screens."""
        right = Qt.DockWidgetArea.RightDockWidgetArea
        heads: list[QDockWidget] = []
        for index, name in enumerate(names):
            dock = self.docks[name]
            self._window.removeDockWidget(dock)
            self._window.addDockWidget(right, dock)
            if index < columns:
                if heads:
                    self._window.splitDockWidget(heads[-1], dock, Qt.Orientation.Horizontal)
                heads.append(dock)
            else:
                self._window.splitDockWidget(heads[index % columns], dock, Qt.Orientation.Vertical)
                heads[index % columns] = dock
            dock.show()

    def name_tabs(self) -> None:
        """Qt's own tab bars of docks have no accessible name; what does not fit is cut at its end, not in its middle."""
        for bar in self._window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            bar.setElideMode(Qt.TextElideMode.ElideRight)
            bar.setUsesScrollButtons(False)
            if not bar.accessibleName():
                bar.setAccessibleName(tr("Panes"))

    def apply(self, name: str) -> bool:
        if name in PRESETS:
            self.arrange(PRESETS[name])
            return True
        return False

    def show_pane(self, name: str) -> None:
        dock = self.docks[name]
        dock.show()
        dock.raise_()
        self.name_tabs()

    def set_open(self, is_open: bool) -> None:
        """Show or hide the inspector as a whole: what floats stays."""
        if is_open:
            self.arrange(DEFAULT)
            return
        for dock in self.docks.values():
            if not dock.isFloating():
                dock.hide()

    def is_open(self) -> bool:
        return any(not dock.isHidden() and not dock.isFloating() for dock in self.docks.values())

    def state(self) -> str:
        return bytes(self._window.saveState().toBase64().data()).decode("ascii")

    def restore(self, state: str) -> bool:
        return self._window.restoreState(QByteArray.fromBase64(QByteArray(state.encode("ascii"))))
