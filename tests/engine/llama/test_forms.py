"""Models in several files, and adapters."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import pytest

from cutaway.engine.backend import LoadError
from cutaway.engine.command import ModelSettings
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.memory import read_shape
from cutaway.engine.seen import Seen
from support.gguf_forms import lora_for, split_model
from support.tiny_models import tiny_model

TOKENS = [30, 41, 52, 63]


def logits(path: Path, settings: ModelSettings) -> np.ndarray:
    backend = LlamaBackend(Seen(None))
    backend.load(str(path), settings, lambda _: True)
    backend.feed(TOKENS, 0)
    found = backend._logits().copy()
    backend.close()
    return found


def test_a_split_model_loads_from_any_of_its_parts(tmp_path: Path) -> None:
    whole = logits(tiny_model("attention"), ModelSettings(context=256, threads=1))
    parts = split_model(tiny_model("attention"), tmp_path)
    assert len(parts) > 2

    for part in (parts[0], parts[-1]):
        assert np.array_equal(logits(part, ModelSettings(context=256, threads=1)), whole)


def test_a_split_model_is_forecast_whole(tmp_path: Path) -> None:
    parts = split_model(tiny_model("attention"), tmp_path)

    assert read_shape(parts[0]) == read_shape(parts[-1]) == read_shape(tiny_model("attention"))


def test_a_part_that_is_gone_is_named(tmp_path: Path) -> None:
    parts = split_model(tiny_model("attention"), tmp_path)
    parts[1].unlink()

    with pytest.raises(LoadError, match=parts[1].name):
        logits(parts[0], ModelSettings(context=256))


def test_an_adapter_changes_the_model_by_its_scale(tmp_path: Path) -> None:
    adapter = lora_for(tiny_model("attention"), tmp_path / "lora.gguf")
    plain = logits(tiny_model("attention"), ModelSettings(context=256, threads=1))

    off = logits(tiny_model("attention"), ModelSettings(context=256, threads=1, loras=((str(adapter), 0.0),)))
    on = logits(tiny_model("attention"), ModelSettings(context=256, threads=1, loras=((str(adapter), 1.0),)))

    assert np.allclose(off, plain, atol=1e-4)
    assert not np.allclose(on, plain, atol=1e-2)


def test_an_adapter_is_no_model_and_no_adapter_is_none(tmp_path: Path) -> None:
    adapter = lora_for(tiny_model("attention"), tmp_path / "lora.gguf")

    with pytest.raises(LoadError, match="LoRA adapter, not a whole model"):
        logits(adapter, ModelSettings(context=256))
    wrong = str(tiny_model("recurrent"))
    with pytest.raises(LoadError, match="is no LoRA adapter"):
        logits(tiny_model("attention"), ModelSettings(context=256, loras=((wrong, 1.0),)))
    other = str(lora_for(tiny_model("hybrid"), tmp_path / "other.gguf"))
    with pytest.raises(LoadError, match="Load without it"):
        logits(tiny_model("attention"), ModelSettings(context=256, loras=((other, 1.0),)))


def test_an_adapter_that_llama_cpp_dies_of_takes_only_a_child_with_it(tmp_path: Path) -> None:
    """llama.cpp ends its process over a number of another type than it asks for."""
    deadly = lora_for(tiny_model("attention"), tmp_path / "deadly.gguf", alpha_type=gguf.GGUFValueType.FLOAT64)
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(deadly.read_bytes()[:-100])

    with pytest.raises(LoadError, match=r"in a process of its own.*[.]$"):
        logits(tiny_model("attention"), ModelSettings(context=256, loras=((str(deadly), 1.0),)))
    with pytest.raises(LoadError, match="cut short"):
        logits(tiny_model("attention"), ModelSettings(context=256, loras=((str(cut), 1.0),)))
