"""What a rendering may use: time, steps, text, nesting. A template is untrusted code.

The clock is the caller's: a `Budget` is asked whether it is used up. Steps bound the work without a clock.
A `Meter` counts one rendering's use; the generated code, the filters and the guards report to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from ..prompt import Warning

MAX_OUTPUT = 16 * 1024 * 1024
MAX_SOURCE = 1024 * 1024
MAX_NUMBER_BITS = 16_384
MAX_DIGITS = 10_000
MAX_WIDTH = 1_000_000
"""Characters that a format, a filler or an indentation may ask for."""

MAX_WORKED = 200_000
"""Characters that an operation may look at which takes its time with each of them."""

MAX_PARTS = 50_000
"""Values that a comparison, a sort or a look-up may go through."""

MAX_AT_ONCE = 200_000
"""Items of a list that is made or gone through in one call, which nothing can stop."""

_ASK_EVERY = 256


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one rendering. `used_up` is asked every few hundred steps; true ends the rendering."""

    used_up: Callable[[], bool] = _never
    """Says when the time is over (one second, by the caller's clock)."""
    steps: int = 4_000_000
    """Loop turns, calls and filters, weighed by the length of what they work on."""
    output: int = MAX_OUTPUT
    """Characters of any one text that the template makes, the prompt included."""
    depth: int = 100
    """Macro calls, recursive loops and nested data."""


class LimitError(Exception):
    """A limit of the budget is reached; the message says which."""

    place: tuple[int, int] | None = None
    """Line and column of the template, where no code of it was running."""


class Meter:
    """What one rendering has used so far."""

    __slots__ = ("_left", "_made", "_steps", "budget", "depth", "warnings")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.depth = 0
        self.warnings: dict[str, Warning] = {}
        self._left = _ASK_EVERY
        self._steps = budget.steps
        self._made = 0

    @property
    def steps(self) -> int:
        """Steps taken so far."""
        return self.budget.steps - self._steps + _ASK_EVERY - self._left

    def tick(self) -> None:
        self._left -= 1
        if self._left < 0:
            self._account()

    def spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            self._account()

    def _account(self) -> None:
        self._steps -= _ASK_EVERY - self._left
        self._left = _ASK_EVERY
        if self._steps < 0:
            raise LimitError(f"the template does too much: more than {self.budget.steps:,} steps")
        if self.budget.used_up():
            raise LimitError("the template takes too long: its time is used up")

    def room(self, length: int) -> None:
        """While a text grows to this length."""
        if length > self.budget.output:
            raise LimitError(f"the template makes a text of more than {self.budget.output:,} characters")

    def text(self, length: int) -> None:
        """Before a text of this length is made."""
        self.room(length)
        if length > 64:
            self._made += length
            if self._made > 64 * self.budget.output:
                raise LimitError(f"the template makes more than {64 * self.budget.output:,} characters of text in all")
            self.spend(length >> 10)

    def items(self, count: int) -> None:
        """Before a list of this length is made or gone through."""
        if count > MAX_AT_ONCE:
            raise LimitError(f"the template makes a list of more than {MAX_AT_ONCE:,} items")
        if count > 16:
            self._made += count * 8
            if self._made > 64 * self.budget.output:
                raise LimitError(f"the template makes more than {8 * self.budget.output:,} list items in all")
            self.spend(count >> 2)

    def work(self, length: int, most: int) -> None:
        """Before an operation that is slow for each character and can't be stopped."""
        if length > most:
            raise LimitError(f"the template works through a text of more than {most:,} characters in one go")
        self.spend(length >> 2)

    def enter(self) -> None:
        self.depth += 1
        if self.depth > self.budget.depth:
            raise LimitError(f"the template calls itself more than {self.budget.depth} levels deep")

    def width(self, width: Any) -> None:
        """Before text is padded or indented by this much."""
        if isinstance(width, int) and abs(width) > MAX_WIDTH:
            raise LimitError(f"the template asks for a width of more than {MAX_WIDTH:,} characters")

    def warn(self, code: str, message: str) -> None:
        self.warnings.setdefault(code, Warning(code, message))

    def within(self, value: Any) -> Any:
        """Before something is searched in a value: its own length counts, not what its parts hold."""
        if isinstance(value, str):
            if len(value) > 4096:
                self.spend(len(value) >> 8)
        elif isinstance(value, (list, tuple)):
            self.spend(len(value) >> 4)
        return value

    def weigh(self, value: Any) -> Any:
        """Before a value is compared, sorted or looked up: counts what it holds, shared parts as often as they occur."""
        kind = type(value)
        if kind is str or kind is int or kind is bool or value is None:
            return value
        if isinstance(value, (list, tuple, dict)) and value:
            self._weigh_deep(value)
        elif isinstance(value, str) and len(value) > 4096:
            self.spend(len(value) >> 8)
        return value

    def _weigh_deep(self, value: Any) -> None:
        level = [value]
        for _ in range(self.budget.depth):
            nested: list[Any] = []
            for container in level:
                self.spend(1 + (len(container) >> 4))
                children: Any = dict.values(container) if isinstance(container, dict) else container
                nested += [child for child in children if isinstance(child, (list, tuple, dict)) and child]
                self.spend(sum(len(child) for child in children if isinstance(child, str) and len(child) > 1024) >> 8)
                if len(nested) > MAX_PARTS:
                    raise LimitError(f"the template compares or sorts values of more than {MAX_PARTS:,} parts")
            if not nested:
                return
            level = nested
        raise LimitError(f"the template nests values more than {self.budget.depth} levels deep")


def refuse(message: str) -> NoReturn:
    raise LimitError(message)


def check_power(base: Any, exponent: Any) -> None:
    if isinstance(base, int) and isinstance(exponent, int) and exponent > 1 and abs(base) > 1:
        bits = abs(base).bit_length() * min(exponent, MAX_NUMBER_BITS + 1)
        if bits > MAX_NUMBER_BITS:
            refuse("the template computes a power with too many digits")


def check_product(meter: Meter, left: Any, right: Any) -> None:
    """Before `left * right`: numbers stay small, repetitions stay within the budget."""
    for value, count in ((left, right), (right, left)):
        if not isinstance(count, int) or count <= 0:
            continue
        if isinstance(value, int):
            if value.bit_length() + count.bit_length() > MAX_NUMBER_BITS:
                refuse("the template computes a number with too many digits")
            return
        if isinstance(value, (str, bytes)):
            meter.text(len(value) * count)
        elif isinstance(value, (list, tuple)):
            meter.items(len(value) * count)
