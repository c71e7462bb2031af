"""Which template: the one in force, ChatML, or one of a file or folder. A model file's weights are not loaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.ui.pane import Context
    from cutaway.workbench.templates import TemplateView

OWN, CHATML, FILE, FOLDER = "own", "chatml", "file …", "folder …"
"""What an item stands for, where it is not the path of one that was opened."""
NAMES = {OWN: "Template in force", CHATML: "ChatML", FILE: "Another file …", FOLDER: "Another folder …"}


def ask_file(parent: QWidget) -> str:
    kinds = tr("Templates and models") + " (*.jinja *.j2 *.jinja2 *.gguf *.json);;" + tr("All files") + " (*)"
    return QFileDialog.getOpenFileName(parent, tr("Open a template"), "", kinds)[0]


def ask_folder(parent: QWidget) -> str:
    return QFileDialog.getExistingDirectory(parent, tr("Open a model's folder"))


class TemplateChoice(QComboBox):
    picked = Signal()
    """Another template is to be used: `template` answers it."""

    def __init__(self, context: Context, name: str, *, begin: str = OWN) -> None:
        super().__init__()
        self._context = context
        self._opened: dict[str, TemplateView] = {}
        say(self, "setAccessibleName", name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        for kind in (OWN, CHATML, FILE, FOLDER):
            self.addItem("", kind)
        self._last = begin
        self._choose(begin)
        self.activated.connect(self._activated)
        changed.language.connect(self._rename)
        self._rename()

    @property
    def kind(self) -> str:
        """`own`, `chatml`, or the path of an opened one."""
        return str(self.currentData())

    def _rename(self) -> None:
        for index in range(self.count()):
            kind = str(self.itemData(index))
            view = self._opened.get(kind)
            self.setItemText(index, tr(NAMES[kind]) if kind in NAMES else view.info.origin if view else kind)

    def _choose(self, kind: str) -> None:
        self.setCurrentIndex(max(self.findData(kind), 0))
        self.setToolTip("" if kind in NAMES else kind)
        self._last = kind

    def _activated(self) -> None:
        kind = self.kind
        if kind in (FILE, FOLDER):
            path = ask_file(self) if kind == FILE else ask_folder(self)
            self._choose(self._last)
            if path:
                self._context.start(self.take(path))
        elif kind != self._last:
            self._choose(kind)
            self.picked.emit()

    def set_kind(self, kind: str) -> None:
        """Use the one in force, or ChatML."""
        self._choose(kind)
        self.picked.emit()

    async def take(self, path: str) -> None:
        """Use the template of a file or folder from now on. Raises what reading it raises."""
        view = await self._context.bench.open_template(path)
        key = str(Path(path))
        if key not in self._opened:
            self.insertItem(self.findData(FILE), "", key)
        self._opened[key] = view
        self._rename()
        self._choose(key)
        self.picked.emit()

    async def template(self) -> TemplateView | None:
        """The chosen one; None where there is no model whose template would be in force. Raises TemplateError."""
        if self.kind in self._opened:
            return self._opened[self.kind]
        if self.kind == CHATML:
            return await self._context.bench.open_template("chatml")
        return await self._context.bench.template() if self._context.is_open() else None
