"""Light and dark, as values: every colour on screen comes from here."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from cutaway.ui.look.colour import mix
from cutaway.ui.look.marks import BY_KIND, Mark

SPACE = 4
"""Distances are multiples of this many pixels."""
RADIUS = 6
SIDEBAR_WIDTH = 240
INSPECTOR_WIDTH = 420
DRAWER_BELOW = 900
"""Narrower windows turn the inspector into a drawer."""
TEXT_WIDTH = 760
CONVERSATION_LEADING = 1.4
PANE_LEADING = 1.25


@dataclass(frozen=True, slots=True)
class Theme:
    name: str
    window: str
    """Behind the conversation and in the panes."""
    side: str
    """Behind the list and the bars."""
    raised: str
    """Cards, code, the composer."""
    line: str
    text: str
    quiet: str
    """Secondary text: at least 4.5 on the window."""
    faint: str
    """Blanks, hairlines, disabled text."""
    accent: str
    on_accent: str
    selected: str
    """Behind the selected row."""
    outline: str
    """Around a hovered or selected span."""
    error: str
    tint: float
    """Opacity of a mark's hue behind text."""
    held: str
    restored: str
    reused: str
    idle: str
    sent: str
    generated: str
    heat: str

    @property
    def dark(self) -> bool:
        return self.name == "dark"

    def mark(self, mark: Mark) -> str:
        return mark.dark if self.dark else mark.light

    def behind(self, mark: Mark) -> str:
        """The tint behind text of this mark."""
        amount = self.tint / 2 if mark.kind == "template" else self.tint
        return mix(self.mark(mark), self.window, amount)

    def kind(self, kind: str) -> str:
        return self.mark(BY_KIND[kind])

    def heat_step(self, probability: float) -> str | None:
        """The background for a token's probability: None when it was sure, five steps to amber when not."""
        step = next((n for n, (limit, _) in enumerate(HEAT_STEPS) if probability >= limit), len(HEAT_STEPS) - 1)
        return _heat(self.heat, self.window, step)


@cache
def _heat(hue: str, window: str, step: int) -> str | None:
    amount = HEAT_STEPS[step][1]
    return mix(hue, window, amount) if amount else None


HEAT_STEPS = ((0.9, 0.0), (0.6, 0.15), (0.3, 0.3), (0.1, 0.45), (0.0, 0.6))
"""(at least this probability, opacity of the one hue)."""

LIGHT = Theme(
    name="light",
    window="#ffffff",
    side="#f4f5f7",
    raised="#f7f8fa",
    line="#dcdfe4",
    text="#16191d",
    quiet="#59616c",
    faint="#a9b0ba",
    accent="#0067b8",
    on_accent="#ffffff",
    selected="#dfeaf6",
    outline="#16191d",
    error="#b3161f",
    tint=0.13,
    held="#a9b7c4",
    restored="#7fbfa4",
    reused="#1c8f68",
    idle="#e6c67a",
    sent="#c98a13",
    generated="#7a8fd6",
    heat="#e69f00",
)

DARK = Theme(
    name="dark",
    window="#1b1e23",
    side="#16181c",
    raised="#23272d",
    line="#353a42",
    text="#eceff3",
    quiet="#a3acb8",
    faint="#5f6873",
    accent="#62b0f0",
    on_accent="#0d1014",
    selected="#2a3a4d",
    outline="#eceff3",
    error="#ff8a8a",
    tint=0.17,
    held="#5f6c79",
    restored="#5f9d85",
    reused="#2fb489",
    idle="#8f7436",
    sent="#d69a2a",
    generated="#8095df",
    heat="#a87400",
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK)}
