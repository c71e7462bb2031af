"""From a branch of the tree and the settings to one request. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cutaway.chat.message import Message, Request, Tool, ToolChoice
from cutaway.workbench.settings import ChatSettings
from cutaway.workbench.turn import Node

SHORTENED = "\n[... shortened to fit the context ...]\n"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and which of the tree's messages each of its messages is."""

    request: Request
    nodes: tuple[str | None, ...]
    left_out: tuple[str, ...] = ()


def ask(
    branch: Sequence[Node],
    settings: ChatSettings,
    tools: Sequence[Tool] = (),
    *,
    left_out: Collection[str] = (),
    shortened: Mapping[str, int] | None = None,
    continue_final: Literal["", "content", "reasoning_content"] = "",
) -> Asked:
    """The request that a branch makes, its last message included.

    `left_out` are messages that are not sent, save those from the person's last one on: on another branch they may be
    all there is. Of a `shortened` one so many characters are sent.
    """
    last = max((at for at, node in enumerate(branch) if node.message.role == "user"), default=0)
    kept = [node for at, node in enumerate(branch) if at >= last or node.id not in left_out]
    ordered = _results_in_order(kept)
    messages = [_sent(node, settings, (shortened or {}).get(node.id)) for node in ordered]
    nodes: list[str | None] = [node.id for node in ordered]
    if settings.system:
        messages.insert(0, Message("system", settings.system))
        nodes.insert(0, None)
    request = Request(
        messages=tuple(messages),
        tools=tuple(tools),
        tool_choice=read_choice(settings.tool_choice) if tools else ToolChoice(),
        parallel_tool_calls=settings.parallel_tool_calls,
        response_format=settings.response_format,
        grammar=settings.grammar,
        kwargs=dict(settings.kwargs),
        continue_final=continue_final,
        thinking=settings.thinking,
        reasoning_format=settings.reasoning_format,
        profile=settings.profile,
        control_tokens=settings.control_tokens,
        format=settings.format or None,
    )
    return Asked(request, tuple(nodes), tuple(node.id for node in branch[:last] if node.id in left_out))


def read_choice(text: str) -> ToolChoice:
    """`auto`, `none`, `required` or `function:NAME`."""
    if text.startswith("function:"):
        return ToolChoice("named", text.removeprefix("function:"))
    return ToolChoice(text) if text in ("none", "required") else ToolChoice()  # type: ignore[arg-type]


def _sent(node: Node, settings: ChatSettings, characters: int | None) -> Message:
    message = node.message
    if settings.keep_reasoning is False and message.role == "assistant" and message.reasoning_content is not None:
        message = replace(message, reasoning_content=None)
    if characters is not None and isinstance(message.content, str) and len(message.content) > characters:
        half = max(0, characters - len(SHORTENED)) // 2
        text = message.content
        message = replace(message, content=text[:half] + SHORTENED + text[len(text) - half :])
    return message


def _results_in_order(branch: Sequence[Node]) -> list[Node]:
    """Tool results that follow an assistant message stand in the order of its calls, whichever came first."""
    out: list[Node] = []
    at = 0
    while at < len(branch):
        out.append(branch[at])
        order = {call.id: place for place, call in enumerate(branch[at].message.tool_calls)}
        at += 1
        results = []
        while order and at < len(branch) and branch[at].message.role == "tool":
            results.append(branch[at])
            at += 1
        out += sorted(results, key=lambda node: order.get(node.message.tool_call_id or "", len(order)))
    return out
