"""The sampler chain as a value: every stage that llama.cpp offers, its order, presets, and what a model recommends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

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
    """0, 1 or 2. With 1 and 2 only the temperature comes before it, as in llama.cpp."""
    mirostat_tau: float = 5.0
    mirostat_eta: float = 0.1
    adaptive_target: float = -1.0
    adaptive_decay: float = 0.9
    logit_bias: tuple[tuple[int, float], ...] = ()
    """(token, what is added to its logit); minus infinity forbids it."""
    order: tuple[str, ...] = DEFAULT_ORDER
    """A stage that is left out does not run."""
    alternatives: int = 10
    """How many candidates each `Sampled` event carries; 0 switches the statistics off."""
    trace: bool = False
    """Also find out which stage removed each alternative; costs a pass over the candidates for each stage."""


PRESETS: Mapping[str, Sampling] = {
    "Default": Sampling(),
    "Exact": Sampling(temperature=0.0, top_k=1, top_p=1.0, min_p=0.0),
    "Careful": Sampling(temperature=0.4, top_k=40, top_p=0.9, min_p=0.05),
    "Lively": Sampling(temperature=1.0, top_k=0, top_p=1.0, min_p=0.05),
    "Surprising": Sampling(temperature=1.2, top_k=0, top_p=1.0, min_p=0.02, xtc_probability=0.5, xtc_threshold=0.1),
    "No loops": Sampling(dry_multiplier=0.8, repeat_penalty=1.05, repeat_last_n=256),
    "Steady surprise": Sampling(mirostat=2),
}

_OWN = ("seed", "logit_bias", "alternatives", "trace")

_COLDEST = 1e-6
"""A temperature below it overflows llama.cpp's numbers."""
_HEAVIEST = 1e6
"""The largest logit bias."""

RANGES: Mapping[str, tuple[float, float]] = {
    "temperature": (-1.0, 100.0),
    "dynatemp_range": (0.0, 100.0),
    "dynatemp_exponent": (0.0, 100.0),
    "top_k": (-1, 10_000_000),
    "top_p": (0.0, 1.0),
    "min_p": (0.0, 1.0),
    "typical_p": (0.0, 1.0),
    "top_n_sigma": (-1.0, 1000.0),
    "xtc_probability": (0.0, 1.0),
    "xtc_threshold": (0.0, 1.0),
    "repeat_last_n": (-1, 10_000_000),
    "repeat_penalty": (1e-3, 100.0),
    "frequency_penalty": (-100.0, 100.0),
    "presence_penalty": (-100.0, 100.0),
    "dry_multiplier": (0.0, 100.0),
    "dry_base": (0.0, 100.0),
    "dry_allowed_length": (0, 10_000),
    "dry_penalty_last_n": (-1, 10_000_000),
    "mirostat": (0, 2),
    "mirostat_tau": (0.0, 1000.0),
    "mirostat_eta": (0.0, 10.0),
    "adaptive_target": (-1.0, 1.0),
    "adaptive_decay": (0.0, 0.99),
    "alternatives": (0, 1000),
}


def with_preset(sampling: Sampling, preset: Sampling) -> Sampling:
    """A preset says how tokens are drawn: the person's seed, favoured tokens and statistics stay."""
    return replace(preset, **{name: getattr(sampling, name) for name in _OWN})


def check(sampling: Sampling, *, vocabulary: int | None = None) -> None:
    """Raises ValueError with a sentence for a value that llama.cpp would not survive or would ignore."""
    for name, (low, high) in RANGES.items():
        value = getattr(sampling, name)
        if not isinstance(value, int | float) or not math.isfinite(value) or not low <= value <= high:
            raise ValueError(f"The sampler setting {name} is {value!r}; it must be a number from {low:g} to {high:g}.")
    if 0 < sampling.temperature < _COLDEST:
        raise ValueError(f"The sampler setting temperature is {sampling.temperature!r}; use 0 below {_COLDEST:g}.")
    for name in sampling.order:
        if name not in DEFAULT_ORDER:
            raise ValueError(f"{name!r} is no sampler stage; the stages are {', '.join(DEFAULT_ORDER)}.")
    if len(set(sampling.order)) != len(sampling.order):
        raise ValueError("A sampler stage appears twice in the order; each may appear once.")
    for token, bias in sampling.logit_bias:
        if vocabulary is not None and not 0 <= token < vocabulary:
            raise ValueError(f"The logit bias of token {token} cannot be used: the model has no such token.")
        if bias != -math.inf and not abs(bias) <= _HEAVIEST:
            raise ValueError(f"The logit bias of token {token} is {bias!r}; it may be ±{_HEAVIEST:g} at most.")


_FROM_METADATA: Mapping[str, str] = {
    "top_k": "top_k",
    "top_p": "top_p",
    "min_p": "min_p",
    "xtc_probability": "xtc_probability",
    "xtc_threshold": "xtc_threshold",
    "temp": "temperature",
    "penalty_last_n": "repeat_last_n",
    "penalty_repeat": "repeat_penalty",
    "mirostat": "mirostat",
    "mirostat_tau": "mirostat_tau",
    "mirostat_eta": "mirostat_eta",
}
_OTHER_NAMES: Mapping[str, str] = {"typ_p": "typical_p", "typ": "typical_p", "temp": "temperature", "nucleus": "top_p"}
_SEQUENCE_LETTERS: Mapping[str, str] = {
    "e": "penalties",
    "d": "dry",
    "s": "top_n_sigma",
    "k": "top_k",
    "y": "typical_p",
    "p": "top_p",
    "m": "min_p",
    "x": "xtc",
    "t": "temperature",
}


def recommended(metadata: Mapping[str, Any]) -> Sampling | None:
    """What a GGUF's `general.sampling.*` keys recommend, over the defaults; None where it recommends nothing usable.

    A value that cannot be used is passed over: it harms no other.
    """
    found: Sampling | None = None
    for key, name in (*_FROM_METADATA.items(), ("sequence", "order")):
        value = metadata.get(f"general.sampling.{key}")
        if value is None:
            continue
        try:
            wanted = replace(found or Sampling(), **{name: _read(name, value)})
            check(wanted)
        except (TypeError, ValueError, OverflowError):
            continue
        found = wanted
    return found


def _read(name: str, value: Any) -> Any:
    if name == "order":
        return _sequence(value)
    return int(float(value)) if isinstance(getattr(Sampling(), name), int) else float(value)


def _sequence(value: Any) -> tuple[str, ...]:
    """llama.cpp writes an order as names between semicolons, or as one letter for each stage.

    Raises ValueError where no stage is named.
    """
    if not isinstance(value, str):
        raise ValueError(value)
    if ";" in value or value in DEFAULT_ORDER:
        names = [_OTHER_NAMES.get(name.strip(), name.strip()) for name in value.split(";")]
    else:
        names = [_SEQUENCE_LETTERS.get(letter, "") for letter in value]
    known = tuple(name for name in dict.fromkeys(names) if name in DEFAULT_ORDER)
    if not known:
        raise ValueError(value)
    return known
