"""The quiet bar above the conversation: its title, the model, and the switches of what is beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton, QWidget

from cutaway.ui.look.icons import icon
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.widgets.elided import Elided
from cutaway.ui.words import changed, say, tr


class TopBar(QFrame):
    model_pressed = Signal()

    def __init__(self, actions: dict[str, QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bar")
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * SPACE, SPACE, 2 * SPACE, SPACE)
        row.setSpacing(SPACE)
        self._icons: list[tuple[QToolButton, str]] = []
        row.addWidget(self._switch(actions["view.sidebar"], "sidebar"))
        self.title = Elided()
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        row.addWidget(self.title, 1)
        self.model = QToolButton()
        self.model.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.model.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self.model_pressed)
        self.model.setMenu(self.menu)
        say(self.model, "setAccessibleName", "Model")
        row.addWidget(self.model)
        row.addWidget(self._switch(actions["conversation.map"], "branch"))
        row.addWidget(self._switch(actions["conversation.steering"], "settings"))
        row.addWidget(self._switch(actions["view.inspector"], "inspector"))
        self._title = self._model = ""
        look.changed.connect(self._restyle)
        changed.language.connect(self._name)

    def _switch(self, action: QAction, name: str) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setAccessibleName(action.text())
        action.setIcon(icon(name))
        action.changed.connect(lambda: button.setAccessibleName(action.text()))
        self._icons.append((button, name))
        return button

    def _restyle(self) -> None:
        for button, name in self._icons:
            button.defaultAction().setIcon(icon(name))

    def set_title(self, title: str) -> None:
        self._title = title
        self._name()

    def set_model(self, name: str) -> None:
        self._model = name
        self._name()

    def _name(self) -> None:
        self.title.setText(self._title or tr("New conversation"))
        self.title.setToolTip(self._title)
        self.model.setText((self._model or tr("Open a model")) + " ▾")
