"""Reads what a GGUF file says about itself, without its weights and without trusting it.

Only the head of the file is looked at: the key/value pairs, through a memory map. Long arrays (a vocabulary has
150,000 strings) are stepped over and remembered by their place. Source: the GGUF specification of the ggml project.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

MAGIC = b"GGUF"
PAIR_LIMIT = 100_000
KEY_LIMIT = 65_535
TEXT_LIMIT = 16_000_000
SHORT_ARRAY = 64
"""Arrays up to this length are read; longer ones are only located."""
NESTING_LIMIT = 4

_STRING, _ARRAY = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


class GgufError(Exception):
    """The file is no GGUF that can be read. The message says what is wrong with it and what to do."""


@dataclass(frozen=True, slots=True)
class LongArray:
    """A metadata array that was not read: `count` items of a GGUF type, at a byte offset of the file."""

    item_type: int
    count: int
    offset: int


@dataclass(frozen=True, slots=True)
class GgufMetadata:
    path: Path
    version: int
    values: Mapping[str, Any]
    """Keys to values: numbers, booleans, strings, lists, and `LongArray` for what is long."""
    tensor_count: int
    texts: Mapping[str, str] = field(default_factory=dict)
    """`bos` and `eos` as the vocabulary spells them, where it has them."""

    @property
    def chat_templates(self) -> dict[str, str]:
        """Every chat template by its variant's name; `default` is the one without a name."""
        prefix = "tokenizer.chat_template"
        found: dict[str, str] = {}
        for key, value in self.values.items():
            if isinstance(value, str) and (key == prefix or key.startswith(prefix + ".")):
                found[key[len(prefix) + 1 :] or "default"] = value
        return found

    @property
    def name(self) -> str:
        value = self.values.get("general.name")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """One entry of the tensor table."""

    name: str
    shape: tuple[int, ...]
    """Innermost dimension first, as the file writes it."""
    type: int
    offset: int
    """Bytes from the start of the data."""


@dataclass(frozen=True, slots=True)
class TensorTable:
    """Where a file's weights are."""

    metadata: GgufMetadata
    tensors: tuple[TensorInfo, ...]
    data_start: int
    """Byte of the file where the data begins."""
    file_bytes: int


def read_gguf(path: Path) -> GgufMetadata:
    """The metadata of a GGUF file. Takes milliseconds, whatever the size of the weights.

    Raises `GgufError` with a sentence for what is no GGUF, is cut short, or contradicts itself.
    """
    return _with_head(path, lambda head: head.read())


def read_tensor_table(path: Path) -> TensorTable:
    """The metadata and the tensor table. Raises `GgufError` with a sentence."""
    return _with_head(path, lambda head: head.read_table())


_Result = TypeVar("_Result")


def _with_head(path: Path, read: Callable[[_Head], _Result]) -> _Result:
    try:
        with path.open("rb") as file:
            if file.seek(0, 2) < 24:
                raise GgufError(f"{path.name} is too short to be a GGUF file. Choose another file or fetch it again.")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return read(_Head(path, data))
    except IsADirectoryError as error:
        raise GgufError(f"{path.name} is a folder, not a GGUF file.") from error
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise GgufError(f"{path.name} can't be read: {why}.") from error


class _Head:
    def __init__(self, path: Path, data: mmap.mmap) -> None:
        self.path = path
        self.data = data
        self.at = 0
        self.end = 0
        self.order = "<"

    def read(self) -> GgufMetadata:
        version = self.version()
        tensors, pairs = self.number("Q"), self.number("Q")
        if pairs > PAIR_LIMIT:
            raise self.broken(f"it claims {pairs:,} metadata entries")
        values: dict[str, Any] = {}
        for _ in range(pairs):
            key = self.string(KEY_LIMIT)
            value = self.value(self.number("I"), 0)
            if key in values:
                raise self.broken(f"the key {key[:80]!r} appears twice")
            values[key] = value
        self.end = self.at
        return GgufMetadata(self.path, version, values, tensors, self.special_texts(values))

    def read_table(self) -> TensorTable:
        metadata = self.read()
        self.at = self.end
        if metadata.tensor_count > PAIR_LIMIT:
            raise self.broken(f"it claims {metadata.tensor_count:,} tensors")
        tensors = tuple(self.tensor() for _ in range(metadata.tensor_count))
        alignment = metadata.values.get("general.alignment", 32)
        if not isinstance(alignment, int) or alignment < 1 or alignment & (alignment - 1):
            raise self.broken(f"its alignment is {alignment!r}")
        start = -(-self.at // alignment) * alignment
        return TensorTable(metadata, tensors, start, len(self.data))

    def tensor(self) -> TensorInfo:
        name = self.string(KEY_LIMIT)
        dimensions = self.number("I")
        if not 1 <= dimensions <= 4:
            raise self.broken(f"the tensor {name[:80]!r} has {dimensions:,} dimensions")
        shape = tuple(self.number("Q") for _ in range(dimensions))
        return TensorInfo(name, shape, self.number("I"), self.number("Q"))

    def version(self) -> int:
        """2 or 3; a file from a big-endian machine has its bytes the other way round."""
        if self.data[:4] != MAGIC:
            raise GgufError(f"{self.path.name} is no GGUF file: it doesn't begin with the letters GGUF.")
        self.at = 4
        version: int = self.number("I")
        if version & 0xFFFF == 0 and version:
            self.order, self.at = ">", 4
            version = self.number("I")
        if version not in (2, 3):
            raise GgufError(
                f"{self.path.name} is GGUF version {version}; versions 2 and 3 can be read. Convert the model again."
            )
        return version

    def number(self, code: str) -> Any:
        size = struct.calcsize(f"={code}")
        if self.at + size > len(self.data):
            raise self.broken("it ends in the middle of its metadata")
        (value,) = struct.unpack_from(f"{self.order}{code}", self.data, self.at)
        self.at += size
        return value

    def string(self, limit: int = TEXT_LIMIT) -> str:
        length = self.number("Q")
        if length > len(self.data) - self.at:
            raise self.broken("it ends in the middle of a text")
        if length > limit:
            raise self.broken(f"a text in its metadata is {length:,} bytes long")
        text = self.data[self.at : self.at + length].decode("utf-8", "replace")
        self.at += length
        return text

    def value(self, kind: int, depth: int) -> Any:
        if kind == _STRING:
            return self.string()
        if kind == _ARRAY:
            return self.array(depth)
        if kind not in _SCALARS:
            raise self.broken(f"it has a value of the unknown type {kind}")
        return self.number(_SCALARS[kind])

    def array(self, depth: int) -> Any:
        kind, count = self.number("I"), self.number("Q")
        if depth >= NESTING_LIMIT:
            raise self.broken("its arrays are nested too deeply")
        if count <= SHORT_ARRAY:
            return [self.value(kind, depth + 1) for _ in range(count)]
        located = LongArray(kind, count, self.at)
        if kind in _SCALARS:
            self.skip(count * struct.calcsize(f"={_SCALARS[kind]}"))
        elif kind == _STRING:
            self.skip_strings(count)
        else:
            for _ in range(self.plausible(count, 12)):
                self.value(kind, depth + 1)
        return located

    def skip(self, size: int) -> None:
        if size > len(self.data) - self.at:
            raise self.broken("it ends in the middle of an array")
        self.at += size

    def plausible(self, count: int, least: int) -> int:
        """The count, when so many items of at least that many bytes can still follow."""
        if count * least > len(self.data) - self.at:
            raise self.broken("it ends in the middle of an array")
        return count

    def skip_strings(self, count: int) -> None:
        self.plausible(count, 8)
        unpack, at, end, data = struct.Struct(f"{self.order}Q").unpack_from, self.at, len(self.data), self.data
        for _ in range(count):
            if at + 8 > end:
                raise self.broken("it ends in the middle of an array")
            at += 8 + unpack(data, at)[0]
        self.at = at
        self.skip(0)

    def special_texts(self, values: Mapping[str, Any]) -> dict[str, str]:
        """The texts of BOS and EOS, found in the vocabulary by their ids."""
        tokens = values.get("tokenizer.ggml.tokens")
        ids = {which: values.get(f"tokenizer.ggml.{which}_token_id") for which in ("bos", "eos")}
        if isinstance(tokens, list):
            return {w: tokens[i] for w, i in ids.items() if isinstance(i, int) and 0 <= i < len(tokens)}
        if not isinstance(tokens, LongArray) or tokens.item_type != _STRING:
            return {}
        wanted = {i for i in ids.values() if isinstance(i, int) and 0 <= i < tokens.count}
        found = dict(self.strings_at(tokens, wanted))
        return {which: found[i] for which, i in ids.items() if i in found}

    def strings_at(self, array: LongArray, wanted: set[int]) -> Iterator[tuple[int, str]]:
        self.at = array.offset
        for index in range(max(wanted, default=-1) + 1):
            if index in wanted:
                yield index, self.string()
            else:
                self.skip(self.number("Q"))

    def broken(self, why: str) -> GgufError:
        return GgufError(f"{self.path.name} is a damaged GGUF file: {why}. Fetch it again.")
