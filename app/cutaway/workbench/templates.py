"""Templates to look at: the loaded model's, or one that was opened or is being edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cutaway.workbench.turn import TemplateInfo


@dataclass(frozen=True, slots=True)
class TemplateView:
    """A prepared template, as the template pane shows it."""

    info: TemplateInfo
    caps: Mapping[str, bool]
    knobs: tuple[tuple[str, tuple[Any, ...]], ...]
    """(variable, values the template compares it with)."""
    thinking_table: tuple[Mapping[str, Any], ...]
    """As in `cutaway batch`: `{thinking, kwargs, prefill, changes_prompt}`."""
    format: Any = None
    """The chat layer's own value for the format; its `handler`, modes and evidence."""
    prepared: Any = None
    """The chat layer's prepared template."""
    bos_token: str = ""
    eos_token: str = ""
    warnings: tuple[str, ...] = ()
