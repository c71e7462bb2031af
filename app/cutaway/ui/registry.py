"""Which panes there are, in which order. Each is imported when it is first shown."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import cast

from cutaway.ui.pane import Context, Pane
from cutaway.ui.slot import Slot


@dataclass(frozen=True, slots=True)
class PaneKind:
    name: str
    """Also its module under `ui.panes`; the class is the name in capitals with `Pane`."""
    title: str
    class_name: str


KINDS = (
    PaneKind("prompt", "Prompt", "PromptPane"),
    PaneKind("tokens", "Tokens", "TokensPane"),
    PaneKind("reply", "Reply", "ReplyPane"),
    PaneKind("cache", "Cache", "CachePane"),
    PaneKind("template", "Template", "TemplatePane"),
    PaneKind("model", "Model", "ModelPane"),
    PaneKind("compare", "Compare", "ComparePane"),
    PaneKind("boundary", "Boundary", "BoundaryPane"),
)


def make_slot(kind: PaneKind, context: Context) -> Slot:
    def make(context: Context) -> Pane:
        module = importlib.import_module(f"cutaway.ui.panes.{kind.name}")
        return cast(Pane, getattr(module, kind.class_name)(context))

    return Slot(make, kind.name, kind.title, context)
