"""A marker that is a token is demanded as that token."""

from __future__ import annotations

from cutaway.engine.grammar_tokens import demand_tokens

TOKENS = {"<call>": 7, "</call>": 8, "<call": 9}


def test_a_marker_within_a_literal_is_its_token() -> None:
    assert demand_tokens('root ::= "<call>{\\"a\\": " [0-9] "}\\n</call>"?', TOKENS) == (
        'root ::= (<[7]> "{\\"a\\": ") [0-9] ("}\\n" <[8]>)?'
    )


def test_the_longest_marker_counts() -> None:
    assert demand_tokens('root ::= "<call><call"', TOKENS) == "root ::= (<[7]> <[9]>)"


def test_classes_and_comments_stay() -> None:
    grammar = 'root ::= [^"<call>] # "<call>"\nx ::= "\\"" [^"] "</cal"'
    assert demand_tokens(grammar, TOKENS) == grammar


def test_without_tokens_nothing_changes() -> None:
    assert demand_tokens('root ::= "<call>"', {}) == 'root ::= "<call>"'
