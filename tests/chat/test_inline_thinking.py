"""Reasoning that other programs leave inside the content."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.inline_thinking import TAG_PAIRS, find_inline_thinking


@pytest.mark.parametrize("pair", TAG_PAIRS)
def test_every_pair_of_tags(pair: tuple[str, str]) -> None:
    content = f"{pair[0]}\nr\n{pair[1]}\n\nA"
    found = find_inline_thinking(content)
    assert found is not None
    assert (content[found.start : found.end], content[found.answer :], found.closed) == ("r", "A", True)


@pytest.mark.parametrize(
    ("content", "reasoning", "answer"),
    [
        ("<think>r</think>A", "r", "A"),
        ("\n<think>r</think>\n\n\nA", "r", "\nA"),
        ("<think></think>A", "", "A"),
        ("<think>\n\n</think>\n\nA", "", "A"),
        ("<think>\n</think>A", "", "A"),
        ("<think>a</think>b</think>c", "a", "b</think>c"),
        ("<think>\n  indented\n</think>A", "  indented", "A"),
    ],
)
def test_framing_is_one_line_break(content: str, reasoning: str, answer: str) -> None:
    found = find_inline_thinking(content)
    assert found is not None
    assert (content[found.start : found.end], content[found.answer :]) == (reasoning, answer)


def test_an_open_block() -> None:
    found = find_inline_thinking("<think>\nstill")
    assert found is not None
    assert (found.closed, found.start, found.end, found.answer) == (False, 8, 13, 13)


@pytest.mark.parametrize("content", ["", "A <think>x</think>", "think", "<thinker>x</thinker>", "</think>A"])
def test_no_block_at_the_start(content: str) -> None:
    assert find_inline_thinking(content) is None


@given(
    st.lists(st.sampled_from(["<think>", "</think>", "\n", "a", " ", "<|channel>thought", "<channel|>"])).map("".join)
)
def test_the_ranges_lie_in_order(content: str) -> None:
    found = find_inline_thinking(content)
    assert found is None or 0 <= found.start <= found.end <= found.answer <= len(content)
