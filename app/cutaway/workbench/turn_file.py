"""A turn as JSON: in the store as two documents, in a file as one. What was hand-made is read with care.

The documents hold all that the panes show, so that an old turn, or one from another machine, can be looked at
without the model that made it.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, TypeVar

from cutaway.chat.message import Message, Request, ToolChoice
from cutaway.chat.prompt import Origin, Prompt, Span, Warning
from cutaway.chat.read import RequestError, read_request
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
    Repair,
    Reply,
    ReplySpan,
)
from cutaway.engine.event import Alternative, Timings, Token
from cutaway.engine.plan import Break, Plan, Shift
from cutaway.engine.tokens import Tokenised
from cutaway.store.encode import message_from_json, message_json
from cutaway.store.record import StoredTurn
from cutaway.workbench.turn import PromptToken, TemplateInfo, Turn

T = TypeVar("T")

VERSION = 1
MOST_CHARACTERS = 64_000_000


class TurnFileError(Exception):
    """A file holds no turn that can be shown. The message names the place in it."""


# -- Writing --------------------------------------------------------------------------------------------


def turn_document(turn: Turn) -> StoredTurn:
    """What was known before the first token."""
    document = {
        "version": VERSION,
        "model": turn.model,
        "request": request_json(turn.request),
        "nodes": list(turn.nodes),
        "left_out": list(turn.left_out),
        "template": _template_json(turn.template),
        "settings": turn.settings,
        "prompt": _prompt_json(turn.prompt),
        "prompt_tokens": _prompt_tokens_json(turn.prompt_tokens),
        "warnings": _warnings_json(turn.warnings),
        "grammar": turn.grammar,
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
        "content": turn.content,
        "reasoning": turn.reasoning,
        "finish_reason": turn.finish_reason,
        "timings": asdict(turn.timings) if turn.timings else None,
        "seed": turn.seed,
        "error": turn.error,
    }


def turn_json(turn: Turn, model: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The whole turn as one document, for a file. `model` says more of the model file, its hash for one."""
    stored = turn_document(turn)
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


def _prompt_tokens_json(tokens: Sequence[PromptToken]) -> dict[str, Any]:
    """In columns, with each token's piece once."""
    if isinstance(tokens, Tokenised):
        ids, starts, ends = tokens.ids.tolist(), tokens.starts.tolist(), tokens.ends.tolist()
        first, last = tokens.first_spans.tolist(), tokens.last_spans.tolist()
        flags = (tokens.pieces.control[tokens.ids] + 2 * tokens.neutral.astype(int)).tolist()
        pieces = {token: tokens.pieces.bytes[token] for token in set(ids)}
    else:
        ids, starts, ends = [one.id for one in tokens], [one.start for one in tokens], [one.end for one in tokens]
        first, last = [one.first_span for one in tokens], [one.last_span for one in tokens]
        flags = [int(one.control) + 2 * int(one.neutralised) for one in tokens]
        pieces = {one.id: one.piece for one in tokens}
    return {
        "ids": ids,
        "starts": starts,
        "ends": ends,
        "first_spans": first,
        "last_spans": last,
        "flags": flags if any(flags) else [],
        "pieces": [[token, _bytes_json(piece)] for token, piece in sorted(pieces.items())],
    }


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


# -- Reading --------------------------------------------------------------------------------------------


def turn_from_json(value: Any) -> Turn:
    """A turn from a file's JSON. Raises TurnFileError that names the place."""
    if not isinstance(value, Mapping) or value.get("cutaway") != "turn":
        raise TurnFileError("The file holds no turn of Cutaway's: the key `cutaway` with the value `turn` is missing.")
    document, outcome = _object(value, "document"), _object(value, "outcome")
    version = document.get("version")
    if not isinstance(version, int) or version > VERSION:
        raise TurnFileError(
            f"document.version is {version!r}; this version of Cutaway reads turns up to {VERSION}. Install a newer one."
        )
    template = document.get("template")
    sha256 = template.get("sha256", "") if isinstance(template, Mapping) else ""
    stored = StoredTurn(
        _text(value, "id"),
        _text(value, "conversation"),
        _text(value, "message"),
        _number(value, "created"),
        document,
        outcome,
        str(sha256),
    )
    return turn_from_documents(stored, _text(value, "template_source"))


def turn_from_documents(stored: StoredTurn, source: str) -> Turn:
    """Raises TurnFileError."""
    read = _Reader(stored.document, stored.outcome)
    outcome = stored.outcome
    turn = Turn(
        id=stored.id,
        conversation=stored.conversation,
        message=stored.message,
        created=stored.created,
        request=read.at("document.request", _request, stored.document.get("request", {})),
        state=_state(outcome.get("state")),
        model=str(stored.document.get("model", "")),
        stored=True,
    )
    read.fill_document(turn, source)
    if outcome:
        read.fill_outcome(turn)
    return turn


class _Reader:
    """Reads each part under its name, so that a fault in the file is found."""

    def __init__(self, document: Mapping[str, Any], outcome: Mapping[str, Any]) -> None:
        self._document = document
        self._outcome = outcome

    def at(self, place: str, read: Callable[[Any], T], value: Any) -> T:
        try:
            return read(value)
        except RequestError as error:
            raise TurnFileError(f"{place}: {error.message}") from error
        except (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError) as error:
            raise TurnFileError(f"{place} is not as Cutaway writes it ({type(error).__name__}: {error}).") from error

    def many(self, place: str, read: Callable[[Any], T], values: Any) -> list[T]:
        if values is None:
            return []
        if not isinstance(values, list):
            raise TurnFileError(f"{place} must be a list.")
        return [self.at(f"{place}[{index}]", read, value) for index, value in enumerate(values)]

    def fill_document(self, turn: Turn, source: str) -> None:
        document = self._document
        turn.nodes = tuple(self.many("document.nodes", _maybe_text, document.get("nodes")))
        turn.left_out = tuple(self.many("document.left_out", str, document.get("left_out")))
        turn.template = self.at("document.template", lambda value: _template(value, source), document.get("template"))
        turn.settings = self.at("document.settings", dict, document.get("settings") or {})
        turn.prompt = self.at("document.prompt", _prompt, document.get("prompt"))
        turn.prompt_tokens = self.at("document.prompt_tokens", _prompt_tokens, document.get("prompt_tokens"))
        turn.warnings = tuple(self.many("document.warnings", lambda row: Warning(*row), document.get("warnings")))
        turn.grammar = str(document.get("grammar") or "")
        turn.stops = tuple(self.many("document.stops", str, document.get("stops")))
        turn.idle_fed = self.at("document.idle_fed", int, document.get("idle_fed") or 0)

    def fill_outcome(self, turn: Turn) -> None:
        outcome = self._outcome
        turn.plan = self.at("outcome.plan", _plan, outcome.get("plan"))
        rows = outcome.get("tokens")
        turn.tokens = [
            self.at(f"outcome.tokens[{index}]", partial(_token, index), row)
            for index, row in enumerate(rows if isinstance(rows, list) else [])
        ]
        turn.raw_start = self.at("outcome.raw_start", int, outcome.get("raw_start") or 0)
        turn.raw = str(outcome.get("raw", ""))
        turn.events = self.many("outcome.events", _event, outcome.get("events"))
        turn.reply = self.at("outcome.reply", _reply, outcome.get("reply"))
        turn.content = str(outcome.get("content", ""))
        turn.reasoning = str(outcome.get("reasoning", ""))
        turn.finish_reason = str(outcome.get("finish_reason", ""))
        turn.timings = self.at(
            "outcome.timings", lambda value: Timings(**value) if value else None, outcome.get("timings")
        )
        turn.seed = outcome.get("seed") if isinstance(outcome.get("seed"), int) else None
        turn.error = str(outcome.get("error", ""))


def _object(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = value.get(key)
    if not isinstance(found, Mapping):
        raise TurnFileError(f"`{key}` must be an object.")
    return found


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key, "")
    if not isinstance(found, str):
        raise TurnFileError(f"`{key}` must be text.")
    return found


def _number(value: Mapping[str, Any], key: str) -> float:
    found = value.get(key, 0.0)
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise TurnFileError(f"`{key}` must be a number.")
    return float(found)


def _maybe_text(value: Any) -> str | None:
    return None if value is None else str(value)


def _state(value: Any) -> Any:
    """A turn that was under way when it was written was stopped there."""
    return value if value in ("done", "stopped", "failed") else "stopped"


def _request(value: Any) -> Request:
    body = dict(value)
    body.pop("messages", None)
    continued = body.pop("continue_final_message", "")
    choice = body.pop("tool_choice", "auto")
    read = read_request({**body, "messages": []})
    messages: list[Message] = [message_from_json(one) for one in value.get("messages", ())]
    named = isinstance(choice, Mapping)
    return replace(
        read,
        messages=tuple(messages),
        continue_final=continued if continued in ("content", "reasoning_content") else "",
        tool_choice=ToolChoice("named", str(choice["function"]["name"])) if named else ToolChoice(choice),
    )


def _template(value: Any, source: str) -> TemplateInfo | None:
    if value is None:
        return None
    return TemplateInfo(value["origin"], value["variant"], value["sha256"], source, value.get("handler", ""))


def _prompt(value: Any) -> Prompt | None:
    if value is None:
        return None
    spans = []
    for text, kind, *rest in value["spans"]:
        if not isinstance(text, str) or kind not in ("template", "input"):
            raise ValueError("a span is [text, kind, ...]")
        source, start, end, line, column = (*rest, None, None, None, None, None)[:5]
        spans.append(Span(text, Origin(kind, source, start, end, line, column)))
    return Prompt(tuple(spans), int(value["generation_start"]), tuple(Warning(*row) for row in value["warnings"]))


def _bytes(value: Any) -> bytes:
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else base64.b64decode(value[0])


def _prompt_tokens(value: Any) -> list[PromptToken]:
    if not value:
        return []
    pieces = {int(token): _bytes(piece) for token, piece in value["pieces"]}
    ids = value["ids"]
    flags = value["flags"] or [0] * len(ids)
    columns = (ids, value["starts"], value["ends"], value["first_spans"], value["last_spans"], flags)
    return [
        PromptToken(token, int(start), int(end), pieces[token], int(first), int(last), bool(flag & 1), flag > 1)
        for token, start, end, first, last, flag in zip(*columns, strict=True)
    ]


def _token(index: int, row: Any) -> Token:
    token, piece, probability, rank, entropy, ms, flags, chosen, alternatives = row
    return Token(
        index=index,
        id=int(token),
        piece=_bytes(piece),
        probability=float(probability),
        rank=int(rank),
        alternatives=tuple(
            Alternative(int(one[0]), _bytes(one[1]), float(one[2]), float(one[3]), one[4] if len(one) > 4 else "")
            for one in alternatives
        ),
        entropy=float(entropy),
        ms=float(ms),
        control=bool(flags & 1),
        forced=bool(flags & 2),
        ends=bool(flags & 4),
        chosen_probability=float(chosen),
    )


def _plan(value: Any) -> Plan | None:
    if value is None:
        return None
    breaks = tuple(
        Break(**{**one, "held": tuple(one.get("held", ())), "wanted": tuple(one.get("wanted", ()))})
        for one in value.get("breaks", ())
    )
    shifts = tuple(Shift(**one) for one in value.get("shifts", ()))
    return Plan(**{**value, "breaks": breaks, "shifts": shifts})


_EVENTS: Mapping[str, Callable[..., Event]] = {
    "reasoning": ReasoningText,
    "content": ContentText,
    "call": CallStarted,
    "arguments": CallArguments,
    "end": CallEnded,
}
_BLOCKS: Mapping[str, Callable[..., Block]] = {
    "reasoning": ReasoningBlock,
    "content": ContentBlock,
    "call": CallBlock,
}


def _event(row: Any) -> Event:
    return _EVENTS[row[0]](*row[1:])


def _reply(value: Any) -> Reply | None:
    if value is None:
        return None
    return Reply(
        value["text"],
        tuple(_BLOCKS[row[0]](*row[1:]) for row in value["blocks"]),
        tuple(ReplySpan(*row) for row in value["spans"]),
        tuple(Repair(*row) for row in value["repairs"]),
    )
