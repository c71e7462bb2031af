"""One request, from messages to everything that the engine and the reader need.

`prepare` makes the prompt; the format, the grammar and the reader's state are added to the same value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from cutaway.chat.continuation import Continued as ContinuedPrompt
from cutaway.chat.continuation import Markers, continue_final
from cutaway.chat.demands import render_as_demanded
from cutaway.chat.formats.format import PLAIN, Format
from cutaway.chat.generation import buried_prompt, generation_start, length, own_run, start_of_lines
from cutaway.chat.grammar.constrain import constrain, preserved
from cutaway.chat.grammar.schema import Coverage
from cutaway.chat.left_out import left_out
from cutaway.chat.message import Request
from cutaway.chat.plain import RequestError
from cutaway.chat.prompt import Prompt, Warning
from cutaway.chat.reading.reader import Profile, Reader
from cutaway.chat.reading.start import Continued
from cutaway.chat.rendering import Rendering, rendering
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prefill import Prefill, read_prefill
from cutaway.chat.template.prepared import PreparedTemplate
from cutaway.chat.template.render import Rendered

WAYS_OUT = "Ways out: choose a format by name, use a simpler template, or complete plain text without a template."


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
    """The end of the turn as the template writes it."""
    coverage: Mapping[str, tuple[Coverage, ...]] = field(default_factory=dict)
    """By tool name, and `response_format`: what became of each keyword of its schema."""

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
    format: Format | None = None,
) -> Prepared:
    """The prompt of a request. `now` is local time; `budget` gives the limits of each rendering; `format`, where it is
    known already, has the tags around reasoning that a continuation may need.

    Raises `RequestError` for a request that the template can't take, `TemplateError` for its own refusal.
    """
    render = rendering(request, template, now=now, bos_token=bos_token, eos_token=eos_token, budget=budget)
    if request.continue_final:
        wish, markers = request.continue_final, _markers(format)
        return _continued(render, continue_final(wish, render.conversation, render, render.notes, markers))
    add = request.add_generation_prompt
    taken, rendered = render_as_demanded(render.conversation, lambda some: render(some, add), render.notes)
    start = length(rendered.spans)
    if add is not False:
        start = _start(request, rendered, template.reads.prompt_line if add else None, lambda: render(taken, False))
    known = (*render.notes.warnings, *rendered.warnings)
    warnings = (*known, *left_out(request, rendered.spans, known))
    prompt = Prompt(rendered.spans, start, warnings)
    prefill = read_prefill(prompt.generation_prompt).state
    return Prepared(request, template, prompt, bos_token, eos_token, prefill=prefill)


def _start(request: Request, rendered: Rendered, line: int | None, render_without: Callable[[], Rendered]) -> int:
    """Where the generation prompt begins: from `line` on where that is known, else compared with a rendering without;
    by the places of the text alone where the template can't do without it.

    Raises `RequestError` where the template writes it before some of the messages.
    """
    if line is not None:
        return start_of_lines(rendered.spans, line)
    try:
        without = render_without().spans
    except TemplateError:
        return own_run(rendered.spans)
    start = generation_start(rendered.spans, without)
    is_open = start < length(rendered.spans) or _ends_with_assistant(request)
    buried = None if is_open else buried_prompt(rendered.spans, without)
    if buried is not None:
        message = f"This template opens the assistant's turn before {buried}, so the reply would go on with that text."
        raise RequestError(buried, message)
    return start


def _markers(format: Format | None) -> Markers:
    if format is None:
        return Markers()
    content_open = format.content[0].open.written if format.content else ""
    if format.reasoning is None:
        return Markers(content_open=content_open)
    return Markers(format.reasoning.open.written, format.reasoning.close.written, content_open)


def _ends_with_assistant(request: Request) -> bool:
    return bool(request.messages) and request.messages[-1].role == "assistant"


def _continued(render: Rendering, continued: ContinuedPrompt) -> Prepared:
    known = render.notes.warnings
    warnings = (*known, *left_out(render.request, continued.spans, known))
    prompt = Prompt(continued.spans, continued.start, warnings)
    return Prepared(
        render.request,
        render.template,
        prompt,
        render.bos_token,
        render.eos_token,
        prefill=read_prefill(prompt.generation_prompt).state,
        continued=continued.field,
        continued_text=continued.text,
        continued_reasoning=continued.reasoning,
    )


def expect(prepared: Prepared, format: Format, end_tokens: Collection[str] = ()) -> Prepared:
    """The request with the format of its reply, and the constraint that it asks for.

    `end_tokens` are the texts of the tokens that end a generation in the vocabulary at hand.
    Raises `ConstraintError` for what cannot be enforced.
    """
    format = format.with_eos(prepared.eos_token)
    made = constrain(prepared.request, format, prepared.prefill, end_tokens)
    prepared = _without_tools(prepared, format)
    prepared = replace(prepared, format=format, preserved_tokens=preserved(format), stops=format.ends)
    if made is None:
        return prepared
    triggers = tuple(Trigger(kind, value) for kind, value in made.triggers)
    return replace(prepared, grammar=made.text, grammar_lazy=made.lazy, triggers=triggers, coverage=made.coverage)


def _without_tools(prepared: Prepared, format: Format) -> Prepared:
    """A format without calls cannot read them: the person is told why, and what to do."""
    request, prompt = prepared.request, prepared.prompt
    if not request.tools or request.tool_choice.mode == "none" or format.calls is not None:
        return prepared
    cause = format.notes[0] if format.notes else f"The format {format.name} has no tool calls."
    warning = Warning("tools-off", f"{cause} Tools are off: what the model writes is read as text. {WAYS_OUT}", "tools")
    return replace(prepared, prompt=Prompt(prompt.spans, prompt.generation_start, (*prompt.warnings, warning)))


def open_reader(
    prepared: Prepared,
    *,
    profile: Profile = "tolerant",
    marker_tokens: Mapping[int, str] | None = None,
) -> Reader:
    """The reader of this request's reply, in the state that its prompt leaves.

    `marker_tokens` are the vocabulary's control and user-defined tokens by id; with them each `feed` needs the ids
    of its text. Without them markers count as text.
    """
    request = prepared.request
    continued = None
    if prepared.continued:
        in_content = prepared.continued == "content"
        written = prepared.continued_reasoning if in_content else prepared.continued_text
        # A template that takes reasoning as a part of the content leaves none in the field.
        reasoning = written or request.messages[-1].reasoning_content or ""
        continued = Continued(prepared.continued, reasoning, prepared.continued_text if in_content else "")
    return Reader(
        prepared.format,
        () if request.tool_choice.mode == "none" else request.tools,
        generation_prompt=prepared.prompt.generation_prompt,
        continued=continued,
        profile=profile,
        reasoning_format=request.reasoning_format,
        fenced=request.response_format is not None,
        calls_before=sum(len(message.tool_calls) for message in request.messages),
        marker_tokens=marker_tokens,
    )
