"""A turn as JSON: in the store as two documents, in a file as one. What was hand-made is read with care.

The documents hold all that the panes show, so that an old turn, or one from another machine, can be looked at
without the model that made it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from cutaway.chat.message import Request
from cutaway.chat.prompt import Prompt, Warning
from cutaway.chat.reply import (
    Block,
    CallArguments,
    CallBlock,
    CallEnded,
    CallStarted,
    ContentBlock,
    ContentText,
    Event,
    ReasoningBlock,
    ReasoningText,
    Reply,
)
from cutaway.engine.event import Token
from cutaway.engine.tokens import Tokenised
from cutaway.store.encode import message_json
from cutaway.store.record import StoredTurn
from cutaway.workbench.turn import PromptToken, TemplateInfo, Turn

T = TypeVar("T")

VERSION = 1


def turn_document(turn: Turn, *, packed: bool = True) -> StoredTurn:
    """What was known before the first token. Packed, long columns are bytes in base64: to write a prompt of 100,000
    tokens as JSON numbers would hold up every other thread."""
    document = {
        "version": VERSION,
        "model": turn.model,
        "request": request_json(turn.request),
        "nodes": list(turn.nodes),
        "left_out": list(turn.left_out),
        "template": _template_json(turn.template),
        "settings": turn.settings,
        "prompt": _prompt_json(turn.prompt),
        "prompt_tokens": _prompt_tokens_json(turn.prompt_tokens, packed),
        "warnings": _warnings_json(turn.warnings),
        "grammar": turn.grammar,
        "grammar_lazy": turn.grammar_lazy,
        "triggers": [list(trigger) for trigger in turn.triggers],
        "coverage": {
            name: [[row.path, row.keyword, row.status, row.note] for row in rows]
            for name, rows in turn.coverage.items()
        },
        "stops": list(turn.stops),
        "idle_fed": turn.idle_fed,
    }
    sha256 = turn.template.sha256 if turn.template else ""
    return StoredTurn(turn.id, turn.conversation, turn.message, turn.created, document, {}, sha256)


def turn_outcome(turn: Turn) -> Callable[[], dict[str, Any]]:
    """What came of it. The turn must not change any more; the JSON is made where the answer is called."""
    return lambda: {
        "state": turn.state,
        "plan": asdict(turn.plan) if turn.plan else None,
        "tokens": [_token_json(token) for token in turn.tokens],
        "raw_start": turn.raw_start,
        "raw": turn.raw,
        "events": [_event_json(event) for event in turn.events],
        "reply": _reply_json(turn.reply),
        "woke": [turn.woke.token, turn.woke.character, turn.woke.trigger] if turn.woke else None,
        "content": turn.content,
        "reasoning": turn.reasoning,
        "finish_reason": turn.finish_reason,
        "timings": asdict(turn.timings) if turn.timings else None,
        "seed": turn.seed,
        "error": turn.error,
    }


def turn_json(turn: Turn, model: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The whole turn as one document, for a file. `model` says more of the model file, its hash for one."""
    stored = turn_document(turn, packed=False)
    return {
        "cutaway": "turn",
        "id": turn.id,
        "conversation": turn.conversation,
        "message": turn.message,
        "created": turn.created,
        "model_file": dict(model or {}),
        "template_source": turn.template.source if turn.template else "",
        "document": stored.document,
        "outcome": turn_outcome(turn)(),
    }


def request_json(request: Request) -> dict[str, Any]:
    """A request in the shape of the OpenAI API, with what else a prompt depends on."""
    choice = request.tool_choice
    return {
        "messages": [message_json(message) for message in request.messages],
        "tools": [dict(tool.raw) for tool in request.tools],
        "tool_choice": {"type": "function", "function": {"name": choice.name}}
        if choice.mode == "named"
        else choice.mode,
        "parallel_tool_calls": request.parallel_tool_calls,
        "response_format": request.response_format,
        "grammar": request.grammar,
        "chat_template_kwargs": dict(request.kwargs),
        "add_generation_prompt": request.add_generation_prompt,
        "continue_final_message": request.continue_final,
        "enable_thinking": request.enable_thinking,
        "thinking": request.thinking,
        "reasoning_format": request.reasoning_format,
        "profile": request.profile,
        "control_tokens": request.control_tokens,
        "format": request.format,
    }


def _template_json(template: TemplateInfo | None) -> Any:
    if template is None:
        return None
    return {
        "origin": template.origin,
        "variant": template.variant,
        "sha256": template.sha256,
        "handler": template.handler,
    }


def _prompt_json(prompt: Prompt | None) -> Any:
    if prompt is None:
        return None
    spans = []
    for span in prompt.spans:
        origin = span.origin
        row: list[Any] = [span.text, origin.kind, origin.source, origin.start, origin.end, origin.line, origin.column]
        while row[-1] is None:
            row.pop()
        spans.append(row)
    return {"spans": spans, "generation_start": prompt.generation_start, "warnings": _warnings_json(prompt.warnings)}


def _warnings_json(warnings: Sequence[Warning]) -> list[list[Any]]:
    return [[one.code, one.message, one.field] for one in warnings]


def _prompt_tokens_json(tokens: Sequence[PromptToken], packed: bool) -> dict[str, Any]:
    """In columns, with each token's piece once."""
    if isinstance(tokens, Tokenised):
        ids = tokens.ids
        columns: list[NDArray[Any]] = [ids, tokens.starts, tokens.ends, tokens.first_spans, tokens.last_spans]
        flags = tokens.pieces.control[ids] + 2 * tokens.neutral
        pieces = {token: tokens.pieces.bytes[token] for token in np.unique(ids).tolist()}
    else:
        rows = [(one.id, one.start, one.end, one.first_span, one.last_span) for one in tokens]
        columns = [np.array(column) for column in zip(*rows, strict=True)] or [np.zeros(0)] * len(COLUMNS)
        flags = np.array([int(one.control) + 2 * int(one.neutralised) for one in tokens])
        pieces = {one.id: one.piece for one in tokens}
    return {
        **{name: _ints_json(column, packed) for name, column in zip(COLUMNS, columns, strict=True)},
        "flags": _ints_json(flags, packed),
        "pieces": [[token, _bytes_json(piece)] for token, piece in sorted(pieces.items())],
    }


COLUMNS = ("ids", "starts", "ends", "first_spans", "last_spans")


def _ints_json(column: NDArray[Any], packed: bool) -> Any:
    whole = column.astype("<i4")
    return base64.b64encode(whole.tobytes()).decode("ascii") if packed else whole.tolist()


def _bytes_json(piece: bytes) -> Any:
    """Text where it is text, else base64 in a list."""
    try:
        return piece.decode("utf-8")
    except UnicodeDecodeError:
        return [base64.b64encode(piece).decode("ascii")]


def _token_json(token: Token) -> list[Any]:
    flags = int(token.control) + 2 * int(token.forced) + 4 * int(token.ends)
    return [
        token.id,
        _bytes_json(token.piece),
        round(token.probability, 6),
        token.rank,
        round(token.entropy, 4),
        round(token.ms, 2),
        flags,
        round(token.chosen_probability, 6),
        [
            [one.token, _bytes_json(one.piece), round(one.probability, 6), round(one.chosen_probability, 6)]
            + ([one.removed_by] if one.removed_by else [])
            for one in token.alternatives
        ],
        *([] if token.masked is None else [token.masked]),
    ]


def _event_json(event: Event) -> list[Any]:
    match event:
        case ReasoningText(text):
            return ["reasoning", text]
        case ContentText(text):
            return ["content", text]
        case CallStarted(index, name, call_id):
            return ["call", index, name, call_id]
        case CallArguments(index, text):
            return ["arguments", index, text]
        case CallEnded(index):
            return ["end", index]


def _reply_json(reply: Reply | None) -> Any:
    if reply is None:
        return None
    return {
        "text": reply.text,
        "blocks": [_block_json(block) for block in reply.blocks],
        "spans": [[span.start, span.end, span.kind] for span in reply.spans],
        "repairs": [[repair.code, repair.message, repair.start, repair.end] for repair in reply.repairs],
    }


def _block_json(block: Block) -> list[Any]:
    match block:
        case ReasoningBlock(text, start, end):
            return ["reasoning", text, start, end]
        case ContentBlock(text, start, end):
            return ["content", text, start, end]
        case CallBlock(name, arguments, call_id, start, end, complete):
            return ["call", name, arguments, call_id, start, end, complete]
