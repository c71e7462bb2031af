"""Other forms of a tiny model: cut into parts, and an adapter for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np


def split_model(source: Path, folder: Path, *, tensors: int = 8) -> list[Path]:
    """The model in parts of at most so many tensors, named as llama.cpp names them."""
    reader = gguf.GGUFReader(source)
    parts = -(-len(reader.tensors) // tensors)
    paths = []
    for number in range(parts):
        path = folder / f"split-{number + 1:05d}-of-{parts:05d}.gguf"
        writer = gguf.GGUFWriter(path, _text(reader, "general.architecture"))
        if number == 0:
            _copy_fields(reader, writer)
        writer.add_uint16("split.no", number)
        writer.add_uint16("split.count", parts)
        writer.add_int32("split.tensors.count", len(reader.tensors))
        for tensor in reader.tensors[number * tensors : (number + 1) * tensors]:
            writer.add_tensor(tensor.name, tensor.data, raw_dtype=tensor.tensor_type)
        _write(writer)
        paths.append(path)
    return paths


def lora_for(
    source: Path, path: Path, *, strength: float = 3.0, alpha: float = 2.0, alpha_type: Any = gguf.GGUFValueType.FLOAT32
) -> Path:
    """An adapter of rank 2 for the first layer's queries and feed-forward part."""
    reader = gguf.GGUFReader(source)
    writer = gguf.GGUFWriter(path, _text(reader, "general.architecture"))
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_key_value("adapter.lora.alpha", alpha, alpha_type)
    random = np.random.default_rng(1)
    for tensor in reader.tensors:
        if tensor.name in ("blk.0.attn_q.weight", "blk.0.ffn_up.weight"):
            rows_in, rows_out = (int(size) for size in tensor.shape)
            a = random.normal(0, strength, (2, rows_in)).astype(np.float32)
            b = random.normal(0, strength, (rows_out, 2)).astype(np.float32)
            writer.add_tensor(f"{tensor.name}.lora_a", a)
            writer.add_tensor(f"{tensor.name}.lora_b", b)
    _write(writer)
    return path


def _text(reader: Any, key: str) -> str:
    return bytes(reader.fields[key].parts[-1]).decode()


def _copy_fields(reader: Any, writer: Any) -> None:
    for name, field in reader.fields.items():
        if name.startswith("GGUF.") or name == "general.architecture":
            continue
        inner = field.types[1] if len(field.types) > 1 else None
        writer.add_key_value(name, field.contents(), field.types[0], inner)


def _write(writer: Any) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
