"""How much memory a model will need, before it is loaded: weights, KV cache, recurrent states, compute buffers.

All from the file's head: no weights are read. A layer's kind is known by its tensors, so hybrid
models count each layer as what it is; sliding-window layers count their window, not the context.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cutaway.engine.attention import on_processor
from cutaway.engine.command import ModelSettings
from cutaway.engine.gguf_file import LongArray, TensorInfo, read_tensor_table
from cutaway.engine.split import part_paths

DEFAULT_CONTEXT = 8192
"""Tokens, where neither the person nor the file asks for fewer."""

TYPE_SIZES: Mapping[int, tuple[int, int]] = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292),
    16: (256, 66), 17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82),
    23: (256, 136), 24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2),
    34: (256, 54), 35: (256, 66), 39: (32, 17),
}  # fmt: skip
"""ggml's tensor types: values in a block, bytes of a block."""
KV_BYTES: Mapping[str, float] = {
    "f32": 4.0,
    "f16": 2.0,
    "bf16": 2.0,
    "q8_0": 34 / 32,
    "q5_1": 24 / 32,
    "q5_0": 22 / 32,
    "q4_1": 20 / 32,
    "q4_0": 18 / 32,
    "iq4_nl": 18 / 32,
}
_PATTERNS: Mapping[str, int] = {
    "gemma2": 2,
    "gemma3": 6,
    "gemma3n": 5,
    "cohere2": 4,
    "gpt-oss": 2,
    "olmo2": 4,
    "exaone4": 4,
    "smallthinker": 4,
    "plamo3": 8,
}
"""Architectures whose every n-th layer sees everything, where the file does not say it."""
_ATTENTION = ("attn_k.weight", "attn_qkv.weight", "attn_kv_a_mqa.weight")
_RECURRENT = ("ssm_", "shortconv", "time_mix", "attn_gate")
_CELLS = 256
TOKEN_BYTES = 410
MERGE_BYTES = 300
"""For each of the file: two vocabularies of llama.cpp's (the model's, and the prompt thread's) and our table. Fitted
to 17 vocabularies of 32,000 to 262,144 tokens."""
WORKING_BYTES = 8_000_000
"""The graph's tables and what libraries touch when they first work. Measured."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes on one device."""

    weights: int = 0
    kv: int = 0
    states: int = 0
    """Of recurrent layers; they do not grow with the context."""
    compute: int = 0
    vocabulary: int = 0
    """Tokens and merges as llama.cpp and we keep them, and the small things that come with any model."""

    @property
    def total(self) -> int:
        return self.weights + self.kv + self.states + self.compute + self.vocabulary


@dataclass(frozen=True, slots=True)
class Forecast:
    """What loading a file with some settings will take."""

    context: int
    devices: Mapping[str, Memory] = field(default_factory=dict)
    """By device name; `CPU` is always there."""
    trained_context: int = 0
    """What the file was trained for; 0 where it does not say."""

    @property
    def total(self) -> int:
        return sum(memory.total for memory in self.devices.values())


@dataclass(frozen=True, slots=True)
class _Layer:
    weights: int
    kv_per_token: float
    window: bool
    states: int


@dataclass(frozen=True, slots=True)
class ModelShape:
    """What the forecast needs of a file; read once, then asked for any settings."""

    architecture: str
    layers: tuple[_Layer, ...]
    input_weights: int
    """Token embeddings: always on the CPU."""
    output_weights: int
    trained_context: int
    window: int
    width: int
    heads: int
    activations: int
    """Values for each token that are alive at the busiest place of a layer."""
    vocabulary: int
    merges: int


def read_shape(path: Path) -> ModelShape:
    """The shape of a model file, its parts included. Raises GgufError with a sentence."""
    parts = part_paths(path)
    tables = [read_tensor_table(part) for part in parts if part == parts[0] or part.is_file()]
    tensors = [tensor for table in tables for tensor in table.tensors]
    return _shape(tables[0].metadata.values, tensors)


def tensor_bytes(tensor: TensorInfo) -> int:
    """Bytes of a tensor's data; types that are not known count as one byte for each value."""
    block, size = TYPE_SIZES.get(tensor.type, (1, 1))
    values = 1
    for dimension in tensor.shape:
        values *= dimension
    return -(-values // block) * size


class _Values:
    """The metadata of one architecture: `get("block_count")` for `llama.block_count`."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.architecture = str(values.get("general.architecture", ""))
        self._values = values

    def number(self, key: str, default: int = 0) -> int:
        value = self._values.get(f"{self.architecture}.{key}", default)
        if isinstance(value, list):
            value = max((item for item in value if isinstance(item, int)), default=default)
        return int(value) if isinstance(value, int | float) else default

    def by_layer(self, key: str, layer: int, default: int) -> int:
        value = self._values.get(f"{self.architecture}.{key}", default)
        if isinstance(value, list):
            value = value[layer] if layer < len(value) else default
        return int(value) if isinstance(value, int | float) else default

    def pattern(self) -> Any:
        found = self._values.get(f"{self.architecture}.attention.sliding_window_pattern")
        return _PATTERNS.get(self.architecture, 0) if found is None else found


def _shape(raw: Mapping[str, Any], tensors: list[TensorInfo]) -> ModelShape:
    values = _Values(raw)
    layers: dict[int, dict[str, TensorInfo]] = {}
    outside: dict[str, int] = {}
    for tensor in tensors:
        words = tensor.name.split(".", 2)
        if words[0] == "blk" and len(words) == 3 and words[1].isdigit():
            layers.setdefault(int(words[1]), {})[words[2]] = tensor
        else:
            outside[tensor.name] = tensor_bytes(tensor)
    embeddings = next((tensor for tensor in tensors if tensor.name == "token_embd.weight"), None)
    input_weights = outside.get("token_embd.weight", 0)
    return ModelShape(
        architecture=values.architecture,
        layers=tuple(_layer(values, at, layers[at]) for at in sorted(layers)),
        input_weights=input_weights,
        output_weights=sum(outside.values()) - input_weights,
        trained_context=values.number("context_length"),
        window=values.number("attention.sliding_window"),
        width=values.number("embedding_length"),
        heads=values.number("attention.head_count", 1),
        activations=_activations(values),
        vocabulary=embeddings.shape[-1] if embeddings is not None else 0,
        merges=_count(raw.get("tokenizer.ggml.merges")),
    )


def _count(array: Any) -> int:
    if isinstance(array, LongArray):
        return array.count
    return len(array) if isinstance(array, list) else 0


def _activations(values: _Values) -> int:
    """Fitted to what llama.cpp reserves: four rows of the feed-forward part, or six of a recurrent one."""
    experts = values.number("expert_used_count") * values.number("expert_feed_forward_length")
    feed_forward = max(values.number("feed_forward_length"), experts)
    return values.number("embedding_length") + max(4 * feed_forward, 6 * values.number("ssm.inner_size"))


def _layer(values: _Values, at: int, tensors: Mapping[str, TensorInfo]) -> _Layer:
    attends = any(name in tensors for name in _ATTENTION)
    recurs = any(name.startswith(_RECURRENT) for name in tensors)
    return _Layer(
        weights=sum(map(tensor_bytes, tensors.values())),
        kv_per_token=_kv_values(values, at, tensors) if attends and not _is_linear(tensors) else 0.0,
        window=_has_window(values, at),
        states=_state_bytes(values) if recurs else 0,
    )


def _is_linear(tensors: Mapping[str, TensorInfo]) -> bool:
    """Gated delta nets have a fused projection that is named like attention's."""
    return "attn_qkv.weight" in tensors and any(name.startswith("ssm_") for name in tensors)


def _kv_values(values: _Values, at: int, tensors: Mapping[str, TensorInfo]) -> float:
    """Cached values for each token: keys and values of all KV heads."""
    if "attn_kv_a_mqa.weight" in tensors and "attn_k_b.weight" in tensors:
        return values.number("attention.kv_lora_rank") + values.number("rope.dimension_count")
    heads = max(1, values.by_layer("attention.head_count", at, 1))
    kv_heads = values.by_layer("attention.head_count_kv", at, heads)
    size = values.number("embedding_length") // heads
    key, value = "attention.key_length", "attention.value_length"
    if _has_window(values, at):
        key_swa, value_swa = values.number(f"{key}_swa"), values.number(f"{value}_swa")
        return kv_heads * ((key_swa or values.number(key, size)) + (value_swa or values.number(value, size)))
    return kv_heads * (values.number(key, size) + values.number(value, size))


def _has_window(values: _Values, at: int) -> bool:
    if not values.number("attention.sliding_window"):
        return False
    pattern = values.pattern()
    if isinstance(pattern, list):
        return bool(pattern[at]) if at < len(pattern) else False
    return isinstance(pattern, int) and pattern > 0 and at % pattern < pattern - 1


def _state_bytes(values: _Values) -> int:
    """A recurrent layer's states, in single precision: the convolution's and the recurrence's."""
    width = values.number("embedding_length")
    if head := values.number("wkv.head_size"):
        return 4 * width * (values.number("token_shift_count", 2) + head)
    if cache := values.number("shortconv.l_cache"):
        return 4 * width * (cache - 1)
    inner, state = values.number("ssm.inner_size"), values.number("ssm.state_size")
    conv = max(0, values.number("ssm.conv_kernel") - 1) * (inner + 2 * values.number("ssm.group_count") * state)
    return 4 * (conv + inner * state)


# -- Asking -----------------------------------------------------------------------------------------


def forecast(shape: ModelShape, settings: ModelSettings, *, gpu: str | None = None) -> Forecast:
    """What loading will take. `gpu` names the device that layers go to; None keeps everything on the CPU."""
    context = settings.context or min(shape.trained_context or DEFAULT_CONTEXT, DEFAULT_CONTEXT)
    context = -(-context // _CELLS) * _CELLS
    layers = len(shape.layers)
    wanted = layers + 1 if settings.gpu_layers is None or settings.gpu_layers < 0 else settings.gpu_layers
    offloaded = min(wanted, layers + 1) if gpu else 0
    split = layers - min(layers, offloaded)
    settings = settings if offloaded else on_processor(settings, context, shape.heads)
    compute = _compute(shape, settings, context)
    here = _sum(shape, settings, context, shape.layers[:split])
    cpu = Memory(
        weights=here.weights + shape.input_weights + (0 if offloaded > layers else shape.output_weights),
        kv=here.kv,
        states=here.states,
        compute=compute if not offloaded else compute // 4,
        vocabulary=TOKEN_BYTES * shape.vocabulary + MERGE_BYTES * shape.merges + WORKING_BYTES,
    )
    if not gpu or not offloaded:
        return Forecast(context, {"CPU": cpu}, shape.trained_context)
    there = _sum(shape, settings, context, shape.layers[split:])
    output = (shape.output_weights or shape.input_weights) if offloaded > layers else 0
    card = Memory(there.weights + output, there.kv, there.states, compute)
    return Forecast(context, {"CPU": cpu, gpu: card}, shape.trained_context)


def _sum(shape: ModelShape, settings: ModelSettings, context: int, layers: tuple[_Layer, ...]) -> Memory:
    bytes_each = (KV_BYTES.get(settings.kv_type_k, 2.0) + KV_BYTES.get(settings.kv_type_v, 2.0)) / 2
    window = window_cells(shape.window, settings, context)
    kv = sum(layer.kv_per_token * bytes_each * (window if layer.window else context) for layer in layers)
    return Memory(sum(layer.weights for layer in layers), int(kv), sum(layer.states for layer in layers))


def window_cells(window: int, settings: ModelSettings, context: int) -> int:
    """Cells of a sliding-window layer's cache: its window and a micro-batch, rounded up."""
    if settings.swa_full or not window:
        return context
    return min(context, -(-min(context, window + min(settings.micro_batch, context)) // _CELLS) * _CELLS)


def _compute(shape: ModelShape, settings: ModelSettings, context: int) -> int:
    """The largest moment of a micro-batch: its activations, its attention mask, one row of logits."""
    tokens = min(settings.micro_batch, context)
    attends = any(layer.kv_per_token for layer in shape.layers)
    plain = settings.flash_attention == "off"  # then masks are in single precision, and scores are written down
    cells = context if attends else 0
    if any(layer.window for layer in shape.layers):
        cells += window_cells(shape.window, settings, context)
    mask = (4 if plain else 2) * tokens * cells
    scores = 4 * tokens * context * shape.heads if plain and attends else 0
    return mask + 4 * tokens * shape.activations + scores + 4 * shape.vocabulary
