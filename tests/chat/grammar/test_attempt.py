"""What a person is told of a grammar: how far a string goes, and what may come next."""

from __future__ import annotations

import pytest

from cutaway.chat.grammar.attempt import attempt
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
