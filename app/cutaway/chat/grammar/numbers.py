"""Numbers within bounds, as digits.

A range of whole numbers of one length is a run of digit classes: 25 to 134 is `2[5-9] | [3-9][0-9] | 1[0-2][0-9] | 13[0-4]`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from cutaway.chat.grammar.expression import Chars, Expression, Text, chars, choice, optional, repeat, sequence

LONGEST = 15
"""Digits of the longest number that is written where no bound says less: a double holds them exactly."""
MOST_DECIMALS = 6
"""Decimals of a bound that are looked at."""

Digits = tuple[tuple[int, int], ...]

DIGIT = chars("0-9")


def integer(low: Fraction | None = None, high: Fraction | None = None) -> Expression | None:
    """A whole number from `low` to `high`, both inside; None when there is none."""
    least = None if low is None else math.ceil(low)
    most = None if high is None else math.floor(high)
    if least is None and most is None:
        return sequence(optional("-"), _natural())
    return _signed(least, most, _plain)


def number(
    low: Fraction | None, high: Fraction | None, *, open_low: bool, open_high: bool
) -> tuple[Expression | None, bool]:
    """A number within bounds, and whether everything within them can be written (up to `LONGEST` digits)."""
    if low is None and high is None:
        return _any_number(), True
    places = max(_places(low), _places(high))
    exact = places <= MOST_DECIMALS
    places = min(places, MOST_DECIMALS)
    options = [_signed(_first_above(low, open_low), _last_below(high, open_high), _plain)]
    options += [_fixed(low, high, 10**decimals, open_low, open_high) for decimals in range(1, places + 1)]
    # Every further digit moves away from zero: the last step before each bound is left to the exact forms above.
    scale = 10**places
    inner_low, inner_high = _inner_low(low, scale, open_low), _inner_high(high, scale, open_high)
    options.append(_signed(inner_low, inner_high, lambda run: _pointed(run, scale, more=True)))
    if (low is None or low * scale <= -1) and (high is None or high > 0 or (high == 0 and not open_high)):
        options.append(sequence("-", _pointed(((0, 0),), scale, more=True)))  # between zero and the first step below it
    if exact and (low is None or high is None or low < high):
        if open_low and low is not None and low >= 0:
            options.append(_just_beyond(low, scale))
        if open_high and high is not None and high <= 0:
            options.append(sequence("-", _just_beyond(-high, scale)))
        if high is not None and high >= 0 and not open_high:
            options.append(_with_zeros(high, scale))
        if low is not None and low < 0 and not open_low:
            options.append(sequence("-", _with_zeros(-low, scale)))
    found = [option for option in options if option]
    return (choice(*found) if found else None), exact


def _just_beyond(bound: Fraction, scale: int) -> Expression:
    """The bound's own digits with more behind them, not all of them zero."""
    return sequence(_exactly(bound, scale), repeat(Text("0"), 0, 15), chars("1-9"), repeat(DIGIT, 0, 15))


def _with_zeros(bound: Fraction, scale: int) -> Expression:
    """The bound itself with zeros behind it: `2.0`."""
    return sequence(_exactly(bound, scale), repeat(Text("0"), 1, 15))


def _exactly(bound: Fraction, scale: int) -> Expression:
    """The bound's digits with a decimal point in them or behind them."""
    digits = tuple((int(digit), int(digit)) for digit in str(int(bound * scale)))
    return _pointed(digits, scale, more=False) if scale > 1 else sequence(_plain(digits), ".")


def _fixed(
    low: Fraction | None, high: Fraction | None, scale: int, open_low: bool, open_high: bool
) -> Expression | None:
    """Numbers with as many decimals as the scale has zeros."""
    least = None if low is None else _first_above(low * scale, open_low)
    most = None if high is None else _last_below(high * scale, open_high)
    return _signed(least, most, lambda run: _pointed(run, scale, more=False))


def _inner_low(low: Fraction | None, scale: int, opened: bool) -> int | None:
    """The lowest step whose every further digit stays above the bound."""
    if low is None:
        return None
    if low < 0:
        return math.ceil(low * scale) + 1
    return _first_above(low * scale, opened)


def _inner_high(high: Fraction | None, scale: int, opened: bool) -> int | None:
    if high is None:
        return None
    if high > 0:
        return math.floor(high * scale) - 1
    return -1 if high * scale > -1 else _last_below(high * scale, opened)


def _first_above(low: Fraction | None, open_low: bool) -> int | None:
    if low is None:
        return None
    return math.ceil(low) + (1 if open_low and low == math.ceil(low) else 0)


def _last_below(high: Fraction | None, open_high: bool) -> int | None:
    if high is None:
        return None
    return math.floor(high) - (1 if open_high and high == math.floor(high) else 0)


def _places(bound: Fraction | None) -> int:
    if bound is None:
        return 0
    places = 0
    while bound.denominator != 1 and places <= MOST_DECIMALS:
        bound, places = bound * 10, places + 1
    return places


def _any_number() -> Expression:
    fraction = sequence(".", repeat(DIGIT, 1, 16))
    exponent = sequence(chars("e", "E"), optional(chars("+", "-")), repeat(DIGIT, 1, 2))
    return sequence(optional("-"), _natural(), optional(fraction), optional(exponent))


def _natural() -> Expression:
    return choice("0", sequence(chars("1-9"), repeat(DIGIT, 0, LONGEST - 1)))


def _signed(least: int | None, most: int | None, spell: Callable[[Digits], Expression]) -> Expression | None:
    """`spell` turns runs of digit classes into text; negative numbers are a minus before their mirror image."""
    longest = 10**LONGEST - 1
    low, high = -longest if least is None else least, longest if most is None else most
    options: list[Expression] = []
    if high >= 0 and low <= high:
        options += [spell(digits) for digits in _runs(max(low, 0), high)]
    if low < 0 and low <= high:
        options += [sequence("-", spell(digits)) for digits in _runs(max(1, -min(high, -1)), -low) if low <= -1]
    return choice(*options) if options else None


def _plain(digits: Digits) -> Expression:
    return sequence(*(_digit(pair) for pair in digits))


def _pointed(digits: Digits, scale: int, *, more: bool) -> Expression:
    """The digits with a decimal point before as many as the scale has zeros."""
    places = len(str(scale)) - 1
    padded = ((0, 0),) * max(0, places + 1 - len(digits)) + digits
    head, tail = padded[: len(padded) - places], padded[len(padded) - places :]
    rest = repeat(DIGIT, 1 if not tail else 0, 16) if more else Text("")
    return sequence(_plain(head), ".", _plain(tail), rest)


def _digit(pair: tuple[int, int]) -> Expression:
    low, high = pair
    return Text(str(low)) if low == high else Chars(((48 + low, 48 + high),))


def _runs(low: int, high: int) -> list[Digits]:
    """Whole numbers from `low` to `high` (not negative) as runs of digit classes."""
    out: list[Digits] = []
    for length in range(len(str(low)), len(str(high)) + 1):
        first = max(low, 10 ** (length - 1) if length > 1 else 0)
        last = min(high, 10**length - 1)
        if first <= last:
            out += _same_length(str(first), str(last))
    return out


def _same_length(low: str, high: str) -> list[Digits]:
    if not low:
        return [()]
    first, last = int(low[0]), int(high[0])
    if first == last:
        return [((first, first), *rest) for rest in _same_length(low[1:], high[1:])]
    out: list[Digits] = []
    length = len(low) - 1
    whole_low, whole_high = low[1:] == "0" * length, high[1:] == "9" * length
    if not whole_low:
        out += [((first, first), *rest) for rest in _same_length(low[1:], "9" * length)]
        first += 1
    upper = last if whole_high else last - 1
    if first <= upper:
        out.append(((first, upper), *(((0, 9),) * length)))
    if not whole_high:
        out += [((last, last), *rest) for rest in _same_length("0" * length, high[1:])]
    return out
