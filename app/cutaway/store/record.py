"""What the store keeps, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from cutaway.chat.message import Message

Status: TypeAlias = Literal["whole", "growing", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class StoredConversation:
    id: str
    title: str = ""
    named: bool = False
    """The person gave the title; it is not made anew from the messages."""
    created: float = 0.0
    updated: float = 0.0
    pinned: bool = False
    archived: bool = False
    draft: str = ""
    messages: int = 0


@dataclass(frozen=True, slots=True)
class StoredMessage:
    id: str
    conversation: str
    parent: str | None
    message: Message
    created: float = 0.0
    status: Status = "whole"
    turn: str | None = None
    chosen: bool = True
    """The current branch goes through it rather than through its siblings."""
    position: int = 0
    """Its place among its siblings, counted from 0; gaps are allowed."""
    note: str = ""
    ids: tuple[int, ...] = ()
    """The tokens that the model produced, end token included; empty for a person's words."""
    raw: str = ""
    """The text of those tokens; empty where it is the content alone."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What a growing reply gained since it was last written."""

    message: str
    content: str = ""
    reasoning: str = ""
    raw: str = ""
    ids: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """One turn as two JSON documents: what was known before the first token, and what came of it."""

    id: str
    conversation: str
    message: str
    created: float = 0.0
    document: Mapping[str, Any] = field(default_factory=dict)
    outcome: Mapping[str, Any] = field(default_factory=dict)
    template: str = ""
    """SHA-256 of the template; its source is kept once for all turns."""


@dataclass(frozen=True, slots=True)
class Found:
    """A message that a search found."""

    conversation: str
    title: str
    message: str
    role: str
    text: str
