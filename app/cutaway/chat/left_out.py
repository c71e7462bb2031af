"""What of a request a template does not write: found by the origins of what it did write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from cutaway.chat.message import Message, Request
from cutaway.chat.prompt import Span, Warning

_FIELD = re.compile(r"messages\[\d+\]\.(?:tool_calls\[\d+\](?:\.function)?\.\w+|function_call\.\w+|\w+)|tools")
_EMPTY = frozenset({"", "{}", "null"})


def left_out(request: Request, spans: Sequence[Span], known: Sequence[Warning] = ()) -> Iterator[Warning]:
    """A warning for each message whose text or calls, and for tools of which nothing, came into the prompt.

    `known` warnings speak of a field already. Reasoning is not among them: most templates leave that of earlier turns out on purpose.
    """
    written = {match[0] for span in spans if (match := _FIELD.match(span.origin.source or ""))}
    told = {one.field for one in known if one.field is not None}
    for index, message in enumerate(request.messages):
        path = f"messages[{index}]"
        if _has_text(message) and f"{path}.content" not in written | told:
            yield _warning("content-left-out", f"{path}.content")
        if f"{path}.tool_calls" not in told:
            yield from _calls_left_out(message, path, written)
    if request.tools and "tools" not in written:
        message_text = "This template does not write tools; the model won't know of them."
        yield Warning("tools-left-out", message_text, "tools")


def _calls_left_out(message: Message, path: str, written: Set[str]) -> Iterator[Warning]:
    """All of a message's calls as one; a name alone may stand beside a result and is no call."""
    missing = []
    for index, call in enumerate(message.tool_calls):
        field = f"{path}.function_call" if call.older else f"{path}.tool_calls[{index}]"
        function = field if call.older else f"{field}.function"
        said = "name" if call.arguments.strip() in _EMPTY else "arguments"
        if f"{function}.{said}" not in written:
            missing.append(field)
    if missing and len(missing) == len(message.tool_calls) and not message.tool_calls[0].older:
        missing = [f"{path}.tool_calls"]
    for field in missing:
        yield _warning("calls-left-out", field)


def _has_text(message: Message) -> bool:
    return bool(message.text.strip())


def _warning(code: str, field: str) -> Warning:
    return Warning(code, f"This template leaves {field} out of the prompt.", field)
