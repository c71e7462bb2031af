"""What a template wants of its messages, derived from what it reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from cutaway.chat.template.reads import Reads

ReasoningPlace: TypeAlias = Literal["reasoning_content", "reasoning", "thinking", "blocks", ""]
"""Where the template looks for a message's reasoning: a key, typed blocks in the content, or nowhere."""

_TRIMMED_FAMILY = "You have access to the following functions in JSONSchema format"


@dataclass(frozen=True, slots=True)
class Traits:
    reasoning: ReasoningPlace
    roles: frozenset[str]
    """The role names that it compares with, and whose messages it writes."""
    binds_results: bool
    """It reads the id of the call that a tool result answers."""
    sorts_results: bool
    """Its family was trained on results in the order of their calls (DeepSeek V4)."""
    nests_results: bool
    """It wants results inside the assistant's message (`tool_responses`) and knows no tool role."""
    trims: bool
    """Its family was trained on trimmed texts; blanks at the ends lead its models astray (StepFun)."""
    needs_null: bool = False
    """It writes a message's calls only when the content is none (found by trial)."""
    list_roles: frozenset[str] = frozenset()
    """The roles whose content may be a list of parts (found by trial)."""
    names_results: bool = False
    """It looks at the name in a tool result (found by trial)."""


def find_traits(source: str, reads: Reads) -> Traits:
    return Traits(
        reasoning=_reasoning_place(reads),
        roles=reads.roles,
        binds_results="tool_call_id" in reads.keys,
        sorts_results="DSML" in source and "tool_calls" in source and "function_calls" not in source,
        nests_results="tool_responses" in reads.keys and "tool" not in reads.roles,
        trims=_TRIMMED_FAMILY in source,
    )


def _reasoning_place(reads: Reads) -> ReasoningPlace:
    if "reasoning_content" in reads.keys:
        return "reasoning_content"
    if "thinking" in reads.part_types:
        return "blocks"
    if "thinking" in reads.keys:
        return "thinking"
    return "reasoning" if "reasoning" in reads.keys else ""
