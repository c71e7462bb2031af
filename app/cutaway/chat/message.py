"""What a conversation is made of, as values: messages, their parts, tool calls, tools.

These are the types only; `read` turns OpenAI-style JSON into them and names the field that is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from cutaway.chat.prompt import Warning

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
"""A JSON value as `json.loads` gives it."""

JsonObject: TypeAlias = Mapping[str, Any]

NOTHING: JsonObject = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Part:
    """One typed part of a message's content."""

    type: str
    """`text`, or the kind of media (`image`, `image_url`, `audio`, `video`, ...)."""
    text: str = ""
    """The text of a text part; empty for media."""
    extra: JsonObject = field(default_factory=lambda: NOTHING)
    """Every other key, as it was given."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    name: str
    arguments: str
    """JSON text as the model or the client wrote it; it may be invalid JSON."""
    id: str = ""
    extra: JsonObject = field(default_factory=lambda: NOTHING)
    keys: tuple[str, ...] = field(default=(), compare=False)
    """The call's keys in the order in which the client sent them."""
    older: bool = field(default=False, compare=False)
    """The client sent it in the API's older form, as the message's `function_call`."""


Content: TypeAlias = "str | tuple[Part, ...] | None"


@dataclass(frozen=True, slots=True)
class Message:
    role: str
    content: Content = None
    reasoning_content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    extra: JsonObject = field(default_factory=lambda: NOTHING)
    """Keys that no API defines but a template may read."""
    reasoning_key: str = field(default="reasoning_content", compare=False)
    """The key under which the client gave the reasoning."""
    keys: tuple[str, ...] = field(default=(), compare=False)
    """The message's keys in the order in which the client sent them; empty for a message that no client sent."""

    @property
    def text(self) -> str:
        """The content as one string: text parts joined by a newline, media left out."""
        if isinstance(self.content, tuple):
            return "\n".join(part.text for part in self.content if part.type == "text")
        return self.content or ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that the model may call."""

    name: str
    description: str = ""
    parameters: JsonObject = field(default_factory=lambda: NOTHING)
    """A JSON Schema; empty means an object without properties."""
    raw: JsonObject = field(default_factory=lambda: NOTHING)
    """The definition as it was given, `type` included: what the template sees."""


@dataclass(frozen=True, slots=True)
class ToolChoice:
    mode: Literal["auto", "none", "required", "named"] = "auto"
    name: str = ""
    """The function's name when the mode is `named`."""


@dataclass(frozen=True, slots=True)
class Request:
    """One chat completion request: all that the prompt, the grammar and the reader depend on."""

    messages: tuple[Message, ...] = ()
    tools: tuple[Tool, ...] = ()
    tool_choice: ToolChoice = ToolChoice()
    parallel_tool_calls: bool = True
    response_format: JsonObject | None = None
    """As in the OpenAI API: `{"type": "json_object"}` or `{"type": "json_schema", "json_schema": {...}}`."""
    grammar: str | None = None
    """The user's own GBNF."""
    kwargs: JsonObject = field(default_factory=lambda: NOTHING)
    """`chat_template_kwargs`: extra template variables."""
    add_generation_prompt: bool | None = True
    """None leaves the variable undefined."""
    continue_final: Literal["", "auto", "content", "reasoning_content"] = ""
    """Which field of the last message goes on; empty for none."""
    enable_thinking: bool | None = True
    """The template variable of that name; None leaves it undefined."""
    thinking: str | None = None
    """What the person wants: `on`, `off`, `auto` or an effort level; None asks for nothing."""
    reasoning_format: Literal["auto", "none"] = "auto"
    """`none` leaves reasoning in the content."""
    profile: Literal["tolerant", "strict"] = "tolerant"
    """How outputs are read: with named leniencies, or with none."""
    control_tokens: Literal["neutral", "compatible"] = "neutral"
    """`neutral` neutralises markers among the user-defined tokens too, `compatible` control tokens only."""
    format: str | None = None
    """Read outputs with this named format instead of the one found."""
    warnings: tuple[Warning, ...] = ()
    """What reading the request changed."""
