"""Tiny random models, one for each kind of memory: real files that llama.cpp loads in milliseconds.

Their vocabulary is the first thousand tokens of GPT-2's, with ChatML's control tokens and a few
markers added, so that templates and tokenising mean something; their weights are noise with a fixed seed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
_WIDTH = 64
_INNER = 128
_HEADS = 4
_KV_HEADS = 2
_HEAD = _WIDTH // _HEADS
_FEED = 96
_STATE = 8
_CONV = 4
_STEP = 4
_CONTEXT = 4096


def tiny_model(kind: Kind, *, template: str | None = CHATML, seed: int = 0) -> Path:
    """A model file with this kind of memory, about half a megabyte; made once and kept."""
    mark = hashlib.sha256(json.dumps([_VERSION, kind, template, seed]).encode()).hexdigest()[:12]
    folder = assets.folder() / "tiny"
    folder.mkdir(exist_ok=True)
    path = folder / f"{kind}-{mark}.gguf"
    if not path.exists():
        scratch = path.with_suffix(".part")
        write_model(scratch, kind, template=template, seed=seed)
        scratch.rename(path)
    return path


def write_model(path: Path, kind: Kind, *, template: str | None = CHATML, seed: int = 0) -> None:
    plan = _PLANS[kind]
    writer = gguf.GGUFWriter(path, plan.architecture)
    writer.add_name(f"Tiny {kind}")
    writer.add_context_length(_CONTEXT)
    writer.add_embedding_length(_WIDTH)
    writer.add_block_count(plan.layers)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    plan.settings(writer)
    _write_vocabulary(writer, template)
    noise = _Noise(np.random.default_rng([seed, KINDS.index(kind)]))
    tokens = _ORDINARY + len(CONTROL) + len(MARKERS)
    writer.add_tensor("token_embd.weight", noise.weight(tokens, _WIDTH).astype(np.float16))
    writer.add_tensor("output_norm.weight", noise.scale(_WIDTH))
    for layer in range(plan.layers):
        for name, tensor in plan.tensors(layer, noise).items():
            writer.add_tensor(f"blk.{layer}.{name}", tensor)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@dataclass(frozen=True, slots=True)
class _Noise:
    random: np.random.Generator

    def weight(self, *shape: int) -> NDArray[np.float32]:
        return (self.random.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32)

    def scale(self, size: int) -> NDArray[np.float32]:
        return (1 + 0.1 * self.random.standard_normal(size)).astype(np.float32)

    def bias(self, size: int) -> NDArray[np.float32]:
        return (0.1 * self.random.standard_normal(size)).astype(np.float32)


Tensors = dict[str, NDArray[Any]]


def _feed_forward(noise: _Noise) -> Tensors:
    return {
        "ffn_norm.weight": noise.scale(_WIDTH),
        "ffn_gate.weight": noise.weight(_FEED, _WIDTH),
        "ffn_up.weight": noise.weight(_FEED, _WIDTH),
        "ffn_down.weight": noise.weight(_WIDTH, _FEED),
    }


def _attention(noise: _Noise) -> Tensors:
    return {
        "attn_norm.weight": noise.scale(_WIDTH),
        "attn_q.weight": noise.weight(_WIDTH, _WIDTH),
        "attn_k.weight": noise.weight(_KV_HEADS * _HEAD, _WIDTH),
        "attn_v.weight": noise.weight(_KV_HEADS * _HEAD, _WIDTH),
        "attn_output.weight": noise.weight(_WIDTH, _WIDTH),
    }


def _mamba(noise: _Noise) -> Tensors:
    """A layer that remembers: `ssm_a` is small, so that the state fades slowly."""
    decay = -np.tile(np.linspace(0.02, 0.5, _STATE, dtype=np.float32), (_INNER, 1))
    return {
        "attn_norm.weight": noise.scale(_WIDTH),
        "ssm_in.weight": noise.weight(2 * _INNER, _WIDTH),
        "ssm_conv1d.weight": noise.weight(_INNER, _CONV),
        "ssm_conv1d.bias": noise.bias(_INNER),
        "ssm_x.weight": noise.weight(_STEP + 2 * _STATE, _INNER),
        "ssm_dt.weight": noise.weight(_INNER, _STEP),
        "ssm_dt.bias": noise.bias(_INNER),
        "ssm_a": decay,
        "ssm_d": noise.scale(_INNER),
        "ssm_out.weight": noise.weight(_WIDTH, _INNER),
    }


def _llama_layer(_layer: int, noise: _Noise) -> Tensors:
    return _attention(noise) | _feed_forward(noise)


def _gemma_layer(_layer: int, noise: _Noise) -> Tensors:
    more = {
        "post_attention_norm.weight": noise.scale(_WIDTH),
        "attn_k_norm.weight": noise.scale(_HEAD),
        "attn_q_norm.weight": noise.scale(_HEAD),
        "post_ffw_norm.weight": noise.scale(_WIDTH),
    }
    return _attention(noise) | _feed_forward(noise) | more


def _mamba_layer(_layer: int, noise: _Noise) -> Tensors:
    return _mamba(noise)


def _jamba_layer(layer: int, noise: _Noise) -> Tensors:
    if _JAMBA_KV_HEADS[layer]:
        return _attention(noise) | _feed_forward(noise)
    norms = {
        "ssm_dt_norm.weight": noise.scale(_STEP),
        "ssm_b_norm.weight": noise.scale(_STATE),
        "ssm_c_norm.weight": noise.scale(_STATE),
    }
    return _mamba(noise) | norms | _feed_forward(noise)


_JAMBA_KV_HEADS = (0, _KV_HEADS, 0)


def _attention_settings(writer: gguf.GGUFWriter) -> None:
    writer.add_feed_forward_length(_FEED)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(_KV_HEADS)
    writer.add_rope_dimension_count(_HEAD)


def _sliding_settings(writer: gguf.GGUFWriter) -> None:
    _attention_settings(writer)
    writer.add_key_length(_HEAD)
    writer.add_value_length(_HEAD)
    writer.add_sliding_window(WINDOW)
    writer.add_sliding_window_pattern([True, False, True])


def _recurrent_settings(writer: gguf.GGUFWriter) -> None:
    writer.add_feed_forward_length(0)
    writer.add_head_count(0)
    _state_settings(writer)


def _hybrid_settings(writer: gguf.GGUFWriter) -> None:
    writer.add_feed_forward_length(_FEED)
    writer.add_head_count(_HEADS)
    writer.add_head_count_kv(list(_JAMBA_KV_HEADS))
    _state_settings(writer)


def _state_settings(writer: gguf.GGUFWriter) -> None:
    writer.add_ssm_conv_kernel(_CONV)
    writer.add_ssm_inner_size(_INNER)
    writer.add_ssm_state_size(_STATE)
    writer.add_ssm_time_step_rank(_STEP)


@dataclass(frozen=True, slots=True)
class _Plan:
    architecture: str
    layers: int
    settings: Callable[[gguf.GGUFWriter], None]
    tensors: Callable[[int, _Noise], Tensors]


_PLANS: Mapping[Kind, _Plan] = {
    "attention": _Plan("llama", 2, _attention_settings, _llama_layer),
    "sliding": _Plan("gemma3", 3, _sliding_settings, _gemma_layer),
    "recurrent": _Plan("mamba", 2, _recurrent_settings, _mamba_layer),
    "hybrid": _Plan("jamba", 3, _hybrid_settings, _jamba_layer),
}


def _write_vocabulary(writer: gguf.GGUFWriter, template: str | None) -> None:
    ordinary, merges = _gpt2()
    tokens = [*ordinary, *CONTROL, *MARKERS]
    types = [gguf.TokenType.NORMAL] * len(ordinary)
    types += [gguf.TokenType.CONTROL] * len(CONTROL) + [gguf.TokenType.USER_DEFINED] * len(MARKERS)
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
