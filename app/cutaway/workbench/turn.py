"""One turn, whole: the value that every pane shows.

A turn grows while its reply streams and never changes otherwise: `tokens`, `events` and `raw` only
get longer, so that a pane reads on from where it stopped. `TurnChanged` in `workbench.change` says what grew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from cutaway.chat.message import Message, Request
from cutaway.chat.prompt import Prompt, Warning
from cutaway.chat.reply import Event, Reply
from cutaway.engine.event import Timings, Token
from cutaway.engine.plan import Plan
from cutaway.engine.tokens import PromptToken as PromptToken


@dataclass(frozen=True, slots=True)
class TemplateInfo:
    origin: str
    """Where it came from: `file`, `model`, `model:tool_use`, `folder`, `chatml`, ..."""
    variant: str
    sha256: str
    source: str
    handler: str = ""
    """The format's name, or `derived`."""


State = Literal["rendering", "prefill", "decoding", "done", "stopped", "failed"]


@dataclass(slots=True)
class Turn:
    id: str
    conversation: str
    message: str
    """The store's id of the assistant message that this turn wrote."""
    request: Request
    state: State = "rendering"
    template: TemplateInfo | None = None
    model: str = ""
    prompt: Prompt | None = None
    prompt_tokens: Sequence[PromptToken] = ()
    """`engine.tokens.Tokenised` in a real turn: each value is made when it is asked for."""
    warnings: tuple[Warning, ...] = ()
    plan: Plan | None = None
    prefilled: int = 0
    """Tokens of the plan's feed that are in the cache, while in prefill."""
    tokens: list[Token] = field(default_factory=list)
    raw: str = ""
    """The output's text so far, as far as its characters are whole."""
    events: list[Event] = field(default_factory=list)
    reply: Reply | None = None
    """Parsed so far; refreshed a few times a second while streaming, final at the end."""
    content: str = ""
    reasoning: str = ""
    finish_reason: str = ""
    timings: Timings | None = None
    seed: int | None = None
    error: str = ""
    settings: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Node:
    """A message in the conversation's tree."""

    id: str
    parent: str | None
    message: Message
    created: float
    """Seconds since the epoch."""
    status: Literal["whole", "growing", "stopped", "failed"] = "whole"
    turn: str | None = None
    """The turn that wrote it, for the model's messages."""
    siblings: int = 1
    position: int = 1
    """1-based among its siblings."""
    in_cache: bool | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class ConversationInfo:
    id: str
    title: str
    created: float
    updated: float
    pinned: bool = False
    archived: bool = False
    messages: int = 0
    draft: str = ""
