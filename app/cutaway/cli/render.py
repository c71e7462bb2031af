"""`cutaway render`: one prompt on the terminal, on a page, or as JSON, each character with its origin."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cutaway.chat.plain import RequestError
from cutaway.chat.prompt import Prompt, Warning
from cutaway.chat.template.error import TemplateError
from cutaway.chat.training import TrainingView, training_view
from cutaway.cli.desk import Desk, Made, ModelError, Question, one_rendering
from cutaway.cli.main import CommandError
from cutaway.cli.named import default_model, describe_source, model_of, templates_of
from cutaway.cli.page import page_of
from cutaway.cli.paint import painted, token_lines
from cutaway.cli.shape import answer_of, legacy_answer_of
from cutaway.engine.template_files import ModelTemplates, TemplateFileError
from cutaway.engine.tokens import Tokenised

CHAT_LIMIT = 256_000_000


def describe(parser: argparse.ArgumentParser) -> None:
    describe_source(parser)
    parser.add_argument("--chat", required=True, metavar="FILE", help="a chat completion request as JSON; - is stdin")
    parser.add_argument("--vocab", metavar="FILE", help="a GGUF or tokenizer.json for the tokens")
    parser.add_argument("--no-jinja", action="store_true", help="let llama.cpp render, without Jinja")
    parser.add_argument("--tokens", action="store_true", help="add the token ids")
    parser.add_argument("--html", metavar="FILE", help="write a page")
    parser.add_argument("--json", action="store_true", help="print what `batch` answers")


@dataclass(frozen=True, slots=True)
class Shown:
    """A rendered request, whichever path made it."""

    question: Question
    prompt: Prompt
    tokens: Tokenised | None
    made: Made | None
    """None without Jinja."""
    training: TrainingView | None = None

    @property
    def warnings(self) -> list[Warning]:
        own = [*self.question.sources.warnings, *self.prompt.warnings]
        return [*own, *(self.tokens.warnings if self.tokens is not None else ())]

    def answer(self) -> dict[str, Any]:
        if self.made is None:
            return legacy_answer_of(self.question, self.prompt, self.tokens)
        return answer_of(self.made, self.training)


def run(arguments: argparse.Namespace) -> int:
    try:
        shown = _shown(arguments)
    except (RequestError, ModelError, TemplateFileError) as error:
        raise CommandError(str(error)) from error
    except TemplateError as error:
        raise CommandError(f"The template refuses: {error}") from error
    if arguments.html:
        _write_page(Path(arguments.html), shown)
    if arguments.json:
        print(json.dumps(shown.answer(), ensure_ascii=not _utf8()))
    elif not arguments.html or arguments.tokens:
        _print(shown, arguments.tokens)
    return 0


def _shown(arguments: argparse.Namespace) -> Shown:
    desk = Desk()
    body = {**read_chat(arguments.chat)}
    body.pop("model", None)  # the name of a model in a request to an API
    templates = templates_of(arguments)
    body["vocab"] = _vocabulary(arguments)
    if body["vocab"] is None and arguments.tokens:
        body, templates = _with_default_vocabulary(body, templates)
    question = desk.read({**body, "jinja": not arguments.no_jinja}, templates)
    if not question.jinja:
        prompt, tokens = desk.make_legacy(question)
        return Shown(question, prompt, tokens, None)
    made = desk.make(question)
    return Shown(question, made.prepared.prompt, made.tokens, made, _training(made))


def read_chat(name: str) -> Mapping[str, Any]:
    try:
        if name == "-":
            text = sys.stdin.read(CHAT_LIMIT)
        elif Path(name).stat().st_size > CHAT_LIMIT:
            raise CommandError(f"{name} is larger than {CHAT_LIMIT // 1_000_000} MB.")
        else:
            text = Path(name).read_text(encoding="utf-8")
        body = json.loads(text)
    except OSError as error:
        raise CommandError(f"{name} can't be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{name} is no JSON: {error}.") from error
    if isinstance(body, list):
        return {"messages": body}
    if not isinstance(body, dict):
        raise CommandError(f"{name} holds no chat completion request: a JSON object with messages is expected.")
    return body


def _vocabulary(arguments: argparse.Namespace) -> str | None:
    """Only opened when tokens are asked for: that takes longer than everything else."""
    if arguments.vocab or not arguments.tokens:
        return str(arguments.vocab) if arguments.vocab else None
    model = model_of(arguments)
    if model is None and not arguments.source and not arguments.template:
        model = default_model()
    return None if model is None else str(model)


def _with_default_vocabulary(body: dict[str, Any], templates: ModelTemplates) -> tuple[dict[str, Any], ModelTemplates]:
    """Ids of the default model for a template that came without one. Only ids: its BOS and EOS stay out of the text."""
    path = default_model()
    message = (
        f"The ids are those of the default model, {path.name}, as no vocabulary was named; "
        "--model or --vocab gives the ids of another."
    )
    sources = templates.sources
    told = replace(sources, warnings=(*sources.warnings, Warning("default-vocabulary", message)))
    return {"bos_token": "", "eos_token": "", **body, "vocab": str(path)}, replace(templates, sources=told)


def _training(made: Made) -> TrainingView | None:
    question = made.question
    return training_view(
        question.request,
        made.prepared.template,
        now=question.now,
        bos_token=question.bos_token,
        eos_token=question.eos_token,
        budget=one_rendering,
    )


def _print(shown: Shown, tokens: bool) -> None:
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    roles = [message.role for message in shown.question.request.messages]
    print(painted(shown.prompt.spans, roles) if colour else shown.prompt.text)
    if tokens and shown.tokens is not None:
        print("\n".join(token_lines(shown.prompt, shown.tokens)))
    for warning in shown.warnings:
        print(f"cutaway: {warning.message}", file=sys.stderr)


def _write_page(path: Path, shown: Shown) -> None:
    try:
        path.write_text(page_of(shown.prompt, shown.question, shown.tokens, shown.warnings), encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} can't be written: {error.strerror or error}.") from error


def _utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
