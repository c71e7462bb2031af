"""What a model's output is made of: spans that cover it, blocks in true order, events while it grows.

The spans partition the output: they are in order, leave no gap and overlap nowhere, at every
prefix and for any text. Blocks are what a person reads; the OpenAI message is a projection of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

SpanKind: TypeAlias = Literal[
    "reasoning", "content", "call_name", "call_args", "call_id", "markup", "space", "unparsed"
]


@dataclass(frozen=True, slots=True)
class ReplySpan:
    """Characters `[start, end)` of the output, and what they are."""

    start: int
    end: int
    kind: SpanKind


@dataclass(frozen=True, slots=True)
class Repair:
    """A leniency that the reading needed: what was forgiven, and where."""

    code: str
    """Stable, in kebab case: `missing-opener`, `python-literal`, `arguments-as-string`, `unknown-argument`, ..."""
    message: str
    start: int
    end: int


# -- Events: append-only. What was emitted is never taken back. ------------------------------------


@dataclass(frozen=True, slots=True)
class ReasoningText:
    text: str


@dataclass(frozen=True, slots=True)
class ContentText:
    text: str


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A call's name and id, whole, once; its index counts the calls of this reply from 0."""

    index: int
    name: str
    id: str


@dataclass(frozen=True, slots=True)
class CallArguments:
    """More characters of a call's arguments, as JSON text."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class CallEnded:
    index: int


Event: TypeAlias = ReasoningText | ContentText | CallStarted | CallArguments | CallEnded


# -- Blocks ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReasoningBlock:
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ContentBlock:
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CallBlock:
    name: str
    arguments: str
    """JSON text: the model's own where it is valid JSON, else rewritten."""
    id: str
    start: int
    end: int
    complete: bool = True


Block: TypeAlias = ReasoningBlock | ContentBlock | CallBlock


@dataclass(frozen=True, slots=True)
class Reply:
    """A parsed output, partial or whole."""

    text: str
    blocks: tuple[Block, ...] = ()
    spans: tuple[ReplySpan, ...] = ()
    repairs: tuple[Repair, ...] = ()

    @property
    def content(self) -> str:
        return "".join(block.text for block in self.blocks if isinstance(block, ContentBlock))

    @property
    def reasoning_content(self) -> str:
        return "".join(block.text for block in self.blocks if isinstance(block, ReasoningBlock))

    @property
    def calls(self) -> tuple[CallBlock, ...]:
        return tuple(block for block in self.blocks if isinstance(block, CallBlock))
