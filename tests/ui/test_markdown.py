"""Rendered markdown can load nothing, run nothing, and hide nothing."""

from __future__ import annotations

import pytest

from cutaway.ui.conversation.highlight import runs_of
from cutaway.ui.conversation.markdown import to_html

HOSTILE = (
    '<img src="file:///etc/passwd">',
    "![x](file:///etc/passwd)",
    "![x](http://example.com/a.png)",
    "<script>alert(1)</script>",
    '<iframe src="http://example.com"></iframe>',
    "<style>@import 'http://example.com'</style>",
)


@pytest.mark.parametrize("source", HOSTILE)
def test_nothing_is_loaded(source: str) -> None:
    made = to_html(source)
    assert not any(tag in made for tag in ("<img", "<script", "<iframe", "<style", "<link", "<object"))


def test_dangerous_links_are_text() -> None:
    assert "href" not in to_html("[a](javascript:alert(1))")
    assert "href" not in to_html("[a](file:///etc/passwd)")
    assert 'href="https://example.com"' in to_html("[a](https://example.com)")


def test_tables_and_strikethrough() -> None:
    made = to_html("| a | b |\n| - | - |\n| 1 | 2 |\n\n~~gone~~")
    assert "<table" in made
    assert "<s>gone</s>" in made


def test_code_is_coloured_and_its_characters_are_counted() -> None:
    code = "def f():\n    return 'x'  # note\n"
    kinds = {code[run.start : run.end]: run.kind for run in runs_of(code, "python")}
    assert kinds["def"] == "keyword"
    assert kinds["f"] == "name"
    assert kinds["# note"] == "comment"


def test_an_unknown_language_is_plain() -> None:
    assert runs_of("anything", "no-such-language") == ()
