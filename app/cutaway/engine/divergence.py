"""Why two prompts differ at a character: the rules that tell causes M4 to M23 apart, from both sides' facts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from cutaway.chat.message import Message, Tool
from cutaway.engine.side import Side, message_of

_SYSTEM = ("system", "developer")
_CLOCK = re.compile(
    r"\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|date|time|today", re.IGNORECASE
)
_NEAR = 24
"""Characters around a difference in which a date shows itself."""


@dataclass(frozen=True, slots=True)
class Cause:
    reason: str
    """One of `M4` to `M23`."""
    detail: str
    """A sentence."""


PREPARED = Cause("M10", "The cache had been prepared for another next message than this.")


def find_cause(held: Side, wanted: Side, at: int) -> Cause:
    """Why the texts of the two sides differ at character `at`, the first that does."""
    changed = _changed_keys(held, wanted)
    if changed:
        return Cause("M4", f"{_listed(changed)} changed since the cache was filled.")
    if held.region(at) == "history":
        return _in_history(held, wanted, at)
    return _in_last_turn(held, wanted, at)


# -- In what the model wrote, or right before it ------------------------------------------------------------


def _in_last_turn(held: Side, wanted: Side, at: int) -> Cause:
    index = len(held.request.messages) - bool(held.request.continue_final)  # Its last message is the reply's beginning.
    message = wanted.request.messages[index] if index < len(wanted.request.messages) else None
    if message is None:
        return _without_reply(held, wanted)
    if message.role != "assistant":
        return _other_turn(held, wanted, index)
    region = held.region(at)
    if region == "generation prompt":
        return _after_opener(held, wanted, message)
    stop = _stopped_at(held, at)
    if stop:
        return Cause("M23", f"The reply was cut at your stop text {stop!r}, which the cache holds behind it.")
    is_over = region == "end" or _kind(held, at) == "end"
    if is_over and not wanted.source(at):
        return Cause(
            "M16",
            f"The model ended its reply with {_quoted(held, at)}; in the history that place is {_quoted(wanted, at)}.",
        )
    return _in_reply(held, wanted, message, at)


def _without_reply(held: Side, wanted: Side) -> Cause:
    knobs = _changed_knobs(held, wanted)
    if knobs:
        return Cause("M4", f"{_listed(knobs)} changed, and with it the generation prompt.")
    if wanted.request.messages == held.request.messages:
        if wanted.reply_text:
            return Cause("M10", "The reply goes on with another token here; what followed it is given up.")
        return Cause("M5", "The same conversation is answered again; the earlier reply is given up.")
    return Cause("M10", "The reply is no longer part of the conversation.")


def _other_turn(held: Side, wanted: Side, index: int) -> Cause:
    role = wanted.request.messages[index].role
    return Cause("M10", f"The reply is no longer part of the conversation: a {role} message stands in its place.")


def _after_opener(held: Side, wanted: Side, message: Message) -> Cause:
    if _reasoning(held).strip():
        return _stripped(message)
    return Cause(
        "M14",
        f"The generation prompt wrote {held.prompt.generation_prompt!r} before the reply; in the history the template "
        "does not repeat all of it.",
    )


def _stripped(message: Message) -> Cause:
    if not (message.reasoning_content or "").strip():
        return Cause("M13", "The reply's reasoning was not sent back with the conversation.")
    return Cause("M13", "The template leaves the reasoning of earlier replies out of the history.")


def _in_reply(held: Side, wanted: Side, message: Message, at: int) -> Cause:
    kind = _kind(held, at)
    if kind == "reasoning":
        return _in_reasoning(held, wanted, message, at)
    if kind.startswith("call"):
        return Cause(
            "M20",
            f"The call is written anew: the model wrote {_quoted(held, at)}, the history has {_quoted(wanted, at)}.",
        )
    content = held.reply.content if held.reply is not None else held.reply_text
    if _is_framed(held, wanted, at):
        return Cause(
            "M14",
            f"In the history the template writes {_quoted(wanted, at)} before the reply, which the generation prompt "
            "does not.",
        )
    return _changed_text(content, message.text, held.text[at:], wanted.text[at:], "the reply")


def _stopped_at(held: Side, at: int) -> str:
    """The person's stop text that the cache holds behind the reply, from about `at` on."""
    read = held.reply.text if held.reply is not None else held.reply_text
    if at < len(held.prompt.text) + len(read.rstrip()):
        return ""
    written = held.reply_text[len(read) :].strip()
    return next((stop for stop in held.stops if written and stop.strip().startswith(written)), "")


def _is_framed(held: Side, wanted: Side, at: int) -> bool:
    """Whether the difference is what the template puts between its opener and a reply, before any of its text."""
    written = held.text[len(held.prompt.text) : at]
    return not written.strip() and not wanted.source(at) and bool(wanted.next_source(at))


def _in_reasoning(held: Side, wanted: Side, message: Message, at: int) -> Cause:
    shown = wanted.source(at).endswith("reasoning_content") or wanted.next_source(at).endswith("reasoning_content")
    if not shown or not (message.reasoning_content or "").strip():
        return _stripped(message)
    return _changed_text(
        _reasoning(held), message.reasoning_content or "", held.text[at:], wanted.text[at:], "the reasoning"
    )


def _kind(held: Side, at: int) -> str:
    """What the reply is at a character; markup and blanks count for what comes after them, `end` behind all."""
    if held.reply is None:
        return "content"
    offset = at - len(held.prompt.text)
    kinds = [span.kind for span in held.reply.spans if span.end > offset]
    plain = [kind for kind in kinds if kind not in ("markup", "space")]
    return plain[0] if plain else "end" if "markup" in kinds else "content"


def _reasoning(held: Side) -> str:
    return held.reply.reasoning_content if held.reply is not None else ""


# -- In the history -----------------------------------------------------------------------------------------


def _in_history(held: Side, wanted: Side, at: int) -> Cause:
    index = _first_changed(held.request.messages, wanted.request.messages)
    here = _message_here(held, at), _message_here(wanted, at)
    in_tools = "tools" in (held.next_source(at)[:5], wanted.next_source(at)[:5])
    if held.request.tools != wanted.request.tools and (in_tools or not _explains(index, here)):
        return _changed_tools(held.request.tools, wanted.request.tools)
    if _explains(index, here):
        assert index is not None
        return _changed_messages(held, wanted, index, at)
    knobs = _changed_knobs(held, wanted)
    if knobs:
        return Cause("M4", f"{_listed(knobs)} changed, and with it the prompt from here on.")
    return _by_the_template(held, wanted, at)


def _message_here(side: Side, at: int) -> int | None:
    """The message that a character belongs to; template text belongs to the message that it leads to."""
    return message_of(side.source(at) or side.next_source(at))


def _explains(index: int | None, here: tuple[int | None, int | None]) -> bool:
    """Whether the first changed message is what stands at the difference."""
    if index is None:
        return False
    known = [message for message in here if message is not None]
    return not known or max(known) >= index


def _first_changed(held: Sequence[Message], wanted: Sequence[Message]) -> int | None:
    """The first message that is not the same; None where the new conversation only goes on."""
    for index, message in enumerate(held):
        if index >= len(wanted) or wanted[index] != message:
            return index
    return None


def _changed_tools(held: Sequence[Tool], wanted: Sequence[Tool]) -> Cause:
    before, after = [tool.name for tool in held], [tool.name for tool in wanted]
    if before == after:
        names = [tool.name for tool, other in zip(held, wanted, strict=True) if tool != other]
        return Cause("M8", f"The definition of {_listed(names)} changed.")
    if sorted(before) == sorted(after):
        return Cause("M8", "The same tools come in another order.")
    added = [name for name in after if name not in before]
    gone = [name for name in before if name not in after]
    parts = [f"{_listed(added)} came"] if added else []
    parts += [f"{_listed(gone)} went"] if gone else []
    return Cause("M8", f"The list of tools changed: {', '.join(parts) or 'a name is there twice'}.")


def _changed_messages(held: Side, wanted: Side, index: int, at: int) -> Cause:
    before, after = held.request.messages, wanted.request.messages
    if index == held.draft:
        return Cause("M9", "Your message was changed after its beginning had been fed while you typed.")
    if _is_system(before, index) or _is_system(after, index):
        return _changed_system(before, after, index)
    if index >= len(after):
        return Cause("M10", f"The conversation now ends before message {index + 1}.")
    inserted = _offset(before[index:], after[index:])
    if inserted:
        return Cause("M11", f"{_counted(inserted)} inserted before what was message {index + 1}.")
    deleted = _offset(after[index:], before[index:])
    if deleted:
        return _deleted(before, index, deleted)
    replaced = _offset(after[index + 1 :], before[index:])
    if replaced > 1:
        return Cause("M12", f"{replaced} messages from message {index + 1} on were replaced by one.")
    if index == len(after) - 1 < len(before) - 1 and before[index].role != after[index].role:
        return Cause("M10", f"The conversation goes on differently from message {index + 1} on.")
    return _edited(held, wanted, index, at)


def _edited(held: Side, wanted: Side, index: int, at: int) -> Cause:
    before, after = held.request.messages[index], wanted.request.messages[index]
    if before.role != after.role:
        return Cause("M9", f"Message {index + 1} was a {before.role} message and is a {after.role} message now.")
    if before.text != after.text:
        return _changed_text(
            before.text, after.text, held.text[at:], wanted.text[at:], f"message {index + 1} ({before.role})"
        )
    if before.tool_calls != after.tool_calls:
        return Cause("M20", f"The calls of message {index + 1} are not written as they were.")
    if before.reasoning_content and not after.reasoning_content:
        return Cause("M13", f"The reasoning of message {index + 1} was not sent again.")
    return Cause("M9", f"Message {index + 1} ({before.role}) was edited.")


def _deleted(before: Sequence[Message], index: int, count: int) -> Cause:
    first = next((at for at, message in enumerate(before) if message.role not in _SYSTEM), 0)
    if index == first and index + count < len(before):
        return Cause("M12", f"{_counted(count)} dropped from the beginning of the conversation.")
    return Cause("M10", f"{_counted(count)} deleted from message {index + 1} on.")


def _is_system(messages: Sequence[Message], index: int) -> bool:
    return index < len(messages) and messages[index].role in _SYSTEM


def _changed_system(before: Sequence[Message], after: Sequence[Message], index: int) -> Cause:
    if not _is_system(after, index):
        return Cause("M7", "The system text was taken away.")
    if not _is_system(before, index):
        return Cause("M7", "A system text was added.")
    return Cause("M7", "The system text was edited.")


def _offset(tail: Sequence[Message], longer: Sequence[Message]) -> int:
    """How many messages stand before `tail` (as much of it as there is room for) in `longer`; 0 where it is not there."""
    for count in range(1, len(longer) if tail else 0):
        rest = longer[count:]
        shortest = min(len(rest), len(tail))
        if list(rest[:shortest]) == list(tail[:shortest]):
            return count
    return 0


def _by_the_template(held: Side, wanted: Side, at: int) -> Cause:
    """Nothing that was sent has changed: the template itself writes the same history differently."""
    stripped = _stripped_message(held, wanted, at)
    if stripped is not None:
        return _stripped_reasoning(held, stripped)
    source = held.source(at)
    if source and source == wanted.source(at) and message_of(source) is not None:
        return _changed_text(source, source, held.text[at:], wanted.text[at:], source)
    if _looks_like_clock(held, at) and _looks_like_clock(wanted, at):
        return Cause("M15", f"A date or time moved: it was {_quoted(held, at)} and is {_quoted(wanted, at)} now.")
    if _moved(held, wanted, at):
        return Cause("M15", f"The template writes its hint {_quoted(held, at)} at another place now.")
    if _before_first_message(held, at) and _before_first_message(wanted, at):
        return Cause(
            "M18",
            f"The template writes another introduction by itself: {_quoted(held, at)} became {_quoted(wanted, at)}.",
        )
    if _behind_last_message(held, at):
        if held.draft == len(held.request.messages):
            return PREPARED
        return _other_end(held, wanted, at)
    return Cause(
        "M15", f"The template moved what it writes by itself: {_quoted(held, at)} became {_quoted(wanted, at)}."
    )


def _stripped_message(held: Side, wanted: Side, at: int) -> int | None:
    """A message whose reasoning the held prompt shows from the difference on, and the wanted one nowhere."""
    for span in held.prompt.spans[held.span_index(at) :]:
        source = span.origin.source or ""
        if span.is_input and span.text.strip() and source.startswith("messages["):
            if source.endswith(".reasoning_content") and not wanted.has_source(source):
                return message_of(source)
            return None
    return None


def _stripped_reasoning(held: Side, index: int) -> Cause:
    where = f"of message {index + 1}"
    if held.request.messages[index].tool_calls:
        return Cause("M17", f"The tool cycle is over, so the template drops the reasoning {where}.")
    return Cause("M13", f"The template drops the reasoning {where}, now that a newer message follows.")


def _other_end(held: Side, wanted: Side, at: int) -> Cause:
    last = held.request.messages[-1] if held.request.messages else None
    if last is not None and last.role == "tool":
        return Cause(
            "M17",
            f"The end of the tool results is written differently once the conversation goes on: "
            f"{_quoted(held, at)} became {_quoted(wanted, at)}.",
        )
    return Cause(
        "M16",
        f"The end of the message is written differently when it is no longer the last: "
        f"{_quoted(held, at)} became {_quoted(wanted, at)}.",
    )


def _looks_like_clock(side: Side, at: int) -> bool:
    span = side.span(at)
    return (
        span is not None
        and not side.source(at).startswith("messages[")
        and bool(_CLOCK.search(side.text[max(0, at - _NEAR) : at + _NEAR]))
        and any(character.isdigit() for character in side.text[at : at + _NEAR])
    )


def _moved(held: Side, wanted: Side, at: int) -> bool:
    """Whether words that the template wrote here come later in the other prompt."""
    span = held.span(at)
    if span is None or span.is_input:
        return False
    rest = held.text[at : at + _NEAR] if len(span.text) > _NEAR else span.text
    return " " in rest.strip() and rest in wanted.text[at:]


def _before_first_message(side: Side, at: int) -> bool:
    spans = side.prompt.spans[: side.span_index(at) + 1]
    return not any(span.is_input and span.text and (span.origin.source or "").startswith("messages[") for span in spans)


def _behind_last_message(side: Side, at: int) -> bool:
    return not side.source(at) and not side.next_source(at)


# -- Texts ---------------------------------------------------------------------------------------------------


def _changed_text(before: str, after: str, held_rest: str, wanted_rest: str, what: str) -> Cause:
    """How one text became another: only its blanks, only its form, cut, or edited."""
    subject = what[:1].upper() + what[1:]
    if before == after:
        before, after = held_rest, wanted_rest
        if "\r\n" in (held_rest[:2], wanted_rest[:2]):
            return Cause("M22", f"The template writes {what} with other line ends than it had.")
        if held_rest[:1].isspace() or wanted_rest[:1].isspace():
            return Cause("M21", f"The template writes {what} with other blanks than it had.")
        if _is_normalised(before[:4], after[:4]):
            return Cause("M22", f"The template writes {what} in another form of its characters.")
        return Cause("M21", f"The template writes {what} differently in the history.")
    if _unblank(before) == _unblank(after):
        if "\r" in before + after and before.replace("\r\n", "\n") == after.replace("\r\n", "\n"):
            return Cause("M22", f"{subject} has other line ends.")
        return Cause("M21", f"{subject} differs in its blanks only.")
    if _is_normalised(before, after):
        return Cause("M22", f"{subject} has the same characters in another form.")
    if what == "the reply" and before.startswith(after):
        return Cause("M23", "The reply in the history is shorter than the one that the model wrote.")
    return Cause("M9", f"{subject} was edited.")


def _unblank(text: str) -> str:
    return "".join(text.split())


def _is_normalised(first: str, second: str) -> bool:
    return first != second and unicodedata.normalize("NFKC", first) == unicodedata.normalize("NFKC", second)


# -- Settings ------------------------------------------------------------------------------------------------


def _changed_keys(held: Side, wanted: Side) -> list[str]:
    return sorted(
        f"the {name}" for name in held.keys.keys() & wanted.keys.keys() if held.keys[name] != wanted.keys[name]
    )


def _changed_knobs(held: Side, wanted: Side) -> list[str]:
    """Names of the template's variables and switches that the two requests set differently."""
    before, after = held.request, wanted.request
    names = [
        name
        for name in sorted(before.kwargs.keys() | after.kwargs.keys())
        if before.kwargs.get(name) != after.kwargs.get(name)
    ]
    switches = ("thinking", "enable_thinking", "response_format", "tool_choice", "parallel_tool_calls")
    return names + [name for name in switches if getattr(before, name) != getattr(after, name)]


def _listed(names: Sequence[str]) -> str:
    text = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return text[:1].upper() + text[1:] if text.startswith("the ") else text


def _counted(count: int) -> str:
    return "One message was" if count == 1 else f"{count} messages were"


def _quoted(side: Side, at: int) -> str:
    return repr(side.text[at : at + _NEAR]) if at < len(side.text) else "nothing"
