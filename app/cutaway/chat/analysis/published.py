"""Reads a `response_template`, the description of outputs that a model's maker may ship in `tokenizer_config.json`.

It describes fields with openers and closers; what it says in literals (and in patterns that are literals around
named groups) becomes a format. What it says otherwise is refused with a sentence, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cutaway.chat.formats.format import (
    Body,
    Calls,
    Format,
    JsonCall,
    Marker,
    NamedCall,
    Reasoning,
    TaggedCall,
    Wrapper,
)

from .split import MARKER

REASONING_FIELDS = ("thinking", "reasoning_content", "reasoning")

_PIECE = re.compile(
    r"""\(\?P<(?P<name>\w+)>(?:\\.|\[(?:\\.|[^\]])*\]|[^()\\\[])*\)   # a named group without groups inside
      | (?P<blank>\\s[*+]?\??|[ \n]\*)                               # blanks that may or must stand there
      | \\n(?![*+?{]) (?P<newline>)
      | \\(?P<escaped>[^\w\s])(?![*+?{])                             # an escaped character
      | (?P<plain>[^\\()\[\]{}.*+?^$|])(?![*+?{])""",
    re.VERBOSE,
)


class PublishedError(Exception):
    """A response template that is malformed or says more than a format can. The message is a sentence."""


def published_format(template: object) -> Format:
    """The format that a response template describes. Raises `PublishedError`."""
    if not isinstance(template, Mapping) or not isinstance(template.get("fields"), Mapping):
        raise PublishedError("The response template is no object with fields.")
    fields: Mapping[str, Any] = template["fields"]
    for name, field in fields.items():
        if not isinstance(field, Mapping):
            raise PublishedError(f"The response template's field {name!r} is no object.")
    content = fields.get("content", {})
    return Format(
        "response-template",
        reasoning=next((_reasoning(fields[name]) for name in REASONING_FIELDS if name in fields), None),
        content=(Wrapper(Marker(_first(content, "open")), Marker(_first(content, "close"))),)
        if _texts(content, "open")
        else (),
        calls=_calls(fields["tool_calls"]) if "tool_calls" in fields else None,
        ends=() if _texts(content, "open") else _texts(content, "close"),
    )


def _texts(field: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The literals under a key, trimmed; a pattern stands for its literal where it has no group."""
    given = field.get(key)
    if given is None and f"{key}_pattern" in field:
        return ("".join(piece for piece in _pieces(field[f"{key}_pattern"]) if not piece.startswith("\0")).strip(),)
    found = [given] if isinstance(given, str) else given or []
    if not isinstance(found, Sequence) or not all(isinstance(text, str) for text in found):
        raise PublishedError(f"The response template's {key} is neither a text nor a list of texts.")
    return tuple(text.strip() for text in found if text.strip())


def _first(field: Mapping[str, Any], key: str) -> str:
    return next(iter(_texts(field, key)), "")


def _reasoning(field: Mapping[str, Any]) -> Reasoning:
    opens, closes = _texts(field, "open"), _texts(field, "close")
    if not closes:
        raise PublishedError("The response template does not say what closes the reasoning.")
    return Reasoning(
        Marker(opens[0] if opens else ""), Marker(closes[0]), other_opens=opens[1:], other_closes=closes[1:]
    )


# -- Calls ---------------------------------------------------------------------------------------------------


def _calls(field: Mapping[str, Any]) -> Calls:
    closes = _texts(field, "close")
    close = Marker(closes[0]) if closes else Marker()
    kind = field.get("content", "text")
    repeats = bool(field.get("repeats"))
    if kind == "json" and "open" in field:
        opens = _texts(field, "open")
        array = bool(field.get("transform_each")) or not repeats
        body = _json_body(field.get("transform"))
        if array:
            return Calls(body, Marker(opens[0]), close, array=True, other_opens=opens[1:], other_closes=closes[1:])
        return Calls(body, call_open=Marker(opens[0]), call_close=close, other_opens=opens[1:], other_closes=closes[1:])
    if kind in ("json", "xml-inline") and "open_pattern" in field:
        head = _head(field["open_pattern"])
        body_of_call: Body = NamedCall(head.prefix, head.suffix) if kind == "json" else _tagged(head, field)
        return Calls(body_of_call, call_open=Marker(head.opener), call_close=close, parallel=repeats)
    raise PublishedError(f"The response template reads tool calls as {kind!r}, which no format here says.")


def _json_body(transform: object) -> JsonCall:
    """`{content}` as it is, or name and arguments from keys of their own."""
    function = transform.get("function") if isinstance(transform, Mapping) else None
    if isinstance(function, Mapping):
        keys = [str(function.get(key, "")).strip("{}").removeprefix("content.") for key in ("name", "arguments")]
        if all(keys):
            return JsonCall(name_key=keys[0], arguments_key=keys[1])
    return JsonCall()


@dataclass(frozen=True, slots=True)
class _Head:
    opener: str
    prefix: str
    suffix: str


def _head(pattern: object) -> _Head:
    """What stands before and behind the name that a pattern captures."""
    pieces = _pieces(pattern)
    if pieces.count("\0name") != 1:
        raise PublishedError("The response template's pattern for a call captures no name.")
    at = pieces.index("\0name")
    before, after = "".join(pieces[:at]), "".join(pieces[at + 1 :])
    if "\0" in before + after:
        raise PublishedError("The response template's pattern for a call captures more than a name.")
    marker = MARKER.match(before)
    opener = marker.group() if marker else before.strip()
    return _Head(opener, before[len(opener) :].strip(), after.strip())


def _tagged(head: _Head, field: Mapping[str, Any]) -> TaggedCall:
    arguments = field.get("content_args")
    pieces = _pieces(arguments.get("tag_pattern") if isinstance(arguments, Mapping) else None)
    if [piece for piece in pieces if piece.startswith("\0")] != ["\0key", "\0value"]:
        raise PublishedError("The response template's pattern for an argument captures no key and value in this order.")
    key, value = pieces.index("\0key"), pieces.index("\0value")
    parts = ("".join(pieces[:key]), "".join(pieces[key + 1 : value]), "".join(pieces[value + 1 :]))
    return TaggedCall(head.prefix, head.suffix, parts[0].strip(), parts[1].strip(), "", parts[2].strip())


def _pieces(pattern: object) -> list[str]:
    """A pattern as literals and `\\0NAME` for named groups; blanks that may stand there are left out."""
    if not isinstance(pattern, str):
        raise PublishedError("The response template's pattern is no text.")
    pieces: list[str] = []
    at = 0
    while at < len(pattern):
        found = _PIECE.match(pattern, at)
        if found is None:
            raise PublishedError(f"The response template's pattern {pattern!r} is more than literals and named groups.")
        if found["name"]:
            pieces.append("\0" + found["name"])
        elif found["blank"] is None:
            pieces.append(found["escaped"] or found["plain"] or "\n")
        at = found.end()
    return pieces
