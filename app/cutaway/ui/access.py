"""What a screen reader is told that our own widgets are. Qt takes a widget that paints itself for a plain area."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

ROLES: Mapping[str, QAccessible.Role] = {
    "TextView": QAccessible.Role.Document,
    "QScrollArea": QAccessible.Role.Pane,
    "Bar": QAccessible.Role.Chart,
    "Sparkline": QAccessible.Role.Chart,
}
"""By the name of the class."""
_installed: list[bool] = []


def install() -> None:
    """Once for the program: asked for by the widgets that need it."""
    if not _installed:
        _installed.append(True)
        QAccessible.installFactory(_interface)


def _interface(name: str, target: QObject) -> QAccessibleInterface | None:
    role = ROLES.get(name)
    if role is None or not isinstance(target, QWidget):
        return None
    return QAccessibleWidget(target, role, "")
