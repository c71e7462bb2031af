"""The forecast of memory, against what llama.cpp then makes and what the process then holds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cutaway.engine.command import ModelSettings
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.memory import forecast, read_shape
from support import assets
from support.tiny_models import KINDS, Kind, tiny_model

SETTINGS = (
    ModelSettings(context=1024, threads=1),
    ModelSettings(context=4096, threads=1),
    ModelSettings(context=4096, threads=1, micro_batch=128),
    ModelSettings(context=4096, threads=1, kv_type_k="f32", kv_type_v="f32"),
    ModelSettings(context=4096, threads=1, swa_full=True),
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("settings", SETTINGS, ids=range(len(SETTINGS)))
def test_every_part_is_forecast(kind: Kind, settings: ModelSettings) -> None:
    path = tiny_model(kind)
    backend = LlamaBackend(trusting=True)
    real = backend.load(str(path), settings, lambda _: True).memory
    backend.close()

    expected = forecast(read_shape(path), settings).devices["CPU"]

    assert expected.weights == pytest.approx(real["weights"], rel=0.01)
    assert expected.kv + expected.states == pytest.approx(real["kv"], rel=0.05, abs=12_000)
    buffers = expected.total - expected.vocabulary
    assert buffers == pytest.approx(real["weights"] + real["kv"] + real["compute"], rel=0.10, abs=100_000)


def test_layers_on_a_card_are_counted_there() -> None:
    shape = read_shape(tiny_model("attention"))
    here = forecast(shape, ModelSettings(context=1024))

    half = forecast(shape, ModelSettings(context=1024, gpu_layers=1), gpu="CUDA0")
    whole = forecast(shape, ModelSettings(context=1024), gpu="CUDA0")

    assert set(half.devices) == {"CPU", "CUDA0"}
    assert half.devices["CPU"].kv == half.devices["CUDA0"].kv == here.devices["CPU"].kv // 2
    assert whole.devices["CPU"].kv == 0
    assert whole.devices["CPU"].weights == shape.input_weights
    assert whole.devices["CUDA0"].kv == here.devices["CPU"].kv


_HELD = """
import sys
from cutaway.engine.command import ModelSettings
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.memory import forecast, read_shape
from pathlib import Path
backend = LlamaBackend(trusting=True)
backend.load(sys.argv[2], ModelSettings(context=256, threads=1), lambda _: True)  # the library itself
backend.unload()
settings = ModelSettings(context=int(sys.argv[3]), threads=1)
facts = backend.load(sys.argv[1], settings, lambda _: True)
print(facts.memory["measured"], forecast(read_shape(Path(sys.argv[1])), settings).total)
backend.close()
"""


@pytest.mark.model
@pytest.mark.parametrize("context", [2048, 8192])
def test_the_process_holds_what_was_forecast_within_a_tenth(context: int) -> None:
    words = [sys.executable, "-c", _HELD, str(assets.default_model()), str(tiny_model("attention")), str(context)]
    answer = subprocess.run(words, check=True, capture_output=True, text=True)
    measured, expected = map(int, answer.stdout.split())

    assert measured == pytest.approx(expected, rel=0.10)


def test_a_split_model_is_counted_whole(tmp_path: Path) -> None:
    """Each part has its own table; here both parts are the same small model under other names."""
    data = tiny_model("attention").read_bytes()
    for number in (1, 2):
        (tmp_path / f"big-0000{number}-of-00002.gguf").write_bytes(data)

    whole = read_shape(tmp_path / "big-00001-of-00002.gguf")
    single = read_shape(tiny_model("attention"))

    assert len(whole.layers) == len(single.layers)
