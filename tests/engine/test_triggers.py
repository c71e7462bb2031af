"""What wakes a lazy grammar, in short and in long replies."""

from __future__ import annotations

import pytest

from cutaway.engine.command import Constraint
from cutaway.engine.scripted import ScriptedVocabulary
from cutaway.engine.triggers import WATCHED, WATCHED_WHOLE, Found, Triggers

CALL = r"^\s*(\{\s*\"name\"\s*:)"
"""The head of a call, at the start of the answer."""


def find(kind: str, value: str, text: str) -> Found | None:
    """Tell the text token by token; the first trigger that fires."""
    vocabulary = ScriptedVocabulary((), ())
    triggers = Triggers(vocabulary, Constraint(lazy=True, triggers=((kind, value),)))  # type: ignore[arg-type]
    held = bytearray()
    for token in vocabulary.encode(text, special=False):
        if (found := triggers.find(held, token)) is not None:
            return found
        held += vocabulary.piece(token)
    return None


def test_the_start_of_the_answer_is_not_the_start_of_what_is_watched() -> None:
    mention = '{"name": "x"} is how a call begins. '
    long = "a " * (WATCHED // 2)

    assert find("pattern", CALL, f" {mention}") == Found(1, CALL)
    assert find("pattern", CALL, f"So: {mention}{long}") is None


@pytest.mark.parametrize(("kind", "value"), [("word", "é("), ("pattern", r"x(é\()")])
def test_a_trigger_far_into_a_reply_is_found_where_it_stands(kind: str, value: str) -> None:
    before = "日本 x " * WATCHED + "x"

    assert find(kind, value, f"{before}é(") == Found(len(before.encode()), value)


def test_a_pattern_of_the_whole_that_can_be_asked_no_longer_is_a_sentence() -> None:
    vocabulary = ScriptedVocabulary((), ())
    triggers = Triggers(vocabulary, Constraint(lazy=True, triggers=(("pattern_full", "a*b"),)))
    token = vocabulary.encode("b", special=False)[0]

    assert triggers.find(bytearray(b"a" * WATCHED_WHOLE), token) == Found(0, "a*b")
    with pytest.raises(ValueError, match=r"The reply ends here\.$"):
        triggers.find(bytearray(b"a" * (WATCHED_WHOLE + 1)), token)
