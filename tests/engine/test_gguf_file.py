"""The head of a GGUF: read in milliseconds, and never trusted."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cutaway.engine.gguf_file import GgufError, LongArray, read_gguf
from support import assets


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def entry(key: str, kind: int, value: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + value


def head(*entries: bytes, version: int = 3, count: int | None = None) -> bytes:
    pairs = len(entries) if count is None else count
    return b"GGUF" + struct.pack("<IQQ", version, 0, pairs) + b"".join(entries)


def strings(*values: str) -> bytes:
    return struct.pack("<IQ", 8, len(values)) + b"".join(map(text, values))


def write(folder: Path, data: bytes) -> Path:
    path = folder / "model.gguf"
    path.write_bytes(data.ljust(32, b"\0"))
    return path


def test_templates_by_variant_and_special_tokens(tmp_path: Path) -> None:
    tokens = [f"t{i}" for i in range(100)]
    data = head(
        entry("general.name", 8, text("Small")),
        entry("tokenizer.ggml.tokens", 9, strings(*tokens)),
        entry("tokenizer.ggml.bos_token_id", 4, struct.pack("<I", 3)),
        entry("tokenizer.ggml.eos_token_id", 4, struct.pack("<I", 99)),
        entry("tokenizer.chat_template", 8, text("D")),
        entry("tokenizer.chat_template.tool_use", 8, text("T")),
    )
    metadata = read_gguf(write(tmp_path, data))
    assert metadata.name == "Small"
    assert metadata.chat_templates == {"default": "D", "tool_use": "T"}
    assert metadata.texts == {"bos": "t3", "eos": "t99"}
    assert metadata.values["tokenizer.ggml.tokens"] == LongArray(
        8, 100, metadata.values["tokenizer.ggml.tokens"].offset
    )


def test_real_files() -> None:
    assert set(read_gguf(assets.vocabulary("command-r")).chat_templates) == {"default", "tool_use", "rag"}
    assert read_gguf(assets.vocabulary("qwen2")).texts["eos"] == "<|endoftext|>"


def test_a_big_endian_file(tmp_path: Path) -> None:
    name = b"general.name"
    data = b"GGUF" + struct.pack(">IQQ", 3, 0, 1) + struct.pack(">Q", len(name)) + name
    data += struct.pack(">IQ", 8, 3) + b"Big"
    assert read_gguf(write(tmp_path, data)).name == "Big"


BROKEN = {
    "no GGUF": b"PK\x03\x04" + b"\0" * 40,
    "empty": b"",
    "old version": head(version=1),
    "new version": head(version=9),
    "more entries than bytes": head(count=50_000),
    "absurd number of entries": head(count=2**63),
    "text beyond the end": head(text("a") + struct.pack("<IQ", 8, 2**40)),
    "array beyond the end": head(text("a") + struct.pack("<IIQ", 9, 4, 2**60)),
    "array of strings beyond the end": head(text("a") + struct.pack("<IIQ", 9, 8, 2**50)),
    "unknown type": head(entry("a", 77, b"\0" * 8)),
    "the same key twice": head(entry("a", 7, b"\1"), entry("a", 7, b"\1")),
    "arrays in arrays": head(text("a") + struct.pack("<I", 9) + struct.pack("<IQ", 9, 1) * 60),
    "a key of a megabyte": head(struct.pack("<Q", 2**20) + b"k" * 2**20),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_a_sentence(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(BROKEN[kind])
    with pytest.raises(GgufError, match=r"model\.gguf.*\."):
        read_gguf(path)


def test_a_folder_and_nothing_are_sentences(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.gguf"):
        with pytest.raises(GgufError, match=r"\."):
            read_gguf(path)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 400), at=st.integers(0, 400), byte=st.integers(0, 255))
def test_any_damage_is_read_or_told(tmp_path: Path, cut: int, at: int, byte: int) -> None:
    data = bytearray(
        head(
            entry("general.name", 8, text("Small")),
            entry("tokenizer.ggml.tokens", 9, strings(*(f"token {i}" for i in range(20)))),
            entry("tokenizer.chat_template", 8, text("{{ x }}")),
        )
    )
    data[at % len(data)] = byte
    path = tmp_path / "model.gguf"
    path.write_bytes(bytes(data[: len(data) - cut % len(data)]))
    try:
        read_gguf(path)
    except GgufError as error:
        told = str(error)
    else:
        told = "."
    assert told.endswith(".")
