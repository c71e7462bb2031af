"""One request, from messages to everything that the engine and the reader need.

`prepare` makes the prompt; the format, the grammar and the reader's state are added to the same value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from cutaway.chat.formats.format import PLAIN, Format
from cutaway.chat.message import Request
from cutaway.chat.prompt import Prompt, Warning
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prepared import PreparedTemplate

Prefill: TypeAlias = Literal["none", "open", "closed", "bare closer"]
"""What the generation prompt leaves of the reasoning: nothing, an opener, a whole block, a closer alone."""


@dataclass(frozen=True, slots=True)
class Trigger:
    type: Literal["word", "pattern", "pattern_full", "token"]
    value: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """One request, ready to run."""

    request: Request
    template: PreparedTemplate
    prompt: Prompt
    bos_token: str = ""
    eos_token: str = ""
    prefill: Prefill = "none"
    continued: Literal["", "content", "reasoning_content"] = ""
    """Which field of the final message goes on; `continued_text` is that field's text so far."""
    continued_text: str = ""
    continued_reasoning: str = ""
    """The reasoning of a message whose content is continued."""
    format: Format = PLAIN
    grammar: str | None = None
    grammar_lazy: bool = False
    triggers: tuple[Trigger, ...] = ()
    preserved_tokens: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[Warning, ...]:
        return self.prompt.warnings


def prepare(
    request: Request,
    template: PreparedTemplate,
    *,
    now: datetime,
    bos_token: str = "",
    eos_token: str = "",
    budget: Callable[[], Budget] = Budget,
) -> Prepared:
    """The prompt of a request. `now` is local time; `budget` gives the limits of each rendering.

    Raises `RequestError` for a request that the template can't take, `TemplateError` for its own refusal.
    """
    messages = [{"role": m.role, "content": m.text} for m in request.messages]
    rendered = template.template.render(
        {"messages": messages, "bos_token": bos_token, "eos_token": eos_token, "add_generation_prompt": True},
        now=now,
        budget=budget(),
    )
    text = rendered.text
    return Prepared(request, template, Prompt(rendered.spans, len(text), rendered.warnings), bos_token, eos_token)
