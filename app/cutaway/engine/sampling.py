"""The sampler chain as a value: every stage that llama.cpp offers, its order, and presets."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_ORDER = (
    "penalties",
    "dry",
    "top_n_sigma",
    "top_k",
    "typical_p",
    "top_p",
    "min_p",
    "xtc",
    "temperature",
)


@dataclass(frozen=True, slots=True)
class Sampling:
    """Settings in llama.cpp's own units; the defaults are llama.cpp's."""

    seed: int | None = None
    """None draws a new one for each reply; the one used is in `Finished`."""
    temperature: float = 0.8
    dynatemp_range: float = 0.0
    dynatemp_exponent: float = 1.0
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    typical_p: float = 1.0
    top_n_sigma: float = -1.0
    xtc_probability: float = 0.0
    xtc_threshold: float = 0.1
    repeat_last_n: int = 64
    repeat_penalty: float = 1.0
    frequency_penalty: float = 0.0
    presence_penalty: float = 0.0
    dry_multiplier: float = 0.0
    dry_base: float = 1.75
    dry_allowed_length: int = 2
    dry_penalty_last_n: int = -1
    dry_sequence_breakers: tuple[str, ...] = ("\n", ":", '"', "*")
    mirostat: int = 0
    mirostat_tau: float = 5.0
    mirostat_eta: float = 0.1
    adaptive_target: float = -1.0
    adaptive_decay: float = 0.9
    logit_bias: tuple[tuple[int, float], ...] = ()
    order: tuple[str, ...] = DEFAULT_ORDER
    alternatives: int = 10
    """How many candidates each `Sampled` event carries; 0 switches the statistics off."""
    trace: bool = False
    """Also find out which stage removed each alternative; costs a pass over the candidates for each stage."""
