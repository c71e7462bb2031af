"""Fits a request's messages to what a template needs. Each thing that this changes is a warning.

The order matters and is that of llama.cpp's pipeline, so that the same request gives the same prompt. Nothing here
merges tool results, and none changes its place without a warning.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cutaway.chat.draft import BLOCKS, Call, Draft, Notes, Text, joined_texts, plain, stripped, stripped_left, text_part
from cutaway.chat.draft import cut as cut_text
from cutaway.chat.inline_thinking import find_inline_thinking
from cutaway.chat.json_places import parse_with_places
from cutaway.chat.message import Message, Part, ToolCall
from cutaway.chat.plain import RequestError, kind_of
from cutaway.chat.template.capabilities import Capabilities
from cutaway.chat.template.roles import RARE_ROLES
from cutaway.chat.template.traits import Traits
from cutaway.chat.template.values import Sourced
from cutaway.chat.tool_results import bind_results, nest_results

MEDIA_MARKER = "<__media__>"
"""Stands for an image, a sound or a video in the text; the engine puts the embedding there."""
MEDIA_TYPES = frozenset(
    {"image", "image_url", "input_image", "audio", "input_audio", "audio_url", "video", "video_url", "input_video"}
)
REASONING_KEYS = frozenset({"reasoning_content", "reasoning", "thinking"})
KNOWN_ROLES = frozenset({"system", "developer", "root", "user", "assistant", "tool", "function"})


def normalise(
    messages: Sequence[Message], caps: Capabilities, traits: Traits, notes: Notes, *, continued: str = ""
) -> list[Draft]:
    """The messages as the template wants them. Raises `RequestError` for a role that nobody knows.

    `continued` says that the last one goes on, and in which field (or `auto`): its end stays as it is.
    """
    check_roles(messages, traits)
    drafts = [_draft(message, index, traits, notes) for index, message in enumerate(messages)]
    if traits.trims:
        _trim(drafts, notes, continued)
    _split_inline_thinking(drafts, traits, notes)
    _rename_roles(drafts, traits, notes)
    if not caps.supports_system_role:
        drafts = _fold_system(drafts, notes)
    _fill_empty_content(drafts, traits, notes)
    _read_arguments(drafts, caps, notes)
    bind_results(drafts, traits, notes)
    _name_reasoning(drafts, traits, notes)
    if traits.nests_results:
        drafts = nest_results(drafts, notes)
    if caps.supports_typed_content and not caps.supports_string_content:
        _wrap_strings(drafts, notes)
    return drafts


def check_roles(messages: Sequence[Message], traits: Traits) -> None:
    known = KNOWN_ROLES | traits.roles
    for index, message in enumerate(messages):
        if message.role not in known:
            field = f"messages[{index}].role"
            raise RequestError(field, f"{field} is {message.role[:80]!r}; this template knows {_listed(known)}.")


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names))


# -- Reading one message --------------------------------------------------------------------------------------


def _draft(message: Message, index: int, traits: Traits, notes: Notes) -> Draft:
    path = f"messages[{index}]"
    draft = Draft(index, message, message.role, _content(message, path, traits, notes))
    if message.reasoning_content:
        draft.reasoning = (Sourced(message.reasoning_content, f"{path}.{message.reasoning_key}"),)
    draft.calls = [_call(call, path, i) for i, call in enumerate(message.tool_calls)]
    if message.tool_call_id:
        draft.tool_call_id = Sourced(message.tool_call_id, f"{path}.tool_call_id")
    if message.name:
        draft.name = Sourced(message.name, f"{path}.name")
    draft.more = {key: Sourced(value, f"{path}.{key}") for key, value in message.extra.items() if value is not None}
    return draft


def _call(call: ToolCall, path: str, index: int) -> Call:
    path = f"{path}.function_call" if call.older else f"{path}.tool_calls[{index}]"
    function = path if call.older else f"{path}.function"
    return Call(
        path=path,
        name=Sourced(call.name, f"{function}.name"),
        arguments=Sourced(call.arguments, f"{function}.arguments"),
        id=Sourced(call.id, f"{path}.id") if call.id else None,
        extra={key: Sourced(value, f"{path}.{key}") for key, value in call.extra.items()},
        keys=call.keys,
    )


def _content(message: Message, path: str, traits: Traits, notes: Notes) -> Text | list[Any] | None:
    path = f"{path}.content"
    if message.content is None:
        return None
    if isinstance(message.content, str):
        return (Sourced(message.content, path),) if message.content else ()
    parts = message.content
    has_media = any(part.type in MEDIA_TYPES for part in parts)
    if has_media:
        notes.add("media-marker", f"{path} holds media; {MEDIA_MARKER} stands in their place.", path)
    elif _trained_role(message.role, traits) in traits.list_roles:
        return [_part_value(part, f"{path}[{i}]") for i, part in enumerate(parts)]
    elif len(parts) > 1:
        notes.add("parts-joined", f"{path} is a list; the template takes text, so its parts were joined.", path)
    return _join_parts(parts, path, notes)


def _trained_role(role: str, traits: Traits) -> str:
    """The role as whose the message is going to be given."""
    return "system" if role in RARE_ROLES and role not in traits.roles else role


def _part_value(part: Part, path: str) -> dict[str, Any]:
    value: dict[str, Any] = {"type": Sourced(part.type, f"{path}.type")}
    if part.type == "text":
        value["text"] = Sourced(part.text, f"{path}.text")
    return value | {key: Sourced(one, f"{path}.{key}") for key, one in part.extra.items()}


def _join_parts(parts: Sequence[Part], path: str, notes: Notes) -> Text:
    """Text parts with a newline between them, but none beside a media marker."""
    pieces: list[Sourced] = []
    after_marker = False
    for i, part in enumerate(parts):
        where = f"{path}[{i}]"
        if part.type in MEDIA_TYPES:
            pieces.append(Sourced(MEDIA_MARKER, where, None))
            after_marker = True
        elif part.type == "text":
            if pieces and not after_marker:
                pieces.append(Sourced("\n", f"{where}.text", None))
            pieces.append(Sourced(part.text, f"{where}.text"))
            after_marker = False
        else:
            notes.add("part-dropped", f"{where} is of type {part.type!r}, which this template can't take.", where)
    return tuple(piece for piece in pieces if piece.value)


# -- Repairs, in order ----------------------------------------------------------------------------------------


def _trim(drafts: list[Draft], notes: Notes, continued: str) -> None:
    """For families whose models go astray on blanks at the ends of a text."""
    for draft in drafts:
        before = (draft.content, draft.reasoning)
        goes_on = continued if draft is drafts[-1] else ""
        reasoning_goes_on = goes_on == "reasoning_content" or (goes_on == "auto" and not draft.content)
        draft.reasoning = (stripped_left if reasoning_goes_on else stripped)(draft.reasoning)
        if isinstance(draft.content, list):
            draft.content = draft.content if goes_on else [_trimmed_part(part) for part in draft.content]
        elif draft.content is not None:
            draft.content = (stripped_left if goes_on else stripped)(draft.content)
        if (draft.content, draft.reasoning) != before:
            notes.add("trimmed", f"Blanks at the ends of {draft.path} were cut, as this family needs.", draft.path)


def _trimmed_part(part: dict[str, Any]) -> dict[str, Any]:
    if "text" not in part:
        return part
    pieces = stripped((part["text"],))
    return {**part, "text": pieces[0] if pieces else Sourced("", part["text"].path)}


def _split_inline_thinking(drafts: list[Draft], traits: Traits, notes: Notes) -> None:
    if not traits.reasoning:
        return
    for draft in drafts:
        if draft.role != "assistant" or draft.reasoning or not isinstance(draft.content, tuple):
            continue
        found = find_inline_thinking(plain(draft.content))
        if found is None or (not found.closed and draft is not drafts[-1]):
            continue
        whole = draft.content
        draft.reasoning = cut_text(whole, found.start, found.end)
        draft.content = cut_text(whole, found.answer, len(plain(whole)))
        message = f"{draft.path}.content began with {found.opener}; that block was given to the template as reasoning."
        notes.add("inline-thinking", message, f"{draft.path}.content")


def _rename_roles(drafts: list[Draft], traits: Traits, notes: Notes) -> None:
    for draft in drafts:
        if draft.role == "function" and "function" not in traits.roles:
            message = f"{draft.path} has the older role function; it was given as tool."
            notes.add("function-to-tool", message, f"{draft.path}.role")
            draft.role = "tool"
        if draft.role in RARE_ROLES and draft.role not in traits.roles:
            message = f"This template has no {draft.role} role; {draft.path} was given as system."
            notes.add(f"{draft.role}-to-system", message, f"{draft.path}.role")
            draft.role = "system"


def _fold_system(drafts: list[Draft], notes: Notes) -> list[Draft]:
    """A system text goes in front of the message after it; one that stands last becomes a user's."""
    folded: list[Draft] = []
    waiting: list[Draft] = []
    for draft in drafts:
        if draft.role == "system":
            waiting.append(draft)
            continue
        if waiting:
            draft.content = joined_texts([*(one.text() for one in waiting), draft.text()], "\n")
            for one in waiting:
                message = f"This template has no system role; {one.path} was put in front of {draft.path}."
                notes.add("system-folded", message, one.path)
            waiting = []
        folded.append(draft)
    for draft in waiting:
        notes.add("system-as-user", f"This template has no system role; {draft.path} was given as user.", draft.path)
        draft.role = "user"
        folded.append(draft)
    return folded


def _fill_empty_content(drafts: list[Draft], traits: Traits, notes: Notes) -> None:
    """Null content becomes an empty text, but for calls where the template asks whether it is none."""
    for draft in drafts:
        if draft.content is None and draft.calls and traits.needs_null:
            draft.null_content = True
        elif draft.content is None or draft.content == []:
            if "content" in draft.message.keys and not draft.calls:
                notes.add("empty-content", f"{draft.path}.content is null; read as an empty text.", draft.path)
            draft.content = ()


def _read_arguments(drafts: list[Draft], caps: Capabilities, notes: Notes) -> None:
    """Where the template walks through a call's arguments it gets the object; text that is none stays text."""
    if not caps.supports_object_arguments:
        return
    for draft in drafts:
        for call in draft.calls:
            call.arguments = _arguments_object(call.arguments, notes)


def _arguments_object(text: Sourced, notes: Notes) -> Any:
    if not text.value.strip():
        notes.add("empty-arguments", f"{text.path} is empty; read as an object without members.", text.path)
        return {}
    try:
        value = parse_with_places(text.value, text.path)
    except ValueError as error:
        message = f"{text.path} is no valid JSON ({error}); the template was given its text."
        notes.add("arguments-not-json", message, text.path)
        return text
    if value is None:
        notes.add("empty-arguments", f"{text.path} is null; read as an object without members.", text.path)
        return {}
    if isinstance(value, Sourced):
        value = _object_in_string(value, notes)
    if not isinstance(value, dict):
        kind = kind_of(value.value if isinstance(value, Sourced) else value)
        message = f"{text.path} is {kind}, no object; the template was given it as it is."
        notes.add("arguments-no-object", message, text.path)
        return value if isinstance(value, Sourced) else Sourced(value, text.path)
    return value


def _object_in_string(text: Sourced, notes: Notes) -> Any:
    """Arguments that were made JSON twice: a string of JSON that holds JSON."""
    try:
        value = json.loads(text.value)
    except (ValueError, RecursionError):
        return text
    if not isinstance(value, dict):
        return text
    notes.add("arguments-doubly-encoded", f"{text.path} is JSON inside a JSON string; the inner was used.", text.path)
    return {key: Sourced(one, text.path, None) for key, one in value.items()}


def _name_reasoning(drafts: list[Draft], traits: Traits, notes: Notes) -> None:
    """Reasoning under the key that the template reads.

    One exception: what a client sends as `reasoning_content` stays that for a template that reads `reasoning`, as
    other engines do it; a warning tells that it is not read.
    """
    for draft in drafts:
        path = draft.reasoning[0].path if draft.reasoning else ""
        if traits.reasoning == "reasoning" and draft.message.keys and path.endswith(".reasoning_content"):
            notes.add("reasoning-not-read", f"This template reads reasoning, not reasoning_content: {path}.", path)
        elif traits.reasoning:
            draft.reasoning_key = traits.reasoning
            if path and traits.reasoning == BLOCKS:
                notes.add("reasoning-as-part", f"This template takes reasoning as a part of the content: {path}.", path)
            elif path and path.rpartition(".")[2] in REASONING_KEYS and not path.endswith(f".{traits.reasoning}"):
                notes.add("reasoning-renamed", f"This template reads {traits.reasoning}; it was given {path}.", path)
        elif path:
            notes.add("reasoning-not-read", f"This template has no place for reasoning: {path} is left out.", path)


def _wrap_strings(drafts: list[Draft], notes: Notes) -> None:
    """Texts as one part; that of a tool result has its name, as MiniMax's templates read it."""
    if any(isinstance(draft.content, tuple) for draft in drafts):
        notes.add("text-as-parts", "This template takes lists of parts only; each text was given as one part.")
    for draft in drafts:
        if isinstance(draft.content, tuple):
            named = {"name": draft.name} if draft.role == "tool" and draft.name is not None else {}
            draft.content = [text_part(draft.content) | named]
