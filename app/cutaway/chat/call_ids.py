"""The ids of calls: made where the model writes none, and converted when a conversation moves to another family.

Nothing here is random: an id follows from its place in the conversation, so the same turn read twice gives
the same ids.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from cutaway.chat.formats.format import CallId
from cutaway.chat.message import Message

NO_RULE = CallId()

_NINE = re.compile(r"[a-zA-Z0-9]{9}")
_DECIMAL = re.compile(r"[0-9]+")
_ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def make(rule: CallId, name: str, index: int) -> str:
    """The id of the call that is the `index`-th of the conversation, counted from 0."""
    number = rule.start + index
    if rule.kind == "composed":
        return f"functions.{name}{rule.prefix or ':'}{number}"
    if rule.kind in ("positional", "decimal"):
        return str(number)
    if rule.kind == "nine":
        return _nine(f"{index}:{name}")
    return f"call_{index}"


def fits(rule: CallId, id: str) -> bool:
    """Whether an id can be written in a format of this rule as it is."""
    if rule.kind == "nine":
        return bool(_NINE.fullmatch(id))
    if rule.kind in ("decimal", "positional"):
        return bool(_DECIMAL.fullmatch(id))
    if rule.kind == "composed":
        return bool(re.fullmatch(r"functions\..+:[0-9]+", id))
    return True


def convert(rule: CallId, id: str, name: str, index: int, taken: Collection[str] = ()) -> str:
    """The id for a call of another family's conversation: its own where it fits, else one made for its place.

    Two different ids never become one: `taken` are those already in use.
    """
    wanted = id if id and fits(rule, id) else make(rule, name, index)
    step = index
    while wanted in taken and wanted != id:
        step += 1
        wanted = make(rule, name, step)
    return wanted


def _nine(seed: str) -> str:
    number = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")
    letters = []
    for _ in range(9):
        number, digit = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[digit])
    return "".join(letters)


def in_family(rule: CallId, messages: Sequence[Message]) -> tuple[Message, ...]:
    """A conversation with the ids of another family's calls made to fit the rule, in calls and results alike.

    Ids that fit stay. For a conversation that moves to another model; a template that is only shown someone's
    messages gets their ids as they are.
    """
    renamed: dict[str, str] = {}
    taken = {call.id for message in messages for call in message.tool_calls if call.id and fits(rule, call.id)}
    moved, index = [], 0
    for message in messages:
        calls = []
        for call in message.tool_calls:
            id = call.id if call.id in taken else convert(rule, call.id, call.name, index, taken)
            taken.add(id)
            renamed[call.id] = id
            calls.append(replace(call, id=id))
            index += 1
        result = message.tool_call_id
        moved.append(
            replace(message, tool_calls=tuple(calls), tool_call_id=renamed.get(result, result) if result else result)
        )
    return tuple(moved)
