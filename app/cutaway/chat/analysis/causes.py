"""What about a template makes its format hard to read off."""

from __future__ import annotations

import re

from cutaway.chat.template.reads import Reads

_MACRO = re.compile(r"\{%[-+]?\s*macro\b")
_BRANCH = re.compile(r"\{%[-+]?\s*(?:if|elif)\b")
_EMPTY = re.compile(r"\b(?:length|len)\b\s*(?:>|==|!=)\s*0|(?:==|!=)\s*(?:''|\"\")")
MANY_BRANCHES = 40

_USUAL = frozenset(
    {
        "messages",
        "tools",
        "add_generation_prompt",
        "bos_token",
        "eos_token",
        "enable_thinking",
        "thinking",
        "reasoning_effort",
        "chat_template_kwargs",
    }
)
"""Variables that every request brings, or that a thinking switch sets."""


def causes(source: str, reads: Reads) -> str:
    """A sentence about what stands in the way, empty where nothing special does."""
    found = []
    branches, macros = len(_BRANCH.findall(source)), len(_MACRO.findall(source))
    if branches > MANY_BRANCHES:
        found.append(f"{branches} branches")
    if macros:
        found.append(f"{macros} {'macro' if macros == 1 else 'macros'}")
    outside = sorted(set(reads.variables) - _USUAL)
    if "strftime_now" in source:
        outside.append("the time")
    if outside:
        found.append(f"values from outside ({', '.join(outside[:4])})")
    if _EMPTY.search(source):
        found.append("branches on empty values")
    return f"It has {_listed(found)}." if found else ""


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
