"""What the engine can be told to do. Commands are values; each names the job that its events will carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from cutaway.engine.sampling import Sampling


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a reader says after a token: the worker acts on it before the next decode."""

    stop: bool = False
    """The reply is over (a stop string, a complete single call)."""
    finish_reason: str = "stop"
    reasoning_open: bool = False
    """Reasoning has not ended: a lazy grammar stays asleep and a reasoning budget counts."""
    events: tuple[object, ...] = ()
    """What the reader emitted for this token: append-only, passed on untouched in `Sampled`."""


class Reader(Protocol):
    """The prompt side's ear in the worker: fed each token before the next decode. Made by `chat.session`."""

    @property
    def reasoning_open(self) -> bool:
        """Whether reasoning is open; before the first token, as the prompt left it."""
        ...

    def feed(self, piece: bytes, token: int) -> Verdict: ...

    def finish(self) -> Verdict: ...


@dataclass(frozen=True, slots=True)
class Constraint:
    """What restricts the sampler."""

    grammar: str = ""
    """GBNF; its root rule is `root`."""
    lazy: bool = False
    triggers: tuple[tuple[Literal["word", "pattern", "pattern_full", "token"], str], ...] = ()
    preserved_tokens: tuple[str, ...] = ()
    """Markers that the grammar demands as their token, where the vocabulary has one."""
    generation_prompt: str = ""
    """Text that the grammar has already seen."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a model is loaded. None lets the engine choose by measuring or from the file."""

    context: int | None = None
    """Tokens; None takes the smaller of what the file was trained for and 8192."""
    gpu_layers: int | None = None
    devices: tuple[str, ...] = ()
    threads: int | None = None
    threads_batch: int | None = None
    batch: int = 2048
    micro_batch: int = 512
    flash_attention: Literal["auto", "on", "off"] = "auto"
    """`auto`: off on the processor, llama.cpp's choice elsewhere; see `engine.attention`."""
    kv_type_k: str = "f16"
    kv_type_v: str = "f16"
    use_mmap: bool = True
    use_mlock: bool = False
    swa_full: bool = False
    loras: tuple[tuple[str, float], ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Load:
    path: str
    settings: ModelSettings = field(default_factory=ModelSettings)


@dataclass(frozen=True, slots=True)
class Unload:
    pass


@dataclass(frozen=True, slots=True)
class Generate:
    """Bring the cache to `tokens`, then sample until a stop."""

    job: int
    conversation: str
    """Which conversation's cache this is: sequences and saved states are kept by it."""
    tokens: Sequence[int]
    reader: Reader | None = None
    sampling: Sampling = field(default_factory=Sampling)
    constraint: Constraint | None = None
    max_tokens: int | None = None
    stop_tokens: frozenset[int] = frozenset()
    """End-of-turn tokens beyond the vocabulary's own."""
    reasoning_budget: int | None = None
    reasoning_end: Sequence[int] = ()
    """What is forced when the budget is used up or the person asks for the answer now."""
    checkpoints: Sequence[int] = ()
    """Lengths (in tokens) where the next turn may diverge: memories that cannot be rolled back are copied there."""
    shortest_chunk: int = 0
    """Runs of at least so many held tokens behind a break are moved to where they come again; 0 moves none.

    That is approximate: they keep what they saw at their old place.
    """
    ignore_end: bool = False
    """Go on after tokens that end a turn, up to `max_tokens`."""


@dataclass(frozen=True, slots=True)
class Measure:
    """Time the raw work once, from an empty cache: `prompt` tokens fed, then `generate` tokens decoded unsampled."""

    job: int
    prompt: int
    generate: int


@dataclass(frozen=True, slots=True)
class Prefill:
    """Idle work at the lowest priority: bring the cache to `tokens`, abandon it when anything else comes.

    A newer one takes the place of one that has not begun.
    """

    job: int
    conversation: str
    tokens: Sequence[int]
    checkpoints: Sequence[int] = ()
    keeps_tail: bool = True
    """What it gives up of the conversation's own is kept for Regenerate and Continue."""


@dataclass(frozen=True, slots=True)
class Forget:
    """A conversation was deleted: nothing of it stays, in memory or on disk."""

    conversation: str


@dataclass(frozen=True, slots=True)
class Close:
    pass


Command: TypeAlias = Load | Unload | Generate | Prefill | Measure | Forget | Close
