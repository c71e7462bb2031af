"""Two figures that were measured with the official template and tokenizer of Qwen3.5, token for token."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from cutaway.chat.prompt import Prompt
from cutaway.chat.read import read_request
from cutaway.chat.session import prepare
from cutaway.chat.template.prepared import prepare_template
from cutaway.chat.template.sources import TemplateSource
from cutaway.engine.cache import Ledger, plan_feed
from cutaway.engine.tokens import tokenise
from support import assets
from support.vocabularies import QWEN35, vocabulary

POEM = [{"role": "system", "content": "你是一个诗人。"}, {"role": "user", "content": "写一句诗"}]
BEIJING = [
    {"role": "system", "content": "你是一个乐于助人的助手。"},
    {"role": "user", "content": "北京在哪个国家？"},
    {"role": "assistant", "content": "北京是中国的首都，位于华北平原北部。"},
    {"role": "user", "content": "它的面积大概多少？"},
]


def rendered(messages: list[dict[str, Any]], *, thinking: bool) -> Prompt:
    template = prepare_template(TemplateSource(assets.template("Qwen3.5-4B"), "file"))
    request = read_request({"messages": messages, "enable_thinking": thinking})
    return prepare(request, template, now=datetime(2026, 11, 29, 12)).prompt


def ids(messages: list[dict[str, Any]], *, thinking: bool) -> list[int]:
    tokens: list[int] = tokenise(rendered(messages, thinking=thinking), vocabulary(QWEN35)).ids.tolist()
    return tokens


def test_the_poem_without_thinking_is_23_tokens() -> None:
    tokens = ids(POEM, thinking=False)
    assert len(tokens) == 23
    assert tokens[-6:] == [74455, 198, 248068, 271, 248069, 271]


def test_the_poem_with_thinking_is_21_tokens() -> None:
    tokens = ids(POEM, thinking=True)
    assert len(tokens) == 21
    assert tokens[-6:] == [198, 248045, 74455, 198, 248068, 198]


def test_the_empty_thinking_block_that_history_does_not_repeat() -> None:
    found = vocabulary(QWEN35)
    first = ids(BEIJING[:2], thinking=False)
    generated = found.encode(BEIJING[2]["content"] + "<|im_end|>", special=True)
    assert (len(first), len(generated)) == (28, 11)
    held = Ledger(tuple(first + generated))
    second = ids(BEIJING, thinking=False)
    plan = plan_feed(held, second)
    assert (held.length, len(second), plan.reused, plan.fed) == (39, 53, 24, 29)
    (broken,) = plan.breaks
    assert (broken.at_token, broken.lost) == (24, 15)
    assert b"".join(map(found.piece, broken.held)).decode().startswith("<think>\n\n</think>\n\n")
    assert b"".join(map(found.piece, broken.wanted)).decode().startswith("北京是中国的首都")
