"""The raw work of a model, timed as `llama-bench` times it: feeding and decoding from an empty cache, no sampling."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from cutaway.engine.command import Measure
from cutaway.engine.held import Held


def timed(held: Held, command: Measure, vocabulary_size: int, goes_on: Callable[[], bool]) -> tuple[float, float]:
    """Milliseconds of feeding and of decoding. The cache is empty afterwards. Raises DecodeError."""
    tokens = [at * 7919 % vocabulary_size for at in range(1, max(command.prompt, command.generate) + 1)]
    try:
        return _feed(held, tokens[: command.prompt], goes_on), _decode(held, tokens[: command.generate])
    finally:
        held.empty()


def _feed(held: Held, tokens: Sequence[int], goes_on: Callable[[], bool]) -> float:
    held.empty()
    began = time.perf_counter()
    held.feed(tokens, (), lambda *_: goes_on())
    return (time.perf_counter() - began) * 1000


def _decode(held: Held, tokens: Sequence[int]) -> float:
    """After one token that is not counted: like `llama-bench`, which warms up before each of its tests."""
    held.empty()
    held.add(tokens[0])
    held.empty()
    began = time.perf_counter()
    for token in tokens:
        held.add(token)
    return (time.perf_counter() - began) * 1000
