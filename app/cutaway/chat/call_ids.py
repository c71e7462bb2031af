"""The ids of calls: made where the model writes none, and converted when a conversation moves to another family.

Nothing here is random: an id follows from its place in the conversation, so the same turn read twice gives
the same ids.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection

from cutaway.chat.formats.format import CallId

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
