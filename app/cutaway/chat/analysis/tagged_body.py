"""Reads a call whose arguments stand one by one: between tags, in a call expression, or in a dictionary of its own."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Literal

from cutaway.chat.formats.format import Body, DictCall, PythonCall, TaggedCall, ValueType

from .places import CallPlaces, call_places
from .probes import Prober
from .split import MARKER, common_prefix, common_suffix
from .turn import Said, SaidCall, Turn


@dataclass(frozen=True, slots=True)
class Tags:
    """The texts of one call, blanks included, by their place."""

    after_name: str
    """From the name to the first argument, or to the close where there is none."""
    before_key: str
    after_key: str
    """From a key to its string value."""
    after_value: str
    between: str
    """Between two arguments, beside what stands around each."""
    close: str
    """From the last argument on: the call's end, the section's, the turn's."""


def read_tags(prober: Prober, full: Turn, places: CallPlaces, empty: str | None) -> Tags | None:
    """Compares the gaps of a call with three string arguments, and those of a call with none (`empty`)."""
    keys, values = places.keys, places.values
    if len(values) < 3 or any(value.start < key.end for key, value in zip(keys, values, strict=True)):
        return None
    after_keys = [full.between(key, value) for key, value in zip(keys, values, strict=True)]
    if len(set(after_keys)) > 1:
        return None
    first = full.between(places.name, keys[0])
    middles = [full.between(values[0], keys[1]), full.between(values[1], keys[2])]
    if middles[0] != middles[1]:
        return None
    rest = full.between(values[-1], None)
    before_key = common_suffix((first, middles[0])).lstrip()
    after_value = common_prefix((middles[0][: len(middles[0]) - len(before_key)], rest))
    between = middles[0][len(after_value) : len(middles[0]) - len(before_key)]
    after_name = first[: len(first) - len(before_key)]
    if empty is not None:
        shared = common_prefix((first, empty))
        if len(shared) < len(after_name) or not before_key:
            after_name, before_key = shared, first[len(shared) :]
    return Tags(after_name, before_key, after_keys[0], after_value, between, rest[len(after_value) :])


def body_of(tags: Tags, name_prefix: str, close: str, prober: Prober, write: Turn | None) -> Body:
    """The body that the tags are those of. `write` is a call whose arguments are of every type."""
    if _is_python(tags):
        return PythonCall(list_open="", list_close="", separator="")
    if tags.after_name == "{" and tags.after_key.startswith(":") and MARKER.fullmatch(tags.after_key[1:]):
        return DictCall(name_prefix=name_prefix, quote=tags.after_key[1:])
    key_suffix, value_prefix = _halves(tags.after_key)
    typed = _types(tags, write)
    if typed:
        key_suffix, value_prefix = typed.prefix.partition(" ")[0], ""
        typed = replace(typed, prefix=typed.prefix.removeprefix(key_suffix))
    return TaggedCall(
        name_prefix=name_prefix,
        name_suffix=tags.after_name,
        key_prefix=tags.before_key,
        key_suffix=key_suffix,
        value_prefix=value_prefix,
        value_suffix=tags.after_value,
        close=close,
        separator=tags.between,
        type=typed,
        literals=_literals(tags, write),
    )


def _is_python(tags: Tags) -> bool:
    quote = tags.after_key[-1:]
    return (
        tags.after_name == "("
        and not tags.before_key
        and tags.after_key.strip() in ("='", '="')
        and tags.after_value + tags.between == quote + ", "
    )


def _halves(text: str) -> tuple[str, str]:
    """What closes a key and what opens its value: `</arg_key>\\n` and `<arg_value>`."""
    last = None
    for last in MARKER.finditer(text):  # noqa: B007
        pass
    if last is None or last.start() == 0 or text[last.end() :].strip():
        return text, ""
    return text[: last.start()], text[last.start() :]


# -- Types ---------------------------------------------------------------------------------------------


def typed_call(prober: Prober) -> SaidCall:
    """A call with a string, a number, a truth value, null, a list and an object."""
    values = prober.values
    given = {
        values.keys[0]: values.strings[0],
        values.keys[1]: 70341,
        values.keys[2]: True,
        values.keys[0] + "N": None,
        values.keys[1] + "L": [70342, True],
        values.keys[2] + "O": {values.strings[1]: None, values.strings[2]: "it's"},
    }
    return SaidCall(values.names[0], json.dumps(given), values.ids[0])


def typed_turn(prober: Prober) -> Turn | None:
    return prober.turn(Said("", "", (typed_call(prober),)))


def written_values(tags: Tags, turn: Turn | None) -> dict[str, tuple[str, str]]:
    """By the value's JSON type: what stands between its key and it, and the value as the template writes it."""
    found = None if turn is None else call_places(turn)
    if turn is None or not found:
        return {}
    places = found[0]
    written: dict[str, tuple[str, str]] = {}
    for index, key in enumerate(places.keys):
        value = places.arguments[turn.text[key.start : key.end]]
        begin = key.end
        end = places.keys[index + 1].start if index + 1 < len(places.keys) else None
        text = turn.text[begin : len(turn.text) if end is None else end]
        at = text.rfind(tags.after_value) if end is not None else text.find(tags.after_value)
        if not tags.after_value or at < 0:
            return {}
        lead = text[: text.find(value)] if isinstance(value, str) else _lead(tags.after_key, text)
        written[_json_type(value)] = (lead, text[len(lead) : at])
    return written


def _lead(after_key: str, text: str) -> str:
    """What stands before a value that is no string: as before a string, but for the type's text."""
    if text.startswith(after_key):
        return after_key
    start = common_prefix((after_key, text))
    for at in range(len(start) + 1, len(after_key)):
        end = text.find(after_key[at:], len(start))
        if end >= 0:
            return text[: end + len(after_key) - at]
    return start


def _json_type(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    names = {str: "string", int: "number", type(None): "null", list: "array", dict: "object"}
    return names[type(value)]


def _types(tags: Tags, turn: Turn | None) -> ValueType | None:
    """The type's text, where the template writes one beside each value."""
    leads = {kind: lead for kind, (lead, _) in written_values(tags, turn).items()}
    if len(set(leads.values())) < 2 or "string" not in leads:
        return None
    prefix = common_prefix(leads.values())
    suffix = common_suffix(leads.values())
    words = {kind: lead[len(prefix) : len(lead) - len(suffix)] for kind, lead in leads.items()}
    others = tuple(dict.fromkeys(word for kind, word in words.items() if kind != "string"))
    if not words["string"] or words["string"] in others:
        return None
    return ValueType(prefix, suffix, words["string"], others)


def _literals(tags: Tags, turn: Turn | None) -> Literal["json", "python"]:
    shown = [text.strip() for _, text in written_values(tags, turn).values()]
    return "python" if {"True", "None"} & set(shown) else "json"
