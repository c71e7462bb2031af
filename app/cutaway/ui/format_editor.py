"""The response format: free text, any JSON, or JSON by a schema, which is checked while it is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QVBoxLayout

from cutaway.ui.look.style import mono
from cutaway.ui.setting_editors import Editor
from cutaway.ui.words import choices, say

FREE, ANY, SCHEMA = range(3)


class FormatEditor(Editor):
    typed = Signal(str)
    """The schema as it is being written; who hears it says whether it is sound."""
    left = Signal(str)
    """The schema was written: it is to be used if it is sound."""

    def __init__(self) -> None:
        super().__init__()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.way = QComboBox()
        choices(self.way, ("Free text", "Any JSON", "JSON by a schema"))
        self.way.activated.connect(self._choose)
        layout.addWidget(self.way)
        self.schema = SchemaBox()
        say(self.schema, "setPlaceholderText", "Paste a JSON schema, or the response format of a request")
        say(self.schema, "setAccessibleName", "JSON schema of the reply")
        self.schema.textChanged.connect(self._typed)
        self.schema.left.connect(lambda: self.left.emit(self.schema.toPlainText()))
        layout.addWidget(self.schema)
        self.setFocusProxy(self.way)
        self._quiet = self._begun = False
        self.schema.hide()

    def show_value(self, value: Any) -> None:
        if self._begun:
            return  # A schema is being written, or stands there with a fault.
        self._quiet = True
        self.way.setCurrentIndex(_way(value))
        self.schema.setVisible(_way(value) == SCHEMA)
        if _way(value) == SCHEMA:
            self.schema.setPlainText(json.dumps(_plain(value), ensure_ascii=False, indent=1))
        self._quiet = False

    def give_up(self) -> None:
        self._begun = False

    def _choose(self, way: int) -> None:
        self.schema.setVisible(way == SCHEMA)
        self._begun = way == SCHEMA
        if way == FREE:
            self.edited.emit(None)
        elif way == ANY:
            self.edited.emit({"type": "json_object"})
        elif self.schema.toPlainText().strip():
            self.left.emit(self.schema.toPlainText())
        else:
            self.schema.setFocus()

    def _typed(self) -> None:
        if not self._quiet:
            self._begun = True
            self.typed.emit(self.schema.toPlainText())


class SchemaBox(QPlainTextEdit):
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setMinimumHeight(120)
        self.setMaximumHeight(200)
        self.setFont(mono())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


def _way(value: Any) -> int:
    if not value or value.get("type") == "text":
        return FREE
    bare = value.get("type") == "json_object" and not value.get("schema")
    return ANY if bare else SCHEMA


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
