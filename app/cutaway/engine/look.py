"""Looks at a model file before anything is loaded: what it is, whether it is whole, and what is wrong when it is not."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path

from cutaway.engine.backend import LoadError
from cutaway.engine.gguf_file import GgufError, TensorTable, read_tensor_table
from cutaway.engine.memory import TYPE_SIZES, tensor_bytes
from cutaway.engine.split import first_part, missing_parts, part_paths

_OTHER_KINDS = {
    "adapter": "a LoRA adapter, not a whole model. Open its base model and add it there",
    "mmproj": "the image part of a model, not the model itself. Open the file beside it",
    "imatrix": "a statistics file for quantising, not a model. Choose another file",
}


def look(path: Path) -> Path:
    """The file to load: the first part of a split model. Raises LoadError with a sentence."""
    _check_there(path)
    missing = missing_parts(path)
    if missing:
        raise LoadError(f"{path.name} is one part of a split model, and {_listed(missing)} missing. Fetch all parts.")
    for part in part_paths(path):
        try:
            table = read_tensor_table(part)
        except GgufError as error:
            raise LoadError(str(error)) from error
        _check_kind(part, table)
        _check_name(part, table)
        _check_numbers(part, table)
        _check_whole(part, table)
    return first_part(path)


def look_adapter(path: Path) -> None:
    """Raises LoadError with a sentence for a file that is no whole LoRA adapter."""
    there = False
    with contextlib.suppress(OSError):
        there = path.is_file()
    if not there:
        raise LoadError(f"The LoRA adapter {path} is not there. Choose it again or load without it.")
    _check_there(path)
    try:
        table = read_tensor_table(path)
    except GgufError as error:
        raise LoadError(str(error)) from error
    if table.metadata.values.get("general.type") != "adapter" or not table.tensors:
        raise LoadError(f"{path.name} is no LoRA adapter but another kind of file. Choose an adapter in GGUF form.")
    _check_numbers(path, table)
    _check_whole(path, table)


def _listed(names: list[str]) -> str:
    return f"{names[0]} is" if len(names) == 1 else f"{len(names)} of its parts are"


def _check_there(path: Path) -> None:
    try:
        if path.is_dir():
            raise LoadError(f"{path} is a folder. Choose a .gguf file in it.")
        if not path.exists():
            raise LoadError(f"There is no file {path}. It may have been moved: choose it again.")
        if not path.is_file():  # opening a pipe would wait for someone to write into it
            raise LoadError(f"{path} is no ordinary file. Choose a .gguf file.")
        with path.open("rb"):
            pass
    except OSError as error:
        raise LoadError(f"{path} cannot be read: {error.strerror or error}.") from error


def _check_kind(path: Path, table: TensorTable) -> None:
    values = table.metadata.values
    kind = values.get("general.type")
    if isinstance(kind, str) and kind in _OTHER_KINDS:
        raise LoadError(f"{path.name} is {_OTHER_KINDS[kind]}.")
    if not table.tensors and len(part_paths(path)) == 1:
        raise LoadError(f"{path.name} holds a vocabulary but no weights, so it cannot answer. Choose a whole model.")


def _check_name(path: Path, table: TensorTable) -> None:
    """llama.cpp finds the other parts by the first one's name."""
    parts = table.metadata.values.get("split.count", 0)
    if isinstance(parts, int) and parts > 1 and len(part_paths(path)) != parts:
        raise LoadError(
            f"{path.name} is one part of a split model of {parts:,} parts, under another name. Give all of them their "
            f"names again, like NAME-00001-of-{parts:05d}.gguf, and open the first."
        )


def _check_numbers(path: Path, table: TensorTable) -> None:
    """Some numbers are only looked at while computing, where llama.cpp ends the process over them."""
    for key, value in table.metadata.values.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise LoadError(f"{path.name} is damaged: its {key[:60]} is no finite number. Fetch it again.")
        if key.endswith("_epsilon") and isinstance(value, float) and not 0 <= value < 1:
            raise LoadError(f"{path.name} is damaged: its {key[:60]} is {value:g}. Fetch it again.")


def _check_whole(path: Path, table: TensorTable) -> None:
    for tensor in table.tensors:
        if 0 in tensor.shape:
            raise LoadError(f"{path.name} is damaged: its tensor {tensor.name[:60]!r} is empty. Fetch it again.")
        size = tensor_bytes(tensor) if tensor.type in TYPE_SIZES else 0
        if table.data_start + tensor.offset + size > table.file_bytes:
            missing = table.data_start + tensor.offset + size - table.file_bytes
            raise LoadError(
                f"{path.name} is cut short: at least {missing:,} bytes are missing at its end, "
                f"where {tensor.name[:60]!r} should be. Fetch it again."
            )
