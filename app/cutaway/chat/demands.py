"""Repairs that only some templates demand, made when a template refuses a conversation and not before.

Each is tried alone, then all of them together without those that turn out not to be needed. Where nothing helps, the
template's first error stands as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from cutaway.chat.draft import Call, Conversation, Draft, Notes, joined_texts
from cutaway.chat.prompt import Warning
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.values import Sourced

T = TypeVar("T")

ID_LENGTH = 9
EMPTY_PARAMETERS = {"type": "object", "properties": {}}
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def render_as_demanded(
    conversation: Conversation, render: Callable[[Conversation], T], notes: Notes
) -> tuple[Conversation, T]:
    """The conversation as the template accepts it, and its rendering. Raises the template's first error."""
    try:
        return conversation, render(conversation)
    except TemplateError as error:
        if error.kind in ("limit", "security", "syntax"):
            raise
        refusal = error
    attempts = (_attempt(conversation, repairs, render) for repairs in (*((one,) for one in _REPAIRS), _REPAIRS))
    found = next((attempt for attempt in attempts if attempt is not None), None)
    if found is None:
        raise refusal
    if found.repairs == _REPAIRS:
        found = _fewest(conversation, found, render)
    notes.warnings.extend(_because(found.notes.warnings, refusal))
    return found.conversation, found.rendered


@dataclass(frozen=True, slots=True)
class _Accepted(Generic[T]):
    repairs: tuple[Repair, ...]
    conversation: Conversation
    rendered: T
    notes: Notes


def _attempt(
    conversation: Conversation, repairs: tuple[Repair, ...], render: Callable[[Conversation], T]
) -> _Accepted[T] | None:
    notes = Notes()
    repaired = _repaired(conversation, repairs, notes)
    if repaired is None:
        return None
    try:
        return _Accepted(repairs, repaired, render(repaired), notes)
    except TemplateError:
        return None


def _fewest(conversation: Conversation, found: _Accepted[T], render: Callable[[Conversation], T]) -> _Accepted[T]:
    """The same without each repair that the template does not miss."""
    for repair in _REPAIRS:
        fewer = tuple(one for one in found.repairs if one is not repair)
        found = _attempt(conversation, fewer, render) or found
    return found


def _repaired(conversation: Conversation, repairs: tuple[Repair, ...], notes: Notes) -> Conversation | None:
    """The conversation after some repairs; None where none of them has anything to do."""
    before = conversation
    for repair in repairs:
        conversation = repair(conversation, notes) or conversation
    return None if conversation is before else conversation


def _because(warnings: list[Warning], refusal: TemplateError) -> list[Warning]:
    return [replace(one, message=f"{one.message} The template had refused: {refusal.message}") for one in warnings]


# -- Call ids -------------------------------------------------------------------------------------------------


def _nine_character_ids(conversation: Conversation, notes: Notes) -> Conversation | None:
    """Ids of nine alphanumerics, as Mistral's families demand; the same id gives the same nine."""
    names = _Ids()
    before = len(notes.warnings)
    repaired = [_renamed(draft, names, notes) for draft in conversation.drafts]
    return conversation.with_drafts(repaired) if len(notes.warnings) > before else None


class _Ids:
    """Old ids to new ones, without collisions; calls without an id get one, their results the same."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        self.waiting: list[str] = []

    def of(self, old: str) -> str:
        if old not in self.known:
            attempt = 0
            new = old if _is_nine(old) else short_id(old)
            while new in self.known.values():
                attempt += 1
                new = short_id(f"{old}#{attempt}")
            self.known[old] = new
        return self.known[old]


def _is_nine(text: str) -> bool:
    return len(text) == ID_LENGTH and text.isascii() and text.isalnum()


def short_id(text: str) -> str:
    """Nine alphanumerics that depend on the text only."""
    number = int.from_bytes(hashlib.sha256(text.encode("utf-8", "replace")).digest()[:8])
    digits = []
    for _ in range(ID_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits.append(_ALPHABET[digit])
    return "".join(digits)


def _renamed(draft: Draft, names: _Ids, notes: Notes) -> Draft:
    calls = [_renamed_call(call, names, notes) for call in draft.calls]
    if calls:
        names.waiting = [call.id.value for call in calls]
    result_id = draft.tool_call_id
    if draft.role == "tool":
        result_id = _result_id(draft, names, notes)
    return replace(draft, calls=calls, tool_call_id=result_id)


def _renamed_call(call: Call, names: _Ids, notes: Notes) -> Call:
    old = call.id.value if call.id is not None else call.path
    return replace(call, id=_id(old, f"{call.path}.id", call.id, names, notes))


def _result_id(draft: Draft, names: _Ids, notes: Notes) -> Any:
    given = draft.tool_call_id
    path = f"{draft.path}.tool_call_id"
    if given is None:
        new = names.waiting.pop(0) if names.waiting else names.of(path)
        notes.add("call-id-made", f"{path} is missing; {new} was put there.", path)
        return Sourced(new, path, None)
    new = _id(given.value, path, given, names, notes)
    if new.value in names.waiting:
        names.waiting.remove(new.value)
    return new


def _id(old: str, path: str, given: Any, names: _Ids, notes: Notes) -> Any:
    new = names.of(old)
    if given is not None and new == old:
        return given
    what = f"{path} is {old!r}, which this template doesn't take" if given is not None else f"{path} is missing"
    notes.add("call-id-changed" if given is not None else "call-id-made", f"{what}; {new} was used.", path)
    return Sourced(new, path, None)


# -- Other demands --------------------------------------------------------------------------------------------


def _thinking_instead_of_content(conversation: Conversation, notes: Notes) -> Conversation | None:
    """gpt-oss takes reasoning or content beside calls, not both; the content is left out."""
    repaired = []
    for draft in conversation.drafts:
        if draft.calls and draft.reasoning and draft.text():
            message = f"This template takes reasoning or content beside calls; {draft.path}.content was left out."
            notes.add("content-dropped", message, f"{draft.path}.content")
            draft = replace(draft, content=())
        repaired.append(draft)
    changed = any(a is not b for a, b in zip(repaired, conversation.drafts, strict=True))
    return conversation.with_drafts(repaired) if changed else None


def _arguments_wrapped(conversation: Conversation, notes: Notes) -> Conversation | None:
    """Arguments that are no JSON object, for templates that can only walk through one: its text as a member."""
    changed = False
    repaired = []
    for draft in conversation.drafts:
        calls = []
        for call in draft.calls:
            if isinstance(call.arguments, Sourced):
                path = call.arguments.path
                notes.add("arguments-wrapped", f"{path} was put into an object, as its member `arguments`.", path)
                call = replace(call, arguments={"arguments": call.arguments})
                changed = True
            calls.append(call)
        repaired.append(replace(draft, calls=calls))
    return conversation.with_drafts(repaired) if changed else None


def _alternating(conversation: Conversation, notes: Notes) -> Conversation | None:
    """Neighbouring messages of the same speaker as one, a blank line between them; tool results stay single."""
    merged: list[Draft] = []
    for draft in conversation.drafts:
        last = merged[-1] if merged else None
        if last is None or not _mergeable(last, draft):
            merged.append(draft)
            continue
        content = joined_texts([last.text(), draft.text()], "\n\n")
        reasoning = joined_texts([last.reasoning, draft.reasoning], "\n\n")
        merged[-1] = replace(last, content=content, reasoning=reasoning, calls=draft.calls)
        message = f"This template wants speakers to alternate; {draft.path} was joined to {last.path}."
        notes.add("messages-joined", message, draft.path)
    return conversation.with_drafts(merged) if len(merged) < len(conversation.drafts) else None


def _mergeable(last: Draft, draft: Draft) -> bool:
    return last.role == draft.role and draft.role in ("system", "user", "assistant") and not last.calls


def _leading_system_folded(conversation: Conversation, notes: Notes) -> Conversation | None:
    """A system text at the start in front of the message after it, where the template reads it and then refuses it."""
    drafts = conversation.drafts
    if len(drafts) < 2 or drafts[0].role != "system" or drafts[1].role != "user":
        return None
    content = joined_texts([drafts[0].text(), drafts[1].text()], "\n")
    message = f"This template has no system role; {drafts[0].path} was put in front of {drafts[1].path}."
    notes.add("system-folded", message, drafts[0].path)
    return conversation.with_drafts([replace(drafts[1], content=content), *drafts[2:]])


def _joined_parts(conversation: Conversation, notes: Notes) -> Conversation | None:
    """Lists of text parts as one text."""
    repaired = []
    for draft in conversation.drafts:
        if isinstance(draft.content, list) and draft.content:
            message = f"{draft.path}.content is a list; the template takes text, so its parts were joined."
            notes.add("parts-joined", message, f"{draft.path}.content")
            draft = replace(draft, content=draft.text())
        repaired.append(draft)
    changed = any(a is not b for a, b in zip(repaired, conversation.drafts, strict=True))
    return conversation.with_drafts(repaired) if changed else None


def _results_named(conversation: Conversation, notes: Notes) -> Conversation | None:
    """The id that a result names as its function's name, for templates that can't do without one."""
    repaired = []
    for draft in conversation.drafts:
        if draft.role == "tool" and draft.name is None:
            name = draft.tool_call_id or Sourced("tool", f"{draft.path}.role", None)
            message = f"{draft.path} is the result of no call; {name.value!r} stands in for its function's name."
            notes.add("result-named", message, f"{draft.path}.name")
            draft = replace(draft, name=name)
        repaired.append(draft)
    changed = any(a is not b for a, b in zip(repaired, conversation.drafts, strict=True))
    return conversation.with_drafts(repaired) if changed else None


def _flat_tools(conversation: Conversation, notes: Notes) -> Conversation | None:
    """Tools that have their function's members themselves as well, for templates from before the OpenAI shape."""
    tools = [{**tool["function"], **tool} for tool in conversation.tools or []]
    if not tools:
        return None
    notes.add("tools-flattened", "This template looks for a tool's name in the tool itself; it was put there.", "tools")
    return Conversation(conversation.drafts, tools)


def _flat_calls(conversation: Conversation, notes: Notes) -> Conversation | None:
    """Calls that have their function's members themselves as well, as some templates read them."""
    repaired = []
    for draft in conversation.drafts:
        calls = [
            replace(call, extra={"name": call.name, "arguments": call.arguments, **call.extra}) for call in draft.calls
        ]
        if calls:
            message = f"This template looks for a call's name in the call itself; it was put there in {draft.path}."
            notes.add("calls-flattened", message, f"{draft.path}.tool_calls")
        repaired.append(replace(draft, calls=calls))
    return conversation.with_drafts(repaired) if any(draft.calls for draft in repaired) else None


def _parameters_added(conversation: Conversation, notes: Notes) -> Conversation | None:
    """An empty schema for tools without one, for templates that walk through it without looking."""
    tools = []
    for i, tool in enumerate(given := conversation.tools or []):
        if "parameters" not in tool["function"]:
            message = f"tools[{i}].function.parameters is missing; an object without properties was put there."
            notes.add("tool-without-parameters", message, f"tools[{i}].function.parameters")
            tool = {**tool, "function": {**tool["function"], "parameters": EMPTY_PARAMETERS}}
        tools.append(tool)
    return Conversation(conversation.drafts, tools) if tools != given else None


def _described_tools(conversation: Conversation, notes: Notes) -> Conversation | None:
    """Descriptions for tools and parameters that have none, for templates that write them without looking."""
    given = conversation.tools or []
    tools = [_described(tool, f"tools[{i}].function", notes) for i, tool in enumerate(given)]
    return Conversation(conversation.drafts, tools) if tools != given else None


def _described(tool: dict[str, Any], path: str, notes: Notes) -> dict[str, Any]:
    function = {"name": tool["function"]["name"], "description": "", **tool["function"]}
    function["description"] = function["description"] or ""
    if "parameters" in function:
        function["parameters"] = _described_schema(function["parameters"])
    described = {**tool, "function": function}
    if described != tool:
        notes.add("description-added", f"{path} lacks descriptions; empty ones were put there.", path)
    return described


def _described_schema(schema: Any) -> Any:
    """The schema with a description for every property, at any depth."""
    if not isinstance(schema, dict):
        return schema
    schema = {key: _described_schema(value) if key == "items" else value for key, value in schema.items()}
    properties = schema.get("properties")
    if isinstance(properties, dict):
        schema["properties"] = {name: _described_property(one) for name, one in properties.items()}
    return schema


def _described_property(schema: Any) -> Any:
    return {"description": "", **_described_schema(schema)} if isinstance(schema, dict) else schema


def _no_tools_as_none(conversation: Conversation, notes: Notes) -> Conversation | None:
    """transformers gives a template that has no tools `none`; other engines leave the variable undefined."""
    if conversation.tools != []:
        return None
    notes.add("tools-as-none", "This template asks whether tools is none, so without tools it is given none.", "tools")
    return Conversation(conversation.drafts, None)


Repair = Callable[[Conversation, Notes], "Conversation | None"]

_REPAIRS: tuple[Repair, ...] = (
    _nine_character_ids,
    _thinking_instead_of_content,
    _arguments_wrapped,
    _alternating,
    _leading_system_folded,
    _joined_parts,
    _results_named,
    _parameters_added,
    _described_tools,
    _flat_tools,
    _flat_calls,
    _no_tools_as_none,
)
