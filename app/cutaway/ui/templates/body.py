"""A request as a client would send it: what the editor of a trial begins with. No Qt."""

from __future__ import annotations

from typing import Any

from cutaway.chat.message import Message, Request


def body_of(request: Request) -> dict[str, Any]:
    body: dict[str, Any] = {"messages": [_message(message) for message in request.messages]}
    if request.tools:
        body["tools"] = [
            _plain(tool.raw) or {"type": "function", "function": {"name": tool.name}} for tool in request.tools
        ]
    if request.kwargs:
        body["chat_template_kwargs"] = _plain(request.kwargs)
    return body


def _message(message: Message) -> dict[str, Any]:
    made: dict[str, Any] = {"role": message.role, "content": message.text if message.content is not None else None}
    if message.reasoning_content:
        made["reasoning_content"] = message.reasoning_content
    if message.tool_calls:
        made["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id:
        made["tool_call_id"] = message.tool_call_id
    if message.name:
        made["name"] = message.name
    return made


def _plain(value: Any) -> Any:
    """Mappings and sequences as dicts and lists, for JSON."""
    if hasattr(value, "items"):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value
