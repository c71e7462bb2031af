"""What commands without a window share: templates prepared once, vocabularies opened once, one request answered."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from cutaway.chat.formats.format import Format
from cutaway.chat.formats.spelled import spelled
from cutaway.chat.legacy import legacy_prompt
from cutaway.chat.message import Request
from cutaway.chat.plain import RequestError, kind_of
from cutaway.chat.prompt import Prompt
from cutaway.chat.read import read_request
from cutaway.chat.session import Prepared, expect, prepare
from cutaway.chat.shelf import Shelf
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prepared import PreparedTemplate
from cutaway.chat.template.sources import TemplateSource, TemplateSources, given
from cutaway.engine.backend import LoadError, Vocabulary
from cutaway.engine.template_files import ModelTemplates, TemplateFileError, read_templates
from cutaway.engine.tokens import Tokenised, template_markers, tokenise
from cutaway.engine.vocabulary import open_vocabulary

RENDER_SECONDS = 1.0
PREPARE_SECONDS = 2.0
TEMPLATES_KEPT = 128


class ModelError(Exception):
    """A model, template or vocabulary file can't be used. The message is a sentence."""


def one_rendering() -> Budget:
    end = time.monotonic() + RENDER_SECONDS
    return Budget(lambda: time.monotonic() > end)


def _one_preparation() -> Callable[[], Budget]:
    """Each of its renders may take what is left of the whole."""
    end = time.monotonic() + PREPARE_SECONDS
    return lambda: Budget(lambda: time.monotonic() > end)


@dataclass(frozen=True, slots=True)
class Question:
    """One line of `batch`: the request and everything around it."""

    request: Request
    source: TemplateSource
    sources: TemplateSources
    bos_token: str
    eos_token: str
    vocabulary: Vocabulary | None
    now: datetime
    jinja: bool


@dataclass(frozen=True, slots=True)
class Made:
    """A prompt, with its tokens where there is a vocabulary."""

    question: Question
    prepared: Prepared
    tokens: Tokenised | None


class Desk:
    """Keeps what is dear to make: prepared templates by hash, model files and vocabularies by path."""

    def __init__(self) -> None:
        self._shelf = Shelf(TEMPLATES_KEPT, preparing=_one_preparation, rendering=one_rendering)
        self._models: dict[str, ModelTemplates] = {}
        self._vocabularies: dict[str, Vocabulary] = {}

    # -- Reading a line ---------------------------------------------------------------------------------------

    def read(self, body: Mapping[str, Any], templates: ModelTemplates | None = None) -> Question:
        """What the body asks. `templates` are used instead of its own template or model's.

        Raises `RequestError` or `ModelError`.
        """
        request = read_request(body)
        model_path = _optional_text(body, "model")
        model = templates or (self.model(model_path) if model_path else None)
        sources = templates.sources if templates is not None else self._sources(body, model)
        vocabulary_path = _optional_text(body, "vocab") or model_path
        vocabulary = self.vocabulary(vocabulary_path) if vocabulary_path else None
        bos, eos = self._special(body, model, vocabulary)
        return Question(
            request=request,
            source=sources.choose(tools=bool(request.tools)),
            sources=sources,
            bos_token=bos,
            eos_token=eos,
            vocabulary=vocabulary,
            now=_now(body.get("now")),
            jinja=_jinja(body.get("jinja")),
        )

    def _sources(self, body: Mapping[str, Any], model: ModelTemplates | None) -> TemplateSources:
        text = _optional_text(body, "template")
        if text is not None:
            return given(text)
        if model is None:
            raise RequestError("template", "template is missing: give a template's text, chatml, or a model's path.")
        return model.sources

    def _special(
        self, body: Mapping[str, Any], model: ModelTemplates | None, vocabulary: Vocabulary | None
    ) -> tuple[str, str]:
        bos, eos = _optional_text(body, "bos_token"), _optional_text(body, "eos_token")
        known = (model.bos_token, model.eos_token) if model is not None else ("", "")
        if vocabulary is not None and not any(known):
            known = (_piece(vocabulary, vocabulary.bos), _piece(vocabulary, vocabulary.eos))
        return known[0] if bos is None else bos, known[1] if eos is None else eos

    def model(self, path: str) -> ModelTemplates:
        if path not in self._models:
            try:
                self._models[path] = read_templates(Path(path))
            except TemplateFileError as error:
                raise ModelError(str(error)) from error
        return self._models[path]

    def vocabulary(self, path: str) -> Vocabulary:
        if path not in self._vocabularies:
            try:
                self._vocabularies[path] = open_vocabulary(path)
            except LoadError as error:
                raise ModelError(str(error)) from error
        return self._vocabularies[path]

    # -- Answering --------------------------------------------------------------------------------------------

    def prepare(self, source: TemplateSource) -> PreparedTemplate:
        """Each template is prepared once. Raises `TemplateError`."""
        return self._shelf.template(source)

    def make(self, question: Question) -> Made:
        """Raises `RequestError` or `TemplateError`."""
        prepared = prepare(
            question.request,
            self.prepare(question.source),
            now=question.now,
            bos_token=question.bos_token,
            eos_token=question.eos_token,
            budget=one_rendering,
            format=self.format(question) if question.request.continue_final else None,
        )
        prepared = expect(prepared, self.format(question))
        return Made(question, prepared, tokens_of(prepared.prompt, question, spelled(prepared.format)))

    def format(self, question: Question) -> Format:
        """How the model writes; found once for each template. Raises `RequestError` for an unknown name."""
        return self._shelf.format(self.prepare(question.source), question.request.format)

    def make_legacy(self, question: Question) -> tuple[Prompt, Tokenised | None]:
        """The prompt as llama.cpp makes it without Jinja. Raises `RequestError` or `ModelError`."""
        from cutaway.engine.llama.legacy_template import apply_legacy
        from cutaway.engine.llama.library import LibraryError

        def apply(messages: Sequence[tuple[str, str]], add: bool) -> str | None:
            return apply_legacy(question.source.text, messages, add_generation_prompt=add)

        try:
            prompt = legacy_prompt(question.request, apply)
        except LibraryError as error:
            raise ModelError(str(error)) from error
        return prompt, tokens_of(prompt, question)


def tokens_of(prompt: Prompt, question: Question, spelled: Sequence[str] = ()) -> Tokenised | None:
    """The prompt's tokens where there is a vocabulary. `spelled` are the texts that the reply's format writes."""
    vocabulary = question.vocabulary
    if vocabulary is None:
        return None
    return tokenise(
        prompt,
        vocabulary,
        markers=template_markers(question.source.text, vocabulary, spelled),
        mode=question.request.control_tokens,
    )


def _piece(vocabulary: Vocabulary, token: int) -> str:
    return vocabulary.piece(token).decode("utf-8", "replace") if token >= 0 else ""


def _optional_text(body: Mapping[str, Any], key: str) -> str | None:
    value = body.get(key)
    if value is not None and not isinstance(value, str):
        raise RequestError(key, f"{key} must be a string, not {kind_of(value)}.")
    return value


def _jinja(value: object) -> bool:
    if value is None:
        return True
    if not isinstance(value, bool):
        raise RequestError("jinja", f"jinja must be true or false, not {kind_of(value)}.")
    return value


def _now(value: object) -> datetime:
    if value is None:
        return datetime.now()
    if not isinstance(value, str):
        raise RequestError("now", f"now must be a local time such as 2026-11-29T12:00:00, not {kind_of(value)}.")
    try:
        return datetime.fromisoformat(value).replace(tzinfo=None)
    except ValueError as error:
        raise RequestError("now", f"now is no ISO time such as 2026-11-29T12:00:00: {value[:40]!r}.") from error
