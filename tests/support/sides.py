"""Two prompts that meet in a cache, made by real templates with Qwen3.5's tokenizer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from cutaway.chat.prompt import Prompt
from cutaway.chat.read import read_request
from cutaway.chat.reply import ContentBlock, ReasoningBlock, Reply, ReplySpan
from cutaway.chat.session import prepare
from cutaway.chat.template.prepared import PreparedTemplate, prepare_template
from cutaway.chat.template.sources import TemplateSource
from cutaway.engine.backend import MemoryKind
from cutaway.engine.cache import Ledger, plan_feed
from cutaway.engine.plan import Plan
from cutaway.engine.reasons import Circumstances, explain
from cutaway.engine.side import Side
from cutaway.engine.tokens import tokenise
from support.vocabularies import QWEN35, vocabulary

Messages = list[dict[str, Any]]
NOON = datetime(2026, 11, 29, 12)
SYSTEM = {"role": "system", "content": "Be brief."}
WEATHER = {
    "type": "function",
    "function": {"name": "weather", "description": "The weather of a place", "parameters": {"type": "object"}},
}
CLOCK = {"type": "function", "function": {"name": "clock", "description": "The time", "parameters": {"type": "object"}}}
CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


@cache
def prepared(source: str) -> PreparedTemplate:
    return prepare_template(TemplateSource(source, "given"))


def prompt_of(template: str, messages: Messages, body: Mapping[str, Any], now: datetime) -> tuple[Prompt, Any]:
    request = read_request({"messages": messages, **body})
    return prepare(request, prepared(template), now=now).prompt, request


def side(
    template: str,
    messages: Messages,
    reply: Reply | None = None,
    *,
    end: str = "<|im_end|>",
    now: datetime = NOON,
    pieces: Sequence[bytes] | None = None,
    keys: Mapping[str, str] | None = None,
    **body: Any,
) -> Side:
    found = vocabulary(QWEN35)
    prompt, request = prompt_of(template, messages, body, now)
    tokens = tokenise(prompt, found)
    reply_ids = found.encode(reply.text + end, special=True) if reply else []
    spelled = [found.piece(token) for token in reply_ids] if pieces is None else list(pieces)
    return Side(prompt, request, tokens.ids.tolist(), tokens.starts.tolist(), keys or {}, reply_ids, spelled, reply)


def said(content: str, reasoning: str = "", *, opener: str = "", closer: str = "\n</think>\n\n") -> Reply:
    """A reply as the reader would have read it."""
    blocks: list[Any] = []
    spans: list[ReplySpan] = []
    text = ""
    for kind, piece in (("markup", opener), ("reasoning", reasoning), ("markup", closer), ("content", content)):
        if piece and (reasoning or kind == "content"):
            spans.append(ReplySpan(len(text), len(text) + len(piece), kind))  # type: ignore[arg-type]
            block = {"reasoning": ReasoningBlock, "content": ContentBlock}.get(kind)
            if block is not None:
                blocks.append(block(piece, len(text), len(text) + len(piece)))
            text += piece
    return Reply(text, tuple(blocks), tuple(spans))


def explained(
    held: Side | None, wanted: Side, facts: Circumstances | None = None, kind: MemoryKind = "attention", floor: int = 0
) -> Plan:
    ledger = Ledger(tuple(held.all_ids) if held is not None else (), floor=floor)
    return explain(plan_feed(ledger, wanted.ids, kind=kind), held, wanted, facts or Circumstances())
