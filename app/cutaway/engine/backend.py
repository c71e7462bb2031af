"""What the worker needs of a backend. `llama` talks to llama.cpp; `scripted` plays a script.

All calls come from the worker's thread, but for `interrupt` and the methods of `vocabulary`, which any thread may call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from cutaway.engine.command import Constraint, ModelSettings
from cutaway.engine.event import ModelFacts, Token
from cutaway.engine.pieces import Ids, Offsets, Pieces
from cutaway.engine.sampling import Sampling


class Vocabulary(Protocol):
    """A model's vocabulary: text to ids and back."""

    kind: str
    """How it cuts text: `bpe`, `spm`, `wpm`, `ugm`, `rwkv`, ..."""
    size: int
    bos: int
    """-1 where there is none."""
    eos: int
    adds_bos: bool
    adds_eos: bool

    def encode(self, text: str, *, special: bool) -> list[int]:
        """Ids of `text`, without BOS or EOS. `special` lets control tokens be recognised in it.

        Without it user-defined tokens may still be, as llama.cpp does.
        """
        ...

    def encode_bytes(self, text: bytes, *, special: bool) -> Ids:
        """The same for UTF-8 text, as an array: one plain call of the tokenizer."""
        ...

    def offsets(self, text: str, *, special: bool) -> tuple[Offsets, Offsets] | None:
        """Where each of `encode`'s tokens begins and ends, in characters, when the tokenizer itself knows."""
        ...

    def pieces(self) -> Pieces:
        """The table of all tokens, made at the first call and kept."""
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


class LoadCancelledError(LoadError):
    """The load was given up because `progress` answered False."""


class DecodeError(Exception):
    """llama.cpp could not process a batch. The message says why, as far as it is known."""

    def __init__(self, message: str, *, full: bool = False) -> None:
        super().__init__(message)
        self.full = full
        """There was no room left in the KV cache."""


class InterruptedDecodeError(DecodeError):
    """`interrupt` came while tokens were fed."""


MemoryKind: TypeAlias = Literal["attention", "sliding", "recurrent", "hybrid"]


@dataclass(frozen=True, slots=True)
class CacheTraits:
    """What the loaded model's memory can do; it decides where a prefix can be kept."""

    kind: MemoryKind
    context: int
    """Tokens that fit into one conversation."""
    window: int = 0
    """Tokens a sliding-window layer looks back; 0 where there is none."""
    interruptible: bool = False
    """Whether `interrupt` stops a batch on its way. Otherwise batches have to be short."""
    micro_batch: int = 512
    """Tokens that the backend works on at once."""
    movable: bool = False
    """Whether held tokens can be moved to other positions."""

    @property
    def is_fragile(self) -> bool:
        """Whether a batch that fails on its way leaves a state that is good for nothing."""
        return self.kind in ("recurrent", "hybrid")

    @property
    def needs_checkpoints(self) -> bool:
        """Whether a part of the memory cannot be rolled back, so that going back takes a checkpoint."""
        return self.kind != "attention"


@dataclass(frozen=True, slots=True)
class Awakening:
    """A grammar that slept holds from now on."""

    index: int
    """The generated token that woke it: the next one is the first that it restricts."""
    byte: int
    """Of the generated tokens' joined pieces: where the text begins that it restricts, its trigger included."""
    trigger: str
    """The trigger that matched; empty where it waited only for the end of the reasoning."""


class Backend(Protocol):
    """One model in memory and its KV cache, which holds one conversation at a time."""

    def load(self, path: str, settings: ModelSettings, progress: Callable[[float], bool]) -> ModelFacts:
        """Load, calling `progress` with 0..1; when it answers False the load is given up.

        Raises LoadError; LoadCancelledError when it was given up. Nothing stays loaded then.
        """
        ...

    def unload(self) -> None:
        """Free the model. Without a model it does nothing."""
        ...

    def vocabulary(self) -> Vocabulary: ...

    def traits(self) -> CacheTraits: ...

    def feed(self, tokens: Sequence[int], position: int, *, logits: bool = True, interruptible: bool = True) -> None:
        """Decode `tokens` from `position` on, which is the number of tokens held.

        `logits` says whether `sample` may follow. Raises DecodeError; the cache then still holds
        the tokens before `position`, and perhaps some more, which `keep(position)` drops; where the memory is
        fragile only `rewind` brings them back. InterruptedDecodeError where `interrupt` stopped it, which it does
        not where `interruptible` is False.
        """
        ...

    def floor(self) -> int:
        """The shortest length, beyond 0, that `keep` can go back to now.

        1 for plain attention; what is held for a memory that cannot be rolled back.
        """
        ...

    def interrupt(self) -> None:
        """Stop a `feed` that is running or to come, with InterruptedDecodeError, until `resume`. From any thread."""
        ...

    def resume(self) -> None: ...

    def keep(self, length: int) -> int:
        """Drop all but the first `length` tokens; answers how many really stay.

        Where the memory cannot be cut there, everything is dropped and the answer is 0.
        """
        ...

    def move(self, start: int, end: int, to: int) -> None:
        """Drop the tokens from `to` up to `start`; those up to `end` take their places. What is behind `end` stays
        where it is, for another `move` or for `keep`.

        Only where the memory is `movable`. What was moved keeps what it saw at its old place: it is approximate.
        """
        ...

    def save(self) -> bytes:
        """The whole state of the conversation, to be restored into an empty cache."""
        ...

    def restore(self, state: bytes) -> bool:
        """Replace what is held by a saved state. After False the cache is empty."""
        ...

    def checkpoint(self) -> bytes:
        """The part of the state that cannot be rolled back, at the current length."""
        ...

    def rewind(self, checkpoint: bytes, length: int) -> bool:
        """Go back to `length` tokens, where `checkpoint` was taken. After False the cache is empty."""
        ...

    def start(self, sampling: Sampling, constraint: Constraint | None, seed: int, prompt: Sequence[int]) -> None:
        """Make the sampler chain for one reply. Raises ValueError with a sentence when it is refused."""
        ...

    def sample(self, index: int, *, constrained: bool) -> Token:
        """Sample after the last fed token and accept the token. `constrained` False keeps the grammar asleep.

        Raises ValueError with a sentence when the constraint leaves no token.
        """
        ...

    def awakening(self) -> Awakening | None:
        """How the last `sample` or `force` found the constraint awake that had slept; None where nothing changed."""
        ...

    def force(self, index: int, token: int) -> Token:
        """Take `token` as if it had been sampled, and tell the chain."""
        ...

    def threads(self) -> tuple[int, int]:
        """Threads in use, for decoding and for batches."""
        ...

    def set_threads(self, decode: int, batch: int) -> None: ...

    def close(self) -> None:
        """Unload and give back everything."""
        ...
