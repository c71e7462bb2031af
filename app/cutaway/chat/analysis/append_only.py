"""Whether a conversation's text only grows: what a template wrote for a turn stays a prefix of what it writes later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cutaway.chat.message import Message, Request

_REPLY = Message("assistant", "Noted.")
_NEXT = Message("user", "Go on.")


def first_rewrite(render: Callable[[Request], str], request: Request) -> int | None:
    """The character from which later turns write earlier text anew; None where they leave it.

    The conversation is rendered as it is, with a reply, and with a question after that, each without a generation
    prompt. Raises what `render` raises.
    """
    closed = replace(request, add_generation_prompt=False, continue_final="")
    ends_with_reply = bool(closed.messages) and closed.messages[-1].role == "assistant"
    steps = [closed.messages] if ends_with_reply else [closed.messages, (*closed.messages, _REPLY)]
    steps.append((*steps[-1], _NEXT))
    before = render(replace(closed, messages=steps[0]))
    for messages in steps[1:]:
        after = render(replace(closed, messages=messages))
        if not after.startswith(before):
            pairs = zip(before, after, strict=False)
            return next((at for at, (one, other) in enumerate(pairs) if one != other), len(after))
        before = after
    return None
