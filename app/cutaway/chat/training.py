"""A finished conversation as training data sees it, beside the prompt that the model sees at inference."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from cutaway.chat.demands import render_as_demanded
from cutaway.chat.draft import Draft
from cutaway.chat.generation import generation_start
from cutaway.chat.message import Request
from cutaway.chat.prompt import Span, Warning
from cutaway.chat.rendering import rendering
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prefill import read_prefill
from cutaway.chat.template.prepared import PreparedTemplate
from cutaway.chat.template.render import Rendered

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class TrainingView:
    spans: tuple[Span, ...]
    """The rendering of the whole conversation."""
    prefix_spans: tuple[Span, ...]
    """The prompt that the model would have answered with the last message."""
    first_difference: int | None
    """Character offset where the two part; None where the training text begins with the whole prefix."""
    assistant_spans: tuple[Range, ...]
    """Characters, half-open, that the assistant is to learn to write."""
    found_by: Literal["generation blocks", "provenance"]
    warnings: tuple[Warning, ...] = ()

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)

    @property
    def inference_prefix(self) -> str:
        return "".join(span.text for span in self.prefix_spans)


def training_view(
    request: Request,
    template: PreparedTemplate,
    *,
    now: datetime,
    bos_token: str = "",
    eos_token: str = "",
    budget: Callable[[], Budget] = Budget,
) -> TrainingView | None:
    """None where the last message is not the assistant's, or the template refuses a part of the conversation.

    Raises `RequestError`.
    """
    render = rendering(request, template, now=now, bos_token=bos_token, eos_token=eos_token, budget=budget)
    given = render.conversation
    if not given.drafts or given.drafts[-1].role != "assistant":
        return None
    try:
        taken, whole = render_as_demanded(given, lambda some: render(some, False), render.notes)
        opened = render(taken.until(-1), True)
        closed = render(taken.until(-1), False)
    except TemplateError:
        return None
    header = _header(opened, closed)
    spans = whole.generation_ranges or _by_provenance(whole.spans, taken.drafts, header)
    return TrainingView(
        whole.spans,
        opened.spans,
        _first_difference(whole.text, opened.text),
        spans,
        "generation blocks" if whole.generation_ranges else "provenance",
        _double_bos(whole.text, bos_token),
    )


def _first_difference(text: str, prefix: str) -> int | None:
    if text.startswith(prefix):
        return None
    pairs = enumerate(zip(text, prefix, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(text), len(prefix)))


def _header(opened: Rendered, closed: Rendered) -> str:
    """What begins an assistant's turn, without the reasoning that a generation prompt may open."""
    prompt = opened.text[generation_start(opened.spans, closed.spans) :]
    prefilled = read_prefill(prompt)
    cuts = [prompt.find(tag) for tag in (prefilled.opener, prefilled.closer) if tag and tag in prompt]
    return prompt[: min(cuts)] if cuts and prefilled.state != "none" else prompt


def _by_provenance(spans: Sequence[Span], drafts: Sequence[Draft], header: str) -> tuple[Range, ...]:
    """From behind the header of each assistant's turn to the end of the turn, as the last turn ends."""
    text = "".join(span.text for span in spans)
    owned = _owned(spans)
    assistants = [draft.index for draft in drafts if draft.role == "assistant" and draft.index in owned]
    if not assistants:
        return ()
    ending = text[owned[assistants[-1]][1] :] if assistants[-1] == drafts[-1].index else ""
    ends = sorted(end for _, end in owned.values())
    ranges: list[Range] = []
    floor = 0
    for index in assistants:
        first, last = owned[index]
        before = bisect_right(ends, first)
        floor = max(floor, ends[before - 1] if before else 0)
        at = text.rfind(header, floor, first) if header else -1
        start = at + len(header) if at >= 0 else first
        end = last + _shared(text[last : last + len(ending)], ending)
        ranges.append((start, end))
        floor = end
    return tuple(ranges)


def _owned(spans: Sequence[Span]) -> dict[int, Range]:
    """The stretch from the first to the last character that came from each message."""
    owned: dict[int, Range] = {}
    at = 0
    for span in spans:
        end = at + len(span.text)
        index = _message_index(span.origin.source) if span.is_input else None
        if index is not None:
            owned[index] = (owned[index][0] if index in owned else at, end)
        at = end
    return owned


def _message_index(source: str | None) -> int | None:
    prefix = "messages["
    if source is None or not source.startswith(prefix):
        return None
    number = source[len(prefix) : source.index("]")]
    return int(number) if number.isdigit() else None


def _shared(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _double_bos(text: str, bos_token: str) -> tuple[Warning, ...]:
    if not bos_token or not text.startswith(bos_token * 2):
        return ()
    return (Warning("double-bos", f"The text begins with {bos_token} twice; a tokenizer that adds it makes it three."),)
