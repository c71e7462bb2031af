"""What of a request a template does not write: found by the origins of what it did write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cutaway.chat.message import Message, Request
from cutaway.chat.prompt import Span, Warning

_FIELD = re.compile(r"(messages\[\d+\]\.\w+|tools)")


def left_out(request: Request, spans: Sequence[Span], known: Sequence[Warning] = ()) -> Iterator[Warning]:
    """A warning for each message whose text or calls, and for tools of which nothing, came into the prompt.

    `known` warnings speak of a field already. Reasoning is not among them: most templates leave that of earlier turns out on purpose.
    """
    written = {match[1] for span in spans if (match := _FIELD.match(span.origin.source or ""))}
    written |= {one.field for one in known if one.field is not None}
    for index, message in enumerate(request.messages):
        path = f"messages[{index}]"
        if _has_text(message) and f"{path}.content" not in written:
            yield _warning("content-left-out", f"{path}.content")
        if message.tool_calls and f"{path}.tool_calls" not in written:
            yield _warning("calls-left-out", f"{path}.tool_calls")
    if request.tools and "tools" not in written:
        message_text = "This template does not write tools; the model won't know of them."
        yield Warning("tools-left-out", message_text, "tools")


def _has_text(message: Message) -> bool:
    return bool(message.text.strip())


def _warning(code: str, field: str) -> Warning:
    return Warning(code, f"This template leaves {field} out of the prompt.", field)
