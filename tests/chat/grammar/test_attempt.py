"""What a person is told of a grammar: how far a string goes, what may come next, where a lazy one woke."""

from __future__ import annotations

import pytest

from cutaway.chat.grammar.attempt import attempt, mask, woke_at
from cutaway.chat.grammar.gbnf import GrammarError

NUMBER = 'root ::= "-"? [0-9]+ (" " [^"\\n])?'


def test_a_string_is_accepted_up_to_where_it_leaves_the_grammar() -> None:
    tried = attempt(NUMBER, "-12x")
    assert (tried.accepted, tried.complete) == (3, True)
    assert set(tried.expected) == {"[0-9]", '" "'}


def test_an_unfinished_string_says_what_may_come_next() -> None:
    tried = attempt(NUMBER, "-")
    assert (tried.accepted, tried.complete, tried.expected) == (1, False, ("[0-9]",))
    assert attempt(NUMBER, "1 ").expected == ('[^"\\n]',)


def test_a_whole_string_leaves_nothing_to_come() -> None:
    assert attempt('root ::= "ab"', "ab") == attempt('root ::= "ab"', "abc")
    assert attempt('root ::= "ab"', "ab").expected == ()


def test_what_is_no_grammar_is_an_error() -> None:
    with pytest.raises(GrammarError):
        attempt("root ::= nothing", "a")


@pytest.mark.parametrize(
    ("triggers", "text", "start", "woke"),
    [
        ([("word", "<tool_call>")], "Hello <tool_call>{", 0, 6),
        ([("word", "<tool_call>")], "Hello", 0, None),
        ([("word", "<call>")], "<think><call></think>\n<call>", 21, 22),
        ([("pattern", r"^\s*(\[)")], "  [f()]", 0, 2),
        ([("pattern_full", r"say (\{)")], "say {}", 0, 4),
        ([("word", "b"), ("token", "a")], "xab", 0, 1),
        ([("pattern", "(")], "(", 0, None),
    ],
)
def test_a_lazy_grammar_wakes_at_its_first_trigger(
    triggers: list[tuple[str, str]], text: str, start: int, woke: int | None
) -> None:
    assert woke_at(triggers, text, start) == woke


def test_the_mask_says_which_pieces_may_follow() -> None:
    grammar = 'root ::= "yes" | "no" "!"?'
    assert mask(grammar, [""], ["y", "no", "maybe", None]) == [True, True, False, False]
    assert mask(grammar, ["no"], ["!", "n", None]) == [True, False, True]
    assert mask(grammar, ["<think></think>n", "n"], ["o"]) == [True]
    assert mask(grammar, ["x"], ["o"]) is None
