"""Titles, made without the model."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutaway.workbench.titles import LONGEST, make_title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("What is the tallest mountain?", "What is the tallest mountain?"),
        ("Hi! What is the weather like in Oslo today? I am curious.", "What is the weather like in Oslo today?"),
        ("Say hi in French.", "Say hi in French"),
        ("hello", "hello"),
        ("# Notes\n\nSome **bold** words.", "Notes"),
        ("```python\nprint(1)\n```\nWhy does this print 1?", "Why does this print 1?"),
        ("你好。今天天气怎么样？", "今天天气怎么样？"),
        ("   \n\n ", ""),
        ("[a link](http://x.y) to follow", "a link to follow"),
    ],
)
def test_the_first_sentence_that_says_something(text: str, title: str) -> None:
    assert make_title(text) == title


@given(st.text(max_size=300))
def test_any_text_has_a_short_title_on_one_line(text: str) -> None:
    title = make_title(text)
    assert len(title) <= LONGEST
    assert "\n" not in title
