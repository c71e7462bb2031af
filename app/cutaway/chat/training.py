"""A finished conversation as training data sees it, beside the prompt that the model sees at inference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from cutaway.chat.assistant_mask import Range, assistant_ranges
from cutaway.chat.demands import render_as_demanded
from cutaway.chat.message import Request
from cutaway.chat.prompt import Span, Warning
from cutaway.chat.rendering import rendering
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prepared import PreparedTemplate


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
    except TemplateError:
        return None
    spans = whole.generation_ranges or assistant_ranges(whole.spans, taken, render, eos_token)
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


def _double_bos(text: str, bos_token: str) -> tuple[Warning, ...]:
    if not bos_token or not text.startswith(bos_token * 2):
        return ()
    return (Warning("double-bos", f"The text begins with {bos_token} twice; a tokenizer that adds it makes it three."),)
