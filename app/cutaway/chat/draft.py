"""A message on its way into a template: text in pieces that know their field, so that repairs don't lose it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from cutaway.chat.message import Message
from cutaway.chat.prompt import Warning
from cutaway.chat.template.values import Joined, Sourced, Vouched

Text: TypeAlias = tuple[Sourced, ...]
"""One text made of pieces; each piece's value is a str."""

BLOCKS = "blocks"

STANDARD_ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})


def plain(text: Text) -> str:
    return "".join(piece.value for piece in text)


def between(text: str, path: str) -> Sourced:
    """Text that a repair puts between two fields; it counts as input that belongs to the second."""
    return Sourced(text, path, None)


def joined_texts(texts: Iterable[Text], separator: str) -> Text:
    """Texts one after the other; where both sides have characters, the separator stands between them."""
    result: list[Sourced] = []
    for text in texts:
        if not plain(text):
            continue
        if result:
            result.append(between(separator, text[0].path))
        result.extend(text)
    return tuple(result)


def cut(text: Text, start: int, end: int) -> Text:
    """The characters `[start, end)`, each piece with its place moved along."""
    result: list[Sourced] = []
    at = 0
    for piece in text:
        first, last = max(start - at, 0), min(end - at, len(piece.value))
        if first < last:
            place = None if piece.start is None else piece.start + first
            result.append(Sourced(piece.value[first:last], piece.path, place))
        at += len(piece.value)
    return tuple(result)


def stripped(text: Text, blanks: str | None = None) -> Text:
    whole = plain(text)
    start = len(whole) - len(whole.lstrip(blanks))
    return cut(text, start, max(start, len(whole.rstrip(blanks))))


def stripped_left(text: Text) -> Text:
    whole = plain(text)
    return cut(text, len(whole) - len(whole.lstrip()), len(whole))


def text_value(text: Text) -> Any:
    """What the template is given for a text."""
    if not text:
        return ""
    return text[0] if len(text) == 1 else Joined(text)


@dataclass(slots=True)
class Call:
    """One tool call, with where it was given."""

    path: str
    name: Any
    arguments: Any
    """A `Sourced` text, or the object that it says."""
    id: Any = None
    extra: dict[str, Any] = field(default_factory=dict)
    keys: tuple[str, ...] = ()


@dataclass(slots=True)
class Draft:
    """A message being fitted to a template. `index` is its place in the request."""

    index: int
    message: Message
    role: str
    content: Text | list[Any] | None
    """Pieces of one text, a list of typed parts, or none."""
    reasoning: Text = ()
    reasoning_key: str = "reasoning_content"
    """The key under which the template is given the reasoning; `BLOCKS` for a typed part of the content."""
    calls: list[Call] = field(default_factory=list)
    tool_call_id: Any = None
    name: Any = None
    more: dict[str, Any] = field(default_factory=dict)
    """Further keys for the template."""
    null_content: bool = False
    """Without content the template gets none, because it asks for that."""

    @property
    def path(self) -> str:
        return f"messages[{self.index}]"

    def text(self) -> Text:
        """The content as one text; typed parts that are text, a newline between them."""
        if isinstance(self.content, list):
            return joined_texts((_part_text(part) for part in self.content), "\n")
        return self.content or ()

    def value(self, roles: frozenset[str]) -> Sourced:
        """The object that the template gets. `roles` are those that count as the template's own words."""
        vouched = self.role in STANDARD_ROLES or self.role in roles
        value: dict[str, Any] = {"role": Vouched(self.role) if vouched else Sourced(self.role, f"{self.path}.role")}
        if self.content is not None or self.null_content:
            value["content"] = self._content_value()
        if self.reasoning and self.reasoning_key == BLOCKS:
            value["content"] = [*self._thinking(), *self._as_parts()]
        elif self.reasoning:
            value[self.reasoning_key] = text_value(self.reasoning)
        if self.name is not None:
            value["name"] = self.name
        if self.tool_call_id is not None:
            value["tool_call_id"] = self.tool_call_id
        if self.calls:
            value["tool_calls"] = [_call_value(call) for call in self.calls]
        return Sourced(_in_order(value | self.more, self.message.keys), self.path)

    def _content_value(self) -> Any:
        return text_value(self.content) if isinstance(self.content, tuple) else self.content

    def _as_parts(self) -> list[Any]:
        if isinstance(self.content, list):
            return self.content
        return [text_part(self.content)] if self.content else []

    def _thinking(self) -> list[Any]:
        return [{"type": "thinking", "thinking": text_value(self.reasoning)}]


def text_part(text: Text) -> dict[str, Any]:
    """A text as a typed part."""
    return {"type": "text", "text": text_value(text)}


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a template is rendered with of a request: its messages, and the tools on offer."""

    drafts: list[Draft]
    tools: list[dict[str, Any]] | None
    """Definitions as they were given; the first is `tools[0]`. An empty list leaves the variable undefined, None
    makes it none."""

    def until(self, count: int) -> Conversation:
        """The first messages only; a negative count leaves so many out at the end."""
        return Conversation(self.drafts[:count], self.tools)

    def with_drafts(self, drafts: list[Draft]) -> Conversation:
        return Conversation(drafts, self.tools)


def _part_text(part: Any) -> Text:
    text = part.get("text") if isinstance(part, dict) else None
    return (text,) if isinstance(text, Sourced) else ()


def _call_value(call: Call) -> dict[str, Any]:
    value: dict[str, Any] = {"type": Vouched("function"), "function": {"name": call.name, "arguments": call.arguments}}
    if call.id is not None:
        value["id"] = call.id
    return _in_order(value | call.extra, call.keys)


def _in_order(value: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    """Keys as the client sent them, others behind; a template may write out the whole object."""
    return {key: value[key] for key in keys if key in value} | value


class Notes:
    """Collects what the repairs did, in order."""

    def __init__(self, warnings: Iterable[Warning] = ()) -> None:
        self.warnings: list[Warning] = list(warnings)

    def add(self, code: str, message: str, field: str | None = None) -> None:
        self.warnings.append(Warning(code, message, field))

    def forget(self, code: str, path: str) -> None:
        """Takes back what was said of a field in `path`."""
        self.warnings[:] = [one for one in self.warnings if not (one.code == code and _inside(one.field, path))]


def _inside(field: str | None, path: str) -> bool:
    return field is not None and field.startswith(path)
