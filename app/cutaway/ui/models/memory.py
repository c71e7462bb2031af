"""Memory by formula beside what is in use, as rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from cutaway.engine.backend import LoadError
from cutaway.engine.gguf_file import GgufError
from cutaway.engine.memory import KV_BYTES, Forecast, Memory
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.engine.command import ModelSettings
    from cutaway.engine.event import ModelFacts
    from cutaway.workbench.bench import Workbench

PARTS: Mapping[str, str] = {
    "weights": "Weights",
    "kv": "KV cache",
    "states": "Recurrent states",
    "compute": "Compute buffers",
    "vocabulary": "Vocabulary",
}
"""The parts of `engine.memory.Memory`, and their names."""

Row = tuple[str, str, str]


async def forecast_of(bench: Workbench, facts: ModelFacts) -> Forecast | None:
    """What loading the model as it is loaded was to take; None where its file cannot be read any more."""
    gpu = facts.device if facts.device and not facts.device.startswith("CPU") else None
    wanted = replace(bench.model_settings(facts.path), context=facts.context)
    try:
        return await bench.memory_forecast(facts.path, wanted, gpu)
    except (LoadError, GgufError, OSError):
        return None


def memory_rows(facts: ModelFacts, forecast: Forecast | None) -> list[Row]:
    """(part, by formula, in use) of all devices together; the last row is the whole."""
    rows = []
    for part, name in PARTS.items():
        formula = sum(getattr(memory, part) for memory in forecast.devices.values()) if forecast else 0
        used = facts.memory.get(part, 0)
        if formula or used:
            rows.append((tr(name), _shown(formula), _shown(used)))
    measured = facts.memory.get("measured", 0) + facts.memory.get("measured_gpu", 0)
    if measured or rows:
        rows.append((tr("In all, measured"), _shown(forecast.total if forecast else 0), _shown(measured)))
    return rows


def device_rows(forecast: Forecast) -> list[tuple[str, str]]:
    """(device, what it is to hold) for each."""
    return [(device, memory_words(memory)) for device, memory in forecast.devices.items()]


def memory_words(memory: Memory) -> str:
    listed = ", ".join(
        f"{tr(name)} {megabytes(getattr(memory, part))}" for part, name in PARTS.items() if getattr(memory, part)
    )
    return f"{megabytes(memory.total)}: {listed}" if listed else megabytes(memory.total)


def kv_formula(facts: ModelFacts, settings: ModelSettings, forecast: Forecast | None) -> str:
    """How the KV cache's size comes about: in full where every layer is alike, else per token."""
    size = sum(memory.kv for memory in forecast.devices.values()) if forecast else 0
    if not size or not facts.context:
        return ""
    layers, heads, length = (_number(facts, name) for name in ("block_count", *_HEADS))
    each = KV_BYTES.get(settings.kv_type_k, 2.0)
    if settings.kv_type_k == settings.kv_type_v and 2 * layers * heads * length * facts.context * each == size:
        return tr(
            "KV cache: keys and values × layers × KV heads × head size × context × bytes = 2 × {0} × {1} × {2} × {3} × {4}",
            layers,
            heads,
            length,
            f"{facts.context:,}",
            f"{each:g}",
        )
    return tr("KV cache: {0} bytes for each of {1} tokens", f"{size / facts.context:,.0f}", f"{facts.context:,}")


_HEADS = ("attention.head_count_kv", "attention.key_length")


def _number(facts: ModelFacts, name: str) -> int:
    def read(key: str) -> int:
        value = str(facts.metadata.get(f"{facts.architecture}.{key}"))
        return int(value) if value.isdigit() else 0

    if name == "attention.key_length" and not read(name):
        return read("embedding_length") // max(read("attention.head_count"), 1)
    return read(name) or (read("attention.head_count") if name == _HEADS[0] else 0)


def _shown(size: int) -> str:
    return megabytes(size) if size else "–"


def megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
