"""Checks a graphics card: load, forecast, decode, speed. For any machine that has one; a minute at most.

    python tests/bench/check_gpu.py [MODEL]

Exits 0 when all of it holds, 1 when something does not, 2 when llama.cpp offers no graphics card here.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cutaway.engine.command import ModelSettings
from cutaway.engine.device import advice, find_hardware
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.llama.devices import list_devices
from cutaway.engine.memory import forecast, read_shape
from cutaway.engine.sampling import Sampling
from support import assets

TOKENS = 64
PROMPT = "The capital of France is"


def write(backend: LlamaBackend) -> tuple[str, float]:
    """The likeliest continuation, and tokens a second."""
    ids = backend.vocabulary().encode(PROMPT, special=True)
    backend.keep(0)
    backend.feed(ids, 0)
    backend.start(Sampling(temperature=0.0), None, 1, ids)
    began, text = time.perf_counter(), b""
    for index in range(TOKENS):
        token = backend.sample(index, constrained=True)
        text += token.piece
        backend.feed([token.id], len(ids) + index)
    return text.decode("utf-8", "replace"), TOKENS / (time.perf_counter() - began)


def main() -> int:
    devices = list_devices()
    for device in devices:
        print(f"{device.name:<10} {device.kind:<11} {device.memory_free / 1e9:7.1f} GB free   {device.description}")
    card = next((device for device in devices if device.kind == "gpu"), None)
    if card is None:
        print(advice(devices, find_hardware()) or "There is no graphics card that llama.cpp could use.")
        return 2
    model = Path(sys.argv[1]) if len(sys.argv) > 1 else assets.default_model()
    good = True
    texts = {}
    for layers in (0, 12, None):
        backend = LlamaBackend(trusting=True)
        settings = ModelSettings(context=4096, gpu_layers=layers, devices=(card.name,))
        facts = backend.load(str(model), settings, lambda _: True)
        texts[layers], speed = write(backend)
        backend.close()
        wanted = forecast(read_shape(model), settings, gpu=card.name).devices
        there = wanted[card.name].total if card.name in wanted else 0
        print(
            f"layers {layers if layers is not None else 'all':>4}: {speed:8.1f} tokens/s; on the card "
            f"{facts.memory['measured_gpu'] / 1e6:.0f} MB, forecast {there / 1e6:.0f} MB; on {facts.device}"
        )
        if layers is None:
            good = abs(facts.memory["measured_gpu"] - there) <= max(0.1 * there, 300e6)
    same = len({text[:40] for text in texts.values()}) == 1
    print(f"the same beginning on the card and on the processor: {'yes' if same else texts}")
    return 0 if good and same else 1


if __name__ == "__main__":
    sys.exit(main())
