"""Splits of two texts fall between tokens and lose nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.analysis.split import atoms, common_prefix, common_suffix, split

PIECES = ["<tool_call>", "</tool_call>", "<|im_end|>", "[TOOL_CALLS]", "<", ">", "</", "word", " ", "\n", '"', "=", "é"]
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def test_a_marker_is_one_atom() -> None:
    assert atoms("<|im_end|>\n[/INST]x") == ["<|im_end|>", "\n", "[/INST]", "x"]


def test_a_tag_head_is_one_atom() -> None:
    assert atoms('<invoke name="') == ["<invoke", " ", "name", "=", '"']


def test_a_common_prefix_does_not_cut_into_a_closing_tag() -> None:
    assert common_prefix(("</a>\n</call>\n", "</a>\n</calls>\n")) == "</a>\n"


def test_a_common_suffix_does_not_cut_into_a_word() -> None:
    assert common_suffix(("recall", "call")) == ""


@given(texts, texts)
def test_a_split_puts_both_texts_together_again(left: str, right: str) -> None:
    prefix, left_diff, right_diff, suffix = split(left, right)
    assert prefix + left_diff + suffix == left
    assert prefix + right_diff + suffix == right


@given(texts, texts)
def test_a_split_cuts_no_atom(left: str, right: str) -> None:
    prefix, _, _, _ = split(left, right)
    for text in (left, right):
        whole = atoms(text)
        assert any("".join(whole[:count]) == prefix for count in range(len(whole) + 1))


@pytest.mark.parametrize("texts", [(), ("",), ("", "a")])
def test_nothing_is_shared_with_nothing(texts: tuple[str, ...]) -> None:
    assert common_prefix(texts) == common_suffix(texts) == ""
