"""Repairs that only some templates demand, made when a template refuses a conversation and not before.

Each is tried on top of the ones before it. Where none helps, the template's first error stands as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from cutaway.chat.draft import Call, Draft, Notes, joined_texts
from cutaway.chat.prompt import Warning
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.values import Sourced

T = TypeVar("T")

ID_LENGTH = 9
_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def render_as_demanded(drafts: list[Draft], render: Callable[[list[Draft]], T], notes: Notes) -> tuple[list[Draft], T]:
    """The drafts that the template accepts, and their rendering. Raises the template's first error."""
    try:
        return drafts, render(drafts)
    except TemplateError as error:
        if error.kind in ("limit", "security", "syntax"):
            raise
        refusal = error
    made = Notes()
    for repair in (_nine_character_ids, _thinking_instead_of_content, _arguments_wrapped, _alternating):
        repaired = repair(drafts, made)
        if repaired is None:
            continue
        drafts = repaired
        try:
            rendered = render(drafts)
        except TemplateError:
            continue
        notes.warnings.extend(_because(made.warnings, refusal))
        return drafts, rendered
    raise refusal


def _because(warnings: list[Warning], refusal: TemplateError) -> list[Warning]:
    return [replace(one, message=f"{one.message} The template had refused: {refusal.message}") for one in warnings]


# -- Call ids -------------------------------------------------------------------------------------------------


def _nine_character_ids(drafts: list[Draft], notes: Notes) -> list[Draft] | None:
    """Ids of nine alphanumerics, as Mistral's families demand; the same id gives the same nine."""
    if not any(draft.calls or draft.role == "tool" for draft in drafts):
        return None
    names = _Ids()
    repaired = [_renamed(draft, names, notes) for draft in drafts]
    return repaired if notes.warnings else None


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


def _thinking_instead_of_content(drafts: list[Draft], notes: Notes) -> list[Draft] | None:
    """gpt-oss takes reasoning or content beside calls, not both; the content is left out."""
    repaired = []
    for draft in drafts:
        if draft.calls and draft.reasoning and draft.text():
            message = f"This template takes reasoning or content beside calls; {draft.path}.content was left out."
            notes.add("content-dropped", message, f"{draft.path}.content")
            draft = replace(draft, content=())
        repaired.append(draft)
    return repaired if any(a is not b for a, b in zip(repaired, drafts, strict=True)) else None


def _arguments_wrapped(drafts: list[Draft], notes: Notes) -> list[Draft] | None:
    """Arguments that are no JSON object, for templates that can only walk through one: its text as a member."""
    changed = False
    repaired = []
    for draft in drafts:
        calls = []
        for call in draft.calls:
            if isinstance(call.arguments, Sourced):
                path = call.arguments.path
                notes.add("arguments-wrapped", f"{path} was put into an object, as its member `arguments`.", path)
                call = replace(call, arguments={"arguments": call.arguments})
                changed = True
            calls.append(call)
        repaired.append(replace(draft, calls=calls))
    return repaired if changed else None


def _alternating(drafts: list[Draft], notes: Notes) -> list[Draft] | None:
    """Neighbouring messages of the same speaker as one, a blank line between them; tool results stay single."""
    merged: list[Draft] = []
    for draft in drafts:
        last = merged[-1] if merged else None
        if last is None or not _mergeable(last, draft):
            merged.append(draft)
            continue
        content = joined_texts([last.text(), draft.text()], "\n\n")
        reasoning = joined_texts([last.reasoning, draft.reasoning], "\n\n")
        merged[-1] = replace(last, content=content, reasoning=reasoning, calls=draft.calls)
        message = f"This template wants speakers to alternate; {draft.path} was joined to {last.path}."
        notes.add("messages-joined", message, draft.path)
    return merged if len(merged) < len(drafts) else None


def _mergeable(last: Draft, draft: Draft) -> bool:
    return last.role == draft.role and draft.role in ("user", "assistant") and not last.calls
