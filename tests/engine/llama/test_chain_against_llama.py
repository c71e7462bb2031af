"""Every stage, alone and in company, chooses what llama.cpp's own chain of it chooses, and the trace tells the truth."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cutaway.engine.command import ModelSettings
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.llama.library import lib
from cutaway.engine.sampling import DEFAULT_ORDER, Sampling
from support.tiny_models import Shape, tiny_model, write_model

PROMPT = [30, 41, 52, 30, 41, 52, 63, 30, 41]
SEED = 11
NONE = Sampling(top_k=0, top_p=1.0, min_p=0.0, temperature=1.0, alternatives=40, trace=True)
"""Nothing but the dice."""


@pytest.fixture(scope="module")
def backend() -> Iterator[LlamaBackend]:
    backend = LlamaBackend(trusting=True)
    backend.load(str(tiny_model("attention")), ModelSettings(context=512, threads=1), lambda _: True)
    yield backend
    backend.close()


def ours(backend: LlamaBackend, sampling: Sampling, count: int) -> list[int]:
    backend.keep(0)
    backend.feed(PROMPT, 0)
    backend.start(sampling, None, SEED, PROMPT)
    found = []
    for index in range(count):
        found.append(backend.sample(index, constrained=True).id)
        backend.feed([found[-1]], len(PROMPT) + index)
    return found


def theirs(backend: LlamaBackend, stages: list[Any], count: int) -> list[int]:
    """The same through `llama_sampler_chain` and `llama_sampler_sample`."""
    library, model = lib(), backend._model
    chain = library.llama_sampler_chain_init(library.llama_sampler_chain_default_params())
    for stage in stages:
        library.llama_sampler_chain_add(chain, stage)
    backend.keep(0)
    backend.feed(PROMPT, 0)
    for token in PROMPT:
        library.llama_sampler_accept(chain, token)
    found = []
    for index in range(count):
        found.append(int(library.llama_sampler_sample(chain, model.context, -1)))
        backend.feed([found[-1]], len(PROMPT) + index)
    library.llama_sampler_free(chain)
    return found


def _breakers(*texts: bytes) -> tuple[Any, int]:
    return (ctypes.c_char_p * len(texts))(*texts), len(texts)


def _dry(backend: LlamaBackend, *breakers: bytes) -> Any:
    vocab = lib().llama_model_get_vocab(backend._model.opened.model)
    return lib().llama_sampler_init_dry(vocab, 3.0, 1.75, 2, 512, *_breakers(*breakers))


def _bias(size: int) -> Any:
    array = (lib().llama_logit_bias * 2)()
    array[0].token, array[0].bias = 77, 4.0
    array[1].token, array[1].bias = 30, -math.inf
    return lib().llama_sampler_init_logit_bias(size, 2, array)


Stages = Callable[[LlamaBackend, Any, int], list[Any]]
CASES: dict[str, tuple[Sampling, Stages]] = {
    "dice alone": (NONE, lambda b, c, n: [c.llama_sampler_init_dist(SEED)]),
    "top_k": (
        replace(NONE, top_k=7),
        lambda b, c, n: [c.llama_sampler_init_top_k(7), c.llama_sampler_init_dist(SEED)],
    ),
    "top_p": (
        replace(NONE, top_p=0.6),
        lambda b, c, n: [c.llama_sampler_init_top_p(0.6, 0), c.llama_sampler_init_dist(SEED)],
    ),
    "min_p": (
        replace(NONE, min_p=0.2),
        lambda b, c, n: [c.llama_sampler_init_min_p(0.2, 0), c.llama_sampler_init_dist(SEED)],
    ),
    "typical": (
        replace(NONE, typical_p=0.5),
        lambda b, c, n: [c.llama_sampler_init_typical(0.5, 0), c.llama_sampler_init_dist(SEED)],
    ),
    "top-n-sigma": (
        replace(NONE, top_n_sigma=1.0),
        lambda b, c, n: [c.llama_sampler_init_top_n_sigma(1.0), c.llama_sampler_init_dist(SEED)],
    ),
    "xtc": (
        replace(NONE, xtc_probability=0.5, xtc_threshold=0.02),
        lambda b, c, n: [c.llama_sampler_init_xtc(0.5, 0.02, 0, SEED), c.llama_sampler_init_dist(SEED)],
    ),
    "temperature": (
        replace(NONE, temperature=0.4),
        lambda b, c, n: [c.llama_sampler_init_temp_ext(0.4, 0.0, 1.0), c.llama_sampler_init_dist(SEED)],
    ),
    "dynamic temperature": (
        replace(NONE, temperature=0.9, dynatemp_range=0.8, dynatemp_exponent=1.5),
        lambda b, c, n: [c.llama_sampler_init_temp_ext(0.9, 0.8, 1.5), c.llama_sampler_init_dist(SEED)],
    ),
    "penalties": (
        replace(NONE, repeat_penalty=1.5, frequency_penalty=0.4, presence_penalty=0.3, repeat_last_n=8),
        lambda b, c, n: [
            c.llama_sampler_init_penalties(n, 8, 1.5, 0.4, 0.3),
            c.llama_sampler_init_dist(SEED),
        ],
    ),
    "dry": (
        replace(NONE, temperature=0.0, dry_multiplier=3.0, dry_sequence_breakers=("\n", ":")),
        lambda b, c, n: [_dry(b, b"\n", b":"), c.llama_sampler_init_greedy()],
    ),
    "mirostat 1": (
        replace(NONE, mirostat=1, mirostat_tau=3.0, temperature=0.8, dynatemp_range=0.5),
        lambda b, c, n: [
            c.llama_sampler_init_temp(0.8),
            c.llama_sampler_init_mirostat(n, SEED, 3.0, 0.1, 100),
        ],
    ),
    "mirostat 2": (
        replace(NONE, mirostat=2, mirostat_tau=3.0, temperature=0.8),
        lambda b, c, n: [c.llama_sampler_init_temp(0.8), c.llama_sampler_init_mirostat_v2(SEED, 3.0, 0.1)],
    ),
    "adaptive-p": (
        replace(NONE, adaptive_target=0.3, adaptive_decay=0.8),
        lambda b, c, n: [c.llama_sampler_init_adaptive_p(0.3, 0.8, SEED)],
    ),
    "bias": (
        replace(NONE, logit_bias=((77, 4.0), (30, -math.inf))),
        lambda b, c, n: [_bias(n), c.llama_sampler_init_dist(SEED)],
    ),
    "the default chain": (
        Sampling(),
        lambda b, c, n: [
            c.llama_sampler_init_top_k(40),
            c.llama_sampler_init_top_p(0.95, 0),
            c.llama_sampler_init_min_p(0.05, 0),
            c.llama_sampler_init_temp_ext(0.8, 0.0, 1.0),
            c.llama_sampler_init_dist(SEED),
        ],
    ),
    "another order": (
        replace(NONE, temperature=1.7, top_k=30, min_p=0.1, order=("temperature", "min_p", "top_k")),
        lambda b, c, n: [
            c.llama_sampler_init_temp_ext(1.7, 0.0, 1.0),
            c.llama_sampler_init_min_p(0.1, 0),
            c.llama_sampler_init_top_k(30),
            c.llama_sampler_init_dist(SEED),
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_it_chooses_what_llama_cpp_chooses(backend: LlamaBackend, name: str) -> None:
    sampling, make = CASES[name]
    size = backend.vocabulary().size

    expected = theirs(backend, make(backend, lib(), size), 24)

    assert ours(backend, sampling, 24) == expected
    assert ours(backend, replace(sampling, trace=False, alternatives=0), 24) == expected


def _logits(backend: LlamaBackend) -> NDArray[np.float64]:
    backend.keep(0)
    backend.feed(PROMPT, 0)
    backend.start(NONE, None, SEED, PROMPT)
    found: NDArray[np.float64] = backend._logits().astype(np.float64)
    return found


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    powers: NDArray[np.float64] = np.exp(logits - logits.max())
    return powers / powers.sum()


def _kept_by(name: str, logits: NDArray[np.float64]) -> set[int]:
    """What a stage leaves, from its definition."""
    chances = _softmax(logits)
    order = np.argsort(-chances)
    if name == "top_k":
        return set(order[:7].tolist())
    if name == "top_p":
        enough = int(np.searchsorted(np.cumsum(chances[order]), 0.05)) + 1
        return set(order[:enough].tolist())
    if name == "min_p":
        return set(np.flatnonzero(chances >= 0.6 * chances.max()).tolist())
    if name == "top_n_sigma":
        return set(np.flatnonzero(logits >= logits.max() - 0.5 * logits.std()).tolist())
    if name == "typical_p":
        surprise = -np.log(chances)
        near = np.argsort(np.abs(surprise - (chances * surprise).sum()), kind="stable")
        enough = int(np.searchsorted(np.cumsum(chances[near]), 0.5, side="right")) + 1
        return set(near[:enough].tolist())
    above = np.count_nonzero(chances[order] >= 0.005)
    return set(order[above - 1 :].tolist())  # xtc takes away all that are above but the last of them


TRACED = {
    "top_k": replace(NONE, top_k=7),
    "top_p": replace(NONE, top_p=0.05),
    "min_p": replace(NONE, min_p=0.6),
    "top_n_sigma": replace(NONE, top_n_sigma=0.5),
    "typical_p": replace(NONE, typical_p=0.5),
    "xtc": replace(NONE, xtc_probability=1.0, xtc_threshold=0.005),
}


@pytest.mark.parametrize("name", TRACED)
def test_the_stage_that_removed_a_candidate_is_the_one_that_did(backend: LlamaBackend, name: str) -> None:
    kept = _kept_by(name, _logits(backend))
    backend.start(TRACED[name], None, SEED, PROMPT)
    token = backend.sample(0, constrained=True)

    named = {other.token for other in token.alternatives if other.removed_by == name}

    assert named == {other.token for other in token.alternatives} - kept
    assert {other.removed_by for other in token.alternatives} <= {name, ""}
    assert all(other.chosen_probability == 0.0 for other in token.alternatives if other.removed_by)


def test_of_two_stages_the_first_that_removes_is_named(backend: LlamaBackend) -> None:
    logits = _logits(backend)
    order = np.argsort(-logits)
    backend.start(replace(NONE, top_k=9, min_p=0.6, order=("top_k", "min_p")), None, SEED, PROMPT)
    token = backend.sample(0, constrained=True)

    near = _kept_by("min_p", logits)
    for rank, other in enumerate(token.alternatives):
        assert other.token == order[rank]
        assert other.removed_by == ("top_k" if rank >= 9 else "" if other.token in near else "min_p")


def test_without_dice_the_chosen_token_was_certain(backend: LlamaBackend) -> None:
    _logits(backend)
    backend.start(Sampling(temperature=0.0, top_k=0), None, SEED, PROMPT)
    token = backend.sample(0, constrained=True)

    assert token.chosen_probability == 1.0
    assert [other.chosen_probability for other in token.alternatives] == [1.0] + [0.0] * 9


def test_every_order_of_the_stages_is_obeyed(backend: LlamaBackend) -> None:
    active = replace(
        NONE, top_k=20, top_p=0.9, min_p=0.01, typical_p=0.9, top_n_sigma=2.0, temperature=0.7, xtc_probability=0.1,
        repeat_penalty=1.1, dry_multiplier=0.5,
    )  # fmt: skip
    for turned in range(len(DEFAULT_ORDER)):
        order = (*DEFAULT_ORDER[turned:], *DEFAULT_ORDER[:turned])
        _logits(backend)
        backend.start(replace(active, order=order), None, SEED, PROMPT)
        assert backend._sampler is not None
        assert [name for name, _ in backend._sampler._chain.stages] == [*order, "dist"]
        assert backend.sample(0, constrained=True)


def test_tokens_that_the_file_forbids_are_never_written(tmp_path: Any) -> None:
    path = tmp_path / "suppressing.gguf"
    write_model(path, "attention", shape=Shape(suppressed=(30, 41)))
    backend = LlamaBackend(trusting=True)
    backend.load(str(path), ModelSettings(context=256, threads=1), lambda _: True)
    backend.feed(PROMPT, 0)
    backend.start(Sampling(temperature=0.0, logit_bias=((30, 90.0), (41, 80.0), (52, 70.0))), None, SEED, PROMPT)

    assert backend.sample(0, constrained=True).id == 52
    backend.close()
