"""What the workbench says when something changed: frozen values, delivered on the loop's thread.

A subscriber gets these; it then reads the new state from the workbench. Changes of a streaming turn
are gathered, so that at most 60 of them a second arrive however fast the model writes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from cutaway.engine.event import ModelFacts
from cutaway.workbench.forecast import Forecast
from cutaway.workbench.turn import Turn

Aspect: TypeAlias = Literal["state", "prompt", "plan", "prefill", "tokens", "reply", "tools", "facts"]


@dataclass(frozen=True, slots=True)
class ConversationsChanged:
    """The list of conversations: a title, a pin, the order, one more or one fewer."""


@dataclass(frozen=True, slots=True)
class TreeChanged:
    """Messages of one conversation: added, edited, deleted, another branch chosen, a status, a result."""

    conversation: str


@dataclass(frozen=True, slots=True)
class TurnChanged:
    """A turn grew. `turn` is the live value, the same object at every change."""

    turn: Turn
    what: frozenset[Aspect]


@dataclass(frozen=True, slots=True)
class ModelChanged:
    state: Literal["none", "loading", "ready", "failed"]
    path: str = ""
    """With `none`: the model that rests, and is loaded again when it is needed."""
    fraction: float = 0.0
    facts: ModelFacts | None = None
    message: str = ""
    """When the load failed: what happened and what to do."""
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class TemplateChanged:
    """The loaded model's template was prepared, or another one was chosen for it."""

    sha256: str


@dataclass(frozen=True, slots=True)
class ForecastChanged:
    conversation: str
    forecast: Forecast


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    scope: Literal["app", "model", "conversation"]
    key: str = ""
    """The conversation's id or the model's path."""


@dataclass(frozen=True, slots=True)
class IdleChanged:
    """Idle work for the conversation's next turn: how much of the stable prefix the cache holds."""

    conversation: str
    held: int
    wanted: int
    running: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """Something a person should know now. `sentence` says what happened, `advice` what to do."""

    sentence: str
    advice: str = ""
    action: Literal[
        "", "choose-model", "overflow", "free-disk", "open-log", "show-template", "safer-settings", "go-on"
    ] = ""
    conversation: str = ""


Change: TypeAlias = (
    ConversationsChanged
    | TreeChanged
    | TurnChanged
    | ModelChanged
    | TemplateChanged
    | ForecastChanged
    | SettingsChanged
    | IdleChanged
    | Problem
)
