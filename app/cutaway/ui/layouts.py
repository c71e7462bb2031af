"""Where the panes are: four presets, and the drawer that the inspector becomes in a narrow window."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Layout:
    columns: tuple[tuple[str, ...], ...]
    """Groups of panes from top to bottom; the panes of a group are tabs, the first one in front. Others are hidden."""
    inspector: bool = True
    sidebar: bool = True


MAIN = ("prompt", "tokens", "reply", "cache", "template")
PRESETS = {
    "chat": Layout((MAIN,), inspector=False),
    "prompt": Layout((("prompt", "template"), ("tokens", "reply", "cache"))),
    "cache": Layout((("cache", "model"), ("prompt", "tokens", "reply", "template"))),
    "template": Layout((("template", "compare", "boundary"), ("prompt", "reply", "tokens", "cache")), sidebar=False),
}
DEFAULT = Layout((MAIN,))
