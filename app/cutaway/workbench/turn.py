"""One turn, whole: the value that every pane shows.

A turn grows while its reply streams and never changes otherwise: `tokens`, `events` and `raw` only
get longer, so that a pane reads on from where it stopped. `TurnChanged` in `workbench.change` says what grew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from cutaway.chat.grammar.schema import Coverage
from cutaway.chat.message import Message, Request
from cutaway.chat.prompt import Prompt, Warning
from cutaway.chat.reply import Event, Reply
from cutaway.engine.event import Timings, Token
from cutaway.engine.plan import Plan
from cutaway.engine.tokens import PromptToken, Tokenised

__all__ = ["ConversationInfo", "Node", "PromptToken", "State", "TemplateInfo", "Turn", "Woke", "ids_of"]


@dataclass(frozen=True, slots=True)
class TemplateInfo:
    origin: str
    """Where it came from, in words: `given`, `chatml`, or the name of the file it was found in."""
    variant: str
    sha256: str
    source: str
    handler: str = ""
    """The format's name, or `derived`."""


@dataclass(frozen=True, slots=True)
class Woke:
    """Where a grammar that slept began to hold."""

    token: int
    """Of the turn's tokens the one that woke it: the next one is the first that it restricts."""
    character: int
    """Of the turn's output: where the restricted text begins, its trigger included."""
    trigger: str = ""
    """The trigger that matched; empty where it waited only for the end of the reasoning."""


State: TypeAlias = Literal["waiting", "rendering", "prefill", "decoding", "done", "stopped", "failed"]
"""`waiting`: for a model that loads, another reply to end, or the word on a prompt that does not fit."""


@dataclass(slots=True)
class Turn:
    id: str
    conversation: str
    message: str
    """The store's id of the assistant message that this turn wrote; empty in completion mode."""
    request: Request
    state: State = "rendering"
    template: TemplateInfo | None = None
    model: str = ""
    """The model file's path."""
    model_file: Mapping[str, Any] = field(default_factory=dict)
    """For a turn read from a file, what the file says of the model: `name`, `bytes`, `sha256`, ..."""
    created: float = 0.0
    """Seconds since the epoch."""
    nodes: tuple[str | None, ...] = ()
    """For each message of the request the tree's message that it is; None for the system prompt of the settings."""
    left_out: tuple[str, ...] = ()
    """Messages of the branch that are not part of the prompt, because it would not have fitted."""
    prompt: Prompt | None = None
    prompt_tokens: Sequence[PromptToken] = ()
    warnings: tuple[Warning, ...] = ()
    plan: Plan | None = None
    prefilled: int = 0
    """Tokens of the plan's feed that are in the cache, while in prefill."""
    tokens: list[Token] = field(default_factory=list)
    raw: str = ""
    """The output's text so far, as far as its characters are whole."""
    raw_start: int = 0
    """Tokens at the front of `tokens` that were not sampled but taken over from the turn this one branched from."""
    events: list[Event] = field(default_factory=list)
    reply: Reply | None = None
    """Parsed so far; refreshed a few times a second while streaming, final at the end."""
    content: str = ""
    reasoning: str = ""
    finish_reason: str = ""
    timings: Timings | None = None
    seed: int | None = None
    error: str = ""
    settings: dict[str, Any] = field(default_factory=dict)
    """What differed from the program's defaults, by name."""
    grammar: str = ""
    grammar_lazy: bool = False
    """The grammar slept until one of `triggers` came, and never looks into reasoning."""
    triggers: tuple[tuple[str, str], ...] = ()
    """(`word`, `pattern`, `pattern_full` or `token`; its text): what woke a lazy grammar."""
    woke: Woke | None = None
    """As the engine told; None where the grammar never slept, or has not woken."""
    coverage: Mapping[str, tuple[Coverage, ...]] = field(default_factory=dict)
    """By tool name, and `response_format`: what the grammar made of each keyword of its schema."""
    stops: tuple[str, ...] = ()
    idle_fed: int = 0
    """Tokens that idle work fed for this turn before it was sent."""
    stored: bool = False
    """It was read back: nothing of it changes any more."""

    @property
    def running(self) -> bool:
        return self.state in ("waiting", "rendering", "prefill", "decoding")


def ids_of(tokens: Sequence[PromptToken]) -> list[int]:
    """A prompt's ids, at no cost for each where they stand in a column."""
    return tokens.ids.tolist() if isinstance(tokens, Tokenised) else [token.id for token in tokens]


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
    """Whether all of it is in the KV cache; None where that is not known."""
    note: str = ""
    """What happened to it: `edited`, `left out`, `shortened`, `error` (a tool's), several with commas between them;
    or the sentence of a failure."""


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
    named: bool = False
    """The person gave the title."""
