"""Compares a message with what was read of it, and tells whose fault a difference is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from cutaway.chat.formats.format import NO_ID, Format, PythonCall, TaggedCall
from cutaway.chat.reply import CallBlock, Reply

from .cases import TOOLS
from .turn import Said, SaidCall


@dataclass(frozen=True, slots=True)
class WrittenTurn:
    """An assistant turn in history, and what a model would have written of it."""

    history: str
    generation_prompt: str
    output: str
    inputs: frozenset[str]
    """The texts that the template took over from the message."""
    thinking: bool
    breaks: bool
    """The turn does not begin as the prompt ends."""
    detail: str = ""


def closers(format: Format) -> tuple[str, ...]:
    """The markers that end something, as text that a value may hold."""
    found = [format.reasoning.close.text] if format.reasoning else []
    if format.calls:
        calls = format.calls
        found += [calls.call_close.text, calls.section_close.text]
        if isinstance(calls.body, TaggedCall):
            found += [calls.body.value_suffix.strip(), calls.body.close.strip()]
    return tuple(dict.fromkeys(filter(None, found)))


def mentions(turn: WrittenTurn, text: str) -> bool:
    return text.strip() in turn.output


def kept(said: Said, turn: WrittenTurn) -> tuple[Said, str]:
    """What of the message the template wrote at all, and a sentence about the rest."""
    lost: list[str] = []
    kept = said
    if said.content and not mentions(turn, said.content):
        kept, lost = replace(kept, content=""), [*lost, "the content"]
    if said.reasoning and not mentions(turn, said.reasoning):
        kept, lost = replace(kept, reasoning=""), [*lost, "the reasoning"]
    written = 0
    while written < len(said.calls) and turn.output.count(said.calls[written].name) >= _times(said, written):
        written += 1
    if written < len(said.calls):
        kept, lost = replace(kept, calls=said.calls[:written]), [*lost, f"all calls after the first {written}"]
    return kept, f"The template leaves out {' and '.join(lost)}." if lost else ""


def _times(said: Said, index: int) -> int:
    return sum(call.name == said.calls[index].name for call in said.calls[: index + 1])


def difference(said: Said, reply: Reply, format: Format) -> str:
    """How what was read differs from what was said; empty when it doesn't. Blanks at the ends of texts count."""
    if reply.reasoning_content != said.reasoning:
        return f"The reasoning was read as {_short(reply.reasoning_content)}."
    if reply.content != said.content:
        return f"The content was read as {_short(reply.content)}."
    calls = reply.calls
    if len(calls) != len(said.calls):
        return f"{len(calls)} calls were read, not {len(said.calls)}."
    for wanted, got in zip(said.calls, calls, strict=True):
        wrong = _call_difference(wanted, got, format)
        if wrong:
            return wrong
    return ""


def _call_difference(wanted: SaidCall, got: CallBlock, format: Format) -> str:
    if got.name != wanted.name:
        return f"The name was read as {_short(got.name)}."
    if not _same(_loaded(got.arguments), json.loads(wanted.arguments)):
        return f"The arguments were read as {_short(got.arguments)}."
    id = format.calls.id if format.calls else NO_ID
    if id.place != "nowhere" and id.kind in ("model", "nine") and got.id != wanted.id:
        return f"The id was read as {_short(got.id)}."
    return ""


def _same(one: object, other: object) -> bool:
    """Equal as JSON: true is not 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


def said_in(reply: Reply, said: Said) -> Said:
    """The reply as a message, with the ids of the message that it should be."""
    ids = [call.id for call in said.calls]
    calls = tuple(
        SaidCall(call.name, call.arguments, ids[index] if index < len(ids) else call.id)
        for index, call in enumerate(reply.calls)
    )
    return Said(reply.content, reply.reasoning_content, calls)


def alike(said: Said, parsed: Said) -> bool:
    """Whether two messages are so alike that the template may be the one that blurs them.

    The same number of calls, arguments of the declared types (a reader that knows the tools has no excuse
    otherwise), and no blanks taken for text. The answer may have become reasoning as a whole.
    """
    if len(said.calls) != len(parsed.calls) or not _fits(parsed):
        return False
    texts = ((said.content, parsed.content), (said.reasoning, parsed.reasoning))
    if (said.content, said.reasoning) == (parsed.reasoning, parsed.content):
        return True
    return all(one == other or one != one.strip() for one, other in texts)


def _fits(said: Said) -> bool:
    """Whether the arguments are of the declared types."""
    declared = {tool.name: tool.parameters["properties"] for tool in TOOLS}
    for call in said.calls:
        arguments = _loaded(call.arguments)
        properties = declared.get(call.name)
        if not isinstance(arguments, dict) or properties is None or not set(arguments) <= set(properties):
            return False
        if not all(_is_of(value, properties[key]) for key, value in arguments.items()):
            return False
    return True


_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def _is_of(value: object, schema: Mapping[str, Any]) -> bool:
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if isinstance(value, bool):
        return "boolean" in names
    return any(isinstance(value, _TYPES[name]) for name in names if name != "boolean")


def blurred(said: Said, format: Format, turn: WrittenTurn) -> str:
    """How the template itself makes the message unreadable; empty where it does not."""
    return (
        _as_reasoning(said, format, turn)
        or _unmarked(said, format, turn)
        or _unclosed(said, format, turn)
        or _verbatim_marker(said, format, turn)
        or _unescaped(said, format, turn)
    )


def _as_reasoning(said: Said, format: Format, turn: WrittenTurn) -> str:
    if not said.content:
        return ""
    before, found, _ = turn.output.partition(said.content)
    if found and format.thinking_start and before.rstrip().endswith(format.thinking_start):
        return "The template writes the answer where reasoning stands."
    return ""


def _unmarked(said: Said, format: Format, turn: WrittenTurn) -> str:
    if not (said.reasoning and said.content):
        return ""
    _, found, after = turn.output.partition(said.reasoning)
    if found and not after.partition(said.content)[0].strip():
        return "The template writes reasoning and answer without a marker between them."
    return ""


def _unclosed(said: Said, format: Format, turn: WrittenTurn) -> str:
    if format.reasoning is None or not said.content:
        return ""
    opened = turn.generation_prompt.rfind(format.reasoning.open.text)
    closed = turn.generation_prompt.rfind(format.reasoning.close.text)
    if opened > closed and format.reasoning.close.text not in turn.output:
        return "The template writes the answer inside an open reasoning block."
    return ""


def _verbatim_marker(said: Said, format: Format, turn: WrittenTurn) -> str:
    """A marker that the message itself holds and the template took over unchanged: text that only ids tell apart."""
    texts = [said.content, said.reasoning, *(call.arguments for call in said.calls)]
    for marker in closers(format):
        if any(marker in text for text in texts) and any(marker in text for text in turn.inputs):
            return f"The template writes {marker!r} in a value as it writes its own marker."
    return ""


def _unescaped(said: Said, format: Format, turn: WrittenTurn) -> str:
    """A string between quotes that holds a quote, a backslash or a line end, taken over as it is."""
    if format.calls is None or not isinstance(format.calls.body, PythonCall):
        return ""
    for call in said.calls:
        for value in json.loads(call.arguments).values():
            if isinstance(value, str) and set(value) & set("'\"\\\n") and value in turn.output:
                return "The template writes a string between quotes without escaping what is in it."
    return ""
