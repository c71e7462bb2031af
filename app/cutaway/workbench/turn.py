"""One turn, whole: the value that every pane shows.

A turn grows while its reply streams and never changes otherwise: `tokens`, `events` and `raw` only
get longer, so that a pane reads on from where it stopped. `TurnChanged` in `workbench.change` says what grew.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from cutaway.chat.message import Message, Request
from cutaway.chat.prompt import Prompt, Warning
from cutaway.chat.reply import Event, Reply
from cutaway.engine.event import Timings, Token
from cutaway.engine.plan import Plan


@dataclass(frozen=True, slots=True)
class TemplateInfo:
    origin: str
    """Where it came from: `file`, `model`, `model:tool_use`, `folder`, `chatml`, ..."""
    variant: str
    sha256: str
    source: str
    handler: str = ""
    """The format's name, or `derived`."""


@dataclass(frozen=True, slots=True)
class PromptToken:
    id: int
    start: int
    """Characters of the prompt, half-open; several tokens of one split character share them."""
    end: int
    piece: bytes
    first_span: int
    """Index of the span that its first character belongs to; -1 for an added BOS or EOS."""
    last_span: int
    control: bool = False
    neutralised: bool = False
    """Part of input that spelled a control token and was encoded as text."""


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
    prompt_tokens: list[PromptToken] = field(default_factory=list)
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
