"""Messages as JSON text and back, without loss; token ids as bytes."""

from __future__ import annotations

import json
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

from cutaway.chat.message import NOTHING, Content, Message, Part, ToolCall
from cutaway.chat.read import REASONING_KEYS


def message_json(message: Message) -> dict[str, Any]:
    """A message in the shape of the OpenAI API; keys that the message lacks are left out."""
    out: dict[str, Any] = {"role": message.role, "content": _content_json(message.content)}
    if message.reasoning_content is not None:
        out[message.reasoning_key] = message.reasoning_content
    if message.tool_calls:
        out["tool_calls"] = [_call_json(call) for call in message.tool_calls]
    if message.tool_call_id is not None:
        out["tool_call_id"] = message.tool_call_id
    if message.name is not None:
        out["name"] = message.name
    return out | {key: value for key, value in message.extra.items() if key not in out}


def message_from_json(value: Mapping[str, Any]) -> Message:
    """The inverse of `message_json`. Raises KeyError, TypeError or ValueError for anything else."""
    reasoning_key = next((key for key in REASONING_KEYS if isinstance(value.get(key), str)), REASONING_KEYS[0])
    known = {"role", "content", reasoning_key, "tool_calls", "tool_call_id", "name"}
    return Message(
        role=str(value["role"]),
        content=_content(value.get("content")),
        reasoning_content=value.get(reasoning_key),
        tool_calls=tuple(_call(call) for call in value.get("tool_calls", ())),
        tool_call_id=value.get("tool_call_id"),
        name=value.get("name"),
        extra=_rest(value, known),
        reasoning_key=reasoning_key,
    )


def dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)


def pack_ids(ids: Sequence[int]) -> bytes:
    return array("i", ids).tobytes()


def unpack_ids(blob: bytes | None) -> tuple[int, ...]:
    ids = array("i")
    ids.frombytes((blob or b"")[: len(blob or b"") // ids.itemsize * ids.itemsize])
    return tuple(ids)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence | frozenset | set):
        return list(value)
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _content_json(content: Content) -> Any:
    if not isinstance(content, tuple):
        return content
    return [
        {"type": part.type, **({"text": part.text} if part.type == "text" or part.text else {}), **part.extra}
        for part in content
    ]


def _content(value: Any) -> Content:
    if value is None or isinstance(value, str):
        return value
    return tuple(
        Part(type=str(part["type"]), text=str(part.get("text", "")), extra=_rest(part, {"type", "text"}))
        for part in value
    )


def _call_json(call: ToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {**call.extra, "id": call.id, "type": "function", "function": function}


def _call(value: Mapping[str, Any]) -> ToolCall:
    function = value["function"]
    return ToolCall(
        name=str(function["name"]),
        arguments=str(function["arguments"]),
        id=str(value.get("id", "")),
        extra=_rest(value, {"id", "type", "function"}),
    )


def _rest(value: Mapping[str, Any], known: set[str]) -> Mapping[str, Any]:
    rest = {key: item for key, item in value.items() if key not in known}
    return rest or NOTHING
