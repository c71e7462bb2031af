"""One request, from messages to everything that the engine and the reader need.

`prepare` makes the prompt; the format, the grammar and the reader's state are added to the same value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from cutaway.chat.continuation import Continued, continue_final
from cutaway.chat.demands import render_as_demanded
from cutaway.chat.draft import Draft, Notes
from cutaway.chat.formats.format import PLAIN, Format
from cutaway.chat.generation import generation_start, length
from cutaway.chat.message import Request
from cutaway.chat.normalise import normalise
from cutaway.chat.prompt import Prompt, Warning
from cutaway.chat.template.assemble import assemble, kwargs_warnings
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prefill import Prefill, read_prefill
from cutaway.chat.template.prepared import PreparedTemplate
from cutaway.chat.template.render import Rendered
from cutaway.chat.template.thinking import translate


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
    notes = Notes([*request.warnings, *kwargs_warnings(request.kwargs, template.reads)])
    drafts = normalise(request.messages, template.caps, template.traits, notes)
    thinking = translate(request.thinking, template.thinking_table, notes.warnings)

    def render(some: list[Draft], add_generation_prompt: bool | None) -> Rendered:
        variables = assemble(
            request,
            [draft.value(template.traits.roles) for draft in some],
            template.reads,
            thinking=thinking,
            add_generation_prompt=add_generation_prompt,
            bos_token=bos_token,
            eos_token=eos_token,
            now=now,
        )
        return template.template.render(variables, now=now, budget=budget())

    if request.continue_final:
        continued = continue_final(request.continue_final, drafts, render, notes)
        return _continued(request, template, continued, notes, bos_token, eos_token)
    add = request.add_generation_prompt
    drafts, rendered = render_as_demanded(drafts, lambda some: render(some, add), notes)
    start = length(rendered.spans)
    if add is not False:
        start = generation_start(rendered.spans, render(drafts, False).spans)
    prompt = Prompt(rendered.spans, start, (*notes.warnings, *rendered.warnings))
    return Prepared(
        request, template, prompt, bos_token, eos_token, prefill=read_prefill(prompt.generation_prompt).state
    )


def _continued(
    request: Request, template: PreparedTemplate, continued: Continued, notes: Notes, bos_token: str, eos_token: str
) -> Prepared:
    prompt = Prompt(continued.spans, continued.start, tuple(notes.warnings))
    return Prepared(
        request,
        template,
        prompt,
        bos_token,
        eos_token,
        prefill=read_prefill(prompt.generation_prompt).state,
        continued=continued.field,
        continued_text=continued.text,
        continued_reasoning=continued.reasoning,
    )
