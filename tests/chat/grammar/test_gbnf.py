"""GBNF as people write it; what llama.cpp would refuse is refused with its place."""

from __future__ import annotations

import pytest

from cutaway.chat.grammar.accept import Acceptor, accepts
from cutaway.chat.grammar.expression import chars
from cutaway.chat.grammar.gbnf import GrammarError, read

POLITE = r"""
# a greeting, and whom it is for
root ::= greeting ", " name ("!" | "." ){0,2}
greeting ::= "Hello" | "Good " ("day" |
   "evening")
name ::= [A-Z] [a-z]* ( "-" [A-Z] [a-z]+ )?
"""


@pytest.mark.parametrize("text", ["Hello, Ann", "Good evening, Ann-Lee!.", "Good day, X"])
def test_texts_of_the_language(text: str) -> None:
    assert accepts(read(POLITE), text)


@pytest.mark.parametrize("text", ["", "Hello", "Hello, ann", "Hello, Ann!!!", "Good , X", "Hello, Ann-l"])
def test_texts_beside_it(text: str) -> None:
    assert not accepts(read(POLITE), text)


def test_what_may_come_next() -> None:
    here = Acceptor.of(read(POLITE)).advance("Hello, Ann")
    assert here is not None
    assert here.complete
    assert set(here.expected) == {chars("a-z"), chars("-"), chars("!"), chars(".")}
    assert here.advance("-") is not None
    assert not here.advance("-").complete  # type: ignore[union-attr]
    assert here.longest("a!?") == 2


def test_escapes_and_ranges() -> None:
    grammar = read('root ::= "\\x41\\u00e9\\U0001F600\\n\\"" [^\\]a-c\\-]')
    assert accepts(grammar, 'Aé😀\n"d')
    assert not accepts(grammar, 'Aé😀\n"]')
    assert not accepts(grammar, 'Aé😀\n"b')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('start ::= "a"', "no rule named root"),
        ("root ::= other", "other, which is not defined"),
        ("root ::= root", "left recursion"),
        ('root ::= a\na ::= "x"? root', "left recursion"),
        ('root ::= "a', "Line 1, column 12"),
        ('root ::= "a" )', "end of the line"),
        ('root ::= ("a"', "expected )"),
        ("root ::= *", "before *"),
        ('root ::= "a"{5000}', "at most 2000"),
        ('root ::= "a"{3,2}', "from m to n"),
        ('root ::= "\\q"', "unknown escape"),
        ("root ::= <think>", "depends on the vocabulary"),
        ("root =", "expected ::="),
        ("root ::= " + "(" * 500 + '"a"' + ")" * 500, "nested groups"),
    ],
)
def test_what_is_no_grammar_is_said_with_its_place(text: str, said: str) -> None:
    with pytest.raises(GrammarError) as caught:
        read(text)
    assert said in str(caught.value)


def test_an_ambiguous_grammar_stays_followable() -> None:
    """Equal stacks are one object: many readings of a text are not many positions."""
    here: Acceptor | None = Acceptor.of(read('root ::= ("a"* "a"*)* | "a" root'))
    for _ in range(300):
        assert here is not None
        here = here.advance("a")
    assert here is not None
    assert len(here.positions) < 20
