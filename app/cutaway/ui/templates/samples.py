"""The sample conversations: requests as a client would send them, each with its name. No Qt."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from cutaway import places


@cache
def samples() -> tuple[tuple[str, dict[str, Any]], ...]:
    """(name in English, OpenAI request body)."""
    path = places.resources() / "samples" / "conversations.json"
    return tuple((one["name"], one["request"]) for one in json.loads(path.read_text(encoding="utf-8")))


def request_json(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, indent=2)


def json_error(text: str) -> str:
    """Where a text stops being JSON: `line 3, column 5: ...`; empty when it is JSON."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    except (ValueError, RecursionError) as error:
        return str(error)
    return ""
