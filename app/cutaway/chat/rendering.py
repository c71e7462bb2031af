"""Renders a request's messages, all or some of them, with everything else of the request the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from cutaway.chat.draft import Conversation, Notes
from cutaway.chat.message import Request
from cutaway.chat.normalise import normalise
from cutaway.chat.template.assemble import assemble, kwargs_warnings
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prepared import PreparedTemplate
from cutaway.chat.template.render import Rendered
from cutaway.chat.template.thinking import translate
from cutaway.chat.thinking_word import put_word


@dataclass(frozen=True, slots=True)
class Rendering:
    request: Request
    template: PreparedTemplate
    conversation: Conversation
    """The request's messages as the template wants them, and its tools."""
    thinking: Mapping[str, Any]
    """The template's own switches for the wish of the request."""
    notes: Notes
    bos_token: str
    eos_token: str
    now: datetime
    budget: Callable[[], Budget]

    def __call__(self, conversation: Conversation, add_generation_prompt: bool | None) -> Rendered:
        """Raises `TemplateError`."""
        variables = assemble(
            self.request,
            [draft.value(self.template.traits.roles) for draft in conversation.drafts],
            conversation.tools,
            self.template.reads,
            self.template.history,
            thinking=self.thinking,
            add_generation_prompt=add_generation_prompt,
            bos_token=self.bos_token,
            eos_token=self.eos_token,
            now=self.now,
        )
        return self.template.template.render(variables, now=self.now, budget=self.budget())


def rendering(
    request: Request,
    template: PreparedTemplate,
    *,
    now: datetime,
    bos_token: str = "",
    eos_token: str = "",
    budget: Callable[[], Budget] = Budget,
) -> Rendering:
    """Normalises the messages. Raises `RequestError`."""
    notes = Notes([*request.warnings, *kwargs_warnings(request.kwargs, template.reads, template.history)])
    drafts = normalise(request.messages, template.caps, template.traits, notes, continued=request.continue_final)
    reasons = bool(template.traits.reasoning)
    switch = translate(request.thinking, template.thinking_table, notes.warnings, reasons=reasons)
    if switch.word is not None:
        drafts = put_word(drafts, switch.word, notes)
    conversation = Conversation(drafts, [dict(tool.raw) for tool in request.tools])
    return Rendering(request, template, conversation, switch.kwargs, notes, bos_token, eos_token, now, budget)
