"""The sample conversations: requests as a client would send them, each with its name. No Qt."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from cutaway import places


@cache
def samples() -> tuple[tuple[str, dict[str, Any]], ...]:
    """(name in English, OpenAI request body)."""
    path = places.resources() / "samples" / "conversations.json"
    return tuple((one["name"], one["request"]) for one in json.loads(path.read_text(encoding="utf-8")))


def request_json(body: dict[str, Any]) -> str:
    """The body as one edits it: messages, tools and variables, each with a place."""
    shown = {"messages": [], "tools": [], "chat_template_kwargs": {}} | body
    return json.dumps(shown, ensure_ascii=False, indent=2)


@dataclass(frozen=True, slots=True)
class JsonFault:
    line: int
    """1-based."""
    column: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


def json_fault(text: str) -> JsonFault | None:
    """Where a text stops being JSON; None when it is JSON."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return JsonFault(error.lineno, error.colno, error.msg)
    except (ValueError, RecursionError) as error:
        return JsonFault(1, 1, str(error))
    return None
