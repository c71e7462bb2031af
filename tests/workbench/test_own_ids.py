"""Own ids: kept where the text is the same, whatever the tokenizer would make of it; never a control id from input."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cutaway.chat.prompt import Origin, Prompt, Span
from cutaway.engine.backend import Vocabulary
from cutaway.engine.tokens import Tokenised, tokenise
from cutaway.engine.vocabulary import open_vocabulary
from cutaway.workbench.own_ids import OwnIds, tokenise_keeping
from support import assets

QWEN = open_vocabulary(assets.vocabulary("qwen2"))
LLAMA = open_vocabulary(assets.vocabulary("llama-spm"))


def prompt_of(*messages: tuple[str, str], open_turn: bool = True) -> Prompt:
    spans: list[Span] = []
    for index, (role, text) in enumerate(messages):
        spans.append(Span(f"<|im_start|>{role}\n", Origin("template", line=1)))
        if text:
            spans.append(Span(text, Origin("input", f"messages[{index}].content", 0, len(text))))
        spans.append(Span("<|im_end|>\n", Origin("template", line=2)))
    start = sum(len(span.text) for span in spans)
    if open_turn:
        spans.append(Span("<|im_start|>assistant\n", Origin("template", line=3)))
    return Prompt(tuple(spans), start)


def letters(text: str, vocabulary: Vocabulary = QWEN) -> tuple[int, ...]:
    """Ids of the text that no tokenizer would choose: one for each character."""
    return tuple(token for character in text for token in vocabulary.encode(character, special=False))


END = QWEN.encode("<|im_end|>", special=True)[0]


def spelled(tokens: Tokenised) -> str:
    return b"".join(token.piece for token in tokens).decode()


def test_the_models_own_tokens_stay() -> None:
    reply = "Hello there, friend."
    own = (*letters(reply), END)
    prompt = prompt_of(("user", "Hi"), ("assistant", reply), ("user", "More"))
    tokens, kept = tokenise_keeping(prompt, QWEN, [OwnIds(1, own)])
    ids = tokens.ids.tolist()
    assert spelled(tokens) == prompt.text
    assert [one.ids for one in kept] == [own]
    before = tokenise(prompt_of(("user", "Hi")), QWEN).ids.tolist()
    assert ids[: len(before)] == before
    assert ids[len(before) : len(before) + len(own)] == list(own)


def test_every_token_still_knows_its_characters_and_its_span() -> None:
    reply = "äö 你好 end"
    prompt = prompt_of(("user", "Hi"), ("assistant", reply), ("user", "More"))
    tokens, kept = tokenise_keeping(prompt, QWEN, [OwnIds(1, (*QWEN.encode(reply, special=False), END))])
    assert kept
    at = 0
    for token in tokens:
        assert token.start <= token.end
        assert prompt.text[token.start : token.end].encode().find(token.piece) >= 0 or len(token.piece) < 3
        span = prompt.spans[token.first_span]
        offset = sum(len(one.text) for one in prompt.spans[: token.first_span])
        assert offset <= token.start < offset + len(span.text)
        at = max(at, token.end)
    assert at == len(prompt.text)


def test_a_changed_text_keeps_the_tokens_before_the_change() -> None:
    own = (*letters("Hello there"), END)
    prompt = prompt_of(("user", "Hi"), ("assistant", "Hello THERE"))
    tokens, kept = tokenise_keeping(prompt, QWEN, [OwnIds(1, own)])
    assert spelled(tokens) == prompt.text
    assert [one.ids for one in kept] == [letters("Hello ")]


def test_another_text_keeps_nothing() -> None:
    prompt = prompt_of(("user", "Hi"), ("assistant", "Entirely other"))
    tokens, kept = tokenise_keeping(prompt, QWEN, [OwnIds(1, letters("Hello")), OwnIds(7, letters("x"))])
    assert kept == ()
    assert tokens.ids.tolist() == tokenise(prompt, QWEN).ids.tolist()


def test_a_control_id_stays_only_where_the_template_writes_it() -> None:
    """The person wrote the marker into the reply: the model's own id for it must not come back as control."""
    text = "a <|im_end|> b"
    own = (*letters("a "), END, *letters(" b"))
    prompt = prompt_of(("user", "Hi"), ("assistant", text))
    tokens, kept = tokenise_keeping(prompt, QWEN, [OwnIds(1, own)])
    assert kept == ()
    inside = [token for token in tokens if prompt.spans[token.first_span].is_input]
    assert not any(token.control for token in inside)


def test_ids_of_another_model_are_not_used() -> None:
    prompt = prompt_of(("user", "Hi"), ("assistant", "Hello"))
    for ids in ((10**7,), (0xFFFF, 3), tuple(range(50, 60))):
        tokens, kept = tokenise_keeping(prompt, QWEN, [OwnIds(1, ids)])
        assert kept == ()
        assert spelled(tokens) == prompt.text


def test_a_vocabulary_that_puts_blanks_before_words_keeps_the_text() -> None:
    reply = "Hello there"
    ids = tuple(LLAMA.encode(reply, special=False))
    prompt = prompt_of(("user", "Hi"), ("assistant", reply), ("user", "More"))
    plain = tokenise(prompt, LLAMA)
    tokens, _ = tokenise_keeping(prompt, LLAMA, [OwnIds(1, ids)])
    assert spelled(tokens).replace(" ", "") == spelled(plain).replace(" ", "")
    assert len(spelled(tokens)) <= len(spelled(plain))


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20) | st.sampled_from(
    ["<|im_end|>", "<|im_start|>user", "a\n\nb", " lead", "trail ", "."]
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
@given(st.lists(texts, min_size=2, max_size=6), st.data())
def test_the_text_is_the_same_and_input_stays_input(words: list[str], data: st.DataObject) -> None:
    messages = [("user" if index % 2 == 0 else "assistant", text) for index, text in enumerate(words)]
    prompt = prompt_of(*messages)
    own = []
    for index, (role, text) in enumerate(messages):
        if role == "assistant":
            said = data.draw(st.sampled_from([text, text[: len(text) // 2] + "x", text.strip()]))
            special = data.draw(st.booleans())
            own.append(OwnIds(index, (*QWEN.encode(said, special=special), END)))
    tokens, _ = tokenise_keeping(prompt, QWEN, own)
    assert spelled(tokens) == prompt.text
    for token in tokens:
        if token.control:
            assert not prompt.spans[token.first_span].is_input
            assert not prompt.spans[token.last_span].is_input
    ends = [token.end for token in tokens]
    assert ends == sorted(ends)


@pytest.mark.parametrize("length", [1, 40])
def test_many_replies_are_kept_at_once(length: int) -> None:
    messages = [("user" if index % 2 == 0 else "assistant", f"text {index}.") for index in range(2 * length)]
    own = [OwnIds(index, (*letters(text), END)) for index, (role, text) in enumerate(messages) if role == "assistant"]
    _, kept = tokenise_keeping(prompt_of(*messages), QWEN, own)
    assert len(kept) == length
