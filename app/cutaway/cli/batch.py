"""`cutaway batch`: one JSON object a line in, one a line out, in the same order, each at once."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from cutaway.chat.plain import RequestError
from cutaway.chat.template.error import TemplateError
from cutaway.chat.training import training_view
from cutaway.cli.desk import Desk, Made, ModelError, Question, one_rendering
from cutaway.cli.outputs import OpenReader, parsed_of, plain_reader_of, reader_of
from cutaway.cli.shape import answer_of, error_of, legacy_answer_of

INTEGER_DIGITS = 4_000
LINE_LIMIT = 256_000_000
"""Bytes of one line."""


def describe(parser: argparse.ArgumentParser) -> None:
    parser.description = "Reads requests, one JSON object a line, and answers each on a line of its own."


def run(arguments: argparse.Namespace) -> int:
    for answer in answers(sys.stdin.buffer):
        _write(answer, sys.stdout.buffer)
    return 0


def answers(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """One answer a line, whatever the line holds."""
    desk = Desk()
    for line in lines:
        yield _answer_line(line, desk)


def _answer_line(line: bytes, desk: Desk) -> dict[str, Any]:
    try:
        body = _parse(line)
    except RequestError as error:
        return {"id": None, "error": {**error_of(error), "type": "json"}}
    try:
        return {"id": body.get("id"), **answer(body, desk)}
    except Exception as error:  # the next line is to be read whatever this one met
        message = f"Cutaway itself failed at this request ({type(error).__name__}: {error}). Please report it."
        return {"id": body.get("id"), "error": {"type": "internal", "message": message}}


def answer(body: Mapping[str, Any], desk: Desk) -> dict[str, Any]:
    """The answer to one request, without its id: everything about the prompt, or an error."""
    try:
        question = _read(body, desk)
        if not question.jinja:
            answered = legacy_answer_of(question, *desk.make_legacy(question))
            return {**answered, "parsed": _parsed(body, question, plain_reader_of(question.request))}
        made = desk.make(question)
        return {**answer_of(made, _training(made)), "parsed": _parsed(body, question, reader_of(made.prepared))}
    except (RequestError, TemplateError, ModelError) as error:
        return {"error": error_of(error)}
    except (RecursionError, MemoryError) as error:
        message = f"The request is too large or too deeply nested to be answered ({type(error).__name__})."
        return {"error": {"type": "request", "message": message}}


def _read(body: Mapping[str, Any], desk: Desk) -> Question:
    identity = body.get("id")
    if identity is not None and not isinstance(identity, str):
        raise RequestError("id", "id must be a string.")
    return desk.read(body)


def _parsed(body: Mapping[str, Any], question: Question, open: OpenReader) -> list[dict[str, Any]]:
    """Each output read back, or why it could not be."""
    outputs = body.get("outputs") or []
    if not isinstance(outputs, list):
        raise RequestError("outputs", "outputs must be a list.")
    return [_parsed_one(output, index, question, open) for index, output in enumerate(outputs)]


def _parsed_one(output: Any, index: int, question: Question, open: OpenReader) -> dict[str, Any]:
    try:
        return parsed_of(open, output, f"outputs[{index}]", question.vocabulary)
    except RequestError as error:
        return {"error": {**error_of(error), "at": None}}


def _training(made: Made) -> Any:
    messages = made.question.request.messages
    if not messages or messages[-1].role != "assistant":
        return None
    return training_view(
        made.question.request,
        made.prepared.template,
        now=made.question.now,
        bos_token=made.question.bos_token,
        eos_token=made.question.eos_token,
        budget=one_rendering,
    )


def _parse(line: bytes) -> dict[str, Any]:
    if len(line) > LINE_LIMIT:
        raise RequestError("", f"The line is longer than {LINE_LIMIT:,} bytes.")
    try:
        body = json.loads(line.decode("utf-8"), parse_int=_integer)
    except UnicodeDecodeError as error:
        raise RequestError("", f"The line is not UTF-8: byte {error.start} is wrong.") from error
    except json.JSONDecodeError as error:
        raise RequestError("", f"The line is no JSON: {error.msg} at column {error.colno}.") from error
    except RecursionError as error:
        raise RequestError("", "The line is nested too deeply.") from error
    if not isinstance(body, dict):
        raise RequestError("", "The line is no JSON object.")
    return body


def _integer(text: str) -> int | float:
    """Python refuses to read very long integers; as infinity they reach the check that names their field."""
    return int(text) if len(text) <= INTEGER_DIGITS else math.inf


def _write(answer: dict[str, Any], out: IO[bytes]) -> None:
    text = json.dumps(answer, ensure_ascii=False)
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        data = json.dumps(answer).encode("ascii")
    out.write(data + b"\n")
    out.flush()
