"""The prompt thread: templates are prepared, prompts rendered and tokenised here, never on the loop's thread.

One thread, so that its work is done in order; what nobody waits for any more is not begun.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from cutaway.chat.call_ids import in_family
from cutaway.chat.formats.format import Format
from cutaway.chat.formats.spelled import spelled
from cutaway.chat.legacy import legacy_prompt
from cutaway.chat.message import Message, Request
from cutaway.chat.plain import RequestError
from cutaway.chat.prompt import Origin, Prompt, Span
from cutaway.chat.session import Prepared, expect, prepare
from cutaway.chat.shelf import FORMAT_DAY as FORMAT_DAY
from cutaway.chat.shelf import Shelf
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prepared import PreparedTemplate, prepare_template
from cutaway.chat.template.sources import TemplateSource, TemplateSources, found, given
from cutaway.engine.backend import Vocabulary
from cutaway.engine.event import ModelFacts
from cutaway.engine.template_files import read_templates
from cutaway.engine.tokens import Tokenised, template_markers, tokenise
from cutaway.workbench.own_ids import Kept, OwnIds, tokenise_keeping
from cutaway.workbench.turn import TemplateInfo

T = TypeVar("T")

RENDER_SECONDS = 1.0
TEMPLATES_KEPT = 16


@dataclass(frozen=True, slots=True)
class Source:
    """Which template a request is rendered with, and the vocabulary that its prompt is tokenised with."""

    templates: TemplateSources
    vocabulary: Vocabulary | None
    bos_token: str = ""
    eos_token: str = ""
    jinja: bool = True
    keep_reasoning: bool | None = None
    """Whether the reasoning of earlier turns is sent again, where the template has a variable for it."""


@dataclass(frozen=True, slots=True)
class Made:
    """A prompt, ready for the engine."""

    prepared: Prepared
    tokens: Tokenised | None
    kept: tuple[Kept, ...]
    info: TemplateInfo
    plain: bool = False
    """Raw text without a template: the reply has no format."""

    marks: tuple[int, ...] = ()
    """Lengths in tokens at which the next turn will leave this prompt, as far as that was asked for."""
    fixed: tuple[int, ...] = ()
    """Ids to be used in place of the tokens': those of a turn that is made again."""

    @property
    def ids(self) -> list[int]:
        if self.fixed:
            return list(self.fixed)
        return [] if self.tokens is None else self.tokens.ids.tolist()


@dataclass(frozen=True, slots=True)
class Stable:
    """What every next prompt begins with."""

    ids: list[int]
    starts: list[int]
    """For each id the character at which it begins."""
    prompt: Prompt
    """As far as the ids go."""
    template: str
    """Its SHA-256."""
    marks: tuple[int, ...] = ()
    """Lengths in tokens at which the turn after the next one will leave this, as far as that was asked for."""


def source_of(facts: ModelFacts, vocabulary: Vocabulary) -> Source:
    """The loaded model's own templates."""
    texts = dict(facts.templates)
    if facts.template is not None:
        texts["default"] = facts.template
    return Source(
        found(texts, Path(facts.path).name or facts.name),
        vocabulary,
        _text_of(vocabulary, vocabulary.bos),
        _text_of(vocabulary, vocabulary.eos),
    )


class PromptDesk:
    def __init__(self, now: Callable[[], datetime] = datetime.now) -> None:
        self.now = now
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="prompt")
        self._shelf = Shelf(TEMPLATES_KEPT, preparing=lambda: one_rendering, rendering=one_rendering)

    async def close(self) -> None:
        await asyncio.to_thread(self._thread.shutdown, wait=True, cancel_futures=True)

    async def run(self, work: Callable[[], T]) -> T:
        """Do it on the prompt thread. When the caller is cancelled before it began, it is not done."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def make(self, request: Request, source: Source, own: Sequence[OwnIds] = ()) -> Made:
        """Raises RequestError or TemplateError."""
        return await self.run(lambda: self.make_now(request, source, own))

    async def marked(self, made: Made, source: Source, own: Sequence[OwnIds] = ()) -> Made:
        """With the length at which a next turn leaves the prompt: where its render, after some reply, is another."""
        return await self.run(lambda: self._marked(made, source, own))

    async def stable_prefix(
        self,
        request: Request,
        source: Source,
        own: Sequence[OwnIds],
        following: Sequence[Sequence[Message]],
        *,
        marked: bool = False,
    ) -> Stable | None:
        """What the renders of the request with each of the `following` messages share; None where a render raises.

        `marked`: with the length at which the turn after that one leaves it.
        """
        return await self.run(lambda: self._stable_prefix(request, source, own, following, marked=marked))

    # -- On the prompt thread -----------------------------------------------------------------------

    def prepare(self, source: TemplateSource) -> PreparedTemplate:
        """Each template is prepared once. Raises TemplateError."""
        return self._shelf.template(source)

    def format(self, request: Request, template: PreparedTemplate) -> Format:
        """How the template's model writes; found once. Raises RequestError for an unknown name."""
        return self._shelf.format(template, request.format)

    def format_of(self, source: TemplateSource, bos: str, eos: str) -> Format | None:
        """How replies to this template's prompts are read; None where no prompt can be made."""
        try:
            request = Request(messages=(Message("user", "Hello"),))
            return self.make_now(request, Source(TemplateSources(source), None, bos, eos)).prepared.format
        except (RequestError, TemplateError):
            return None

    def make_now(self, request: Request, source: Source, own: Sequence[OwnIds] = ()) -> Made:
        """The prompt, its tokens, how the reply is read and what constrains it.

        Raises RequestError, TemplateError or ConstraintError.
        """
        chosen, prepared = self._render(request, source)
        format = self.format(request, prepared.template)
        prepared = expect(prepared, format, _end_tokens(source.vocabulary))
        tokens, kept = _tokens(prepared, chosen, source, own)
        info = TemplateInfo(chosen.origin, chosen.variant, chosen.sha256, chosen.text, prepared.format.name)
        return Made(prepared, tokens, kept, info)

    def _render(self, request: Request, source: Source) -> tuple[TemplateSource, Prepared]:
        chosen = source.templates.choose(tools=bool(request.tools))
        if not source.jinja:
            return chosen, _legacy(request, chosen)
        template = self.prepare(chosen)
        asked = _with_history(request, template, source.keep_reasoning)
        format = self.format(request, template)
        prepared = prepare(
            _with_ids(asked, format),
            template,
            now=self.now(),
            bos_token=source.bos_token,
            eos_token=source.eos_token,
            budget=one_rendering,
            format=format,
        )
        return chosen, replace(prepared, request=request, format=format)

    def _marked(self, made: Made, source: Source, own: Sequence[OwnIds]) -> Made:
        if made.tokens is None or made.prepared.request.continue_final:
            return made
        later = self._later(made.prepared.request, source, own)
        return made if later is None else replace(made, marks=(_shared_length([made.tokens.ids, later]),))

    def _later(self, request: Request, source: Source, own: Sequence[OwnIds]) -> NDArray[np.int32] | None:
        """The ids of the turn after the one that the request is for, whatever its reply is; None where none is made."""
        reply = Message("assistant", "Yes.", reasoning_content="Let me see.")
        longer = replace(request, messages=(*request.messages, reply, Message("user", "And then?")), continue_final="")
        found = self._rendered(longer, source, own)
        return None if found is None else found[1].ids

    def _rendered(
        self, request: Request, source: Source, own: Sequence[OwnIds]
    ) -> tuple[Prompt, Tokenised, str] | None:
        """The prompt, its tokens and the template's SHA-256; None where it raises or there is no vocabulary."""
        try:
            chosen, prepared = self._render(request, source)
            tokens, _ = _tokens(prepared, chosen, source, own)
        except (RequestError, TemplateError):
            return None
        return None if tokens is None else (prepared.prompt, tokens, chosen.sha256)

    def _stable_prefix(
        self,
        request: Request,
        source: Source,
        own: Sequence[OwnIds],
        following: Sequence[Sequence[Message]],
        *,
        marked: bool,
    ) -> Stable | None:
        nexts = [replace(request, messages=(*request.messages, *messages), continue_final="") for messages in following]
        renders = []
        for longer in nexts:
            found = self._rendered(longer, source, own)
            if found is None:
                return None
            renders.append(found)
        if not renders:
            return None
        prompt, tokens, template = renders[0]
        length = _shared_length([tokens.ids for _, tokens, _ in renders])
        end = int(tokens.starts[length]) if length < len(tokens) else len(prompt.text)
        later = [ids for longer in nexts if (ids := self._later(longer, source, own)) is not None] if marked else []
        marks = (min(_shared_length([tokens.ids[:length], ids]) for ids in later),) if later else ()
        ids, starts = tokens.ids[:length].tolist(), tokens.starts[:length].tolist()
        return Stable(ids, starts, beginning(prompt, end), template, marks)


def beginning(prompt: Prompt, end: int) -> Prompt:
    """The first characters of a prompt; it has no generation prompt."""
    spans: list[Span] = []
    at = 0
    for span in prompt.spans:
        if at + len(span.text) > end:
            spans.append(replace(span, text=span.text[: end - at]))
            break
        spans.append(span)
        at += len(span.text)
    return Prompt(tuple(spans), end)


def _tokens(
    prepared: Prepared, chosen: TemplateSource, source: Source, own: Sequence[OwnIds]
) -> tuple[Tokenised | None, tuple[Kept, ...]]:
    if source.vocabulary is None:
        return None, ()
    markers = template_markers(chosen.text, source.vocabulary, spelled(prepared.format))
    mode = prepared.request.control_tokens
    return tokenise_keeping(prepared.prompt, source.vocabulary, own, markers=markers, mode=mode)


def _with_ids(request: Request, format: Format) -> Request:
    """The request with call ids as the model's family writes them: the conversation may have begun with another."""
    if format.calls is None or not any(message.tool_calls for message in request.messages):
        return request
    return replace(request, messages=in_family(format.calls.id, request.messages))


def _with_history(request: Request, template: PreparedTemplate, keep: bool | None) -> Request:
    """The template's own variable for old reasoning, where it has one and the person has a wish."""
    wanted = None if keep is None else template.history.keep if keep else template.history.drop
    return replace(request, kwargs={**wanted, **request.kwargs}) if wanted else request


def _legacy(request: Request, chosen: TemplateSource) -> Prepared:
    """The prompt as llama.cpp renders it without Jinja. Raises RequestError."""
    from cutaway.engine.llama.legacy_template import apply_legacy

    prompt = legacy_prompt(
        request, lambda messages, add: apply_legacy(chosen.text, messages, add_generation_prompt=add)
    )
    return Prepared(request, prepare_template(TemplateSource("", chosen.origin, chosen.variant)), prompt)


def template_sources(path: str) -> tuple[TemplateSources, str, str]:
    """The templates at a path (or the word `chatml`), with BOS and EOS. Raises TemplateFileError."""
    if path == "chatml":
        return given("chatml"), "", ""
    templates = read_templates(Path(path))
    return templates.sources, templates.bos_token, templates.eos_token


def raw_prompt(text: str, vocabulary: Vocabulary, *, control: bool) -> Made:
    """Text as a prompt without a template: all of it is input. With `control` the names of control tokens count."""
    source = TemplateSource("", "none")
    prompt = Prompt((Span(text, Origin("input", "prompt")),), len(text))
    trusted = Prompt((Span(text, Origin("template")),), len(text))
    tokens = tokenise(trusted if control else prompt, vocabulary)
    prepared = Prepared(Request(), prepare_template(source), prompt)
    return Made(prepared, tokens, (), TemplateInfo(source.origin, source.variant, "", ""), plain=True)


def one_rendering() -> Budget:
    deadline = time.monotonic() + RENDER_SECONDS
    return Budget(used_up=lambda: time.monotonic() > deadline)


def _shared_length(arrays: Sequence[NDArray[np.int32]]) -> int:
    """How many leading ids all have in common."""
    shortest = min(len(array) for array in arrays)
    same = np.ones(shortest, dtype=np.bool_)
    for array in arrays[1:]:
        same &= array[:shortest] == arrays[0][:shortest]
    return shortest if same.all() else int(np.argmin(same))


def _end_tokens(vocabulary: Vocabulary | None) -> tuple[str, ...]:
    if vocabulary is None:
        return ()
    return tuple(text for text, token, _ in vocabulary.added() if vocabulary.is_end(token))


def _text_of(vocabulary: Vocabulary, token: int) -> str:
    return vocabulary.piece(token).decode("utf-8", "replace") if token >= 0 else ""
