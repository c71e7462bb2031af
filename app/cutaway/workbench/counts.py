"""How many of a prompt's tokens are whose: by message, and by role."""

from __future__ import annotations

import numpy as np

from cutaway.engine.tokens import Tokenised
from cutaway.workbench.prompting import Made

ORIGINS = ("system", "tools", "user", "assistant", "reasoning", "tool", "template")


def tokens_of_messages(made: Made, messages: int) -> list[int]:
    """Tokens of each message of the request, with the template's text up to the next one's."""
    if made.tokens is None:
        return [0] * messages
    counts = [0] * messages
    for owner, count in zip(_owners(made, messages), _tokens_of_spans(made.tokens, made), strict=True):
        if owner is not None:
            counts[owner] += count
    return counts


def _tokens_of_spans(tokens: Tokenised, made: Made) -> list[int]:
    """How many tokens begin in each span."""
    spans = tokens.first_spans[tokens.first_spans >= 0]
    counted: list[int] = np.bincount(spans, minlength=len(made.prepared.prompt.spans)).tolist()
    return counted


def _owners(made: Made, messages: int) -> list[int | None]:
    """For each span of the prompt the message it belongs to; template text belongs to the message that it ends."""
    out: list[int | None] = []
    owner: int | None = None
    for span in made.prepared.prompt.spans:
        source = span.origin.source or ""
        if span.is_input and source.startswith("messages["):
            index = int(source[len("messages[") : source.index("]")])
            owner = index if index < messages else owner
        out.append(owner)
    return out


def tokens_by_origin(made: Made) -> tuple[tuple[str, int], ...]:
    """Tokens by whose words they begin with."""
    counts = dict.fromkeys(ORIGINS, 0)
    if made.tokens is None:
        return ()
    spans = made.prepared.prompt.spans
    for span, count in zip(spans, _tokens_of_spans(made.tokens, made), strict=True):
        counts[_origin(span.origin.source if span.is_input else None, made)] += count
    counts["template"] += len(made.tokens) - sum(counts.values())
    return tuple(counts.items())


def _origin(source: str | None, made: Made) -> str:
    if source is None:
        return "template"
    if source.startswith("messages["):
        index = int(source[len("messages[") : source.index("]")])
        messages = made.prepared.request.messages
        if ".reasoning_content" in source:
            return "reasoning"
        role = messages[index].role if index < len(messages) else ""
        return role if role in ORIGINS else "system" if role == "developer" else "user"
    return "tools" if source.startswith("tools") else "template"
