"""Goes on with a final message exactly where it stopped, its last blank included.

The template renders the message with a mark at the end of the field; the prompt ends where the mark stands. Where that
would change the text before the turn, or leave out the reasoning although there are tags for it, or the beginning of
the field itself, the field's text is put behind the generation prompt instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal

from cutaway.chat.demands import render_as_demanded
from cutaway.chat.draft import Conversation, Draft, Notes, Text, cut, plain
from cutaway.chat.generation import cut_spans, generation_start
from cutaway.chat.inline_thinking import find_inline_thinking
from cutaway.chat.message import Message
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


@dataclass(frozen=True, slots=True)
class Opened:
    """The prompt that the final message was the reply to."""

    spans: tuple[Span, ...]
    start: int
    """Where its generation prompt begins."""
    tags: Prefilled
    """What the generation prompt leaves, with the tags that stand around reasoning, as far as they are known."""

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class Markers:
    """What a format writes around reasoning and before the answer, blanks included; empty where it is not known."""

    reasoning_open: str = ""
    reasoning_close: str = ""
    content_open: str = ""


NO_MARKERS = Markers()


def continue_final(
    wish: str, conversation: Conversation, render: Render, notes: Notes, markers: Markers = NO_MARKERS
) -> Continued:
    """The prompt that ends inside the last draft. Raises `TemplateError`."""
    try:
        conversation, answered = render_as_demanded(conversation, lambda some: render(some.until(-1), True), notes)
    except TemplateError as refusal:
        if len(conversation.drafts) > 1:
            raise
        return _without_question(wish, conversation, render, refusal)
    final, before = conversation.drafts[-1], conversation.until(-1)
    field = _field(wish, final)
    opened = _opened(answered, before, render, (markers.reasoning_open, markers.reasoning_close))
    spans = _ended_at_mark(final, field, before, render)
    blanks = ""
    if spans is None or not _goes_on(spans, opened) or _loses(spans, final, field, opened.tags):
        final, blanks = _thinking_apart(final, field, opened.tags)
        spans = _behind(opened, final, field, markers.content_open, notes)
    elif field == "content" and final.reasoning and not _shows(spans, final.reasoning):
        _note_left_out(final, notes)
    if field == "reasoning_content":
        return Continued(spans, opened.start, field, plain(final.reasoning))
    return Continued(spans, opened.start, field, plain(final.text()).removeprefix(blanks), plain(final.reasoning))


def _without_question(wish: str, conversation: Conversation, render: Render, refusal: TemplateError) -> Continued:
    """A message with nothing before it, for a template that renders no empty conversation."""
    final = conversation.drafts[-1]
    field = _field(wish, final)
    spans = _ended_at_mark(final, field, conversation.until(-1), render)
    if spans is None:
        raise refusal
    start = _opener_start(spans, render, conversation.until(-1))
    text = plain(final.reasoning if field == "reasoning_content" else final.text())
    return Continued(spans, start, field, text, plain(final.reasoning) if field == "content" else "")


def _opener_start(spans: Sequence[Span], render: Render, empty: Conversation) -> int:
    """Where the only turn's opener begins: the part of what opens the reply to a question that stands before it."""
    head = "".join(span.text for span in takewhile(lambda span: not span.is_input, spans))
    question = Draft(0, Message("user", "?"), "user", (Sourced("?", "messages[0].content"),))
    asked = empty.with_drafts([question])
    opened = _opened(render(asked, True), asked, render, ("", ""))
    opener = opened.text[opened.start :]
    sizes = range(len(opener), 0, -1)
    return len(head) - next((size for size in sizes if head.endswith(opener[:size])), 0)


def _field(wish: str, final: Draft) -> Field:
    """`auto` goes on with the reasoning when there is nothing behind it yet."""
    if wish == "reasoning_content" or (wish == "auto" and final.reasoning and not final.text()):
        return "reasoning_content"
    return "content"


def _opened(answered: Rendered, before: Conversation, render: Render, markers: tuple[str, str]) -> Opened:
    opened = answered
    try:
        start = generation_start(opened.spans, render(before, False).spans)
    except TemplateError:
        start = len(opened.text)
    tags = read_prefill(opened.text[start:], [markers] if all(markers) else ())
    if not tags.opener and all(markers):
        tags = Prefilled(tags.state, *markers)
    return Opened(opened.spans, start, tags)


# -- Rendered by the template ---------------------------------------------------------------------------------


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


def _goes_on(spans: Sequence[Span], opened: Opened) -> bool:
    """Whether the rendering begins with the prompt that was answered, up to the turn's opener."""
    text = "".join(span.text for span in spans)
    return text.startswith(opened.text[: opened.start])


def _loses(spans: Sequence[Span], final: Draft, field: Field, tags: Prefilled) -> bool:
    """Whether the reasoning is missing although there are tags for it, or the beginning of the content."""
    if final.reasoning and tags.opener and not _shows(spans, final.reasoning):
        return True
    return field == "content" and not _shows_beginning(spans, final.text())


def _shows(spans: Sequence[Span], text: Text) -> bool:
    """Whether some of a field's characters are in the rendering."""
    return any(_overlap(span, piece) for span in spans if span.text.strip() for piece in text)


def _shows_beginning(spans: Sequence[Span], text: Text) -> bool:
    """Whether the rendering has a text's first character that is no blank; some templates cut what a closer ends."""
    first = next((piece for piece in text if piece.value.strip()), None)
    if first is None or first.start is None:
        return True
    blanks = len(first.value) - len(first.value.lstrip())
    beginning = Sourced(first.value[blanks : blanks + 1], first.path, first.start + blanks)
    return any(_overlap(span, beginning) for span in spans)


def _overlap(span: Span, piece: Sourced) -> bool:
    origin = span.origin
    if origin.source != piece.path:
        return False
    if piece.start is None or origin.start is None or origin.end is None:
        return True
    return origin.start < piece.start + len(piece.value) and piece.start < origin.end


# -- Put behind the generation prompt --------------------------------------------------------------------------


def _thinking_apart(final: Draft, field: Field, tags: Prefilled) -> tuple[Draft, str]:
    """Thinking inside the content as reasoning, where the template has tags but no field for it. The content keeps the
    line breaks behind the closer, which are returned too."""
    text = final.text()
    whole = plain(text)
    found = find_inline_thinking(whole) if field == "content" and not final.reasoning and tags.opener else None
    if found is None or not found.closed:
        return final, ""
    closed = len(whole[: found.answer].rstrip("\n"))
    reasoning, content = cut(text, found.start, found.end), cut(text, closed, len(whole))
    return replace(final, reasoning=reasoning, content=content), whole[closed : found.answer]


def _behind(opened: Opened, final: Draft, field: Field, content_open: str, notes: Notes) -> tuple[Span, ...]:
    """The generation prompt, then the reasoning and the content between the tags that it leaves."""
    spans = [*opened.spans]
    tags = opened.tags
    if final.reasoning or field == "reasoning_content":
        spans += _reasoning(final, field, tags, notes)
    elif field == "content" and tags.state == "open":
        spans.append(Span(tags.closer, Origin("template")))
    if field == "content":
        if content_open and content_open not in opened.text[opened.start :]:
            spans.append(Span(content_open, Origin("template")))
        spans += [_span(piece) for piece in final.text() if piece.value]
    return tuple(spans)


def _reasoning(final: Draft, field: Field, tags: Prefilled, notes: Notes) -> list[Span]:
    if not tags.opener:
        _note_left_out(final, notes)
        return []
    notes.forget("reasoning-not-read", final.path)
    spans = [] if tags.state == "open" else [Span(tags.opener, Origin("template"))]
    spans += [_span(piece) for piece in final.reasoning if piece.value]
    if field == "content":
        spans.append(Span(tags.closer, Origin("template")))
    return spans


def _note_left_out(final: Draft, notes: Notes) -> None:
    path = final.reasoning[0].path if final.reasoning else f"{final.path}.reasoning_content"
    notes.add("reasoning-left-out", f"This template has no place for reasoning; {path} is left out.", path)


def _span(piece: Sourced) -> Span:
    end = None if piece.start is None else piece.start + len(piece.value)
    return Span(piece.value, Origin("input", piece.path, piece.start, end))
