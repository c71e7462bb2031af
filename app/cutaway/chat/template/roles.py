"""What a template does with the messages of each role, found by trial: lists of parts, rare roles, results' names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from cutaway.chat.template.render import Rendered
from cutaway.chat.template.watch import Watched

RARE_ROLES = ("developer", "root")

Render = Callable[[list[dict[str, Any]]], "Rendered | None"]
"""Renders trial messages; None where the template raises."""

_WORDS = "WordsOfOneMessage"
_PART = [{"type": "text", "text": _WORDS}]
_NAME = "look_outside"
_SHOWN_AS_DATA = re.compile(r"""['"]text['"]\s*:\s*['"]""" + _WORDS)


def roles_with_lists(render: Render, *, objects: bool) -> frozenset[str]:
    """The roles whose content may be a list of parts: its text is written, and the list itself is not.

    `objects` says that the template takes a call's arguments as an object.
    """
    return frozenset(role for role in ("system", "user", "assistant", "tool") if _takes_list(render, role, objects))


def _takes_list(render: Render, role: str, objects: bool) -> bool:
    rendered = render(_conversation(role, _PART, objects))
    return rendered is not None and _WORDS in rendered.text and not _SHOWN_AS_DATA.search(rendered.text)


def unwritten_roles(render: Render, roles: Collection[str]) -> frozenset[str]:
    """Those of the rare roles that the template compares with, but of whose messages it writes nothing."""
    return frozenset(role for role in RARE_ROLES if role in roles and not _writes(render, role))


def _writes(render: Render, role: str) -> bool:
    rendered = render([{"role": role, "content": _WORDS}, _user("Hello")])
    return rendered is None or _WORDS in rendered.text


def reads_result_names(watch: Callable[[Mapping[str, Any]], Watched], *, objects: bool) -> bool:
    """Whether the name in a tool result is looked at."""
    messages = _conversation("tool", "Yes", objects)
    messages[-1]["name"] = _NAME
    seen = watch({"messages": messages, "bos_token": "", "eos_token": "", "add_generation_prompt": True})
    return seen.used(f"messages[{len(messages) - 1}].name")


def _conversation(role: str, content: Any, objects: bool) -> list[dict[str, Any]]:
    """One that ends in, or holds, a message of the role with this content."""
    if role == "system":
        return [{"role": "system", "content": content}, _user("Hello")]
    if role == "user":
        return [_user(content)]
    if role == "assistant":
        return [_user("Hello"), {"role": "assistant", "content": content}, _user("And?")]
    arguments: Any = {"far": "yes"} if objects else '{"far": "yes"}'
    call = {"type": "function", "id": "call00001", "function": {"name": _NAME, "arguments": arguments}}
    return [
        _user("Is it raining?"),
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "content": content, "tool_call_id": "call00001"},
    ]


def _user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}
