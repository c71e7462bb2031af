"""The theme given to Qt: palette, style sheet, fonts; who must repaint is told."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QGuiApplication, QPalette, QRawFont
from PySide6.QtWidgets import QApplication

from cutaway.ui import words
from cutaway.ui.look.sheet import style_sheet
from cutaway.ui.look.theme import DARK, LIGHT, THEMES, Theme

CHINESE = ("Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei UI", "PingFang SC", "WenQuanYi Micro Hei")


class Look(QObject):
    """The look in force. `choice` is what the person asked for: `system`, `light` or `dark`."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.theme: Theme = LIGHT
        self.choice = "system"
        self.text_size = 0.0
        """Points; 0 takes the system's."""

    def install(self, application: QApplication) -> None:
        application.setStyle("Fusion")
        self._base = application.font()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._system_changed)
        words.changed.language.connect(self._language_changed)
        self.choose(self.choice, self.text_size)

    def choose(self, choice: str, text_size: float = 0.0) -> None:
        self.choice, self.text_size = choice, text_size
        self.theme = THEMES.get(choice) or self._of_system()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.setFont(self._font())
        application.setPalette(_palette(self.theme))
        application.setStyleSheet(style_sheet(self.theme))
        self.changed.emit()

    def _font(self) -> QFont:
        font = _speaking(QFont(self._base), words.language())
        if self.text_size:
            font.setPointSizeF(self.text_size)
        return font

    def _language_changed(self) -> None:
        if self._font() != QApplication.font():
            self.choose(self.choice, self.text_size)

    def colour(self, code: str, alpha: int = 255) -> QColor:
        colour = QColor(code)
        colour.setAlpha(alpha)
        return colour

    def animation_ms(self) -> int:
        """How long a motion may take: none where the system asks for none."""
        style = QApplication.style()
        hint = style.styleHint(style.StyleHint.SH_Widget_Animation_Duration)
        return min(int(hint), 150)

    def _of_system(self) -> Theme:
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return DARK if dark else LIGHT

    def _system_changed(self) -> None:
        if self.choice == "system":
            self.choose("system", self.text_size)


look = Look()


def _speaking(font: QFont, language: str) -> QFont:
    """With a family that has the language's characters first, where the system's own has none.

    Lines are as high as the first family's: characters of a fall-back would be cut.
    """
    if language != "zh_CN" or QRawFont.fromFont(font).supportsCharacter("简"):
        return font
    there = set(QFontDatabase.families())
    font.setFamilies([*(family for family in CHINESE if family in there), *font.families()])
    return font


def mono(scale: float = 1.0) -> QFont:
    """The monospaced font for prompt and tokens, with a fall-back for Chinese, Japanese and Korean."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setFamilies(
        [font.family(), "DejaVu Sans Mono", "Noto Sans Mono CJK SC", "Menlo", "Consolas", "Microsoft YaHei"]
    )
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setFixedPitch(True)
    font.setPointSizeF(max(QApplication.font().pointSizeF() * scale, 6.0))
    return font


def cell(font: QFont) -> float:
    """The advance of one character of a monospaced font, in pixels."""
    return QFontMetricsF(font).horizontalAdvance("0" * 64) / 64


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for where, what in (
        (role.Window, theme.window),
        (role.WindowText, theme.text),
        (role.Base, theme.window),
        (role.AlternateBase, theme.raised),
        (role.Text, theme.text),
        (role.Button, theme.raised),
        (role.ButtonText, theme.text),
        (role.BrightText, theme.error),
        (role.Highlight, theme.accent),
        (role.HighlightedText, theme.on_accent),
        (role.Link, theme.accent),
        (role.LinkVisited, theme.accent),
        (role.ToolTipBase, theme.raised),
        (role.ToolTipText, theme.text),
        (role.PlaceholderText, theme.quiet),
        (role.Light, theme.raised),
        (role.Midlight, theme.line),
        (role.Mid, theme.line),
        (role.Dark, theme.line),
        (role.Shadow, theme.window),
        (role.Accent, theme.accent),
    ):
        palette.setColor(where, QColor(what))
    for where in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, where, QColor(theme.faint))
    return palette
