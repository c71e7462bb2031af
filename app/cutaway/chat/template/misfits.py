"""Two known misfits of shipped templates, handled without touching what they write.

gpt-oss raises when a message quotes its channel markers; here such text stays text, so the check is idle. Mistral's
raises on an assistant message that is empty, which a stopped reply is. Line breaks stay, so places stay true.
"""

from __future__ import annotations

import re

_CHANNEL_CHECK = re.compile(
    r"""if\s+["']<\|channel\|>analysis<\|message\|>["']\s+in\s+message\.\w+\s+or\s+"""
    r"""["']<\|channel\|>final<\|message\|>["']\s+in\s+message\.\w+(?=\s*-?%\})"""
)
_EMPTY_CHECK = re.compile(
    r"if\s+\(message\['content'\] is none or message\['content'\] == '' or message\['content'\]\|length == 0\)"
    r"\s+and\s+\(message\['tool_calls'\] is not defined or message\['tool_calls'\] is none"
    r" or message\['tool_calls'\]\|length == 0\)(?=\s*-?%\})"
)


def without_misfits(source: str) -> str:
    """The source with those two checks never true; the same length in every line."""
    for check in (_CHANNEL_CHECK, _EMPTY_CHECK):
        source = check.sub(lambda match: _idle(match[0]), source)
    return source


def _idle(condition: str) -> str:
    lines = ["" if i else "if false" for i, _ in enumerate(condition.split("\n"))]
    return "\n".join(line.ljust(len(old)) for line, old in zip(lines, condition.split("\n"), strict=True))
