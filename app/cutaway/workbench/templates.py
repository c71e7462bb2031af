"""Templates to look at and to try: the one in force, one that was opened, one that is being edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from cutaway.chat.analysis.append_only import first_rewrite
from cutaway.chat.choice import Verified, verify_formats
from cutaway.chat.formats.format import Format
from cutaway.chat.formats.spelled import spelled
from cutaway.chat.message import Message, Request
from cutaway.chat.plain import RequestError
from cutaway.chat.prompt import Prompt
from cutaway.chat.reading.reader import read_reply
from cutaway.chat.reply import Reply
from cutaway.chat.session import open_reader
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.prepared import PreparedTemplate
from cutaway.chat.template.sources import TemplateSource, TemplateSources
from cutaway.engine.backend import LoadError
from cutaway.engine.boundary import Boundaries, compare_ways
from cutaway.engine.event import ModelFacts
from cutaway.engine.template_fit import missing_markers
from cutaway.engine.tokens import PromptToken, template_markers
from cutaway.workbench.asking import Asking
from cutaway.workbench.model_desk import ModelDesk
from cutaway.workbench.prompting import FORMAT_DAY, PromptDesk, Source, one_rendering, template_sources
from cutaway.workbench.turn import TemplateInfo


@dataclass(frozen=True, slots=True)
class TemplateView:
    """A prepared template, as the template pane shows it."""

    info: TemplateInfo
    caps: Mapping[str, bool]
    knobs: tuple[tuple[str, tuple[Any, ...]], ...]
    """(variable, values the template compares it with)."""
    thinking_table: tuple[Mapping[str, Any], ...]
    """As in `cutaway batch`: `{thinking, kwargs, prefill, changes_prompt}`."""
    prepared: PreparedTemplate
    """With the evidence of its capabilities, what it reads, and what becomes of earlier reasoning."""
    sources: TemplateSources
    """The template with its siblings: a model's named variants."""
    format: Format | None = None
    bos_token: str = ""
    eos_token: str = ""
    warnings: tuple[str, ...] = ()


class Templates:
    def __init__(self, asking: Asking, model: ModelDesk, prompts: PromptDesk) -> None:
        self._asking = asking
        self._model = model
        self._prompts = prompts

    async def in_force(self, conversation: str = "") -> TemplateView | None:
        """The loaded model's, or the one set for it; None without a model. Raises TemplateError."""
        facts = self._model.facts
        if facts is None:
            return None
        settings = self._asking.settings(conversation, facts)
        source = await self._asking.source(settings, facts)
        tools = bool(self._asking.tools(settings))
        return await self._view(source.templates, source.bos_token, source.eos_token, tools=tools)

    async def open(self, path: Path) -> TemplateView:
        """A .jinja file, a Hugging Face folder, or a GGUF whose weights are not loaded.

        Raises TemplateFileError or TemplateError.
        """
        sources, bos, eos = await self._prompts.run(lambda: template_sources(str(path)))
        return await self._view(sources, bos, eos)

    async def prepare(self, text: str, bos: str = "", eos: str = "") -> TemplateView:
        """A template that is being edited. Raises TemplateError with its line."""
        return await self._view(TemplateSources(TemplateSource(text, "edited")), bos, eos)

    async def _view(self, sources: TemplateSources, bos: str, eos: str, *, tools: bool = False) -> TemplateView:
        chosen = sources.choose(tools=tools)
        prepared = await self._prompts.run(lambda: self._prompts.prepare(chosen))
        made = await self._prompts.run(lambda: self._prompts.format_of(chosen, bos, eos))
        info = TemplateInfo(chosen.origin, chosen.variant, chosen.sha256, chosen.text, made.name if made else "")
        return TemplateView(
            info,
            prepared.caps.flags(),
            tuple((name, variable.values) for name, variable in prepared.reads.variables.items()),
            tuple(
                {
                    "thinking": row.thinking,
                    "kwargs": dict(row.kwargs),
                    "prefill": row.prefill,
                    "changes_prompt": row.changes_prompt,
                    "word": row.word.text if row.word else "",
                }
                for row in prepared.thinking_table
            ),
            prepared,
            sources,
            made,
            bos,
            eos,
            tuple(warning.message for warning in sources.warnings),
        )

    async def verify(self, view: TemplateView) -> Verified:
        """The round trip, case by case, of every format that the template could mean."""

        def check() -> Verified:
            return verify_formats(
                view.prepared, now=FORMAT_DAY, bos_token=view.bos_token, eos_token=view.eos_token, budget=one_rendering
            )

        return await self._prompts.run(check)

    async def render(self, view: TemplateView, request: Request) -> tuple[Prompt, list[PromptToken]]:
        """With the loaded model's tokens; without a model there are none. Raises RequestError or TemplateError."""
        vocabulary = self._model.vocabulary() if self._model.facts else None
        source = Source(TemplateSources(_source(view)), vocabulary, view.bos_token, view.eos_token)
        made = await self._prompts.make(request, source)
        return made.prepared.prompt, list(made.tokens or ())

    async def rewrites(self, view: TemplateView, requests: Sequence[Request]) -> list[int | str | None]:
        """For each conversation the character from which later turns rewrite it, None, or why it cannot be rendered."""
        source = Source(TemplateSources(_source(view)), None, view.bos_token, view.eos_token)

        def text(request: Request) -> str:
            return self._prompts.make_now(request, source).prepared.prompt.text

        def one(request: Request) -> int | str | None:
            try:
                return first_rewrite(text, request)
            except (RequestError, TemplateError) as error:
                return str(error)

        return [await self._prompts.run(partial(one, request)) for request in requests]

    async def misfits(self, view: TemplateView) -> tuple[str, ...]:
        """Where a template departs from what the loaded model was trained with, as sentences; none without a model."""
        if self._model.facts is None:
            return ()
        own, vocabulary = await self._own(self._model.facts), self._model.vocabulary()
        request = Request(messages=(Message("user", "Hello"),))

        def found() -> tuple[str, ...]:
            source = Source(TemplateSources(_source(view)), None, view.bos_token, view.eos_token)
            prompt = self._prompts.make_now(request, source).prepared.prompt
            said = [warning.message for warning in missing_markers(prompt, vocabulary)]
            if own is None:
                return tuple(said)
            trained = Source(TemplateSources(_source(own)), None, own.bos_token, own.eos_token)
            was = self._prompts.make_now(request, trained).prepared.prompt.generation_prompt
            if was != prompt.generation_prompt:
                said.append(
                    f"The generation prompt is {prompt.generation_prompt!r}; the model's own template ends with {was!r}."
                )
            if view.format is not None and own.format is not None and view.format.calls != own.format.calls:
                said.append("Tool calls are written otherwise than in the model's own template.")
            return tuple(said)

        return await self._prompts.run(found)

    async def _own(self, facts: ModelFacts) -> TemplateView | None:
        """The template of the model's file."""
        if not facts.template:
            return None
        vocabulary = self._model.vocabulary()
        bos, eos = (
            vocabulary.piece(token).decode("utf-8", "replace") if token >= 0 else ""
            for token in (vocabulary.bos, vocabulary.eos)
        )
        return await self._view(TemplateSources(TemplateSource(facts.template, "model")), bos, eos)

    async def boundaries(self, view: TemplateView, request: Request) -> Boundaries:
        """Raises RequestError, TemplateError, or LoadError without a model."""
        if self._model.facts is None:
            raise LoadError("Open a model first: its vocabulary is what is tried.")
        vocabulary = self._model.vocabulary()
        source = Source(TemplateSources(_source(view)), None, view.bos_token, view.eos_token)

        def compared() -> Boundaries:
            prepared = self._prompts.make_now(request, source).prepared
            markers = template_markers(view.info.source, vocabulary, spelled(prepared.format))
            return compare_ways(prepared.prompt, vocabulary, markers=markers)

        return await self._prompts.run(compared)

    async def read_output(
        self, view: TemplateView, request: Request, text: str, format: str, profile: Literal["tolerant", "strict"]
    ) -> Reply:
        """Raises RequestError, TemplateError, or KeyError for a format that there is not."""
        asked = replace(request, format=format or request.format, profile=profile)
        source = Source(TemplateSources(_source(view)), None, view.bos_token, view.eos_token)

        def read() -> Reply:
            made = self._prompts.make_now(asked, source)
            return read_reply(open_reader(made.prepared, profile=profile), text)

        return await self._prompts.run(read)


def _source(view: TemplateView) -> TemplateSource:
    return TemplateSource(view.info.source, view.info.origin, view.info.variant)
