"""Where an output begins: inside the reasoning, behind it, or with neither said.

That follows from the generation prompt alone, or from what is continued; text elsewhere in the prompt
says nothing about it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from cutaway.chat.formats.format import Format, Messages

Prefill: TypeAlias = Literal["none", "open", "closed", "bare closer"]


@dataclass(frozen=True, slots=True)
class Continued:
    """A message that the output goes on with: its text so far, which comes before the output."""

    field: Literal["content", "reasoning_content"]
    reasoning: str = ""
    content: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    prefill: Prefill = "none"
    opener: str = ""
    """For an open prefill: the generation prompt from the opener on."""
    header: str = ""
    """In a format of messages: the part of the first header that the prompt holds already."""
    in_body: bool = False
    """In a format of messages: the prompt holds the first header whole."""
    framing: str = ""
    """Blanks with which the template would have gone on before an answer."""
    continues: bool = False
    """The output goes on with text that has begun already."""
    wrapped: str = ""
    """The answer's opener that the prompt holds already: the answer's closer may follow."""


def start_of(format: Format, generation_prompt: str, continued: Continued | None = None) -> Start:
    if format.messages:
        return _message_start(format.messages, generation_prompt, continued)
    if continued is not None:
        open = continued.field == "reasoning_content" and format.reasoning is not None
        return Start("open" if open else "closed", continues=True, wrapped=_held_opener(format, generation_prompt))
    return replace(_tag_start(format, generation_prompt), wrapped=_prefilled_opener(format, generation_prompt))


def _held_opener(format: Format, prompt: str) -> str:
    """The answer's opener that stands last in the prompt of a message that goes on."""
    found = [(prompt.rfind(wrapper.open.text), wrapper.open.text) for wrapper in format.content if wrapper.open]
    return max((one for one in found if one[0] >= 0), default=(0, ""))[1]


def _prefilled_opener(format: Format, prompt: str) -> str:
    openers = (wrapper.open.text for wrapper in format.content if wrapper.open)
    return next((text for text in openers if prompt.rstrip().endswith(text)), "")


def _tag_start(format: Format, prompt: str) -> Start:
    reasoning = format.reasoning
    if reasoning is None:
        return Start(framing=format.lead)
    openers = [text for text in (reasoning.open.text, *reasoning.other_opens) if text]
    closers = [text for text in (reasoning.close.text, *reasoning.other_closes) if text]
    opened = max((prompt.rfind(text) for text in openers), default=-1)
    closed = max((prompt.rfind(text) for text in closers), default=-1)
    if closed > opened:
        closer = next(text for text in closers if prompt.startswith(text, closed))
        written = prompt[closed + len(closer) :]
        framing = reasoning.close.after.removeprefix(written) if not written.strip() else ""
        return Start("closed" if opened >= 0 else "bare closer", framing=framing)
    if opened >= 0:
        return Start("open", prompt[opened:])
    return Start("open") if reasoning.forced else Start(framing=format.lead)


def _message_start(messages: Messages, prompt: str, continued: Continued | None) -> Start:
    begin = prompt.rfind(messages.start)
    rest = prompt[begin + len(messages.start) :] if begin >= 0 else ""
    header, body, _ = rest.partition(messages.body)
    if continued is not None:
        name = messages.reasoning if continued.field == "reasoning_content" else messages.content
        return Start(
            "open" if continued.field == "reasoning_content" else "closed", header=_header(messages, name), in_body=True
        )
    return Start(header=header, in_body=bool(body))


def _header(messages: Messages, names: tuple[str, ...]) -> str:
    name = names[0] if names else ""
    if messages.header == "channel":
        return messages.channel + name
    return f" to={name}" if messages.header == "recipient" else name
