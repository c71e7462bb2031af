"""How to talk to a model: settings with their defaults, and which of them a model or a conversation changes.

Four layers, later ones win: the program's defaults, what the model's file recommends, what the person set for
this model, what the person set for this conversation. Each upper layer holds only what differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Literal

from cutaway.engine.sampling import Sampling

Overflow = Literal["ask", "drop", "shorten", "stop"]
Layer = Literal["default", "file", "model", "conversation"]

_NO_KWARGS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """Everything that a request and its sampling depend on, apart from the messages."""

    system: str = ""
    """The system prompt; empty sends none."""
    thinking: str | None = None
    """`on`, `off`, `auto` or an effort level; None leaves the template's own default."""
    keep_reasoning: bool | None = None
    """Whether old reasoning is sent again, where the template offers the choice; None leaves it to the template."""
    reasoning_budget: int | None = None
    """Tokens of reasoning after which the answer is asked for."""
    reasoning_format: Literal["auto", "none"] = "auto"
    sampling: Sampling = field(default_factory=Sampling)
    max_tokens: int | None = None
    stops: tuple[str, ...] = ()
    tools: tuple[Mapping[str, Any], ...] = ()
    """OpenAI tool definitions, as JSON values."""
    built_ins: tuple[str, ...] = ()
    """Names of the built-in tools that are offered to the model."""
    tool_choice: str = "auto"
    """`auto`, `none`, `required`, or `function:NAME`."""
    parallel_tool_calls: bool = True
    tool_rounds: int = 8
    """After so many rounds of calls in one turn the loop stops and waits for the person."""
    response_format: Mapping[str, Any] | None = None
    grammar: str | None = None
    kwargs: Mapping[str, Any] = field(default_factory=lambda: _NO_KWARGS)
    """Further template variables."""
    template: str = ""
    """Another template for this model: a path, or `chatml`; empty takes the model's own."""
    format: str = ""
    """The reading format by name; empty takes the one found."""
    profile: Literal["tolerant", "strict"] = "tolerant"
    control_tokens: Literal["neutral", "compatible"] = "neutral"
    overflow: Overflow = "ask"
    idle_prefill: bool = True


NAMES = tuple(
    [f.name for f in fields(ChatSettings) if f.name != "sampling"] + [f"sampling.{f.name}" for f in fields(Sampling)]
)
"""Every setting's name; sampling's are `sampling.temperature` and so on."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as it stands."""

    name: str
    value: Any
    layer: Layer
    """Which layer the value comes from."""
    below: Any
    """What would hold without that layer."""


class SettingError(Exception):
    """A setting does not exist or cannot have that value. The message names it and says what it may be."""


def value_of(settings: ChatSettings, name: str) -> Any:
    """Raises SettingError for an unknown name."""
    if name not in NAMES:
        raise SettingError(f"There is no setting named {name!r}.")
    if name.startswith("sampling."):
        return getattr(settings.sampling, name.removeprefix("sampling."))
    return getattr(settings, name)


def with_value(settings: ChatSettings, name: str, value: Any) -> ChatSettings:
    if name not in NAMES:
        raise SettingError(f"There is no setting named {name!r}.")
    if name.startswith("sampling."):
        return replace(settings, sampling=replace(settings.sampling, **{name.removeprefix("sampling."): value}))
    return replace(settings, **{name: value})
