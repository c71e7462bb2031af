"""Tiny random models, one for each kind of memory: real files that llama.cpp loads in milliseconds.

Their vocabulary is the first thousand tokens of GPT-2's, with ChatML's control tokens and a few
markers added, so that templates and tokenising mean something; their weights are noise with a fixed seed.
A `Shape` makes larger ones, for measuring.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import gguf
import numpy as np
from numpy.typing import NDArray

from support import assets

Kind = Literal["attention", "sliding", "recurrent", "hybrid"]
KINDS: tuple[Kind, ...] = ("attention", "sliding", "recurrent", "hybrid")

WINDOW = 32
"""Tokens that the sliding-window layers look back."""
CONTROL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKERS = ("<think>", "</think>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>")
CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

_ORDINARY = 1000
_VERSION = 1
_CONTEXT = 4096


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a model is."""

    width: int = 64
    inner: int = 128
    heads: int = 4
    kv_heads: int = 2
    feed: int = 96
    state: int = 8
    conv: int = 4
    step: int = 4
    times: int = 1
    """How often the kind's layers are repeated."""
    fillers: int = 0
    """Tokens of the vocabulary that no text gives."""
    context: int = _CONTEXT
    window: int = WINDOW
    quantised: bool = False
    """Matrices as Q8_0."""
    suppressed: tuple[int, ...] = ()
    """Tokens that the file forbids."""

    @property
    def head(self) -> int:
        return self.width // self.heads


TINY = Shape()


def tiny_model(kind: Kind, *, template: str | None = CHATML, seed: int = 0, shape: Shape = TINY) -> Path:
    """A model file with this kind of memory, about half a megabyte; made once and kept."""
    facts = [_VERSION, kind, template, seed] + ([asdict(shape)] if shape != TINY else [])
    mark = hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:12]
    folder = assets.folder() / "tiny"
    folder.mkdir(exist_ok=True)
    path = folder / f"{kind}-{mark}.gguf"
    if not path.exists():
        scratch = path.with_suffix(".part")
        write_model(scratch, kind, template=template, seed=seed, shape=shape)
        scratch.rename(path)
    return path


def write_model(path: Path, kind: Kind, *, template: str | None = CHATML, seed: int = 0, shape: Shape = TINY) -> None:
    plan = _PLANS[kind]
    writer = gguf.GGUFWriter(path, plan.architecture)
    writer.add_name(f"Tiny {kind}")
    writer.add_context_length(shape.context)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(plan.layers * shape.times)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    plan.settings(writer, shape)
    _write_vocabulary(writer, template, shape.fillers)
    if shape.suppressed:
        writer.add_array("tokenizer.ggml.suppress_tokens", shape.suppressed)
    noise = _Noise(np.random.default_rng([seed, KINDS.index(kind)]), shape)
    tokens = _ORDINARY + len(CONTROL) + len(MARKERS) + shape.fillers
    _add(writer, shape, "token_embd.weight", noise.weight(tokens, shape.width).astype(np.float16))
    writer.add_tensor("output_norm.weight", noise.scale(shape.width))
    for layer in range(plan.layers * shape.times):
        for name, tensor in plan.tensors(layer % plan.layers, noise).items():
            _add(writer, shape, f"blk.{layer}.{name}", tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _add(writer: gguf.GGUFWriter, shape: Shape, name: str, tensor: NDArray[Any]) -> None:
    quantise = shape.quantised and tensor.ndim == 2 and tensor.shape[-1] % 32 == 0 and not name.endswith("ssm_a")
    if quantise and "conv" not in name:
        writer.add_tensor(name, gguf.quantize(tensor, gguf.GGMLQuantizationType.Q8_0), raw_dtype=_Q8)
    else:
        writer.add_tensor(name, tensor)


_Q8 = gguf.GGMLQuantizationType.Q8_0


@dataclass(frozen=True, slots=True)
class _Noise:
    random: np.random.Generator
    of: Shape

    def weight(self, *shape: int) -> NDArray[np.float32]:
        values: NDArray[np.float32] = (self.random.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32)
        return values

    def scale(self, size: int) -> NDArray[np.float32]:
        return (1 + 0.1 * self.random.standard_normal(size)).astype(np.float32)

    def bias(self, size: int) -> NDArray[np.float32]:
        return (0.1 * self.random.standard_normal(size)).astype(np.float32)


Tensors = dict[str, NDArray[Any]]


def _feed_forward(noise: _Noise) -> Tensors:
    return {
        "ffn_norm.weight": noise.scale(noise.of.width),
        "ffn_gate.weight": noise.weight(noise.of.feed, noise.of.width),
        "ffn_up.weight": noise.weight(noise.of.feed, noise.of.width),
        "ffn_down.weight": noise.weight(noise.of.width, noise.of.feed),
    }


def _attention(noise: _Noise) -> Tensors:
    return {
        "attn_norm.weight": noise.scale(noise.of.width),
        "attn_q.weight": noise.weight(noise.of.width, noise.of.width),
        "attn_k.weight": noise.weight(noise.of.kv_heads * noise.of.head, noise.of.width),
        "attn_v.weight": noise.weight(noise.of.kv_heads * noise.of.head, noise.of.width),
        "attn_output.weight": noise.weight(noise.of.width, noise.of.width),
    }


def _mamba(noise: _Noise) -> Tensors:
    """A layer that remembers: `ssm_a` is small, so that the state fades slowly."""
    decay = -np.tile(np.linspace(0.02, 0.5, noise.of.state, dtype=np.float32), (noise.of.inner, 1))
    return {
        "attn_norm.weight": noise.scale(noise.of.width),
        "ssm_in.weight": noise.weight(2 * noise.of.inner, noise.of.width),
        "ssm_conv1d.weight": noise.weight(noise.of.inner, noise.of.conv),
        "ssm_conv1d.bias": noise.bias(noise.of.inner),
        "ssm_x.weight": noise.weight(noise.of.step + 2 * noise.of.state, noise.of.inner),
        "ssm_dt.weight": noise.weight(noise.of.inner, noise.of.step),
        "ssm_dt.bias": noise.bias(noise.of.inner),
        "ssm_a": decay,
        "ssm_d": noise.scale(noise.of.inner),
        "ssm_out.weight": noise.weight(noise.of.width, noise.of.inner),
    }


def _llama_layer(_layer: int, noise: _Noise) -> Tensors:
    return _attention(noise) | _feed_forward(noise)


def _gemma_layer(_layer: int, noise: _Noise) -> Tensors:
    more = {
        "post_attention_norm.weight": noise.scale(noise.of.width),
        "attn_k_norm.weight": noise.scale(noise.of.head),
        "attn_q_norm.weight": noise.scale(noise.of.head),
        "post_ffw_norm.weight": noise.scale(noise.of.width),
    }
    return _attention(noise) | _feed_forward(noise) | more


def _mamba_layer(_layer: int, noise: _Noise) -> Tensors:
    return _mamba(noise)


def _jamba_layer(layer: int, noise: _Noise) -> Tensors:
    if _JAMBA_ATTENDS[layer]:
        return _attention(noise) | _feed_forward(noise)
    norms = {
        "ssm_dt_norm.weight": noise.scale(noise.of.step),
        "ssm_b_norm.weight": noise.scale(noise.of.state),
        "ssm_c_norm.weight": noise.scale(noise.of.state),
    }
    return _mamba(noise) | norms | _feed_forward(noise)


_JAMBA_ATTENDS = (0, 1, 0)


def _attention_settings(writer: gguf.GGUFWriter, shape: Shape) -> None:
    writer.add_feed_forward_length(shape.feed)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.kv_heads)
    writer.add_rope_dimension_count(shape.head)


def _sliding_settings(writer: gguf.GGUFWriter, shape: Shape) -> None:
    _attention_settings(writer, shape)
    writer.add_key_length(shape.head)
    writer.add_value_length(shape.head)
    writer.add_sliding_window(shape.window)
    writer.add_sliding_window_pattern([True, False, True] * shape.times)


def _recurrent_settings(writer: gguf.GGUFWriter, shape: Shape) -> None:
    writer.add_feed_forward_length(0)
    writer.add_head_count(0)
    _state_settings(writer, shape)


def _hybrid_settings(writer: gguf.GGUFWriter, shape: Shape) -> None:
    writer.add_feed_forward_length(shape.feed)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv([attends * shape.kv_heads for attends in _JAMBA_ATTENDS * shape.times])
    _state_settings(writer, shape)


def _state_settings(writer: gguf.GGUFWriter, shape: Shape) -> None:
    writer.add_ssm_conv_kernel(shape.conv)
    writer.add_ssm_inner_size(shape.inner)
    writer.add_ssm_state_size(shape.state)
    writer.add_ssm_time_step_rank(shape.step)


@dataclass(frozen=True, slots=True)
class _Plan:
    architecture: str
    layers: int
    settings: Callable[[gguf.GGUFWriter, Shape], None]
    tensors: Callable[[int, _Noise], Tensors]


_PLANS: Mapping[Kind, _Plan] = {
    "attention": _Plan("llama", 2, _attention_settings, _llama_layer),
    "sliding": _Plan("gemma3", 3, _sliding_settings, _gemma_layer),
    "recurrent": _Plan("mamba", 2, _recurrent_settings, _mamba_layer),
    "hybrid": _Plan("jamba", 3, _hybrid_settings, _jamba_layer),
}


def _write_vocabulary(writer: gguf.GGUFWriter, template: str | None, fillers: int) -> None:
    ordinary, merges = _gpt2()
    tokens = [*ordinary, *CONTROL, *MARKERS, *(f"~{at}~" for at in range(fillers))]
    types = [gguf.TokenType.NORMAL] * len(ordinary)
    types += [gguf.TokenType.CONTROL] * len(CONTROL) + [gguf.TokenType.USER_DEFINED] * len(MARKERS)
    types += [gguf.TokenType.NORMAL] * fillers
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    writer.add_token_merges(merges)
    writer.add_bos_token_id(tokens.index("<|endoftext|>"))
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_add_bos_token(False)
    if template is not None:
        writer.add_chat_template(template)


@cache
def _gpt2() -> tuple[list[str], list[str]]:
    """The first tokens of GPT-2 and the merges that make them."""
    kept = assets.folder() / f"gpt-2-{_ORDINARY}.json"
    if not kept.exists():
        fields = gguf.GGUFReader(assets.vocabulary("gpt-2")).fields
        tokens = fields["tokenizer.ggml.tokens"].contents(slice(0, _ORDINARY))
        merges = fields["tokenizer.ggml.merges"].contents(slice(0, _ORDINARY - 256))
        kept.write_text(json.dumps([tokens, merges]), encoding="utf-8")
    tokens, merges = json.loads(kept.read_text(encoding="utf-8"))
    return tokens, merges
