"""One of the two prompts that meet in the cache: its text, its tokens, and what the model wrote after it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Literal, TypeAlias

from cutaway.chat.message import Request
from cutaway.chat.prompt import Prompt, Span
from cutaway.chat.reply import Reply

Region: TypeAlias = Literal["history", "generation prompt", "reply", "end"]
_MESSAGE = re.compile(r"messages\[(\d+)\]")
SHOWN = 40
"""Characters of each side that a break shows."""


@dataclass(frozen=True)
class Side:
    """A prompt with the facts that it was made from, and the reply to it as far as the cache holds it."""

    prompt: Prompt
    request: Request
    ids: Sequence[int]
    starts: Sequence[int]
    """For each id the character of the prompt at which it begins."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """What else the tokens depend on: `model`, `template`, `context`, ... by name."""
    reply_ids: Sequence[int] = ()
    reply_pieces: Sequence[bytes] = ()
    """The bytes of the reply's tokens, an end token's text included."""
    reply: Reply | None = None
    """How the reply was read: what in it is reasoning, content, a call."""
    stops: tuple[str, ...] = ()
    """The person's: a reply ends before one."""
    draft: int | None = None
    """The message that was still to come, or being typed, when this was fed ahead of it."""

    @cached_property
    def reply_text(self) -> str:
        return b"".join(self.reply_pieces).decode("utf-8", "replace")

    @cached_property
    def text(self) -> str:
        """The prompt, and the reply after it."""
        return self.prompt.text + self.reply_text

    @cached_property
    def all_ids(self) -> Sequence[int]:
        return (*self.ids, *self.reply_ids)

    @cached_property
    def all_starts(self) -> Sequence[int]:
        """For each id of prompt and reply its first character, and the length of the text at the end."""
        sizes = (sum(byte & 0xC0 != 0x80 for byte in piece) for piece in self.reply_pieces)
        reply = list(accumulate(sizes, initial=len(self.prompt.text)))
        return (*self.starts, *reply[:-1], len(self.text))

    def token_at(self, index: int) -> tuple[int, int]:
        """The characters of a token; empty at the end of the text where there is no such token."""
        starts = self.all_starts
        if index >= len(starts) - 1:
            return len(self.text), len(self.text)
        later = next((start for start in starts[index + 1 :] if start > starts[index]), len(self.text))
        return starts[index], later

    def region(self, at: int) -> Region:
        if at < min(self.prompt.generation_start, len(self.prompt.text)):
            return "history"
        if at < len(self.prompt.text):
            return "generation prompt"
        read = len(self.reply.text) if self.reply is not None else len(self.reply_text)
        return "reply" if at - len(self.prompt.text) < read else "end"

    @cached_property
    def _span_starts(self) -> list[int]:
        return list(accumulate((len(span.text) for span in self.prompt.spans), initial=0))

    def span_index(self, at: int) -> int:
        """The span of a character of the prompt; the number of spans behind its end."""
        return min(bisect_right(self._span_starts, at) - 1, len(self.prompt.spans))

    def span(self, at: int) -> Span | None:
        index = self.span_index(at)
        return self.prompt.spans[index] if index < len(self.prompt.spans) else None

    def source(self, at: int) -> str:
        """The field of an input character; empty for template text and behind the prompt."""
        span = self.span(at)
        return (span.origin.source or "") if span is not None and span.is_input else ""

    def next_source(self, at: int) -> str:
        """The field of the first input character from `at` on; empty where none follows."""
        for span in self.prompt.spans[self.span_index(at) :]:
            if span.is_input and span.text and span.origin.source:
                return span.origin.source
        return ""

    def has_source(self, field_path: str) -> bool:
        """Whether the prompt shows anything of a field."""
        return any(span.is_input and span.text and span.origin.source == field_path for span in self.prompt.spans)

    def place(self, at: int) -> str:
        """Where a character came from, in words."""
        if at > len(self.prompt.text) or (at == len(self.prompt.text) and self.reply_text):
            return "the reply" if at < len(self.text) else "behind the reply"
        span = self.span(at)
        if span is None:
            return "behind the prompt"
        if span.is_input:
            return span.origin.source or "the input"
        line = f"line {span.origin.line} of the template" if span.origin.line else "the template"
        return f"the generation prompt, {line}" if self.region(at) == "generation prompt" else line

    def shown(self, at: int) -> str:
        return self.text[at : at + SHOWN]


def message_of(source: str) -> int | None:
    """The index in a field path like `messages[2].content`."""
    found = _MESSAGE.match(source)
    return int(found[1]) if found else None


def shared_characters(first: str, second: str) -> int:
    """How many leading characters two texts have in common."""
    low, high = 0, min(len(first), len(second))
    if first[:high] == second[:high]:
        return high
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
