"""The prompt without Jinja: llama.cpp renders, once with the contents and once with place holders for them.

Text counts as the template's only where the two renderings prove it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cutaway.chat.draft import STANDARD_ROLES
from cutaway.chat.message import Request
from cutaway.chat.plain import RequestError
from cutaway.chat.prompt import Origin, Prompt, Span, Warning

Apply = Callable[[Sequence[tuple[str, str]], bool], "str | None"]
"""Renders (role, content) pairs, with or without a generation prompt; None for an unknown template."""

_TEMPLATE = Origin("template")


def legacy_prompt(request: Request, apply: Apply) -> Prompt:
    """Raises `RequestError` where llama.cpp doesn't know the template."""
    _check_roles(request)
    contents = [message.text for message in request.messages]
    roles = [message.role for message in request.messages]
    add = request.add_generation_prompt is not False and not request.continue_final
    text = apply(list(zip(roles, contents, strict=True)), add)
    skeleton = apply([(role, _place(i)) for i, role in enumerate(roles)], add)
    bare = apply([(role, _place(i)) for i, role in enumerate(roles)], False)
    if text is None or skeleton is None or bare is None:
        message = "llama.cpp has no built-in form of this template; use it with Jinja."
        raise RequestError("jinja", message)
    warnings = [*request.warnings, *_left_out(request)]
    added = len(skeleton) - len(bare) if skeleton.startswith(bare) else 0
    spans = _filled(skeleton, contents, text)
    if spans is None:
        message = "The messages could not be told apart from the template's text; all of it counts as input."
        warnings.append(Warning("origin-unknown", message))
        spans = (Span(text, Origin("input")),)
    return Prompt(spans, len(text) - added, tuple(warnings))


def _check_roles(request: Request) -> None:
    for index, message in enumerate(request.messages):
        if message.role not in STANDARD_ROLES:
            field = f"messages[{index}].role"
            raise RequestError(
                field, f"{field} is {message.role[:80]!r}; without Jinja only the usual roles are known."
            )


def _place(index: int) -> str:
    return f"cutaway{index}content"


def _filled(skeleton: str, contents: Sequence[str], text: str) -> tuple[Span, ...] | None:
    """The skeleton with the contents in their places, when that is the text; some templates trim them."""
    for trimmed in (False, True):
        spans: list[Span] = []
        rest = skeleton
        for index, content in enumerate(contents):
            before, place, rest = rest.partition(_place(index))
            if not place:
                return None
            shown = content.strip() if trimmed else content
            first = content.find(shown)
            origin = Origin("input", f"messages[{index}].content", first, first + len(shown))
            spans += [Span(before, _TEMPLATE), Span(shown, origin)]
        spans.append(Span(rest, _TEMPLATE))
        if "".join(span.text for span in spans) == text:
            return tuple(span for span in spans if span.text)
    return None


def _left_out(request: Request) -> list[Warning]:
    """What this path cannot do, as far as the request asks for it."""
    asked = {
        "tools": bool(request.tools),
        "tool calls in earlier messages": any(message.tool_calls for message in request.messages),
        "reasoning in earlier messages": any(message.reasoning_content for message in request.messages),
        "chat_template_kwargs": bool(request.kwargs),
        "thinking switches": request.thinking is not None or request.enable_thinking is False,
        "going on with the last message": bool(request.continue_final),
    }
    missing = [name for name, wanted in asked.items() if wanted]
    if not missing:
        return []
    return [Warning("legacy-left-out", f"Without Jinja these are left out: {', '.join(missing)}.", "jinja")]
