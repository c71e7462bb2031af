"""Reads the keys of a call that is one JSON object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cutaway.chat.formats.format import NO_ID, CallId, IdKind, JsonCall

from .turn import SaidCall


def read_json_call(value: Mapping[str, Any], call: SaidCall, second: Mapping[str, Any] | None) -> JsonCall | None:
    """The body of such calls; None where the object does not hold name and arguments in a way that can be said.

    `second` is the next call's object: what differs there and is neither name nor arguments is an id.
    """
    arguments = json.loads(call.arguments)
    if list(value) == [call.name] and value[call.name] == arguments:
        return JsonCall(name_key="", arguments_key="", name_is_key=True)
    for key, inner in value.items():
        if isinstance(inner, Mapping) and inner != arguments and call.name in inner.values():
            return _wrapped(key, inner, value, call, second)
    return _flat(value, call, second)


def _wrapped(
    key: str, inner: Mapping[str, Any], outer: Mapping[str, Any], call: SaidCall, second: Mapping[str, Any] | None
) -> JsonCall | None:
    flat = _flat(inner, call, None)
    if flat is None:
        return None
    id_key, constants = _beside(outer, {key}, call, second)
    return JsonCall(
        name_key=flat.name_key,
        arguments_key=flat.arguments_key,
        id_key=id_key,
        wrapper_key=key,
        constants=constants,
        order=tuple(outer),
    )


def _flat(value: Mapping[str, Any], call: SaidCall, second: Mapping[str, Any] | None) -> JsonCall | None:
    arguments = json.loads(call.arguments)
    name_key = next((key for key, inner in value.items() if inner == call.name), None)
    arguments_key = next(
        (key for key, inner in value.items() if inner == arguments or _same_json(inner, arguments)), None
    )
    if name_key is None or arguments_key is None:
        return None
    id_key, constants = _beside(value, {name_key, arguments_key}, call, second)
    return JsonCall(
        name_key=name_key, arguments_key=arguments_key, id_key=id_key, constants=constants, order=tuple(value)
    )


def _same_json(text: object, value: object) -> bool:
    try:
        return isinstance(text, str) and bool(json.loads(text) == value)
    except ValueError:
        return False


def _beside(
    value: Mapping[str, Any], known: set[str], call: SaidCall, second: Mapping[str, Any] | None
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """(the id's key, the keys that say the same in every call)."""
    id_key, constants = "", []
    for key, inner in value.items():
        if key in known:
            continue
        if inner == call.id or (second is not None and second.get(key) != inner) or ("id" in key and not second):
            id_key = key
        elif isinstance(inner, str):
            constants.append((key, inner))
    return id_key, tuple(constants)


def json_id(value: Mapping[str, Any], body: JsonCall, call: SaidCall, strict: bool) -> CallId:
    """How the id in a call's object is made. `strict`: the template refuses ids of any other shape."""
    if not body.id_key:
        return NO_ID
    written = value[body.id_key]
    kind: IdKind = "nine" if strict else "model"
    start = 0
    if written != call.id and str(written).isdecimal():
        kind, start = "decimal", int(written)
    return CallId(kind, "in_json", start=start)
