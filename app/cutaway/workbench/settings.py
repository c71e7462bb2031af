"""How to talk to a model: settings with their defaults, and which of them a model or a conversation changes.

Four layers, later ones win: the program's defaults, what the model's file recommends, what the person set for
this model, what the person set for this conversation. Each upper layer holds only what differs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
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
    jinja: bool = True
    """False lets llama.cpp render the template, without Jinja, tools or reasoning."""
    format: str = ""
    """The reading format by name; empty takes the one found."""
    profile: Literal["tolerant", "strict"] = "tolerant"
    control_tokens: Literal["neutral", "compatible"] = "neutral"
    overflow: Overflow = "ask"
    idle_prefill: bool = True
    typing_prefill: bool = True
    """The message is fed as it is typed, as far as its last whole word."""
    chunk_reuse: int = 0
    """Held runs of at least so many tokens are moved to where they come again, which is approximate; 0 moves none."""


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
    _known(name)
    if name.startswith("sampling."):
        return getattr(settings.sampling, name.removeprefix("sampling."))
    return getattr(settings, name)


def with_value(settings: ChatSettings, name: str, value: Any) -> ChatSettings:
    """The settings with another value, which is taken as it is. Raises SettingError for an unknown name."""
    _known(name)
    if name.startswith("sampling."):
        return replace(settings, sampling=replace(settings.sampling, **{name.removeprefix("sampling."): value}))
    return replace(settings, **{name: value})


def read_value(name: str, value: Any) -> Any:
    """A JSON value as the setting holds it. Raises SettingError that says what it may be."""
    _known(name)
    read, wanted = _READERS.get(name) or _reader_like(value_of(_DEFAULTS, name))
    try:
        return read(value)
    except (TypeError, ValueError, KeyError) as error:
        raise SettingError(f"{name} must be {wanted}, not {_shown(value)}.") from error


def _known(name: str) -> None:
    if name not in NAMES:
        raise SettingError(f"There is no setting named {name!r}.")


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


_DEFAULTS = ChatSettings()
_Reader = tuple[Callable[[Any], Any], str]


def _reader_like(default: Any) -> _Reader:
    if isinstance(default, bool):
        return _boolean, "true or false"
    if isinstance(default, int):
        return _whole(-(1 << 31), 1 << 31), "a whole number"
    if isinstance(default, float):
        return _number, "a number"
    return _text, "text"


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(value)
    return float(value)


def _whole(low: int, high: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise TypeError(value)
        return value

    return read


def _maybe(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


def _one_of(*words: str) -> _Reader:
    def read(value: Any) -> str:
        if value not in words:
            raise ValueError(value)
        return str(value)

    return read, "one of " + ", ".join(words)


def _many(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def read_all(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise TypeError(value)
        return tuple(read(item) for item in value)

    return read_all


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise TypeError(value)
    return dict(value)


def _choice(value: Any) -> str:
    text = _text(value)
    if text in ("auto", "none", "required") or (text.startswith("function:") and len(text) > len("function:")):
        return text
    raise ValueError(value)


def _filled(value: Any) -> str:
    if not _text(value):
        raise ValueError(value)
    return str(value)


def _bias(value: Any) -> tuple[int, float]:
    token, bias = value
    if bias in ("-inf", "ban") or bias == -math.inf:
        return _whole(0, 1 << 31)(token), -math.inf
    return _whole(0, 1 << 31)(token), _number(bias)


_COUNT = (_maybe(_whole(0, 1 << 31)), "a whole number from 0, or null")

_READERS: Mapping[str, _Reader] = {
    "thinking": (_maybe(_filled), "on, off, auto, an effort level, or null"),
    "keep_reasoning": (_maybe(_boolean), "true, false or null"),
    "reasoning_budget": _COUNT,
    "reasoning_format": _one_of("auto", "none"),
    "max_tokens": (_maybe(_whole(1, 1 << 31)), "a whole number from 1, or null"),
    "stops": (_many(_filled), "a list of texts that are not empty"),
    "tools": (_many(_mapping), "a list of tool definitions"),
    "built_ins": (_many(_filled), "a list of names"),
    "tool_choice": (_choice, "auto, none, required or function:NAME"),
    "chunk_reuse": (_whole(0, 1 << 31), "a whole number from 0"),
    "tool_rounds": (_whole(0, 1000), "a whole number from 0 to 1000"),
    "response_format": (_maybe(_mapping), "an object as in the OpenAI API, or null"),
    "grammar": (_maybe(_filled), "a GBNF text, or null"),
    "kwargs": (_mapping, "an object of template variables"),
    "profile": _one_of("tolerant", "strict"),
    "control_tokens": _one_of("neutral", "compatible"),
    "overflow": _one_of("ask", "drop", "shorten", "stop"),
    "sampling.seed": (_maybe(_whole(0, (1 << 32) - 1)), "a whole number from 0 to 4294967295, or null"),
    "sampling.dry_sequence_breakers": (_many(_text), "a list of texts"),
    "sampling.logit_bias": (_many(_bias), "a list of [token, bias]"),
    "sampling.order": (_many(_filled), "a list of stages"),
}
