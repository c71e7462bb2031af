"""Conversations as files: written as Markdown, OpenAI JSON, JSON Lines for fine-tuning or our own JSON, and read back.

Pure: text in, text out. A file is untrusted: what is wrong with it is said with its place, and what it says of
templates and settings other than its own system prompt and tools is left aside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cutaway.chat.message import Message, Tool
from cutaway.chat.plain import RequestError
from cutaway.chat.read import read_request
from cutaway.store.encode import message_from_json, message_json
from cutaway.workbench.turn import ConversationInfo, Node

VERSION = 1
MOST_CHARACTERS = 256_000_000
MOST_CONVERSATIONS = 50_000


class ExchangeError(Exception):
    """A file cannot be read or written. The message names the file and the place in it."""


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """A message of a file."""

    message: Message
    parent: int | None
    """Index among the conversation's messages; always before its own."""
    created: float | None = None
    chosen: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReadConversation:
    title: str
    messages: tuple[ReadMessage, ...]
    system: str = ""
    tools: tuple[Mapping[str, Any], ...] = ()
    created: float | None = None
    warnings: tuple[str, ...] = ()


# -- Writing ------------------------------------------------------------------------------------------------


def to_markdown(info: ConversationInfo, branch: Sequence[Node], system: str = "") -> str:
    """The current branch for people: roles as headings, reasoning folded, calls and results as code."""
    parts = [f"# {_one_line(info.title) or 'Conversation'}"]
    if system:
        parts += ["## System", system]
    for node in branch:
        parts += _markdown_message(node.message)
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def _markdown_message(message: Message) -> list[str]:
    heading = {"user": "User", "assistant": "Assistant", "tool": "Tool", "system": "System"}.get(
        message.role, _one_line(message.role)
    )
    if message.role == "tool":
        named = f": {_one_line(message.name)}" if message.name else ""
        return [f"## {heading}{named}", _fenced(message.text)]
    parts = [f"## {heading}"]
    if message.reasoning_content:
        parts.append(f"<details><summary>Reasoning</summary>\n\n{message.reasoning_content.strip()}\n\n</details>")
    parts.append(message.text)
    for call in message.tool_calls:
        parts += [f"Calls `{_one_line(call.name)}`:", _fenced(call.arguments, "json")]
    return parts


def _fenced(text: str, language: str = "") -> str:
    """In a code fence longer than any in the text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def to_openai(branch: Sequence[Node], system: str = "", tools: Sequence[Tool] = ()) -> dict[str, Any]:
    """The current branch as the body of a chat completion request."""
    messages = [message_json(Message("system", system))] if system else []
    body: dict[str, Any] = {"messages": messages + [message_json(node.message) for node in branch]}
    if tools:
        body["tools"] = [dict(tool.raw) for tool in tools]
    return body


def to_cutaway(
    info: ConversationInfo, nodes: Sequence[Node], chosen: Sequence[str], system: str, tools: Sequence[Any]
) -> dict[str, Any]:
    """The whole tree, parents before children."""
    picked = frozenset(chosen)
    return {
        "cutaway": "conversation",
        "version": VERSION,
        "title": info.title,
        "created": info.created,
        "system": system,
        "tools": list(tools),
        "messages": [
            {
                "id": node.id,
                "parent": node.parent,
                "created": node.created,
                "chosen": node.id in picked,
                "note": node.note,
                "message": message_json(node.message),
            }
            for node in nodes
        ],
    }


def write_json(value: Any, *, indent: int | None = 2) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, default=dict)


# -- Reading ------------------------------------------------------------------------------------------------


def read_conversations(text: str, name: str) -> list[ReadConversation]:
    """Ours, an OpenAI request, a list of messages, a list of any of these, or JSON Lines of them.

    Raises ExchangeError, with `name` for the file.
    """
    if len(text) > MOST_CHARACTERS:
        raise ExchangeError(f"{name} has {len(text):,} characters; {MOST_CHARACTERS:,} is the most that is read.")
    values = _values(text, name)
    if len(values) > MOST_CONVERSATIONS:
        raise ExchangeError(f"{name} holds {len(values):,} conversations; {MOST_CONVERSATIONS:,} is the most.")
    single = len(values) == 1
    try:
        return [_conversation(value, "" if single else f"[{index}]") for index, value in enumerate(values)]
    except _PlaceError as error:
        raise ExchangeError(f"{name}: {error}") from error
    except RecursionError as error:
        raise ExchangeError(f"{name} is nested too deeply.") from error


class _PlaceError(Exception):
    """What is wrong, with its place."""


def _values(text: str, name: str) -> list[Any]:
    """The conversations of a file, whatever holds them."""
    stripped = text.lstrip("\ufeff \t\r\n")
    if not stripped:
        raise ExchangeError(f"{name} is empty.")
    value = _whole(stripped, name)
    if isinstance(value, _Lines):
        return list(value)
    if isinstance(value, Mapping) and isinstance(value.get("conversations"), list):
        return list(value["conversations"])
    if isinstance(value, list) and value and not _is_message(value[0]):
        return value
    return [value]


class _Lines(list[Any]):
    """The values of JSON Lines."""


def _whole(text: str, name: str) -> Any:
    """One JSON value, or one a line. Raises ExchangeError with the line of what is neither."""
    try:
        try:
            return _mended(json.loads(text), text)
        except json.JSONDecodeError as error:
            first = text.split("\n", 1)[0]
            if error.msg != "Extra data" or error.lineno == 1 or not _is_json(first):
                raise
        return _Lines(
            _mended(_line(line, number), line) for number, line in enumerate(text.split("\n")) if line.strip()
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ExchangeError(f"{name} is no JSON: {error.msg} at {place}.") from error
    except RecursionError as error:
        raise ExchangeError(f"{name} is nested too deeply.") from error
    except ValueError as error:  # Python reads whole numbers of so many digits only.
        raise ExchangeError(f"{name} holds a number of too many digits.") from error


def _line(line: str, number: int) -> Any:
    """Raises JSONDecodeError with the place in the file."""
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise json.JSONDecodeError(error.msg, "\n" * number + line, error.pos + number) from error


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


_HALF = re.compile("[\ud800-\udfff]")
_HALF_WRITTEN = re.compile(r"\\u[dD][89a-fA-F]")


def _mended(value: Any, text: str) -> Any:
    """With halves of characters, which only an escape can write and no store holds, as U+FFFD."""
    return _without_halves(value) if _HALF_WRITTEN.search(text) else value


def _without_halves(value: Any) -> Any:
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_halves(one) for one in value]
    if isinstance(value, dict):
        return {_HALF.sub("\ufffd", key): _without_halves(one) for key, one in value.items()}
    return value


def _is_message(value: Any) -> bool:
    return isinstance(value, Mapping) and "role" in value


def _conversation(value: Any, place: str) -> ReadConversation:
    if isinstance(value, list):
        value = {"messages": value}
    if not isinstance(value, Mapping):
        raise _PlaceError(
            f"{place or 'the file'} must be a conversation: an object with `messages`, or a list of them."
        )
    if value.get("cutaway") == "turn":
        raise _PlaceError(f"{place or 'the file'} is a turn, not a conversation: open it with Open turn.")
    if value.get("cutaway") == "conversation":
        return _ours(value, place)
    return _openai(value, place)


def _openai(value: Mapping[str, Any], place: str) -> ReadConversation:
    if "messages" not in value:
        raise _PlaceError(f"{place or 'the file'} has no `messages`.")
    body = {key: value[key] for key in ("messages", "tools") if key in value}
    try:
        request = read_request(body)
    except RequestError as error:
        raise _PlaceError(f"{_join(place, error.field)}: {error.message}") from error
    messages = list(request.messages)
    system = ""
    if messages and messages[0].text and messages[0] == Message("system", messages[0].text):
        system = messages.pop(0).text  # One that says more than a text stays a message.
    read = tuple(ReadMessage(message, index - 1 if index else None) for index, message in enumerate(messages))
    warnings = tuple(warning.message for warning in request.warnings)
    return ReadConversation(
        _title(value), read, system, tuple(dict(tool.raw) for tool in request.tools), _created(value), warnings
    )


def _ours(value: Mapping[str, Any], place: str) -> ReadConversation:
    version = value.get("version")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise _PlaceError(
            f"{_join(place, 'version')} is {version!r}; this version of Cutaway reads up to {VERSION}. Install a newer one."
        )
    rows = value.get("messages")
    if not isinstance(rows, list):
        raise _PlaceError(f"{_join(place, 'messages')} must be a list.")
    known: dict[str, int] = {}
    messages = [_our_message(row, _join(place, f"messages[{index}]"), known, index) for index, row in enumerate(rows)]
    system = value.get("system", "")
    if not isinstance(system, str):
        raise _PlaceError(f"{_join(place, 'system')} must be text.")
    tools = value.get("tools", [])
    try:
        read = read_request({"messages": [], "tools": tools}).tools
    except RequestError as error:
        raise _PlaceError(f"{_join(place, error.field)}: {error.message}") from error
    return ReadConversation(
        _title(value), tuple(messages), system, tuple(dict(tool.raw) for tool in read), _created(value)
    )


def _our_message(row: Any, place: str, known: dict[str, int], index: int) -> ReadMessage:
    if not isinstance(row, Mapping) or not isinstance(row.get("message"), Mapping):
        raise _PlaceError(f"{place} must be an object with `message`.")
    parent = row.get("parent")
    if parent is not None and (not isinstance(parent, str) or parent not in known):
        raise _PlaceError(f"{place}.parent names {str(parent)[:40]!r}, which is no message before it.")
    node = row.get("id")
    if not isinstance(node, str) or node in known:
        raise _PlaceError(f"{place}.id must be text that no other message has.")
    known[node] = index
    note = row.get("note", "")
    return ReadMessage(
        _plain_message(row["message"], f"{place}.message"),
        None if parent is None else known[parent],
        _created(row),
        bool(row.get("chosen", True)),
        note if isinstance(note, str) else "",
    )


def _plain_message(value: Mapping[str, Any], place: str) -> Message:
    """Checked as an API's message is, then read without loss."""
    try:
        (read,) = read_request({"messages": [value]}).messages
        return read if read.role != value.get("role") or "function_call" in value else message_from_json(value)
    except RequestError as error:
        raise _PlaceError(f"{place}: {error.message}") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _PlaceError(f"{place} is no message ({error}).") from error


def _title(value: Mapping[str, Any]) -> str:
    title = value.get("title", value.get("name", ""))
    return _one_line(title)[:200] if isinstance(title, str) else ""


def _created(value: Mapping[str, Any]) -> float | None:
    created = value.get("created")
    usable = isinstance(created, int | float) and not isinstance(created, bool) and 0 <= created < 1e11
    return float(created) if usable and created is not None else None


def _join(place: str, field: str) -> str:
    return f"{place}.{field}" if place and field and not field.startswith("[") else place + field or "the file"
