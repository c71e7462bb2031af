"""A conversation's title, from its first words. The model is not asked: that would cost the cache."""

from __future__ import annotations

import re

LONGEST = 60
"""Characters."""

_FENCE = re.compile(r"```.*?(```|\Z)", re.DOTALL)
_MARKUP = re.compile(r"[*_`#>~|]+|!?\[([^\]]*)\]\([^)]*\)")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？…])\s*")
_GREETING = re.compile(
    r"^\W*(?:(?:hi|hello|hey|dear|good (?:morning|day|evening))\b(?: there)?|你好|您好)\W+", re.IGNORECASE
)


def make_title(text: str) -> str:
    """The first sentence that says something, without markup, at most LONGEST characters; empty for blank text."""
    plain = _MARKUP.sub(lambda match: match.group(1) or " ", _FENCE.sub(" ", text[:4000])) or text[:4000]
    lines = [" ".join(line.split()) for line in plain.splitlines()]
    line = next((line for line in lines if re.search(r"\w", line)), "") or " ".join(text[:4000].split())
    told = _GREETING.sub("", line, count=1) or line
    sentence = next((part for part in _SENTENCE_END.split(told) if re.search(r"\w", part)), told)
    return _cut(sentence.strip().rstrip(".。"))


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    head = text[: LONGEST - 1]
    at_word = head.rsplit(" ", 1)[0]
    return (at_word if len(at_word) > LONGEST // 2 else head).rstrip(" ,;:") + "…"
