"""Loading without weights: everything that llama.cpp checks, or dies of, and none of the memory."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

from cutaway.engine.backend import LoadError
from cutaway.engine.command import ModelSettings
from cutaway.engine.llama.library import forget_errors, lib, reason
from cutaway.engine.llama.open import check_model, context_parameters, load_adapters, load_advice
from cutaway.engine.split import part_paths

_CONTEXT = 512
_TOKENS = 32
COMPUTED = 512 << 20
"""Bytes of weights that are read a second time to be sure of them."""


def rehearse(file: Path) -> None:
    """Open header, metadata, vocabulary and tensor table, and build the graph; small files also compute once.

    Raises LoadError with a sentence.
    """
    model = _open(file, weights=False, special=False)
    try:
        lib().llama_free(_context(file, model))
    finally:
        lib().llama_model_free(model)
    if sum(part.stat().st_size for part in part_paths(file)) <= COMPUTED and not _compute(file, special=False):
        raise LoadError(f"llama.cpp could not compute with {file.name}: {reason('it gave no reason')}. Fetch it again.")


def work_with_special_buffers(file: Path) -> bool:
    """Load the weights as the processor likes them best and feed a batch.

    A processor, compiler or virtual machine that gets this wrong ends the process.
    """
    return _compute(file, special=True)


def rehearse_adapter(file: Path, adapter: Path) -> None:
    """Load an adapter onto its model; onto a small one it is also computed with. Raises LoadError."""
    model = _open(file, weights=True, special=False)
    context = _context(file, model)
    try:
        load_adapters(lib(), model, context, ((str(adapter), 1.0),))
        if sum(part.stat().st_size for part in part_paths(file)) <= COMPUTED and not _feeds(model, context):
            why = reason("it gave no reason")
            raise LoadError(f"llama.cpp could not compute with {adapter.name}: {why}. Load without it.")
    finally:
        lib().llama_free(context)
        lib().llama_model_free(model)


def _compute(file: Path, *, special: bool) -> bool:
    model = _open(file, weights=True, special=special)
    context = _context(file, model)
    fed = _feeds(model, context)
    lib().llama_free(context)
    lib().llama_model_free(model)
    return fed


def _feeds(model: Any, context: Any) -> bool:
    size = int(lib().llama_vocab_n_tokens(lib().llama_model_get_vocab(model)))
    tokens = (ctypes.c_int32 * _TOKENS)(*(at % max(1, size) for at in range(_TOKENS)))
    return int(lib().llama_decode(context, lib().llama_batch_get_one(tokens, _TOKENS))) == 0


def _open(file: Path, *, weights: bool, special: bool) -> Any:
    parameters = lib().llama_model_default_params()
    parameters.no_alloc = not weights
    parameters.load_mode = 1 if weights else 0
    parameters.use_extra_bufts = special
    parameters.n_gpu_layers = 0
    forget_errors()
    model = lib().llama_model_load_from_file(os.fsencode(file), parameters)
    if not model:
        raise LoadError(f"llama.cpp could not load {file.name}: {reason('it gave no reason')}. {load_advice()}")
    return model


def _context(file: Path, model: Any) -> Any:
    check_model(lib(), file, model)
    parameters = context_parameters(lib(), model, ModelSettings(context=_CONTEXT, threads=1))
    forget_errors()
    context = lib().llama_init_from_model(model, parameters)
    if not context:
        raise LoadError(f"llama.cpp could not work with {file.name}: {reason('it gave no reason')}. {load_advice()}")
    return context
