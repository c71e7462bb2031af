"""A message's head: who wrote it, which version it is, and what can be done with it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from cutaway.ui.conversation.card import Card, Host
from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.branches import HUES, NAMES
from cutaway.ui.widgets.elided import Tinted
from cutaway.ui.words import say, tr

if TYPE_CHECKING:
    from cutaway.workbench.turn import Node


class _Action(QToolButton):
    """A button that says when the mouse is over it: what it would cost is then forecast."""

    hovered = Signal(bool)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.hovered.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.hovered.emit(False)


class HeadCard(Card):
    """Who wrote the message, which version it is, and what can be done with it (on hover and by keyboard)."""

    ACTIONS = (
        ("copy", "Copy"),
        ("edit", "Edit"),
        ("again", "Regenerate"),
        ("continue", "Continue"),
        ("branch", "Branch from here"),
        ("delete", "Delete"),
    )

    def __init__(self, host: Host, parent: QWidget) -> None:
        super().__init__(host, parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, SPACE, 0, 0)
        self._row.setSpacing(0)
        self.role = Tinted()
        font = self.role.font()
        font.setBold(True)
        self.role.setFont(font)
        self._row.addWidget(self.role)
        self._row.addStretch()
        self.node: Node | None = None
        self.buttons: dict[str, QToolButton] = {}
        self._shown: object = None

    def _build_switcher(self) -> None:
        """Made when a message first has another version: most have none."""
        self.back, self.forth = self._button("left", "Previous version"), self._button("right", "Next version")
        self.version = QLabel()
        self.version.setProperty("quiet", True)
        self.back.clicked.connect(lambda: self._act("back"))
        self.forth.clicked.connect(lambda: self._act("forth"))
        for place, widget in enumerate((self.back, self.version, self.forth), 1):
            self._row.insertWidget(place, widget)

    def _build_buttons(self) -> None:
        """Made when they are first to be seen: on hover, or when the message becomes the current one."""
        self.time = QLabel()
        self.time.setProperty("quiet", True)
        self._row.addWidget(self.time)
        for name, title in self.ACTIONS:
            button = self._button(name, title)
            button.clicked.connect(lambda _=False, name=name: self._act(name))
            self._row.addWidget(button)
            self.buttons[name] = button

    def _button(self, name: str, title: str) -> QToolButton:
        button = _Action(self)
        if name in ("again", "edit"):
            button.hovered.connect(lambda on: self._act("hover" if on else "unhover"))
        button.setIcon(icon(name, "quiet"))
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        say(button, "setToolTip", title)
        say(button, "setAccessibleName", title)
        return button

    def restyle(self) -> None:
        self._shown = None
        for name, button in self.buttons.items():
            button.setIcon(icon(name, "quiet"))
        if hasattr(self, "back"):
            self.back.setIcon(icon("left", "quiet"))
            self.forth.setIcon(icon("right", "quiet"))

    def _act(self, action: str) -> None:
        if self.node is not None:
            self.host.act(action, self.node.id)

    def show_node(self, node: Node, *, live: bool, busy: bool) -> None:
        """`live` shows the buttons; `busy` leaves out what a running reply does not allow."""
        shown = (node.id, node.status, node.siblings, node.position, node.message.role, live, busy)
        self.node = node
        if shown == self._shown:
            return
        self._shown = shown
        role = node.message.role
        self.role.colour = look.theme.kind(HUES.get(role, "system"))
        called = node.message.name if role == "tool" else ""
        self.role.setText(tr(NAMES.get(role, role)) + (f": {called[:40]}" if called else ""))
        self.setAccessibleName(tr("{0}: {1}", self.role.text(), node.message.text[:200]))
        self._show_switcher(node)
        self._show_buttons(node, live=live, busy=busy)

    def _show_switcher(self, node: Node) -> None:
        several = node.siblings > 1
        if several and not hasattr(self, "back"):
            self._build_switcher()
        if hasattr(self, "back"):
            for widget in (self.back, self.forth, self.version):
                widget.setVisible(several)
            self.version.setText(f"{node.position}/{node.siblings}")
            self.version.setAccessibleName(tr("Version {0} of {1}", node.position, node.siblings))
            self.back.setEnabled(node.position > 1)
            self.forth.setEnabled(node.position < node.siblings)

    def _show_buttons(self, node: Node, *, live: bool, busy: bool) -> None:
        if live and not self.buttons:
            self._build_buttons()
        if not self.buttons:
            return
        growing, role = node.status == "growing", node.message.role
        allowed = {
            "copy": True,
            "edit": not growing,
            "again": role in ("assistant", "user") and not busy,
            "continue": role == "assistant" and not busy,
            "branch": not growing,
            "delete": not growing,
        }
        for name, button in self.buttons.items():
            button.setVisible(live and allowed[name])
        self.time.setText(time.strftime("%H:%M", time.localtime(node.created)) if node.created else "")
        self.time.setVisible(live)

    def height_for(self, width: int) -> int:
        return max(self.fontMetrics().height(), 24) + SPACE
