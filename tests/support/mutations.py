"""Damaged copies of a GGUF file: cut, flipped, swapped, with numbers made absurd. The same at every run."""

from __future__ import annotations

import random
import struct
from pathlib import Path

_ABSURD = (0, 1, 2, 3, 7, 0xFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 40, (1 << 63) - 1, (1 << 64) - 1)


def mutations(source: Path, into: Path, count: int, *, seed: int = 0) -> list[Path]:
    """`count` damaged files; most damage lies in the head, where a file says what it is."""
    rng = random.Random(seed)
    data = source.read_bytes()
    paths = []
    for number in range(count):
        path = into / f"damaged-{number:03d}.gguf"
        path.write_bytes(_damaged(data, rng))
        paths.append(path)
    return paths


def _damaged(data: bytes, rng: random.Random) -> bytes:
    head = min(len(data), 60_000)
    kind = rng.choice(("cut", "flip", "number", "number", "type", "swap", "text", "key", "key", "shape"))
    changed = bytearray(data)
    at = rng.randrange(4, head)
    if kind == "cut":
        return bytes(data[: rng.choice((at, rng.randrange(len(data)), rng.randrange(24)))])
    if kind == "flip":
        for _ in range(rng.randrange(1, 30)):
            changed[rng.randrange(4, head)] ^= 1 << rng.randrange(8)
    elif kind == "number":
        struct.pack_into("<Q", changed, rng.choice((8, 16, at)), rng.choice(_ABSURD))
    elif kind == "type":
        struct.pack_into("<I", changed, at, rng.randrange(48))
    elif kind == "swap":
        other, size = rng.randrange(4, head), rng.randrange(1, 64)
        changed[at : at + size], changed[other : other + size] = data[other : other + size], data[at : at + size]
        changed = changed[: len(data)]
    elif kind == "text":
        changed[at : at + 8] = rng.randbytes(8)
    else:
        _spoil(changed, rng, b".weight" if kind == "shape" else b"llama.")
    return bytes(changed)


def _spoil(changed: bytearray, rng: random.Random, word: bytes) -> None:
    """Make the number behind one of the places where `word` stands absurd."""
    places = []
    at = changed.find(word)
    while at >= 0:
        places.append(at)
        at = changed.find(word, at + 1)
    at = rng.choice(places or [24])
    struct.pack_into(
        "<I", changed, min(at + rng.randrange(len(word), 48), len(changed) - 8), rng.choice(_ABSURD) & 0xFFFFFFFF
    )


def absurd_numbers(source: Path, into: Path, values: tuple[int, ...]) -> list[Path]:
    """One file for each 32-bit number of the metadata and each of the values, in its place."""
    import gguf

    data = source.read_bytes()
    paths = []
    for name, field in gguf.GGUFReader(source).fields.items():
        if name.startswith("GGUF.") or field.types[0] not in (4, 5, 6):
            continue
        key = name.encode()
        at = data.index(struct.pack("<Q", len(key)) + key) + 8 + len(key) + 4
        for value in values:
            path = into / f"{name}-{value}.gguf"
            changed = bytearray(data)
            struct.pack_into("<I", changed, at, value)
            path.write_bytes(changed)
            paths.append(path)
    return paths
