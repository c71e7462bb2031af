"""`cutaway parse`: how a model's output reads, with spans and repairs; or how two formats read it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from cutaway.chat.choice import format_named
from cutaway.chat.plain import RequestError
from cutaway.chat.session import Prepared
from cutaway.chat.template.error import TemplateError
from cutaway.cli.desk import Desk, Made, ModelError
from cutaway.cli.main import CommandError
from cutaway.cli.named import describe_source, templates_of
from cutaway.cli.outputs import parsed_of, reader_of
from cutaway.cli.paint import visible
from cutaway.cli.render import read_chat
from cutaway.cli.shape import answer_of
from cutaway.engine.template_files import TemplateFileError

OUTPUT_LIMIT = 256_000_000
"""Bytes of one output."""


def describe(parser: argparse.ArgumentParser) -> None:
    describe_source(parser)
    parser.add_argument("--chat", required=True, metavar="FILE", help="the request that was answered, as JSON")
    parser.add_argument("--output", required=True, metavar="FILE", help="the output's text; - is stdin")
    parser.add_argument("--format", metavar="NAME", help="read it in this format instead of the one found")
    parser.add_argument("--against", metavar="NAME", help="read it in this format too, and show where the two differ")
    parser.add_argument("--strict", action="store_true", help="forgive nothing")
    parser.add_argument("--json", action="store_true", help="print what `batch` answers")


def run(arguments: argparse.Namespace) -> int:
    try:
        made = _made(arguments)
        text = _output(arguments.output)
        parsed = parsed_of(reader_of(made.prepared), {"text": text}, "output")
        other = _other(arguments.against, made.prepared, text)
    except (RequestError, ModelError, TemplateFileError) as error:
        raise CommandError(str(error)) from error
    except TemplateError as error:
        raise CommandError(f"The template refuses: {error}") from error
    if arguments.json:
        answer = {**answer_of(made, None), "parsed": [parsed]}
        print(json.dumps(answer if other is None else {**answer, "against": other}))
        return 0
    print("\n".join(_lines(text, parsed, made.prepared.format.name)))
    if other is not None:
        print("\n".join(_differences(text, parsed, other, arguments.against)))
    return 0


def _made(arguments: argparse.Namespace) -> Made:
    desk = Desk()
    body = {**read_chat(arguments.chat)}
    body.pop("model", None)  # the name of a model in a request to an API
    if arguments.format:
        body["format"] = arguments.format
    if arguments.strict:
        body["profile"] = "strict"
    return desk.make(desk.read(body, templates_of(arguments)))


def _output(name: str) -> str:
    """The output as it is; bytes that are no UTF-8 are shown as U+FFFD."""
    try:
        data = sys.stdin.buffer.read(OUTPUT_LIMIT + 1) if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandError(f"{name} can't be read: {error.strerror or error}.") from error
    if len(data) > OUTPUT_LIMIT:
        raise CommandError(f"{name} is larger than {OUTPUT_LIMIT // 1_000_000} MB.")
    return data.decode("utf-8", "replace")


def _other(name: str | None, prepared: Prepared, text: str) -> dict[str, Any] | None:
    if name is None:
        return None
    other = replace(prepared, format=format_named(name, prepared.template))
    return parsed_of(reader_of(other), {"text": text}, "output")


# -- for people ------------------------------------------------------------------------------------------------


def _lines(text: str, parsed: dict[str, Any], format: str) -> Iterator[str]:
    yield f"read as {format}"
    for block in parsed["blocks"]:
        yield ""
        yield from _block(block)
    yield ""
    yield "spans"
    for span in parsed["spans"]:
        yield f"{span['start']:>8}-{span['end']:<8} {span['kind']:<10} {text[span['start'] : span['end']]!r}"
    if parsed["repairs"]:
        yield ""
        yield "repairs"
    for repair in parsed["repairs"]:
        yield f"{repair['start']:>8}-{repair['end']:<8} {repair['code']}: {repair['message']}"


def _block(block: dict[str, Any]) -> Iterator[str]:
    if block["type"] == "tool_call":
        yield f"call {block['name']}  id {block['id']}" + ("" if block["complete"] else "  (cut off)")
        yield visible(block["arguments"])
    else:
        yield block["type"]
        yield visible(block["text"])


def _differences(text: str, one: dict[str, Any], other: dict[str, Any], name: str) -> Iterator[str]:
    """The characters of which the two readings say different things."""
    yield ""
    yield f"against {name}"
    differs = False
    for start, end, first, second in _unequal(one["spans"], other["spans"]):
        differs = True
        yield f"{start:>8}-{end:<8} {first} / {second}  {text[start:end]!r}"
    if not differs:
        yield "both read it alike"


def _unequal(one: list[dict[str, Any]], other: list[dict[str, Any]]) -> Iterator[tuple[int, int, str, str]]:
    """(start, end, kind, other kind) of each run that the two lists of spans call differently."""
    borders = sorted({span[edge] for span in (*one, *other) for edge in ("start", "end")})
    first, second = iter(one), iter(other)
    left, right = next(first, None), next(second, None)
    for start, end in pairwise(borders):
        while left is not None and left["end"] <= start:
            left = next(first, None)
        while right is not None and right["end"] <= start:
            right = next(second, None)
        if left is not None and right is not None and left["kind"] != right["kind"]:
            yield start, end, left["kind"], right["kind"]
