"""One model in llama.cpp: its context, its cache, its samplers."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cutaway.engine.backend import CacheTraits, DecodeError, LoadError
from cutaway.engine.command import Constraint, ModelSettings
from cutaway.engine.event import Alternative, ModelFacts, Token
from cutaway.engine.llama.candidates import Candidates
from cutaway.engine.llama.chain import Chain
from cutaway.engine.llama.constraint import Gate
from cutaway.engine.llama.library import forget_errors, lib, reason
from cutaway.engine.llama.open import Opened, open_model
from cutaway.engine.llama.statistics import Statistics
from cutaway.engine.llama.vocabulary import LlamaVocabulary
from cutaway.engine.sampling import Sampling

_PARTIAL = 1
"""LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY: sliding-window and recurrent parts only."""
RESAMPLES = 64
"""Tokens that may be refused one after another before a constraint is given up as unsatisfiable."""


class LlamaBackend:
    """Implements `engine.backend.Backend`. Used by one thread, but for `vocabulary`."""

    def __init__(self) -> None:
        self._opened: Opened | None = None
        self._vocabulary: LlamaVocabulary | None = None
        self._batch: _Batch | None = None
        self._statistics: Statistics | None = None
        self._candidates: Candidates | None = None
        self._chain: Chain | None = None
        self._gate: Gate | None = None
        self._asleep = False
        self._sampling = Sampling()

    # -- Loading -------------------------------------------------------------------------------

    def load(self, path: str, settings: ModelSettings, progress: Callable[[float], bool]) -> ModelFacts:
        self.unload()
        self._opened = opened = open_model(path, settings, progress)
        try:
            self._lib = lib()
            self._context = opened.context
            self._memory = self._lib.llama_get_memory(opened.context)
            self._traits = opened.traits
            self._vocabulary = LlamaVocabulary(opened.model)
            self._vocab = self._lib.llama_model_get_vocab(opened.model)
            self._batch = _Batch(opened.batch)
            self._statistics = Statistics(self._vocabulary.size)
            self._candidates = Candidates(self._vocabulary.size)
            threads, threads_batch = opened.choose_threads(self._try_decode)
            self.keep(0)
        except BaseException:
            self.unload()
            raise
        return replace(opened.facts, threads=threads, threads_batch=threads_batch)

    def _try_decode(self, tokens: int) -> None:
        """Decode some token at the start, to warm up and to measure."""
        filler = max(0, self.vocabulary().bos)
        self._lib.llama_memory_clear(self._memory, False)
        self.feed([filler] * tokens, 0)

    def unload(self) -> None:
        self._stop_sampling()
        opened, self._opened = self._opened, None
        if self._vocabulary is not None:
            self._vocabulary.close()
        self._vocabulary = self._batch = self._statistics = self._candidates = None
        if opened is not None:
            self._context = self._memory = self._vocab = None
            opened.close()
            gc.collect()
            _give_memory_back()

    def close(self) -> None:
        self.unload()

    def vocabulary(self) -> LlamaVocabulary:
        if self._vocabulary is None:
            raise LoadError("No model is loaded. Open one first.")
        return self._vocabulary

    def traits(self) -> CacheTraits:
        return self._traits

    # -- The cache -----------------------------------------------------------------------------

    def feed(self, tokens: Sequence[int], position: int, *, logits: bool = True) -> None:
        assert self._batch is not None
        for at in range(0, len(tokens), self._batch.room):
            part = tokens[at : at + self._batch.room]
            last = at + len(part) == len(tokens)
            self._decode(self._batch.fill(part, position + at, logits=logits and last), position + at + len(part))

    def _decode(self, batch: Any, end: int) -> None:
        forget_errors()
        status = int(self._lib.llama_decode(self._context, batch))
        if status == 0:
            return
        if status == 1:
            raise DecodeError(f"The context of {self._traits.context:,} tokens is full.", full=True)
        why = reason(f"its code is {status}")
        raise DecodeError(f"llama.cpp could not process the tokens before position {end:,}: {why}. Try again.")

    def floor(self) -> int:
        kind = self._traits.kind
        if kind == "attention":
            return 1
        held = int(self._lib.llama_memory_seq_pos_max(self._memory, 0)) + 1
        if kind != "sliding":
            return max(1, held)
        first = int(self._lib.llama_memory_seq_pos_min(self._memory, 0))
        return 1 if first <= 0 else min(max(1, held), first + self._traits.window)

    def keep(self, length: int) -> int:
        held = int(self._lib.llama_memory_seq_pos_max(self._memory, 0)) + 1
        if length >= held:
            return held
        can = length > 0 and length >= self.floor()
        if can and self._lib.llama_memory_seq_rm(self._memory, 0, length, -1):
            return length
        self._lib.llama_memory_clear(self._memory, False)
        return 0

    def save(self) -> bytes:
        return self._read_state(0)

    def restore(self, state: bytes) -> bool:
        self._lib.llama_memory_clear(self._memory, False)
        return self._write_state(state, 0)

    def checkpoint(self) -> bytes:
        return self._read_state(_PARTIAL)

    def rewind(self, checkpoint: bytes, length: int) -> bool:
        if not self._write_state(checkpoint, _PARTIAL):
            return False
        if not self._lib.llama_memory_seq_rm(self._memory, 0, length, -1):
            self._lib.llama_memory_clear(self._memory, False)
            return False
        return True

    def _read_state(self, flags: int) -> bytes:
        size = int(self._lib.llama_state_seq_get_size_ext(self._context, 0, flags))
        buffer = np.empty(size, dtype=np.uint8)
        pointer = buffer.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
        written = int(self._lib.llama_state_seq_get_data_ext(self._context, pointer, size, 0, flags))
        return buffer[:written].tobytes()

    def _write_state(self, state: bytes, flags: int) -> bool:
        if not state:
            return False
        pointer = ctypes.cast(ctypes.c_char_p(state), ctypes.POINTER(ctypes.c_uint8))
        if int(self._lib.llama_state_seq_set_data_ext(self._context, pointer, len(state), 0, flags)):
            return True
        self._lib.llama_memory_clear(self._memory, False)
        return False

    # -- Sampling ------------------------------------------------------------------------------

    def start(self, sampling: Sampling, constraint: Constraint | None, seed: int, prompt: Sequence[int]) -> None:
        self._stop_sampling()
        vocabulary = self.vocabulary()
        self._sampling = sampling
        self._chain = Chain(self._vocab, vocabulary.size, self._traits.context, sampling, seed)
        self._chain.take_prompt(prompt)
        self._asleep = False
        if constraint is not None and constraint.grammar:
            self._gate = Gate(self._vocab, vocabulary, constraint)

    def _stop_sampling(self) -> None:
        if self._chain is not None:
            self._chain.free()
        if self._gate is not None:
            self._gate.close()
        self._chain = self._gate = None

    def sample(self, index: int, *, constrained: bool) -> Token:
        assert self._chain is not None
        logits = self._logits()
        gate = self._awake_gate(constrained)
        chosen = self._choose(logits, gate)
        token = self._describe(index, chosen, logits, forced=False)
        self._accept(chosen)
        return token

    def force(self, index: int, token: int) -> Token:
        described = self._describe(index, token, self._logits(), forced=True)
        self._accept(token)
        return described

    def _awake_gate(self, constrained: bool) -> Gate | None:
        if self._gate is None:
            return None
        was_asleep, self._asleep = self._asleep, not constrained
        if self._asleep:
            return None
        if was_asleep:
            self._gate.wake()
        return self._gate

    def _accept(self, token: int) -> None:
        assert self._chain is not None
        self._chain.accept(token)
        if self._gate is not None:
            self._gate.accept(token, asleep=self._asleep)

    def _logits(self) -> NDArray[np.float32]:
        """The last row, where llama.cpp keeps it; valid until the next decode."""
        pointer = self._lib.llama_get_logits_ith(self._context, -1)
        if not pointer:
            raise DecodeError("llama.cpp has no logits to sample from. Send again.")
        return np.ctypeslib.as_array(pointer, shape=(self.vocabulary().size,))

    def _choose(self, logits: NDArray[np.float32], gate: Gate | None) -> int:
        """Let the chain choose; what the constraint refuses is chosen again with the constraint first."""
        assert self._candidates is not None and self._chain is not None
        self._candidates.fill(logits)
        self._chain.apply(self._candidates.reference)
        chosen = self._candidates.selected()
        if gate is None or (chosen >= 0 and gate.allows(chosen)):
            return self._certain(chosen)
        refused = {chosen} - {-1}
        for _ in range(RESAMPLES):
            self._candidates.fill(logits)
            self._candidates.forbid(refused)
            gate.mask(self._candidates)
            if not self._candidates.any_left():
                break
            self._chain.apply(self._candidates.reference)
            chosen = self._candidates.selected()
            if chosen >= 0 and gate.allows(chosen):
                return chosen
            refused.add(chosen)
        raise ValueError("The grammar allows none of the tokens that the model could go on with. The reply ends here.")

    def _certain(self, chosen: int) -> int:
        if chosen < 0:
            raise ValueError("The sampler chain chose no token: its stages leave none. Loosen its settings.")
        return chosen

    def _describe(self, index: int, token: int, logits: NDArray[np.float32], *, forced: bool) -> Token:
        assert self._statistics is not None and self._candidates is not None
        vocabulary = self.vocabulary()
        piece = vocabulary.piece(token)
        control = vocabulary.is_control(token)
        if not self._sampling.alternatives:
            return Token(index, token, piece, 0.0, 0, (), 0.0, 0.0, control, forced)
        spread = self._statistics.distribution(logits)
        chances = {} if forced else self._candidates.chances()
        removed = self._removed_by(logits) if self._sampling.trace and not forced else {}
        best = self._statistics.likeliest(logits, self._sampling.alternatives).tolist()
        alternatives = tuple(
            Alternative(
                other,
                vocabulary.piece(other),
                spread.probability(float(logits[other])),
                chances.get(other, 0.0),
                removed.get(other, ""),
            )
            for other in best
        )
        rank = best.index(token) if token in best else self._statistics.rank(logits, token)
        return Token(
            index=index,
            id=token,
            piece=piece,
            probability=spread.probability(float(logits[token])),
            rank=rank,
            alternatives=alternatives,
            entropy=spread.entropy,
            ms=0.0,
            control=control,
            forced=forced,
            chosen_probability=chances.get(token, 0.0),
        )

    def _removed_by(self, logits: NDArray[np.float32]) -> dict[int, str]:
        """Which stage dropped each of the likeliest tokens: the stages that draw no lots, run once more."""
        assert self._candidates is not None and self._chain is not None and self._statistics is not None
        watched = self._statistics.likeliest(logits, self._sampling.alternatives)
        scratch = Candidates(len(logits))
        scratch.fill(logits)
        removed: dict[int, str] = {}
        for name, sampler in self._chain.stages[:-1]:
            self._lib.llama_sampler_apply(sampler, scratch.reference)
            view = scratch.view()
            left = view["id"][np.isfinite(view["logit"])]
            for token in watched[~np.isin(watched, left)].tolist():
                removed.setdefault(token, name)
        return removed

    # -- Threads -------------------------------------------------------------------------------

    def threads(self) -> tuple[int, int]:
        return int(self._lib.llama_n_threads(self._context)), int(self._lib.llama_n_threads_batch(self._context))

    def set_threads(self, decode: int, batch: int) -> None:
        self._lib.llama_set_n_threads(self._context, decode, batch)


class _Batch:
    """A `llama_batch` over arrays that are made once."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._struct = lib().llama_batch()
        self._tokens = np.zeros(room, dtype=np.int32)
        self._positions = np.zeros(room, dtype=np.int32)
        self._counts = np.ones(room, dtype=np.int32)
        self._outputs = np.zeros(room, dtype=np.int8)
        self._sequence = (ctypes.c_int32 * 1)(0)
        pointer = ctypes.cast(self._sequence, ctypes.POINTER(ctypes.c_int32))
        self._sequences = (ctypes.POINTER(ctypes.c_int32) * room)(*[pointer] * room)
        struct = self._struct
        struct.token = self._tokens.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))
        struct.pos = self._positions.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))
        struct.n_seq_id = self._counts.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))
        struct.seq_id = ctypes.cast(self._sequences, ctypes.POINTER(ctypes.POINTER(ctypes.c_int32)))
        struct.logits = self._outputs.ctypes.data_as(ctypes.POINTER(ctypes.c_int8))
        struct.embd = None

    def fill(self, tokens: Sequence[int], position: int, *, logits: bool) -> Any:
        count = len(tokens)
        self._struct.n_tokens = count
        self._tokens[:count] = tokens
        self._positions[:count] = np.arange(position, position + count) if count > 1 else position
        self._outputs[: count - 1] = 0
        self._outputs[count - 1] = logits
        return self._struct


def _give_memory_back() -> None:
    """glibc keeps freed memory for itself unless it is asked."""
    if sys.platform == "linux":
        try:
            ctypes.CDLL(None).malloc_trim(0)
        except (AttributeError, OSError):
            return
