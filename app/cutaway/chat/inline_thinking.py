"""Finds the reasoning that other programs leave inside an assistant's content, between tags."""

from __future__ import annotations

from dataclasses import dataclass

TAG_PAIRS = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("[THINK]", "[/THINK]"),
    ("<seed:think>", "</seed:think>"),
    ("<mm:think>", "</mm:think>"),
    ("<think:opensource>", "</think:opensource>"),
    ("<reasoning>", "</reasoning>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel>thought", "<channel|>"),
)
"""Openers and closers that models write around their reasoning."""


@dataclass(frozen=True, slots=True)
class InlineThinking:
    """Character ranges of a content, half-open."""

    start: int
    end: int
    """The reasoning, without the tags and the one line break that frames it."""
    answer: int
    """Where the answer begins; the length of the content when the block is still open."""
    closed: bool
    opener: str


def find_inline_thinking(content: str) -> InlineThinking | None:
    """The thinking block at the start of a content, or None. Blocks further in are ordinary text."""
    blanks = len(content) - len(content.lstrip())
    for opener, closer in TAG_PAIRS:
        if not content.startswith(opener, blanks):
            continue
        start = blanks + len(opener)
        close = content.find(closer, start)
        if close < 0:
            return InlineThinking(_after_break(content, start), len(content), len(content), False, opener)
        end = close - 1 if close > start and content[close - 1] == "\n" else close
        first = min(_after_break(content, start), end)
        return InlineThinking(first, end, _after_breaks(content, close + len(closer)), True, opener)
    return None


def _after_break(content: str, at: int) -> int:
    return at + 1 if content.startswith("\n", at) else at


def _after_breaks(content: str, at: int) -> int:
    """Behind the closer, the line breaks that frame the answer (at most two)."""
    return _after_break(content, _after_break(content, at))
