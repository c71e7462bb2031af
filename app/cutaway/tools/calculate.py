"""The value of an arithmetic expression. Untrusted: bounded in size, no names but the listed ones."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TypeAlias

Number: TypeAlias = "int | float | Fraction"

LONGEST = 1000
"""Characters of an expression."""
MOST_BITS = 4096
"""Of any whole number on the way."""
DEEPEST = 60


class CalculationError(Exception):
    """The expression has no value. The message is a sentence that names the place."""


def calculate(expression: str) -> str:
    """The value as text: exact for whole numbers and for fractions that end, else to 15 digits.

    Raises CalculationError.
    """
    if len(expression) > LONGEST:
        raise CalculationError(f"The expression has {len(expression)} characters; {LONGEST} is the most.")
    text = expression.strip().replace("^", "**").replace("×", "*").replace("÷", "/").replace("−", "-")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise CalculationError(f"{_shown(expression)} is no arithmetic expression.") from error
    try:
        return _text(_value(tree.body, 0))
    except ZeroDivisionError as error:
        raise CalculationError(f"{_shown(expression)} divides by zero.") from error
    except (OverflowError, ValueError, TypeError) as error:
        raise CalculationError(f"{_shown(expression)} has no value that can be written: {error}.") from error


_OPERATORS: Mapping[type[ast.AST], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_CONSTANTS: Mapping[str, float] = {"pi": math.pi, "e": math.e, "tau": math.tau}
_FUNCTIONS: Mapping[str, Callable[..., Number]] = {
    "abs": abs,
    "min": min,
    "max": max,
    "floor": math.floor,
    "ceil": math.ceil,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "ln": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "degrees": math.degrees,
    "radians": math.radians,
    "hypot": math.hypot,
}


def _value(node: ast.expr, depth: int) -> Number:
    if depth > DEEPEST:
        raise CalculationError("The expression is nested too deeply.")
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int(number)):
            return _bounded(number)
        case ast.Constant(value=float(number)):
            # What a person writes as 0.1 is a tenth.
            return Fraction(repr(number)) if math.isfinite(number) and 1e-300 < abs(number) < 1e300 else number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, depth + 1)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, depth + 1)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left, depth + 1), _value(right, depth + 1))
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return _divided(_value(left, depth + 1), _value(right, depth + 1))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _bounded(_OPERATORS[type(op)](_value(left, depth + 1), _value(right, depth + 1)))
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _called(name, [_value(argument, depth + 1) for argument in arguments])
    raise CalculationError(f"{_shown(ast.unparse(node))} is not understood here.")


def _divided(left: Number, right: Number) -> Number:
    if isinstance(left, float) or isinstance(right, float):
        return left / right
    return _bounded(Fraction(left) / Fraction(right))


def _power(base: Number, exponent: Number) -> Number:
    if isinstance(base, float) or isinstance(exponent, float):
        return _real(float(base) ** float(exponent))
    if Fraction(exponent).denominator != 1:
        return _real(float(base) ** float(exponent))
    size = max(abs(Fraction(base).numerator).bit_length(), Fraction(base).denominator.bit_length())
    if size * abs(int(exponent)) > MOST_BITS:
        raise CalculationError("The number would be too large to write.")
    return _bounded(Fraction(base) ** int(exponent))


def _real(value: float | complex) -> float:
    if isinstance(value, complex):
        raise CalculationError("The result is no real number.")
    return value


def _called(name: str, values: list[Number]) -> Number:
    if name == "round" and len(values) in (1, 2):
        digits = int(values[1]) if len(values) == 2 else 0
        if abs(digits) > 300:
            raise CalculationError("round takes at most 300 digits.")
        return round(Fraction(values[0]), digits)
    if name == "factorial" and len(values) == 1:
        if Fraction(values[0]).denominator != 1 or not 0 <= values[0] <= 400:
            raise CalculationError("factorial takes a whole number from 0 to 400.")
        return math.factorial(int(values[0]))
    if name not in _FUNCTIONS:
        raise CalculationError(f"There is no function {name!r} here.")
    if name in ("abs", "min", "max", "floor", "ceil"):
        return _bounded(_FUNCTIONS[name](*values))
    return _FUNCTIONS[name](*(float(value) for value in values))


def _bounded(value: Number) -> Number:
    if isinstance(value, Fraction | int):
        whole = Fraction(value)
        if max(abs(whole.numerator).bit_length(), whole.denominator.bit_length()) > MOST_BITS:
            raise CalculationError("The number is too large to write.")
    return value


def _text(value: Number) -> str:
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else f"{value:.15g}"
    exact = Fraction(value)
    if exact.denominator == 1:
        return str(exact.numerator)
    twos = fives = 0
    rest = exact.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    digits = max(twos, fives)
    if rest == 1 and digits <= 40:
        scaled = str(abs(exact.numerator) * 10**digits // exact.denominator).rjust(digits + 1, "0")
        return ("-" if exact < 0 else "") + scaled[:-digits] + "." + scaled[-digits:]
    return f"{float(exact):.15g}"


def _shown(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
