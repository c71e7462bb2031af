"""Where the panes are: four presets, and the drawer that the inspector becomes in a narrow window."""

from __future__ import annotations

from dataclasses import dataclass

@dataclass(frozen=True, slots=True)
class Layout:
    columns: tuple[tuple[str, ...], ...]
    """Groups of panes from top to bottom; the panes of a group are tabs, the first one in front."""
    inspector: bool = True
    sidebar: bool = True


PRESETS = {
    "chat": Layout(
        (("prompt", "tokens", "reply", "cache", "template", "model", "compare", "boundary"),), inspector=False
    ),
    "prompt": Layout((("prompt", "template", "compare", "boundary"), ("tokens", "reply", "cache", "model"))),
    "cache": Layout((("cache", "model"), ("prompt", "tokens", "reply", "template", "compare", "boundary"))),
    "template": Layout(
        (("template", "compare", "boundary"), ("prompt", "reply", "tokens", "cache", "model")), sidebar=False
    ),
}
DEFAULT = Layout((("prompt", "tokens", "reply", "cache", "template", "model", "compare", "boundary"),))
