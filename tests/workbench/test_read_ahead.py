"""How much of a message that is being typed is surely part of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.workbench.read_ahead import whole_words
from support.laws import tried
from support.vocabularies import vocabulary


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("", ""),
        ("Hel", ""),
        ("Hello wor", "Hello"),
        ("Hello world ", "Hello"),
        ("Hello world, an", "Hello world,"),
        ("a\n\nb", "a"),
        ("日" * 40, "日" * 28),
        ("Well, " + "日" * 40, "Well, " + "日" * 28),
    ],
)
def test_a_word_is_over_when_another_begins(text: str, sure: str) -> None:
    assert text[: whole_words(text)] == sure


@tried(60)
@given(
    st.lists(st.sampled_from(["the", "rain", "in,", "Überall", "naïve", "x=1", "(no)", "\n", "it's"]), max_size=12),
    st.text(alphabet="abc ,.\n'(é1", max_size=8),
)
def test_typing_on_keeps_the_tokens_of_what_is_over(words: list[str], more: str) -> None:
    draft = " ".join(words)
    found = vocabulary("gpt-2")
    now = b"".join(found.piece(token) for token in found.encode(draft[: whole_words(draft)], special=False))
    later = found.encode(draft + more, special=False)
    kept = found.encode(draft, special=False)
    count = size = 0
    for token in kept:
        size += len(found.piece(token))
        if size > len(now):
            break
        count += 1
    assert later[:count] == kept[:count]
