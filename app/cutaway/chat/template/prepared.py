"""A template made ready once: compiled, with all that is known about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from cutaway.chat.generation import generation_start
from cutaway.chat.template.capabilities import Capabilities, Evidence, find_capabilities
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.history import KEPT, HistoryReasoning, find_history_reasoning
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.misfits import without_misfits
from cutaway.chat.template.reads import Reads, template_reads
from cutaway.chat.template.render import Rendered, Template, compile_template
from cutaway.chat.template.roles import reads_result_names, roles_with_lists, unwritten_roles
from cutaway.chat.template.sources import TemplateSource
from cutaway.chat.template.thinking import ThinkingRow, Trial, thinking_table
from cutaway.chat.template.thinking_words import Word, with_word
from cutaway.chat.template.traits import Traits, find_traits
from cutaway.chat.template.watch import Watched

TRIAL_TIME = datetime(2024, 7, 26)
"""The clock of trial renderings; what is found out never depends on it."""


@dataclass(frozen=True, slots=True)
class PreparedTemplate:
    """Depends on the template's text only, so it is kept by the text's SHA-256."""

    source: TemplateSource
    template: Template
    sha256: str
    reads: Reads
    traits: Traits
    caps: Capabilities
    evidence: tuple[Evidence, ...]
    """For each capability, what decided it."""
    thinking_table: tuple[ThinkingRow, ...]
    history: HistoryReasoning


def prepare_template(source: TemplateSource, budget: Callable[[], Budget] = Budget) -> PreparedTemplate:
    """Compiles the template and finds out what it can do. `budget` gives the limits of each trial rendering.

    Raises `TemplateError` where the template does not compile.
    """
    template = compile_template(without_misfits(source.text))
    reads = template_reads(template.tree)
    traits = find_traits(source.text, reads)
    trials = _Trials(template, budget, traits)
    if reads.tests_none and trials.needs_null():
        traits = replace(traits, needs_null=True)
    table = thinking_table(reads, trials.thinking)
    thinking_on = next((row.kwargs for row in table if row.thinking == "on"), {"enable_thinking": True})
    caps, evidence = find_capabilities(trials.watch)
    traits = _by_role(traits, caps, trials)
    return PreparedTemplate(
        source=source,
        template=template,
        sha256=source.sha256,
        reads=reads,
        traits=traits,
        caps=caps,
        evidence=evidence,
        thinking_table=table,
        history=find_history_reasoning(reads, lambda more: trials.shows_earlier_reasoning({**thinking_on, **more})),
    )


def _by_role(traits: Traits, caps: Capabilities, trials: _Trials) -> Traits:
    def render(messages: list[dict[str, Any]]) -> Rendered | None:
        return trials.render(messages, add_generation_prompt=True)

    objects = caps.supports_object_arguments
    return replace(
        traits,
        list_roles=roles_with_lists(render, objects=objects) if caps.supports_typed_content else frozenset(),
        roles=traits.roles - unwritten_roles(render, traits.roles),
        names_results=reads_result_names(trials.watch, objects=objects),
    )


class _Trials:
    def __init__(self, template: Template, budget: Callable[[], Budget], traits: Traits) -> None:
        self.template = template
        self.budget = budget
        self.earlier = _with_earlier_reasoning(traits)
        self.exhausted: TemplateError | None = None
        """The first trial that ran into a limit; there are no others then, so that they end in time."""

    def render(self, messages: list[dict[str, Any]], **more: Any) -> Rendered | None:
        variables = {"messages": messages, "bos_token": "", "eos_token": "", **more}
        if self.exhausted is not None:
            return None
        try:
            return self.template.render(variables, now=TRIAL_TIME, budget=self.budget())
        except TemplateError as error:
            self._ended(error)
            return None

    def watch(self, variables: Mapping[str, Any]) -> Watched:
        if self.exhausted is not None:
            return Watched("", self.exhausted, {})
        watched = self.template.watch(variables, now=TRIAL_TIME, budget=self.budget())
        self._ended(watched.error)
        return watched

    def _ended(self, error: TemplateError | None) -> None:
        if error is not None and error.kind == "limit":
            self.exhausted = error

    def thinking(self, kwargs: Mapping[str, Any], word: Word | None = None) -> Trial | None:
        """A conversation with a past answer, or a single question where the template refuses that."""
        for given in (_PAST_ANSWER, _PAST_ANSWER[:1]):
            messages = given if word is None else with_word(given, word)
            without = self.render(messages, add_generation_prompt=False, **kwargs)
            full = self.render(messages, add_generation_prompt=True, **kwargs)
            if without is not None and full is not None:
                start = generation_start(full.spans, without.spans)
                return Trial(full.text[:start], full.text[start:])
        return None

    def shows_earlier_reasoning(self, kwargs: Mapping[str, Any]) -> bool | None:
        rendered = self.render(self.earlier, add_generation_prompt=True, **kwargs)
        return None if rendered is None else KEPT in rendered.text

    def needs_null(self) -> bool:
        """Whether calls appear beside a content that is none, but not beside an empty one."""
        empty, null = (self.render(_with_call(content)) for content in ("", None))
        return null is not None and _CALLED in null.text and (empty is None or _CALLED not in empty.text)


_PAST_ANSWER: list[dict[str, Any]] = [
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Good day", "reasoning_content": "A greeting."},
    {"role": "user", "content": "How are you?"},
]


def _with_earlier_reasoning(traits: Traits) -> list[dict[str, Any]]:
    """Two answered questions and a third; the first answer was reasoned about."""
    answer: dict[str, Any] = {"role": "assistant", "content": "Good day"}
    if traits.reasoning == "blocks":
        answer["content"] = [{"type": "thinking", "thinking": KEPT}, {"type": "text", "text": "Good day"}]
    else:
        answer[traits.reasoning or "reasoning_content"] = KEPT
    greeting = {"role": "user", "content": "Hello"}
    return [greeting, answer, greeting, {"role": "assistant", "content": "Hello again"}, greeting]


_CALLED = "look_outside"


def _with_call(content: str | None) -> list[dict[str, Any]]:
    call = {"type": "function", "id": "call00001", "function": {"name": _CALLED, "arguments": {"far": "yes"}}}
    return [
        {"role": "user", "content": "Is it raining?"},
        {"role": "assistant", "content": content, "tool_calls": [call]},
        {"role": "tool", "content": "No", "tool_call_id": "call00001", "name": _CALLED},
    ]
