"""Reads a turn's JSON, from the store or from a file that anyone may have written."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from cutaway.chat.grammar.schema import Coverage
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
from cutaway.store.encode import message_from_json
from cutaway.store.record import StoredTurn
from cutaway.workbench.conform import conform, within
from cutaway.workbench.turn import PromptToken, TemplateInfo, Turn, Woke
from cutaway.workbench.turn_file import COLUMNS, VERSION

T = TypeVar("T")


class TurnFileError(Exception):
    """A file holds no turn that can be shown. The message names the place in it."""


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
    turn = turn_from_documents(stored, _text(value, "template_source"))
    turn.model_file = dict(_object(value, "model_file")) if value.get("model_file") else {}
    return turn


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
        self.at("document.prompt_tokens", lambda tokens: _in_prompt(tokens, turn.prompt), turn.prompt_tokens)
        turn.warnings = tuple(self.many("document.warnings", _warning, document.get("warnings")))
        turn.grammar = str(document.get("grammar") or "")
        turn.grammar_lazy = bool(document.get("grammar_lazy"))
        turn.triggers = tuple(self.many("document.triggers", _trigger, document.get("triggers")))
        turn.coverage = self.at("document.coverage", _coverage, document.get("coverage") or {})
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
        turn.woke = self.at("outcome.woke", _woke, outcome.get("woke"))
        turn.content = str(outcome.get("content", ""))
        turn.reasoning = str(outcome.get("reasoning", ""))
        turn.finish_reason = str(outcome.get("finish_reason", ""))
        turn.timings = self.at(
            "outcome.timings", lambda value: conform(Timings(**value)) if value else None, outcome.get("timings")
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


def _trigger(value: Any) -> tuple[str, str]:
    kind, text = value
    return str(kind), str(text)


def _coverage(value: Any) -> Mapping[str, tuple[Coverage, ...]]:
    return {str(name): tuple(conform(Coverage(*row)) for row in rows) for name, rows in value.items()}


def _warning(row: Any) -> Warning:
    return conform(Warning(*row))


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
        spans.append(Span(text, conform(Origin(kind, source, start, end, line, column))))
    begins = value["generation_start"]
    prompt = Prompt(tuple(spans), begins, tuple(_warning(row) for row in value["warnings"]))
    within(begins, len(prompt.text), len(prompt.text))
    return prompt


def _bytes(value: Any) -> bytes:
    return value.encode("utf-8", "surrogatepass") if isinstance(value, str) else base64.b64decode(value[0])


def _prompt_tokens(value: Any) -> list[PromptToken]:
    if not value:
        return []
    pieces = {int(token): _bytes(piece) for token, piece in value["pieces"]}
    columns = [_ints(value[name]) for name in (*COLUMNS, "flags")]
    return [
        PromptToken(token, start, end, pieces[token], first, last, bool(flag & 1), flag > 1)
        for token, start, end, first, last, flag in zip(*columns, strict=True)
    ]


def _woke(value: Any) -> Woke | None:
    if not value:
        return None
    token, character, trigger = value
    return Woke(int(token), int(character), str(trigger))


def _in_prompt(tokens: Sequence[PromptToken], prompt: Prompt | None) -> None:
    """Raises ValueError for a token that is not in the text or not of its spans."""
    length, spans = (len(prompt.text), len(prompt.spans)) if prompt is not None else (0, 0)
    for token in tokens:
        within(token.start, token.end, length)
        if not (-1 <= token.first_span < spans and -1 <= token.last_span < spans):
            raise ValueError(f"there is no span {token.first_span} or {token.last_span} among {spans}")


def _token(index: int, row: Any) -> Token:
    token, piece, probability, rank, entropy, ms, flags, chosen, alternatives, *masked = row
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
        masked=int(masked[0]) if masked else None,
    )


def _plan(value: Any) -> Plan | None:
    if value is None:
        return None
    breaks = tuple(
        Break(**{**one, "held": tuple(one.get("held", ())), "wanted": tuple(one.get("wanted", ()))})
        for one in value.get("breaks", ())
    )
    shifts = tuple(Shift(**one) for one in value.get("shifts", ()))
    plan = conform(Plan(**{**value, "breaks": breaks, "shifts": shifts}))
    counts = (plan.prompt_tokens, plan.held, plan.reused, plan.fed, plan.shared, plan.approximate, plan.moved)
    if min(counts) < 0 or max(plan.reused, plan.fed, plan.moved) > plan.prompt_tokens:
        raise ValueError("its counts do not fit together")
    return plan


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
    return conform(_EVENTS[row[0]](*row[1:]))


def _reply(value: Any) -> Reply | None:
    if value is None:
        return None
    reply = Reply(
        value["text"],
        tuple(_BLOCKS[row[0]](*row[1:]) for row in value["blocks"]),
        tuple(ReplySpan(*row) for row in value["spans"]),
        tuple(Repair(*row) for row in value["repairs"]),
    )
    conform(reply)
    for part in (*reply.blocks, *reply.spans, *reply.repairs):
        within(part.start, part.end, len(reply.text))
    return reply


def _ints(value: Any) -> list[int]:
    """Numbers, or their bytes in base64."""
    if isinstance(value, str):
        packed: list[int] = np.frombuffer(base64.b64decode(value, validate=True), dtype="<i4").tolist()
        return packed
    return [int(number) for number in value]
