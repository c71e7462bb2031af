"""A prompt for the terminal: colours by origin, control characters visible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cutaway.chat.prompt import Prompt, Span
from cutaway.engine.tokens import Tokenised

RESET = "\x1b[0m"
TEMPLATE = "\x1b[90m"
COLOURS = {
    "system": "\x1b[33m",
    "developer": "\x1b[33m",
    "user": "\x1b[32m",
    "assistant": "\x1b[36m",
    "tool": "\x1b[35m",
    "tools": "\x1b[34m",
    "kwargs": "\x1b[31m",
}
"""One colour for each speaker, one for tool definitions, one for the user's variables."""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_MESSAGE = re.compile(r"messages\[(\d+)\]")


def painted(spans: Sequence[Span], roles: Sequence[str]) -> str:
    """The prompt with a colour for each origin. Escape sequences in it are shown, not obeyed."""
    return "".join(f"{_colour(span, roles)}{visible(span.text)}{RESET}" for span in spans)


def group_of(span: Span, roles: Sequence[str]) -> str:
    """Who said it: `template`, a speaker's role, `tools` or `kwargs`."""
    if not span.is_input:
        return "template"
    source = span.origin.source or ""
    match = _MESSAGE.match(source)
    if match and int(match[1]) < len(roles):
        role = roles[int(match[1])]
        return role if role in COLOURS else "user"
    return "tools" if source.startswith("tools") else "kwargs"


def _colour(span: Span, roles: Sequence[str]) -> str:
    return COLOURS.get(group_of(span, roles), TEMPLATE)


def visible(text: str) -> str:
    """Control characters as their pictures (U+2400 and on), but for line breaks and tabs."""
    return _CONTROL.sub(lambda match: chr(0x2421 if match[0] == "\x7f" else 0x2400 + ord(match[0])), text)


def token_lines(prompt: Prompt, tokens: Tokenised) -> Iterator[str]:
    """`id  start-end  text`, one token a line."""
    text = prompt.text
    for token in tokens:
        shown = text[token.start : token.end] or token.piece.decode("utf-8", "replace")
        mark = "  control" if token.control else "  neutralised" if token.neutralised else ""
        yield f"{token.id:>8}  {token.start:>6}-{token.end:<6}  {shown!r}{mark}"
