"""A turn's reply as an OpenAI message. Pure."""

from __future__ import annotations

from cutaway.chat.reply import Reply
from cutaway.workbench.turn import Turn


def openai_message(turn: Turn) -> dict[str, object]:
    reply = turn.reply or Reply(turn.raw)
    message: dict[str, object] = {"role": "assistant", "content": turn.content or reply.content or None}
    reasoning = turn.reasoning or reply.reasoning_content
    if reasoning:
        message["reasoning_content"] = reasoning
    if reply.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.calls
        ]
    return message
