"""How much of the context the next prompt fills, and with whose words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from cutaway.ui.look.style import look
from cutaway.ui.widgets.bar import Bar, Notch, Part
from cutaway.ui.words import changed, tr

if TYPE_CHECKING:
    from cutaway.workbench.forecast import Forecast

ORIGINS = {
    "system": ("system", "System prompt"),
    "tools": ("tool_definition", "Tool definitions"),
    "user": ("user", "Your messages"),
    "assistant": ("assistant", "Replies"),
    "reasoning": ("reasoning", "Old reasoning"),
    "tool": ("tool_result", "Tool results"),
    "template": ("template", "Template"),
}
"""What each part of a prompt is painted as, and its name."""
HEIGHT = 5


class Gauge(Bar):
    """The prompt's tokens by origin, of those that the context holds."""

    def __init__(self) -> None:
        super().__init__(height=HEIGHT)
        self._forecast: Forecast | None = None
        self.track = "line"
        look.changed.connect(self._show)
        changed.language.connect(self._show)
        self._show()

    def show_forecast(self, forecast: Forecast | None) -> None:
        if forecast != self._forecast:
            self._forecast = forecast
            self._show()

    def _show(self) -> None:
        forecast = self._forecast
        told = forecast is not None and forecast.context > 0 and not forecast.problem
        self.setVisible(told)
        if forecast is None or not told:
            return
        theme = look.theme
        parts = []
        for origin, tokens in forecast.by_origin:
            kind, name = ORIGINS.get(origin, ("template", origin))
            parts.append(Part(origin, tr(name), tokens, theme.kind(kind)))
        full = (
            [Notch(forecast.context, tr("The context ends here"))] if forecast.prompt_tokens > forecast.context else []
        )
        self.set_parts(parts, full, total=forecast.context)
        self.updateGeometry()
        self.setAccessibleName(tr("Context"))
        self.setAccessibleDescription(self.words())

    def words(self) -> str:
        """All of it, a line for each origin."""
        forecast = self._forecast
        if forecast is None or not forecast.context:
            return ""
        whole = tr("{0} of {1} tokens", f"{forecast.prompt_tokens:,}", f"{forecast.context:,}")
        lines = [
            f"{tr(ORIGINS[origin][1])}: {tokens:,} ({tokens / forecast.context:.0%})"
            for origin, tokens in forecast.by_origin
            if tokens and origin in ORIGINS
        ]
        left = max(forecast.context - forecast.prompt_tokens, 0)
        return "\n".join([whole, *lines, tr("Free: {0}", f"{left:,}")])

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.words(), self)
            return True
        return super().event(event)
