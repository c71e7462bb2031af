"""What the worker needs of a backend. `llama` talks to llama.cpp; `scripted` plays a script.

All calls come from the worker's thread, but for `vocabulary`, whose methods are safe from any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from cutaway.engine.command import Constraint, ModelSettings
from cutaway.engine.event import ModelFacts, Token
from cutaway.engine.sampling import Sampling


class Vocabulary(Protocol):
    """A model's vocabulary: text to ids and back."""

    size: int
    bos: int
    """-1 where there is none."""
    eos: int
    adds_bos: bool
    adds_eos: bool

    def encode(self, text: str, *, special: bool) -> list[int]:
        """Ids of `text`, without BOS or EOS. `special` lets control tokens be recognised in it."""
        ...

    def piece(self, token: int) -> bytes:
        """The bytes of a token, special ones as their text."""
        ...

    def is_control(self, token: int) -> bool: ...

    def is_user_defined(self, token: int) -> bool: ...

    def is_end(self, token: int) -> bool:
        """Whether the token ends generation."""
        ...

    def added(self) -> Sequence[tuple[str, int, bool]]:
        """(text, id, is_control) of every control and user-defined token."""
        ...


class LoadError(Exception):
    """The model could not be loaded. The message says what happened and what to do."""


class DecodeError(Exception):
    """llama.cpp could not process a batch. The message says why, as far as it is known."""


class Backend(Protocol):
    """One model in memory and its KV cache."""

    def load(self, path: str, settings: ModelSettings, progress: Callable[[float], bool]) -> ModelFacts:
        """Load, calling `progress` with 0..1; when it answers False the load is given up.

        Raises LoadError.
        """
        ...

    def unload(self) -> None: ...

    def vocabulary(self) -> Vocabulary: ...

    def feed(self, tokens: Sequence[int], position: int) -> None:
        """Decode `tokens` at `position` in the current sequence. Raises DecodeError."""
        ...

    def keep(self, length: int) -> int:
        """Drop all but the first `length` tokens; answers how many really stay (memory may not allow it)."""
        ...

    def save(self) -> bytes:
        """The current sequence's state."""
        ...

    def restore(self, state: bytes) -> bool: ...

    def start(self, sampling: Sampling, constraint: Constraint | None, seed: int, prompt: Sequence[int]) -> None:
        """Make the sampler chain for one reply. Raises ValueError with a sentence when it is refused."""
        ...

    def sample(self, index: int, *, constrained: bool) -> Token:
        """Sample after the last fed token and accept the token. `constrained` False keeps the grammar out of it."""
        ...

    def accept(self, token: int) -> None:
        """Tell the chain of a token that was forced, not sampled."""
        ...

    def close(self) -> None: ...
