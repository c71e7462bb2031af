"""What a template can do, found by watching what it reads of trial conversations."""

from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Nine flags, as llama.cpp names them."""

    supports_string_content: bool = True
    supports_typed_content: bool = False
    supports_system_role: bool = True
    supports_tools: bool = True
    supports_tool_calls: bool = True
    supports_parallel_tool_calls: bool = True
    supports_object_arguments: bool = False
    supports_preserve_reasoning: bool = False
    supports_reasoning_effort: bool = False

    def flags(self) -> dict[str, bool]:
        return asdict(self)
