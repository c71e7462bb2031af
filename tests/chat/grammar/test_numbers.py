"""Numbers within bounds: what the digits allow is what the bounds allow."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from cutaway.chat.grammar import numbers
from cutaway.chat.grammar.accept import accepts
from cutaway.chat.grammar.expression import Expression, Grammar

WHOLE = st.integers(-1200, 1200)
DECIMAL = st.decimals(-300, 300, places=2, allow_nan=False).map(Fraction)


def fits(expression: Expression | None, text: str) -> bool:
    return expression is not None and accepts(Grammar({"root": expression}), text)


@given(WHOLE, WHOLE, WHOLE)
def test_whole_numbers_are_exact(low: int, high: int, value: int) -> None:
    found = numbers.integer(Fraction(low), Fraction(high))
    assert fits(found, str(value)) == (low <= value <= high)


@given(st.one_of(st.none(), WHOLE), st.one_of(st.none(), WHOLE), WHOLE)
def test_one_sided_bounds(low: int | None, high: int | None, value: int) -> None:
    found = numbers.integer(*(None if bound is None else Fraction(bound) for bound in (low, high)))
    assert fits(found, str(value)) == ((low is None or low <= value) and (high is None or value <= high))


@given(DECIMAL, DECIMAL, st.decimals(-310, 310, places=3, allow_nan=False), st.booleans(), st.booleans())
def test_decimals_never_leave_their_bounds(
    low: Fraction, high: Fraction, value: object, left: bool, right: bool
) -> None:
    text = f"{value:f}"
    found, _ = numbers.number(low, high, open_low=left, open_high=right)
    if fits(found, text):
        assert low <= Fraction(text) <= high
        assert not (left and Fraction(text) == low)
        assert not (right and Fraction(text) == high)


@given(DECIMAL, DECIMAL, st.decimals(-310, 310, places=3, allow_nan=False))
def test_closed_decimal_bounds_leave_nothing_out(low: Fraction, high: Fraction, value: object) -> None:
    text = f"{value:f}"
    found, exact = numbers.number(low, high, open_low=False, open_high=False)
    trimmed = text.rstrip("0").rstrip(".")
    if exact and low <= Fraction(text) <= high and trimmed not in ("-0", "0", ""):
        assert fits(found, trimmed)


@given(DECIMAL, DECIMAL, st.decimals(-310, 310, places=3, allow_nan=False), st.booleans(), st.booleans())
def test_open_bounds_leave_nothing_out_either(
    low: Fraction, high: Fraction, value: object, left: bool, right: bool
) -> None:
    text = f"{value:f}"
    found, exact = numbers.number(low, high, open_low=left, open_high=right)
    inside = (low < Fraction(text) if left else low <= Fraction(text)) and (
        Fraction(text) < high if right else Fraction(text) <= high
    )
    trimmed = text.rstrip("0").rstrip(".")
    if exact and inside and trimmed not in ("-0", "0", ""):
        assert fits(found, trimmed)


def test_a_price_above_nothing_may_be_below_one() -> None:
    above, _ = numbers.number(Fraction(0), None, open_low=True, open_high=False)
    assert all(fits(above, text) for text in ("0.5", "0.001", "12.0", "3"))
    assert not any(fits(above, text) for text in ("0", "0.0", "0.00", "-1"))
    between, _ = numbers.number(Fraction(0), Fraction(1), open_low=True, open_high=True)
    assert fits(between, "0.25")
    assert not fits(between, "1.0")
    below, _ = numbers.number(None, Fraction(2), open_low=False, open_high=False)
    assert fits(below, "2.0")
