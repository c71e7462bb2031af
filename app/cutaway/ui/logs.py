"""The log a person can read and send: rotating, and never with anything of a conversation in it."""

from __future__ import annotations

import logging
import platform
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

from cutaway import __version__, places

BYTES = 512 * 1024
KEPT = 3


def start(folder: Path | None = None) -> Path | None:
    """Begin to log to a file; answers where, or None where the folder cannot be written."""
    folder = folder or places.logs()
    path = folder / "cutaway.log"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=BYTES, backupCount=KEPT, encoding="utf-8", delay=True)
    except OSError:
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger("cutaway")
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    return path


def diagnostics(told: str = "") -> str:
    """What a person may paste into a fault report: versions and the error, no paths of files, no words."""
    import PySide6
    from PySide6.QtGui import QGuiApplication

    lines = [
        f"Cutaway {__version__}",
        f"Python {platform.python_version()}, PySide6 {PySide6.__version__}",
        f"{platform.system()} {platform.release()} {platform.machine()}, {QGuiApplication.platformName()}",
        f"frozen: {bool(getattr(sys, 'frozen', False))}",
    ]
    return "\n".join([*lines, "", told] if told else lines)
