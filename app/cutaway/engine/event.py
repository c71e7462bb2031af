"""What the engine says. Events are past and frozen; each carries the job of the command that caused it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from cutaway.engine.plan import Plan


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What a loaded model's file and context say, measured after loading."""

    path: str
    name: str
    architecture: str
    quantisation: str
    parameters: int
    file_bytes: int
    vocabulary_size: int
    trained_context: int
    context: int
    template: str | None
    templates: Mapping[str, str]
    """Named variants, without the default."""
    bos: int
    eos: int
    threads: int
    threads_batch: int
    device: str
    memory: Mapping[str, int] = field(default_factory=dict)
    """Bytes by part: `weights`, `kv`, `compute`; and what the process and the graphics cards really hold more than
    before: `measured`, with the compute buffer that the first long prompt fills, and `measured_gpu`."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    runtime: str = ""
    """The llama.cpp build: changes when the library does."""
    notices: tuple[str, ...] = ()
    """Sentences about what it runs on: a graphics card that this build cannot use, libraries that were not asked for."""


@dataclass(frozen=True, slots=True)
class LoadProgressed:
    path: str
    fraction: float


@dataclass(frozen=True, slots=True)
class Loaded:
    facts: ModelFacts
    seconds: float


@dataclass(frozen=True, slots=True)
class LoadFailed:
    path: str
    message: str
    """What happened and what to do, as sentences."""
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Unloaded:
    path: str


@dataclass(frozen=True, slots=True)
class Planned:
    job: int
    plan: Plan


@dataclass(frozen=True, slots=True)
class Prefilled:
    """Progress: `done` of `total` tokens of the plan's feed are in the cache."""

    job: int
    done: int
    total: int
    ms: float


@dataclass(frozen=True, slots=True)
class Alternative:
    token: int
    piece: bytes
    probability: float
    """Before the chain: the softmax of the raw logits."""
    chosen_probability: float = 0.0
    """After the chain; 0 where a stage removed it."""
    removed_by: str = ""
    """The stage that removed it, when `Sampling.trace` asks; empty where none did.

    `grammar` where the constraint does not allow it, whether or not `trace` asks.
    """


@dataclass(frozen=True, slots=True)
class Token:
    """One sampled token."""

    index: int
    """0-based, among the generated tokens of this job."""
    id: int
    piece: bytes
    probability: float
    rank: int
    """0 is the likeliest before the chain."""
    alternatives: tuple[Alternative, ...]
    entropy: float
    """Of the raw distribution, in bits."""
    ms: float
    """Since the job began."""
    control: bool = False
    forced: bool = False
    """Written by the engine (a reasoning budget, a prefix), not sampled."""
    ends: bool = False
    """It ended the reply; its text is not part of it, and the reader is not fed it."""
    chosen_probability: float = 0.0
    """After the chain: what the dice saw; 0 for forced tokens."""
    masked: int | None = None
    """How many tokens of the vocabulary the grammar did not allow here, when `Sampling.trace` asks; None where no
    grammar held, or nobody asked."""


@dataclass(frozen=True, slots=True)
class Sampled:
    job: int
    token: Token
    events: tuple[object, ...] = ()
    """What the job's reader emitted for this token."""


@dataclass(frozen=True, slots=True)
class GrammarWoke:
    """A grammar that slept restricts the reply from here on. It follows the `Sampled` of the token that woke it, or
    of the next one where it waited for the end of the reasoning. A grammar that never slept tells nothing."""

    job: int
    index: int
    """`Token.index` of the token that woke it: the next one is the first that it restricts."""
    character: int
    """Of the text that this job's tokens make: where the restricted text begins, its trigger included."""
    trigger: str = ""
    """The trigger that matched, as the constraint named it; empty where it waited only for the reasoning's end."""


@dataclass(frozen=True, slots=True)
class Timings:
    prompt_tokens: int
    reused: int
    fed: int
    generated: int
    prefill_ms: float
    first_token_ms: float
    decode_ms: float
    """From the first token to the last."""

    @property
    def decode_tok_s(self) -> float:
        """Tokens a second after the first."""
        return (self.generated - 1) / (self.decode_ms / 1000) if self.generated > 1 and self.decode_ms > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Finished:
    job: int
    reason: str
    """`stop`, `length`, `tool_calls`, `cancelled`, `context`."""
    timings: Timings
    seed: int
    events: tuple[object, ...] = ()
    """What the reader released at its end."""
    raw_stop: str = ""
    """The stop string or end token's text that ended it."""


@dataclass(frozen=True, slots=True)
class Failed:
    job: int
    message: str


@dataclass(frozen=True, slots=True)
class PrefillEnded:
    """Idle work is over: `held` tokens of it are in the cache; `abandoned` when something else came first."""

    job: int
    held: int
    fed: int
    abandoned: bool


@dataclass(frozen=True, slots=True)
class Measured:
    """What a `Measure` took. Zero where nothing was asked for."""

    job: int
    prompt_ms: float
    generate_ms: float
    threads: int
    threads_batch: int


Event: TypeAlias = (
    LoadProgressed
    | Loaded
    | LoadFailed
    | Unloaded
    | Planned
    | Prefilled
    | Sampled
    | GrammarWoke
    | Finished
    | Failed
    | PrefillEnded
    | Measured
)
