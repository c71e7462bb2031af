"""What a rendering may use: time, steps, text, nesting. A template is untrusted code.

The clock is the caller's: a `Budget` is asked whether it is used up. Steps bound the work without a clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

MAX_OUTPUT = 16 * 1024 * 1024


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
