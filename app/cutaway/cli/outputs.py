"""Outputs of a model read back: what `batch` answers under `parsed`, and `parse` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from cutaway.chat.formats.format import PLAIN
from cutaway.chat.formats.registry import named
from cutaway.chat.message import Request
from cutaway.chat.plain import RequestError, kind_of
from cutaway.chat.reading.reader import Reader
from cutaway.chat.reply import (
    Block,
    CallArguments,
    CallBlock,
    CallStarted,
    ContentText,
    Event,
    ReasoningBlock,
    ReasoningText,
    Reply,
)
from cutaway.chat.session import Prepared, open_reader
from cutaway.engine.backend import Vocabulary

OpenReader: TypeAlias = "Callable[[Mapping[int, str] | None], Reader]"
"""Opens a reader in the state that the prompt leaves; given the vocabulary's marker tokens, one that wants ids."""


def reader_of(prepared: Prepared) -> OpenReader:
    """Reads in the format found for the request's template."""
    return lambda tokens: open_reader(prepared, profile=prepared.request.profile, marker_tokens=tokens)


def plain_reader_of(request: Request) -> OpenReader:
    """Reads what follows a prompt that no template wrote: content, or the format asked for by name."""
    format = named(request.format) if request.format else PLAIN
    if format is None:
        raise RequestError("format", f"There is no format {request.format!r}.")
    return lambda tokens: Reader(format, request.tools, profile=request.profile, marker_tokens=tokens)


def parsed_of(
    open: OpenReader, output: Mapping[str, Any], path: str, vocabulary: Vocabulary | None = None
) -> dict[str, Any]:
    """One output, as the answer shows it. Raises `RequestError` for an output that is none."""
    text = _text(output, path)
    pieces = list(_pieces(output, text, path, vocabulary))
    ids = output.get("ids") is not None and vocabulary is not None
    reader = open({id: text for text, id, _ in vocabulary.added()} if ids and vocabulary is not None else None)
    if output.get("stream"):
        deltas, reply = _streamed(reader, pieces, bool(output.get("partial")))
        return {**shape_of(reply), "deltas": deltas}
    for piece, id in pieces if ids else [(text, None)]:
        reader.feed(piece, () if id is None else (id,))
    if not output.get("partial"):
        reader.finish()
    return shape_of(reader.reply())


def shape_of(reply: Reply) -> dict[str, Any]:
    """A reply as plain JSON."""
    return {
        "content": reply.content,
        "reasoning_content": reply.reasoning_content,
        "tool_calls": [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in reply.calls],
        "blocks": [_block(block) for block in reply.blocks],
        "spans": [{"start": span.start, "end": span.end, "kind": span.kind} for span in reply.spans],
        "repairs": [
            {"code": repair.code, "message": repair.message, "start": repair.start, "end": repair.end}
            for repair in reply.repairs
        ],
    }


def delta_of(event: Event) -> dict[str, Any] | None:
    """What a client of the OpenAI stream would get for an event."""
    if isinstance(event, ReasoningText):
        return {"reasoning_content": event.text}
    if isinstance(event, ContentText):
        return {"content": event.text}
    if isinstance(event, CallStarted):
        return {"tool_call": {"index": event.index, "id": event.id, "name": event.name, "arguments": ""}}
    if isinstance(event, CallArguments):
        return {"tool_call": {"index": event.index, "arguments": event.text}}
    return None


def _block(block: Block) -> dict[str, Any]:
    at = {"start": block.start, "end": block.end}
    if isinstance(block, CallBlock):
        call = {"id": block.id, "name": block.name, "arguments": block.arguments, "complete": block.complete}
        return {"type": "tool_call", **call, **at}
    return {"type": "reasoning" if isinstance(block, ReasoningBlock) else "content", "text": block.text, **at}


def _streamed(
    reader: Reader, pieces: Sequence[tuple[str, int | None]], partial: bool
) -> tuple[list[dict[str, Any]], Reply]:
    events: list[Event] = []
    for piece, id in pieces:
        events += reader.feed(piece, () if id is None else (id,))
    if not partial:
        events += reader.finish()
    return [delta for event in events if (delta := delta_of(event)) is not None], reader.reply()


# -- what the output's object says ---------------------------------------------------------------------------


def _text(output: Mapping[str, Any], path: str) -> str:
    if not isinstance(output, Mapping):
        raise RequestError(path, f"{path} must be an object, not {kind_of(output)}.")
    text = output.get("text")
    if not isinstance(text, str):
        raise RequestError(f"{path}.text", f"{path}.text must be a string, not {kind_of(text)}.")
    return text


def _pieces(
    output: Mapping[str, Any], text: str, path: str, vocabulary: Vocabulary | None
) -> Iterator[tuple[str, int | None]]:
    """The text in the pieces in which it is fed, each with its token where ids are given."""
    ids = output.get("ids")
    if ids is not None:
        yield from _token_pieces(ids, text, path, vocabulary)
        return
    pieces, step = output.get("pieces"), output.get("step")
    if pieces is not None:
        if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
            raise RequestError(f"{path}.pieces", f"{path}.pieces must be a list of strings.")
        if "".join(pieces) != text:
            raise RequestError(f"{path}.pieces", f"{path}.pieces do not join to {path}.text.")
        yield from ((piece, None) for piece in pieces)
        return
    if step is not None and (not isinstance(step, int) or isinstance(step, bool) or step < 1):
        raise RequestError(f"{path}.step", f"{path}.step must be a positive integer.")
    size = step or 1
    yield from ((text[at : at + size], None) for at in range(0, len(text), size))


def _token_pieces(ids: Any, text: str, path: str, vocabulary: Vocabulary | None) -> Iterator[tuple[str, int | None]]:
    """Each token with the text that it completes: half characters wait for the token that ends them."""
    if vocabulary is None:
        raise RequestError(f"{path}.ids", f"{path}.ids need a vocabulary: give model or vocab.")
    if not isinstance(ids, list) or not all(isinstance(id, int) and 0 <= id < vocabulary.size for id in ids):
        raise RequestError(f"{path}.ids", f"{path}.ids must be ids of the vocabulary.")
    at, pending = 0, b""
    for id in ids:
        pending += vocabulary.piece(id)
        piece = _decoded(pending)
        if piece is None:
            yield "", id
            continue
        if at == 0 and not text.startswith(piece) and text.startswith(piece.removeprefix(" ")):
            piece = piece.removeprefix(" ")
        if not text.startswith(piece, at):
            raise RequestError(f"{path}.ids", f"{path}.ids do not spell {path}.text from character {at} on.")
        pending = b""
        yield piece, id
        at += len(piece)
    if pending:
        tail = text[at:]
        yield tail, None
        at += len(tail)
    if at != len(text):
        raise RequestError(f"{path}.ids", f"{path}.ids end at character {at} of {path}.text.")


def _decoded(data: bytes) -> str | None:
    """The bytes as text; None while a character at their end is incomplete."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        incomplete = error.reason == "unexpected end of data" and error.end == len(data)
        return None if incomplete else data.decode("utf-8", "replace")
