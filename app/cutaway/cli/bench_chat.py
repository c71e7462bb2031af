"""`cutaway bench chat`: what the chat layer costs as conversations and replies grow."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from cutaway import places
from cutaway.chat.formats.registry import named
from cutaway.chat.message import Message, Request, Tool
from cutaway.chat.reading.reader import Reader
from cutaway.chat.session import prepare
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.limits import Budget
from cutaway.chat.template.prepared import prepare_template
from cutaway.chat.template.sources import TemplateSource, given
from cutaway.cli.main import CommandError
from cutaway.cli.named import describe_source, model_of, templates_of
from cutaway.engine.backend import LoadError, Vocabulary
from cutaway.engine.template_files import TemplateFileError
from cutaway.engine.tokens import template_markers, tokenise
from cutaway.engine.vocabulary import open_vocabulary

MESSAGES = (51, 201, 801)
CHARACTERS = (1_000, 4_000, 16_000, 64_000)
STEP = 4
"""Characters of a reply that are fed at once: about a token."""
RUNS = 3
"""Each figure is the fastest of this many runs, in time of the processor: what the work costs, whatever else runs."""
SHORT = 100.0
"""Milliseconds: work that is over sooner is repeated more often."""

PROSE = "The tide turns at six, and (as always) a < b holds; the ferry waits for nobody. "
TOOL = Tool("save", "", {"type": "object", "properties": {"path": {"type": "string"}, "text": {"type": "string"}}})


def describe(parser: argparse.ArgumentParser) -> None:
    describe_source(parser)
    parser.add_argument("--vocab", metavar="FILE", help="a GGUF or tokenizer.json: tokenize with it")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    try:
        found = measure(arguments)
    except (TemplateFileError, TemplateError, LoadError) as error:
        raise CommandError(str(error)) from error
    if arguments.json:
        print(json.dumps(found))
        return 0
    for row in found["render"]:
        print(f"render    {row['messages']:>6} messages  {row['chars']:>8} characters  {row['ms']:>9.2f} ms")
    for row in found["tokenize"]:
        print(f"tokenize  {row['chars']:>6} characters  {row['ms']:>9.2f} ms")
    for row in found["feed"]:
        print(f"feed      {row['format']:<10} {row['chars']:>6} characters  {row['us_per_char']:>7.2f} µs a character")
    return 0


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Renders and tokenises with the named template and model, and feeds replies of four kinds."""
    source, vocabulary = _source(arguments), _vocabulary(arguments)
    template = prepare_template(source, Budget)
    rendered, tokenised = [], []
    for count in MESSAGES:
        request = Request(messages=_conversation(count))
        prepared, ms = _timed(lambda request=request: prepare(request, template, now=datetime.now()))  # type: ignore[misc]
        prompt = prepared.prompt
        rendered.append({"messages": count, "chars": len(prompt.text), "ms": ms})
        if vocabulary is not None:
            marks = template_markers(source.text, vocabulary)
            _, ms = _timed(lambda prompt=prompt, marks=marks: tokenise(prompt, vocabulary, markers=marks))  # type: ignore[misc]
            tokenised.append({"chars": len(prompt.text), "ms": ms})
    return {"render": rendered, "tokenize": tokenised, "feed": _feeds()}


def _source(arguments: argparse.Namespace) -> TemplateSource:
    """The template named, else the default model's, else the built-in one."""
    named_any = arguments.source or arguments.template or arguments.model
    if not named_any and places.default_model() is None:
        return given("chatml").choose(tools=False)
    return templates_of(arguments).sources.choose(tools=False)


def _vocabulary(arguments: argparse.Namespace) -> Vocabulary | None:
    if arguments.vocab:
        return open_vocabulary(arguments.vocab)
    model = model_of(arguments)
    if model is None and not arguments.source and not arguments.template:
        model = places.default_model()
    return open_vocabulary(str(model)) if model is not None else None


def _conversation(count: int) -> tuple[Message, ...]:
    roles = ("user", "assistant")
    return tuple(Message(roles[index % 2], f"{index}: {PROSE * 3}") for index in range(count))


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """(result, milliseconds of the fastest run)."""
    times: list[float] = []
    while len(times) < RUNS or (sum(times) < SHORT and len(times) < 20 * RUNS):
        start = time.thread_time()
        result = work()
        times.append((time.thread_time() - start) * 1000)
    return result, min(times)


# -- Replies ---------------------------------------------------------------------------------------------------


def _feeds() -> list[dict[str, Any]]:
    rows = []
    for kind, (format, before, after) in REPLIES.items():
        for size in CHARACTERS:
            text = before + (PROSE * (size // len(PROSE) + 1))[: size - len(before) - len(after)] + after
            _, ms = _timed(lambda text=text, format=format: feed(format, text))  # type: ignore[misc]
            rows.append({"format": kind, "chars": len(text), "us_per_char": ms * 1000 / len(text)})
    return rows


def feed(format: str, text: str) -> Reader:
    """A whole reply, a few characters at a time."""
    found = named(format)
    if found is None:
        raise CommandError(f"There is no format {format!r}.")
    reader = Reader(found, [TOOL])
    for at in range(0, len(text), STEP):
        reader.feed(text[at : at + STEP])
    reader.finish()
    return reader


REPLIES = {
    "content": ("hermes", "", ""),
    "json": ("hermes", '<tool_call>\n{"name": "save", "arguments": {"path": "a", "text": "', '"}}\n</tool_call>'),
    "tagged": (
        "qwen3-coder",
        "<tool_call>\n<function=save>\n<parameter=text>\n",
        "\n</parameter>\n</function>\n</tool_call>",
    ),
    "reasoning": ("hermes", "<think>\n", "\n</think>\n\nDone."),
}
"""Kind: (format, what the reply begins with, what it ends with)."""
