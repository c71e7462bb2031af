"""Formulas: what is one, what is drawn, and that whatever a model writes costs little time."""

from __future__ import annotations

import pytest

from cutaway.ui.conversation.formulas import draw
from cutaway.ui.conversation.markdown import render

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
"""The library opens its fonts in a way that Python 3.11 calls old."""


@pytest.mark.parametrize("source", ["so $x+1$ is", r"so \(x+1\) is", "$$\nx+1\n$$", "so\n\\[\nx+1\n\\]\nis"])
def test_each_way_of_writing_a_formula_is_found(source: str) -> None:
    made = render(source)
    assert [latex for latex, _ in (*made.missing, *made.formulas)] == ["x+1"]


@pytest.mark.parametrize("source", ["$5 and $10", "`$x$`", r"\$x\$", r"\[ open"])
def test_money_code_and_what_is_not_closed_are_text(source: str) -> None:
    made = render(source)
    assert (made.missing, made.formulas) == ([], [])


def test_a_formula_is_drawn_about_its_baseline() -> None:
    made = draw((r"\frac{a}{b}", True))
    assert made is not None
    assert made.ascent > 5
    assert made.descent > 5


@pytest.mark.parametrize("latex", [r"\frac{", "x^{" * 9 + "1" + "}" * 9, r"\sqrt" * 50 + "x", "x" * 900, "", "中"])
def test_what_cannot_be_drawn_stays_its_source(latex: str) -> None:
    assert draw((latex, False)) is None
