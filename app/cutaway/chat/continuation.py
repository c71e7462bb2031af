"""Goes on with a final message exactly where it stopped, its last blank included.

The template renders the message with a mark at the end of the field; the prompt ends where the mark stands. Where
a template leaves the field out, the text is put behind the generation prompt, with the tags that it leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cutaway.chat.draft import Conversation, Draft, Notes, Text, plain
from cutaway.chat.generation import common_prefix, cut_spans, generation_start, length
from cutaway.chat.prompt import Origin, Span
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.prefill import Prefilled, read_prefill
from cutaway.chat.template.render import Rendered
from cutaway.chat.template.values import Sourced

MARK = "CutawayGoesOnHere"
"""Letters only, so that every filter a template may apply leaves it readable."""

Field = Literal["content", "reasoning_content"]
Render = Callable[[Conversation, "bool | None"], Rendered]


@dataclass(frozen=True, slots=True)
class Continued:
    spans: tuple[Span, ...]
    start: int
    """Where the turn's opener begins."""
    field: Field
    text: str
    """What the field holds so far."""
    reasoning: str = ""
    """The message's reasoning, when its content goes on."""


def continue_final(wish: str, conversation: Conversation, render: Render, notes: Notes) -> Continued:
    """The prompt that ends inside the last draft. Raises `TemplateError`."""
    final, before = conversation.drafts[-1], conversation.until(-1)
    field: Field = _field(wish, final)
    text = final.reasoning if field == "reasoning_content" else final.text()
    reasoning = plain(final.reasoning) if field == "content" else ""
    spans = _ended_at_mark(final, field, before, render)
    if spans is None or (reasoning and not _shows(spans, final.reasoning)):
        return _behind_generation_prompt(final, field, before, render, notes)
    start = _opener(spans, before, final, render)
    return Continued(spans, start, field, plain(text), reasoning)


def _field(wish: str, final: Draft) -> Field:
    """`auto` goes on with the reasoning when there is nothing behind it yet."""
    if wish == "reasoning_content" or (wish == "auto" and final.reasoning and not final.text()):
        return "reasoning_content"
    return "content"


def _ended_at_mark(final: Draft, field: Field, before: Conversation, render: Render) -> tuple[Span, ...] | None:
    """The rendering up to the mark; None where the template doesn't write the field, or refuses the message."""
    mark = Sourced(MARK, f"{final.path}.{field}", None)
    if field == "content":
        marked = replace(final, content=(*final.text(), mark))
    else:
        marked = replace(final, reasoning=(*final.reasoning, mark))
    try:
        rendered = render(before.with_drafts([*before.drafts, marked]), False)
    except TemplateError:
        return None
    end = rendered.text.rfind(MARK)
    return None if end < 0 else cut_spans(rendered.spans, end)


def _shows(spans: Sequence[Span], text: Text) -> bool:
    """Whether a field's characters are in the rendering."""
    paths = {piece.path for piece in text}
    return any(span.origin.source in paths and span.text.strip() for span in spans)


def _opener(spans: Sequence[Span], before: Conversation, final: Draft, render: Render) -> int:
    """Where the final turn begins: behind the rendering without it, or behind the last text that is not its own."""
    try:
        without = render(before, False).spans
    except TemplateError:
        without = ()
    shared = common_prefix(spans, without)
    if without and shared == length(without):
        return shared
    at = start = 0
    for span in spans:
        at += len(span.text)
        if span.is_input and not (span.origin.source or "").startswith(f"{final.path}."):
            start = at
    return max(start, min(shared, at))


def _behind_generation_prompt(
    final: Draft, field: Field, before: Conversation, render: Render, notes: Notes
) -> Continued:
    """The generation prompt, then the reasoning and the content between the tags that it leaves."""
    opened = render(before, True)
    start = generation_start(opened.spans, render(before, False).spans)
    prefilled = read_prefill(opened.text[start:])
    spans = [*opened.spans]
    reasoning = plain(final.reasoning)
    if reasoning:
        spans += _reasoning(final.reasoning, prefilled, field, notes, final)
    elif field == "content" and prefilled.state == "open":
        spans.append(Span(prefilled.closer, Origin("template")))
    if field == "content":
        spans += [_span(piece) for piece in final.text() if piece.value]
        return Continued(tuple(spans), start, field, plain(final.text()), reasoning)
    return Continued(tuple(spans), start, field, reasoning)


def _reasoning(text: Text, prefilled: Prefilled, field: Field, notes: Notes, final: Draft) -> list[Span]:
    if prefilled.state != "open" and not prefilled.opener:
        path = f"{final.path}.reasoning_content"
        notes.add("reasoning-left-out", f"This template has no place for reasoning; {path} is left out.", path)
        return []
    spans = [] if prefilled.state == "open" else [Span(prefilled.opener, Origin("template"))]
    spans += [_span(piece) for piece in text if piece.value]
    if field == "content":
        spans.append(Span(prefilled.closer, Origin("template")))
    return spans


def _span(piece: Sourced) -> Span:
    end = None if piece.start is None else piece.start + len(piece.value)
    return Span(piece.value, Origin("input", piece.path, piece.start, end))
