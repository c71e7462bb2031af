"""Opens a model file: looks at it first, loads it, makes its context, finds how many threads suit it."""

from __future__ import annotations

import ctypes
import math
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil

from cutaway.engine.attention import on_processor
from cutaway.engine.backend import CacheTraits, LoadCancelledError, LoadError, MemoryKind
from cutaway.engine.command import ModelSettings
from cutaway.engine.event import ModelFacts
from cutaway.engine.gguf_file import GgufError
from cutaway.engine.llama import facts as model_facts
from cutaway.engine.llama.abort import Abort
from cutaway.engine.llama.devices import device_handles, list_devices, notices
from cutaway.engine.llama.library import (
    LibraryError,
    build_stamp,
    captured_log,
    forget_errors,
    has_special_buffers,
    lib,
    reason,
)
from cutaway.engine.look import look, look_adapter
from cutaway.engine.memory import forecast, read_shape
from cutaway.engine.room import free_memory
from cutaway.engine.seen import Seen
from cutaway.engine.threads import available_cores, candidates

DEFAULT_CONTEXT = 8192
KV_TYPES = {
    "f32": 0,
    "f16": 1,
    "bf16": 30,
    "q8_0": 8,
    "q5_1": 7,
    "q5_0": 6,
    "q4_1": 3,
    "q4_0": 2,
    "iq4_nl": 20,
}
_FLASH = {"auto": -1, "off": 0, "on": 1}
_LOAD_MODES = {(True, False): 1, (False, True): 2, (True, True): 3, (False, False): 0}
Progress = Callable[[float], bool]
TRIAL_SECONDS = 0.5
"""After which no more thread counts are tried."""


@dataclass(slots=True)
class Opened:
    """A model and its context in memory."""

    model: Any
    context: Any
    traits: CacheTraits
    facts: ModelFacts
    batch: int
    threads: int | None
    threads_batch: int | None
    adapters: list[Any] = field(default_factory=list)
    abort: Abort = field(default_factory=Abort)
    resident_before: int = 0
    """Bytes of the process before the model was loaded."""
    free_before: int = 0
    """Bytes that were free on graphics cards."""
    untouched: int = 0
    """Bytes of the processor's compute buffer: the system hands them out when the first long prompt fills it."""

    def measured_facts(self, threads: int, threads_batch: int) -> ModelFacts:
        """The facts, after the model has worked once: with what the process really holds more."""
        memory = {
            **self.facts.memory,
            "measured": max(0, resident_bytes() + self.untouched - self.resident_before),
            "measured_gpu": max(0, self.free_before - free_on_cards()),
        }
        return replace(self.facts, threads=threads, threads_batch=threads_batch, memory=memory)

    def close(self) -> None:
        library = lib()
        if self.context:
            library.llama_free(self.context)
        if self.model:
            library.llama_model_free(self.model)
        self.context = self.model = None

    def choose_threads(self, decode: Callable[[int], None], go_on: Callable[[], bool]) -> tuple[int, int]:
        """Counts for decoding and for batches: those that were asked for, else the fastest of a few tries.

        Raises LoadCancelledError when `go_on` answers False; it is asked before each decode.
        """
        library, context = lib(), self.context

        def try_one() -> None:
            if not go_on():
                raise LoadCancelledError("Loading was stopped.")
            decode(1)

        first = self.threads or available_cores()
        library.llama_set_n_threads(context, first, self.threads_batch or first)
        try_one()
        if self.threads:
            return self.threads, self.threads_batch or self.threads
        one = _fastest(candidates(first), lambda n: library.llama_set_n_threads(context, n, n), try_one)
        counts = one, self.threads_batch or first
        library.llama_set_n_threads(context, *counts)
        return counts


def _fastest(counts: list[int], use: Callable[[int], None], work: Callable[[], None]) -> int:
    """The count with the shortest of three tries, all cores first; no more tries once `TRIAL_SECONDS` are over."""
    began = time.perf_counter()
    best, best_ms = counts[-1], float("inf")
    for count in [count for count in reversed(counts) for _ in range(3)]:
        use(count)
        start = time.perf_counter()
        work()
        end = time.perf_counter()
        if end - start < best_ms * 0.97:
            best, best_ms = count, end - start
        if end - began > TRIAL_SECONDS:
            break
    return best


def open_model(path: str, settings: ModelSettings, progress: Progress, seen: Seen | None) -> Opened:
    """Raises LoadError with a sentence, LoadCancelledError when `progress` answered False.

    `seen` decides which files are opened in a child process first; None trusts the file.
    """
    if not progress(0.0):
        raise LoadCancelledError("Loading was stopped.")
    file = look(Path(path))
    try:
        library = lib()
    except LibraryError as error:
        raise LoadError(str(error)) from error
    special = has_special_buffers()
    use_special = not special if seen is None else seen.check(file, special=special, go_on=lambda: progress(0.0))
    _check_adapters(file, settings, seen, lambda: progress(0.0))
    check_memory(file, settings)
    before = resident_bytes(), free_on_cards()
    with captured_log() as lines:
        model = _load(library, file, settings, progress, special=use_special or not special)
    try:
        return _with_context(library, file, model, settings, lines, before)
    except BaseException:
        library.llama_model_free(model)
        raise


def _check_adapters(file: Path, settings: ModelSettings, seen: Seen | None, go_on: Callable[[], bool]) -> None:
    """Raises LoadError for an adapter that is not whole, does not fit, or that llama.cpp would die of."""
    for path, scale in settings.loras:
        look_adapter(Path(path))
        if not math.isfinite(scale):
            raise LoadError(f"The strength of the LoRA adapter {Path(path).name} is {scale}; it must be a number.")
        if seen is not None:
            seen.check_adapter(Path(path), file, go_on=go_on)


def _load(library: Any, file: Path, settings: ModelSettings, progress: Progress, *, special: bool) -> Any:
    parameters = library.llama_model_default_params()
    devices = device_handles(settings.devices)
    if devices is not None:
        parameters.devices = ctypes.cast(devices, ctypes.c_void_p)
    offload = bool(library.llama_supports_gpu_offload())
    parameters.n_gpu_layers = settings.gpu_layers if settings.gpu_layers is not None else (-1 if offload else 0)
    parameters.use_extra_bufts = special
    parameters.load_mode = _LOAD_MODES[settings.use_mmap, settings.use_mlock]
    stopped = [False]

    def on_progress(fraction: float, _data: object) -> bool:
        stopped[0] = stopped[0] or not progress(min(fraction, 0.99))
        return not stopped[0]

    callback = library.llama_progress_callback(on_progress)
    parameters.progress_callback = callback
    forget_errors()
    model = library.llama_model_load_from_file(os.fsencode(file), parameters)
    if model:
        return model
    if stopped[0]:
        raise LoadCancelledError("Loading was stopped.")
    raise LoadError(f"llama.cpp could not load {file.name}: {reason('it gave no reason')}. {load_advice()}")


def check_memory(file: Path, settings: ModelSettings) -> None:
    """Raises LoadError when what is certain to be needed is more than this machine has free.

    The kernel would end the process otherwise. Weights that are mapped can be left on disk; a cache cannot.
    """
    if settings.extra.get("memory_check") == "off":
        return
    try:
        need = forecast(read_shape(file), settings, gpu=next(iter(_cards(settings)), None)).devices["CPU"]
    except (GgufError, ValueError, ZeroDivisionError, OverflowError):
        return
    mapped = settings.use_mmap and not settings.use_mlock
    certain = need.total - (need.weights if mapped else 0)
    free = free_memory()
    if certain > free:
        raise LoadError(
            f"{file.name} would need {certain / 1e9:.1f} GB of memory with these settings and {free / 1e9:.1f} GB are "
            "free. Load it with a smaller context or a smaller KV type, or close other programs."
        )


def load_advice() -> str:
    """What to do about the errors that llama.cpp logged last."""
    why = reason("").lower()
    if "unknown model architecture" in why or "unknown pre-tokenizer" in why:
        return "The file is newer than this llama.cpp: update the program, or choose another model."
    if "allocat" in why or "memory" in why:
        return "There is not enough memory: choose a smaller model or fewer GPU layers."
    return "Fetch the file again, or choose another model."


def check_model(library: Any, file: Path, model: Any) -> None:
    """Raises LoadError for a model that cannot continue text."""
    if not library.llama_model_has_decoder(model) or library.llama_model_has_encoder(model):
        raise LoadError(f"{file.name} is not a model that writes text from left to right, so it cannot chat.")


def _with_context(
    library: Any, file: Path, model: Any, settings: ModelSettings, load_lines: list[str], before: tuple[int, int]
) -> Opened:
    check_model(library, file, model)
    parameters = context_parameters(library, model, settings)
    forget_errors()
    with captured_log() as lines:
        context = library.llama_init_from_model(model, parameters)
    if not context:
        raise LoadError(
            f"llama.cpp could not make a context of {parameters.n_ctx:,} tokens for {file.name}: "
            f"{reason('there was not enough memory for it')}. Load it with a smaller context or another KV type."
        )
    try:
        adapters = load_adapters(library, model, context, settings.loras)
        return _opened(library, file, model, context, settings, adapters, [*load_lines, *lines], before)
    except BaseException:
        library.llama_free(context)
        raise


def context_parameters(library: Any, model: Any, settings: ModelSettings) -> Any:
    """llama.cpp's parameters for a context. Raises LoadError for a KV type that it does not have."""
    trained = int(library.llama_model_n_ctx_train(model))
    parameters = library.llama_context_default_params()
    parameters.n_ctx = settings.context or min(trained or DEFAULT_CONTEXT, DEFAULT_CONTEXT)
    if not _cards(settings):
        settings = on_processor(settings, parameters.n_ctx, int(library.llama_model_n_head(model)))
    parameters.n_batch = max(1, min(settings.batch, parameters.n_ctx))
    parameters.n_ubatch = max(1, min(settings.micro_batch, parameters.n_batch))
    parameters.n_outputs_max = 1
    parameters.flash_attn_type = _FLASH[settings.flash_attention]
    parameters.type_k = _kv_type(settings.kv_type_k)
    parameters.type_v = _kv_type(settings.kv_type_v)
    parameters.swa_full = settings.swa_full
    parameters.no_perf = True
    parameters.n_threads = settings.threads or available_cores()
    parameters.n_threads_batch = settings.threads_batch or parameters.n_threads
    return parameters


def _kv_type(name: str) -> int:
    if name not in KV_TYPES:
        raise LoadError(f"{name!r} is no type for the KV cache; choose one of {', '.join(KV_TYPES)}.")
    return KV_TYPES[name]


def load_adapters(library: Any, model: Any, context: Any, loras: Sequence[tuple[str, float]]) -> list[Any]:
    """Load and apply LoRA adapters; the model frees them with itself. Raises LoadError."""
    loaded = []
    for path, _ in loras:
        forget_errors()
        adapter = library.llama_adapter_lora_init(model, os.fsencode(path))
        if not adapter:
            why = reason("it does not fit this model")
            raise LoadError(f"The LoRA adapter {Path(path).name} could not be loaded: {why}. Load without it.")
        loaded.append(adapter)
    if loaded:
        array = (type(loaded[0]) * len(loaded))(*loaded)
        scales = (ctypes.c_float * len(loaded))(*(scale for _, scale in loras))
        if library.llama_set_adapters_lora(context, array, len(loaded), scales):
            raise LoadError("llama.cpp refused the LoRA adapters for this model. Load without them.")
    return loaded


def _opened(
    library: Any,
    file: Path,
    model: Any,
    context: Any,
    settings: ModelSettings,
    adapters: list[Any],
    lines: list[str],
    before: tuple[int, int],
) -> Opened:
    kind = _kind(library, model, settings)
    traits = CacheTraits(
        kind=kind,
        context=int(library.llama_n_ctx_seq(context)),
        window=_window(library, model),
        interruptible=not _cards(settings),
        micro_batch=int(library.llama_n_ubatch(context)),
        movable=kind == "attention" and bool(library.llama_memory_can_shift(library.llama_get_memory(context))),
    )
    return Opened(
        model=model,
        context=context,
        traits=traits,
        facts=_facts(library, file, model, settings, traits.context, buffer_sizes(lines)),
        resident_before=before[0],
        free_before=before[1],
        untouched=buffer_sizes([line for line in lines if " CPU compute " in line])["compute"],
        batch=int(library.llama_n_batch(context)),
        threads=settings.threads,
        threads_batch=settings.threads_batch,
        adapters=adapters,
    )


_BUFFER = re.compile(r"(KV|RS|compute|output) buffer size = +([0-9.]+) MiB")


def buffer_sizes(lines: list[str]) -> dict[str, int]:
    """Bytes by part (`kv`, `compute`), as llama.cpp logged them when it made its buffers."""
    found = {"kv": 0, "compute": 0}
    for line in lines:
        if match := _BUFFER.search(line):
            part = "kv" if match[1] in ("KV", "RS") else "compute"
            found[part] += int(float(match[2]) * (1 << 20))
    return found


def free_on_cards() -> int:
    return sum(device.memory_free for device in list_devices() if device.kind != "cpu")


def resident_bytes() -> int:
    return int(psutil.Process().memory_info().rss)


def _cards(settings: ModelSettings) -> list[str]:
    """Names of the graphics cards that these settings use."""
    if settings.gpu_layers == 0:
        return []
    offered = [device.name for device in list_devices() if device.kind in ("gpu", "integrated")]
    return [name for name in offered if not settings.devices or name in settings.devices]


def _window(library: Any, model: Any) -> int:
    return int(library.llama_model_n_swa(model))


def _kind(library: Any, model: Any, settings: ModelSettings) -> MemoryKind:
    if library.llama_model_is_hybrid(model):
        return "hybrid"
    if library.llama_model_is_recurrent(model):
        return "recurrent"
    return "sliding" if _window(library, model) and not settings.swa_full else "attention"


def _facts(
    library: Any, file: Path, model: Any, settings: ModelSettings, context: int, buffers: dict[str, int]
) -> ModelFacts:
    values = model_facts.metadata(model)
    template, named = model_facts.templates(values)
    vocab = library.llama_model_get_vocab(model)
    return ModelFacts(
        path=str(file),
        name=values.get("general.name") or file.stem,
        architecture=values.get("general.architecture", ""),
        quantisation=model_facts.quantisation(model),
        parameters=int(library.llama_model_n_params(model)),
        file_bytes=file.stat().st_size,
        vocabulary_size=int(library.llama_vocab_n_tokens(vocab)),
        trained_context=int(library.llama_model_n_ctx_train(model)),
        context=context,
        template=template,
        templates=named,
        bos=int(library.llama_vocab_bos(vocab)),
        eos=int(library.llama_vocab_eos(vocab)),
        threads=0,
        threads_batch=0,
        device=", ".join(_cards(settings)) or "CPU",
        memory={"weights": int(library.llama_model_size(model)), **buffers},
        metadata=values,
        runtime=build_stamp(),
        notices=notices(),
    )
