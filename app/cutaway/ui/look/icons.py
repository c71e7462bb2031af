"""Icons: our own SVG files, drawn in the theme's colours at any density."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap

from cutaway import places
from cutaway.ui.look.style import look

SIZE = 16


def icon(name: str, colour: str = "text") -> QIcon:
    """The icon in a colour of the theme (`text`, `quiet`, `accent`, `on_accent`, `error`)."""
    return _icon(name, getattr(look.theme, colour), look.theme.faint)


@lru_cache(maxsize=256)
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    made = QIcon()
    made.addPixmap(_drawn(name, colour))
    made.addPixmap(_drawn(name, disabled), QIcon.Mode.Disabled)
    return made


def _drawn(name: str, colour: str) -> QPixmap:
    from PySide6.QtSvg import QSvgRenderer

    path = places.resources() / "icons" / f"{name}.svg"
    source = path.read_text(encoding="utf-8").replace("currentColor", colour)
    screen = QGuiApplication.primaryScreen()
    ratio = max(screen.devicePixelRatio() if screen else 1.0, 2.0)
    pixmap = QPixmap(QSize(round(SIZE * ratio), round(SIZE * ratio)))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(0, 0, SIZE * ratio, SIZE * ratio))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def application_icon() -> QIcon:
    return QIcon(str(places.resources() / "icons" / "cutaway.svg"))
