"""One model in llama.cpp: its context, its cache, its samplers."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cutaway import places
from cutaway.engine.backend import (
    Awakening,
    CacheTraits,
    DecodeError,
    InterruptedDecodeError,
    LoadCancelledError,
    LoadError,
)
from cutaway.engine.command import Constraint, ModelSettings
from cutaway.engine.event import ModelFacts, Token
from cutaway.engine.llama.aside import Aside
from cutaway.engine.llama.library import forget_errors, lib, reason
from cutaway.engine.llama.open import Opened, open_model
from cutaway.engine.llama.sampler import Sampler, Workspace
from cutaway.engine.llama.statistics import Logits
from cutaway.engine.llama.vocabulary import LlamaVocabulary, open_gguf_vocabulary
from cutaway.engine.sampling import Sampling
from cutaway.engine.seen import Seen

_PARTIAL = 1
"""LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY: sliding-window and recurrent parts only."""
_MADE = 0.99
"""Progress where all is made and only thread counts are tried."""


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


@dataclass(frozen=True, slots=True)
class _Model:
    """What exists while a model is loaded."""

    opened: Opened
    context: Any
    memory: Any
    vocabulary: LlamaVocabulary
    batch: _Batch
    work: Workspace


class LlamaBackend:
    """Implements `engine.backend.Backend`. Used by one thread, but for `vocabulary`."""

    def __init__(self, seen: Seen | None = None, *, trusting: bool = False) -> None:
        """`seen` remembers which files opened well; by default in the cache folder.

        `trusting` opens files without trying them in a child process first: for files of our own making.
        """
        self._seen = None if trusting else seen or Seen(places.cache() / "engine-seen.json")
        self._aside = Aside()
        self._loaded: _Model | None = None
        self._sampler: Sampler | None = None
        self._lib: Any = None
        self._row_address = 0
        self._row: Logits = np.empty(0, dtype=np.float32)

    # -- Loading -------------------------------------------------------------------------------

    def load(self, path: str, settings: ModelSettings, progress: Callable[[float], bool]) -> ModelFacts:
        self.unload()
        made = self._aside.make(lambda tell: self._open(path, settings, tell), _free, progress)
        opened, vocabulary = made
        self._lib = library = lib()
        try:
            self._loaded = _Model(
                opened=opened,
                context=opened.context,
                memory=library.llama_get_memory(opened.context),
                vocabulary=vocabulary,
                batch=_Batch(opened.batch),
                work=Workspace(vocabulary, library.llama_model_get_vocab(opened.model), opened.traits.context),
            )
            threads, threads_batch = opened.choose_threads(self._try_decode, lambda: progress(_MADE))
            self.keep(0)
        except BaseException as error:
            self._loaded = None
            self._aside.leave(lambda: _free(made))
            match error:
                case InterruptedDecodeError():
                    raise LoadCancelledError("Loading was stopped.") from error
                case DecodeError():
                    raise LoadError(f"{opened.facts.name} was loaded, but it cannot work. {error}") from error
            raise
        return opened.measured_facts(threads, threads_batch)

    def _open(
        self, path: str, settings: ModelSettings, progress: Callable[[float], bool]
    ) -> tuple[Opened, LlamaVocabulary]:
        try:
            opened = open_model(path, settings, progress, self._seen)
        except OSError as error:
            raise LoadError(f"{path} cannot be read: {error.strerror or error}.") from error
        try:
            vocabulary = open_gguf_vocabulary(opened.facts.path)
            vocabulary.pieces()  # made here, for it takes a while too
            return opened, vocabulary
        except BaseException:
            opened.close()
            raise

    def _try_decode(self, tokens: int) -> None:
        """Decode some token at the start, to warm up and to measure."""
        filler = max(0, self._model.vocabulary.bos)
        self._lib.llama_memory_clear(self._model.memory, False)
        self.feed([filler] * tokens, 0)

    def unload(self) -> None:
        self._stop_sampling()
        loaded, self._loaded = self._loaded, None
        self._row_address = 0
        if loaded is not None:
            loaded.opened.close()
            # The vocabulary is a model of its own and lives as long as anyone holds it. Cycles are not collected
            # here: the window's would die on this thread.
            del loaded
            _give_memory_back()

    def close(self) -> None:
        self.unload()
        self._aside.wait()

    @property
    def _model(self) -> _Model:
        if self._loaded is None:
            raise LoadError("No model is loaded. Open one first.")
        return self._loaded

    def vocabulary(self) -> LlamaVocabulary:
        return self._model.vocabulary

    def traits(self) -> CacheTraits:
        return self._model.opened.traits

    # -- The cache -----------------------------------------------------------------------------

    def feed(self, tokens: Sequence[int], position: int, *, logits: bool = True, interruptible: bool = True) -> None:
        batch = self._model.batch
        self._model.opened.abort.listen(self._model.context, on=interruptible)
        for at in range(0, len(tokens), batch.room):
            part = tokens[at : at + batch.room]
            last = at + len(part) == len(tokens)
            self._decode(batch.fill(part, position + at, logits=logits and last), position + at + len(part))

    def _decode(self, batch: Any, end: int) -> None:
        forget_errors()
        status = int(self._lib.llama_decode(self._model.context, batch))
        if status == 0:
            return
        if status == 2:
            raise InterruptedDecodeError("The work was interrupted.")
        if status == 1:
            raise DecodeError(f"The context of {self.traits().context:,} tokens is full.", full=True)
        why = reason(f"its code is {status}")
        raise DecodeError(f"llama.cpp could not process the tokens before position {end:,}: {why}. Try again.")

    def interrupt(self) -> None:
        if (loaded := self._loaded) is not None:
            loaded.opened.abort.set()

    def resume(self) -> None:
        if (loaded := self._loaded) is not None:
            loaded.opened.abort.clear()

    def floor(self) -> int:
        kind = self.traits().kind
        if kind == "attention":
            return 1
        held = int(self._lib.llama_memory_seq_pos_max(self._model.memory, 0)) + 1
        if kind != "sliding":
            return max(1, held)
        first = int(self._lib.llama_memory_seq_pos_min(self._model.memory, 0))
        return 1 if first <= 0 else min(max(1, held), first + self.traits().window)

    def keep(self, length: int) -> int:
        held = int(self._lib.llama_memory_seq_pos_max(self._model.memory, 0)) + 1
        if length >= held:
            return held
        can = length > 0 and length >= self.floor()
        if can and self._lib.llama_memory_seq_rm(self._model.memory, 0, length, -1):
            return length
        self._lib.llama_memory_clear(self._model.memory, False)
        return 0

    def move(self, start: int, end: int, to: int) -> None:
        self._lib.llama_memory_seq_rm(self._model.memory, 0, to, start)
        self._lib.llama_memory_seq_add(self._model.memory, 0, start, end, to - start)

    def save(self) -> bytes:
        return self._read_state(0)

    def restore(self, state: bytes) -> bool:
        self._lib.llama_memory_clear(self._model.memory, False)
        return self._write_state(state, 0)

    def checkpoint(self) -> bytes:
        return self._read_state(_PARTIAL)

    def rewind(self, checkpoint: bytes, length: int) -> bool:
        if not self._write_state(checkpoint, _PARTIAL):
            return False
        if not self._lib.llama_memory_seq_rm(self._model.memory, 0, length, -1):
            self._lib.llama_memory_clear(self._model.memory, False)
            return False
        return True

    def _read_state(self, flags: int) -> bytes:
        size = int(self._lib.llama_state_seq_get_size_ext(self._model.context, 0, flags))
        buffer = np.empty(size, dtype=np.uint8)
        pointer = buffer.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))
        written = int(self._lib.llama_state_seq_get_data_ext(self._model.context, pointer, size, 0, flags))
        return buffer[:written].tobytes()

    def _write_state(self, state: bytes, flags: int) -> bool:
        if not state:
            return False
        pointer = ctypes.cast(ctypes.c_char_p(state), ctypes.POINTER(ctypes.c_uint8))
        if int(self._lib.llama_state_seq_set_data_ext(self._model.context, pointer, len(state), 0, flags)):
            return True
        self._lib.llama_memory_clear(self._model.memory, False)
        return False

    # -- Sampling ------------------------------------------------------------------------------

    def start(self, sampling: Sampling, constraint: Constraint | None, seed: int, prompt: Sequence[int]) -> None:
        self._stop_sampling()
        self._sampler = Sampler(self._model.work, sampling, constraint, seed, prompt)

    def _stop_sampling(self) -> None:
        if self._sampler is not None:
            self._sampler.free()
        self._sampler = None

    def sample(self, index: int, *, constrained: bool) -> Token:
        assert self._sampler is not None
        return self._sampler.sample(index, self._logits(), constrained=constrained)

    def awakening(self) -> Awakening | None:
        assert self._sampler is not None
        return self._sampler.awakening

    def force(self, index: int, token: int) -> Token:
        assert self._sampler is not None
        return self._sampler.force(index, token, self._logits())

    def _logits(self) -> Logits:
        """The last row, where llama.cpp keeps it; valid until the next decode."""
        pointer = self._lib.llama_get_logits_ith(self._model.context, -1)
        if not pointer:
            raise DecodeError("llama.cpp has no logits to sample from. Send again.")
        address = ctypes.addressof(pointer.contents)
        if address != self._row_address:
            self._row = np.ctypeslib.as_array(pointer, shape=(self._model.vocabulary.size,))
            self._row_address = address
        return self._row

    # -- Threads -------------------------------------------------------------------------------

    def threads(self) -> tuple[int, int]:
        return int(self._lib.llama_n_threads(self._model.context)), int(
            self._lib.llama_n_threads_batch(self._model.context)
        )

    def set_threads(self, decode: int, batch: int) -> None:
        self._lib.llama_set_n_threads(self._model.context, decode, batch)


def _free(made: tuple[Opened, LlamaVocabulary]) -> None:
    opened, vocabulary = made
    opened.close()
    vocabulary.close()
    _give_memory_back()


def _give_memory_back() -> None:
    """glibc keeps freed memory for itself unless it is asked."""
    if sys.platform == "linux":
        try:
            ctypes.CDLL(None).malloc_trim(0)
        except (AttributeError, OSError):
            return
