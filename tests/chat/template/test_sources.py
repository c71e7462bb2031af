"""Which template a model's request gets, and what is said about it."""

from __future__ import annotations

import hashlib

import pytest

from cutaway.chat.template.sources import CHATML, difference, found, given


def test_a_given_text_and_the_word_chatml() -> None:
    assert given("{{ x }}", "my.jinja").default.origin == "my.jinja"
    assert given(" chatml\n").default.text == CHATML
    assert given("{{ x }}").default.sha256 == hashlib.sha256(b"{{ x }}").hexdigest()


def test_tool_use_is_chosen_when_there_are_tools() -> None:
    sources = found({"default": "D", "tool_use": "T", "rag": "R"}, "model.gguf")
    assert sources.choose(tools=False).text == "D"
    assert (sources.choose(tools=True).text, sources.choose(tools=True).variant) == ("T", "tool_use")
    assert sources.choose(tools=True, variant="default").text == "D"
    assert sources.choose(tools=False, variant="rag").text == "R"
    with pytest.raises(KeyError):
        sources.choose(tools=False, variant="none such")


def test_tool_use_stands_in_for_a_missing_default() -> None:
    sources = found({"tool_use": "T"}, "model.gguf")
    assert sources.choose(tools=False).text == "T"
    assert [one.code for one in sources.warnings] == ["no-default-template"]


def test_chatml_as_the_last_resort_is_announced() -> None:
    sources = found({}, "model.gguf")
    assert sources.default.text == CHATML
    assert [one.code for one in sources.warnings] == ["no-template"]
    assert "model.gguf" in sources.warnings[0].message


def test_a_model_that_asks_for_chatml() -> None:
    assert found({"default": "chatml"}, "model.gguf").default.text == CHATML


def test_a_difference_is_short() -> None:
    assert difference("a\nb", "a\nc", "one", "two") == "--- one\n+++ two\n@@ -1,2 +1,2 @@\n a\n-b\n+c"
    many = "\n".join(map(str, range(1000)))
    assert len(difference("", many, "one", "two").splitlines()) == 40


def test_an_empty_template_is_none_and_chatml_says_so() -> None:
    for text in ("", " \n"):
        sources = given(text)
        assert sources.default.origin == "chatml"
        assert [one.code for one in sources.warnings] == ["no-template"]


def test_a_default_that_only_asks_for_chatml_gives_way_to_tool_use() -> None:
    sources = found({"default": "chatml", "tool_use": "with tools"}, "a model")
    assert sources.choose(tools=False).text == "with tools"
