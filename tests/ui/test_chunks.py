"""A message in chunks: closed ones never change, all of the words are there, none grows without bound."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cutaway.ui.conversation.chunks import MOST, Chunker, chunks_of

PIECES = st.lists(
    st.sampled_from(
        ["para ", "\n\n", "```py\n", "```\n", "x " * 300, "\n- li\n", "  ind\n", "~~~~\n", "y" * 2000, "\n"]
    ),
    max_size=40,
)


@given(PIECES, st.lists(st.integers(1, 900), max_size=30))
def test_any_growth_gives_the_same_chunks(pieces: list[str], steps: list[int]) -> None:
    text = "".join(pieces)
    whole, grown, at = Chunker(), Chunker(), 0
    whole.feed(text)
    for step in [*steps, len(text)]:
        at = min(at + step, len(text))
        before = grown.chunks[:-1]
        grown.feed(text[:at])
        assert grown.chunks[: len(before)] == before, "a closed chunk changed"
    assert grown.chunks == whole.chunks


@given(PIECES)
def test_every_word_is_in_some_chunk(pieces: list[str]) -> None:
    text = "".join(pieces)
    chunks = chunks_of(text)
    assert sum(chunk.text.count("x") + chunk.text.count("y") for chunk in chunks) <= text.count("x") + text.count("y")
    assert sum(chunk.text.count("x") for chunk in chunks) == text.count("x")


@given(PIECES)
def test_no_chunk_is_longer_than_its_bound(pieces: list[str]) -> None:
    assert all(len(chunk.text) <= 4 * MOST for chunk in chunks_of("".join(pieces)))


def test_a_fence_is_code_with_its_language() -> None:
    chunks = chunks_of("Look:\n\n```python title\nprint(1)\n```\nafter")
    assert [(c.kind, c.language, c.text.strip()) for c in chunks] == [
        ("text", "", "Look:"),
        ("code", "python", "print(1)"),
        ("text", "", "after"),
    ]


def test_an_open_fence_is_code_while_it_grows() -> None:
    chunker = Chunker()
    chunker.feed("```c\nint x;")
    assert [(c.kind, c.text, c.closed) for c in chunker.chunks] == [("code", "int x;", False)]


def test_another_text_begins_anew() -> None:
    chunker = Chunker()
    chunker.feed("one text that is here")
    chunker.feed("quite another")
    assert [chunk.text for chunk in chunker.chunks] == ["quite another"]
