"""llama.cpp's sampler chain, stage by stage, in the order that the settings give."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cutaway.engine.llama.library import lib
from cutaway.engine.sampling import Sampling, check

_MIROSTAT_M = 100
_LOWEST = 1e-5
"""Of a dynamic temperature's highest: where it may reach 0, llama.cpp divides by next to nothing and takes any token.
"""


class Chain:
    """One reply's samplers. Candidates are a `llama_token_data_array`, changed in place by each stage."""

    def __init__(self, vocab: Any, size: int, context: int, sampling: Sampling, seed: int) -> None:
        """Raises ValueError with a sentence when a setting is out of its range."""
        check(sampling, vocabulary=size)
        self._lib = lib()
        self._vocab = vocab
        self._size = size
        self._context = context
        self.stages: list[tuple[str, Any]] = []
        self._whole = self._lib.llama_sampler_chain_init(self._lib.llama_sampler_chain_default_params())
        """All stages in one call of llama.cpp: they are its to free."""
        try:
            for name, make in _stages(self, sampling, seed & 0xFFFFFFFF):
                sampler = make()
                if not sampler:
                    raise ValueError(f"llama.cpp refused the sampler stage {name} with these settings.")
                self._lib.llama_sampler_chain_add(self._whole, sampler)
                self.stages.append((name, sampler))
        except BaseException:
            self.free()
            raise
        self._remembers = _memory(sampling, context)

    def take_prompt(self, prompt: Sequence[int]) -> None:
        """Let the stages that look back see the prompt's last tokens."""
        looking = [sampler for name, sampler in self.stages if name in ("penalties", "dry")] if self._remembers else []
        for sampler in looking:
            for token in prompt[-self._remembers :]:
                self._lib.llama_sampler_accept(sampler, token)

    def apply(self, candidates: Any) -> None:
        self._lib.llama_sampler_apply(self._whole, candidates)
        _check_chosen(candidates)

    def apply_by_stage(self, candidates: Any) -> Iterator[str]:
        """Apply stage by stage, yielding each one's name after it."""
        for name, sampler in self.stages:
            self._lib.llama_sampler_apply(sampler, candidates)
            yield name
        _check_chosen(candidates)

    @property
    def greedy(self) -> bool:
        """Whether the likeliest that is left is taken, without dice."""
        return self.stages[-1][0] == "greedy"

    def accept(self, token: int) -> None:
        self._lib.llama_sampler_accept(self._whole, token)

    def free(self) -> None:
        whole, self._whole = self._whole, None
        if whole:
            self._lib.llama_sampler_free(whole)


def _check_chosen(candidates: Any) -> None:
    """Nothing is chosen where all candidates are forbidden; llama.cpp's dice take one of them then."""
    array = candidates._obj
    if 0 <= array.selected < array.size and not array.data[array.selected].logit > -math.inf:
        array.selected = -1


def _memory(sampling: Sampling, context: int) -> int:
    """How many tokens the active stages look back."""
    penalties = (sampling.repeat_penalty, sampling.frequency_penalty, sampling.presence_penalty) != (1.0, 0.0, 0.0)
    lengths = [
        sampling.repeat_last_n if penalties else 0,
        sampling.dry_penalty_last_n if sampling.dry_multiplier else 0,
    ]
    return max(context if length < 0 else length for length in lengths)


def _stages(chain: Chain, s: Sampling, seed: int) -> Sequence[tuple[str, Callable[[], Any]]]:
    library = lib()
    seed = seed if seed != 0xFFFFFFFF else 0xFFFFFFFE  # llama.cpp takes all ones for "choose a seed"
    stages: list[tuple[str, Callable[[], Any]]] = []
    biases = [*s.logit_bias, *((token, -math.inf) for token in _suppressed(chain._vocab))]
    if biases:
        stages.append(("logit_bias", lambda: _logit_bias(chain, biases)))
    if s.mirostat and s.temperature > 0:
        first = lambda: library.llama_sampler_init_temp(s.temperature)  # noqa: E731
        last = lambda: _mirostat(chain, s, seed)  # noqa: E731
        return [*stages, ("temperature", first), (f"mirostat_{s.mirostat}", last)]
    makers: dict[str, Callable[[], Any]] = {
        "penalties": lambda: _penalties(chain, s),
        "dry": lambda: _dry(chain, s),
        "top_n_sigma": lambda: library.llama_sampler_init_top_n_sigma(s.top_n_sigma),
        "top_k": lambda: library.llama_sampler_init_top_k(s.top_k),
        "typical_p": lambda: library.llama_sampler_init_typical(s.typical_p, 0),
        "top_p": lambda: library.llama_sampler_init_top_p(s.top_p, 0),
        "min_p": lambda: library.llama_sampler_init_min_p(s.min_p, 0),
        "xtc": lambda: library.llama_sampler_init_xtc(s.xtc_probability, s.xtc_threshold, 0, seed),
        "temperature": lambda: library.llama_sampler_init_temp_ext(*_heat(s), s.dynatemp_exponent),
    }
    stages += [(name, makers[name]) for name in s.order if _active(name, s)]
    if s.temperature <= 0:
        return [*stages, ("greedy", library.llama_sampler_init_greedy)]
    if s.adaptive_target >= 0:
        make = lambda: library.llama_sampler_init_adaptive_p(s.adaptive_target, s.adaptive_decay, seed)  # noqa: E731
        return [*stages, ("adaptive_p", make)]
    return [*stages, ("dist", lambda: library.llama_sampler_init_dist(seed))]


def _active(name: str, s: Sampling) -> bool:
    """Whether a stage does anything with these settings: one that does not costs time."""
    match name:
        case "penalties":
            return s.repeat_last_n != 0 and (s.repeat_penalty, s.frequency_penalty, s.presence_penalty) != (1, 0, 0)
        case "dry":
            return s.dry_multiplier != 0 and s.dry_penalty_last_n != 0
        case "top_n_sigma":
            return s.top_n_sigma > 0
        case "top_k":
            return s.top_k > 0
        case "typical_p":
            return s.typical_p < 1
        case "top_p":
            return s.top_p < 1
        case "min_p":
            return s.min_p > 0
        case "xtc":
            return s.xtc_probability > 0
    return s.temperature <= 0 or s.temperature != 1 or s.dynatemp_range > 0


def _heat(s: Sampling) -> tuple[float, float]:
    """The middle of the temperature and how far it goes from there, never quite down to 0."""
    highest = s.temperature + s.dynatemp_range
    lowest = highest * _LOWEST
    if s.dynatemp_range <= 0 or s.temperature - s.dynatemp_range >= lowest or s.temperature <= 0:
        return s.temperature, s.dynatemp_range
    return (highest + lowest) / 2, (highest - lowest) / 2


def _mirostat(chain: Chain, s: Sampling, seed: int) -> Any:
    if s.mirostat == 1:
        return lib().llama_sampler_init_mirostat(chain._size, seed, s.mirostat_tau, s.mirostat_eta, _MIROSTAT_M)
    return lib().llama_sampler_init_mirostat_v2(seed, s.mirostat_tau, s.mirostat_eta)


def _penalties(chain: Chain, s: Sampling) -> Any:
    last = chain._context if s.repeat_last_n < 0 else min(s.repeat_last_n, chain._context)
    return lib().llama_sampler_init_penalties(
        chain._size, last, s.repeat_penalty, s.frequency_penalty, s.presence_penalty
    )


def _dry(chain: Chain, s: Sampling) -> Any:
    last = chain._context if s.dry_penalty_last_n < 0 else min(s.dry_penalty_last_n, chain._context)
    breakers = [text.encode("utf-8", "replace") for text in s.dry_sequence_breakers if text]
    array = (ctypes.c_char_p * len(breakers))(*breakers)
    return lib().llama_sampler_init_dry(
        chain._vocab, s.dry_multiplier, s.dry_base, s.dry_allowed_length, last, array, len(breakers)
    )


def _logit_bias(chain: Chain, biases: Sequence[tuple[int, float]]) -> Any:
    array = (lib().llama_logit_bias * len(biases))()
    for at, (token, bias) in enumerate(biases):
        array[at].token = token
        array[at].bias = bias
    return lib().llama_sampler_init_logit_bias(chain._size, len(array), array)


def _suppressed(vocab: Any) -> list[int]:
    """Tokens that the file itself forbids, as llama.cpp does for every reply."""
    count = ctypes.c_int32(0)
    found = lib().llama_vocab_get_suppress_tokens(vocab, ctypes.byref(count))
    return [int(found[at]) for at in range(count.value)] if found else []
