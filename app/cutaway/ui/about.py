"""About the program: what it is, its version, what it stands on."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QMessageBox

from cutaway import __version__
from cutaway.ui.look.icons import application_icon
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.ui.window import MainWindow


def show_about(window: MainWindow) -> QMessageBox:
    box = QMessageBox(window)
    box.setWindowTitle(tr("About Cutaway"))
    box.setIconPixmap(application_icon().pixmap(64, 64))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(f"Cutaway {__version__}")
    told = tr("Runs GGUF models on this machine and shows what chat programs hide. Nothing leaves the machine.")
    parts = ", ".join(filter(None, (_version("llama-cpp-python"), f"Qt {qVersion()}")))
    box.setInformativeText("\n\n".join((told, parts, tr("MIT licence."))))
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()
    return box


def _version(name: str) -> str:
    """Name and version of an installed part; empty where its record was left out."""
    try:
        return f"{name} {metadata.version(name)}"
    except metadata.PackageNotFoundError:
        return ""
