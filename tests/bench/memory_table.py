"""The memory forecast beside what the process really holds more than before, through real loads.

    python tests/bench/memory_table.py [--model FILE] [--all-kinds] [--full]

One child process for each line, so that no load inherits another's memory. `loaded` is what the facts of the
loaded model say (with the compute buffer that is not touched yet), `worked` what is held after a prompt of up to 1,024
tokens, which touches only a part of that buffer where the context is long. Exits 1 when `loaded` is more than a tenth,
and more than 8 MB, away from the forecast, or `worked` is as much above it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support import assets
from support.tiny_models import KINDS, Shape, tiny_model

MIDDLE = Shape(
    width=512, inner=1024, heads=8, kv_heads=4, feed=1536, state=16, step=32, times=4, fillers=30_000, window=512,
    context=32_768, quantised=True,
)  # fmt: skip
TOLERATED = 8_000_000
"""Bytes: what an allocator keeps for itself is a large part of a tiny model."""

_CHILD = """
import json, sys
from pathlib import Path
from cutaway.engine.command import ModelSettings
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.llama.open import resident_bytes
from cutaway.engine.memory import forecast, read_shape
path, settings = sys.argv[1], ModelSettings(**json.loads(sys.argv[2]))
backend = LlamaBackend(trusting=True)
facts = backend.load(path, settings, lambda _: True)
loaded = facts.memory["measured"]
before = resident_bytes()
buffer = backend._loaded.opened.untouched
length = min(1024, facts.context - 8)
backend.feed([at % facts.vocabulary_size for at in range(length)], 0)
worked = facts.memory["measured"] - buffer + resident_bytes() - before
parts = forecast(read_shape(Path(path)), settings).devices["CPU"]
said = [parts.weights, parts.kv + parts.states, parts.compute, parts.vocabulary]
real = [facts.memory[part] for part in ("weights", "kv", "compute")]
backend.close()
print(json.dumps([loaded, worked, parts.total, said, real]))
"""

ROWS: tuple[dict[str, object], ...] = tuple(
    {"context": context, "kv_type_k": kv_type, "kv_type_v": kv_type}
    for context, kv_type in product((2048, 8192), ("f16", "q8_0"))
)
FULL: tuple[dict[str, object], ...] = (
    *ROWS,
    {"context": 32_768},
    {"context": 32_768, "swa_full": True, "kv_type_k": "q4_0"},
    {"context": 8192, "flash_attention": "off"},
    {"context": 8192, "flash_attention": "on", "kv_type_k": "q4_0", "kv_type_v": "q4_0"},
    {"context": 8192, "micro_batch": 128, "kv_type_k": "f32", "kv_type_v": "f32"},
    {"context": 16_384, "micro_batch": 2048},
    {"context": 16_384, "micro_batch": 1024, "flash_attention": "off"},
    {"context": 4096, "use_mmap": False},
)


def measure(path: Path, **settings: object) -> tuple[int, int, int, list[int], list[int]]:
    words = [sys.executable, "-c", _CHILD, str(path), json.dumps(settings)]
    answer = subprocess.run(words, check=True, capture_output=True, text=True)
    found: tuple[int, int, int, list[int], list[int]] = tuple(json.loads(answer.stdout.splitlines()[-1]))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--model", type=Path, default=assets.default_model())
    parser.add_argument("--all-kinds", action="store_true", help="a middle-sized model of each kind of memory as well")
    parser.add_argument("--full", action="store_true", help="more contexts and KV types")
    options = parser.parse_args()
    models = {options.model.stem[:14]: options.model}
    if options.all_kinds:
        models |= {kind: tiny_model(kind, shape=MIDDLE) for kind in KINDS}
    rows = FULL if options.full else ROWS
    good = True
    print(f"{'model':<12}{'forecast':>9}{'loaded':>9}{'worked':>9}   off by   parts, said and real (MB), settings")
    for (name, path), settings in product(models.items(), rows):
        loaded, worked, said, parts, real = measure(path, threads=1, **settings)
        bad = max(abs(loaded - said), worked - said) > max(0.1 * said, TOLERATED)
        good = good and not bad
        shown = " ".join(f"{part / 1e6:.0f}" for part in parts), " ".join(f"{part / 1e6:.0f}" for part in real)
        print(
            f"{name[:11]:<12}{said / 1e6:>9.1f}{loaded / 1e6:>9.1f}{worked / 1e6:>9.1f}"
            f"{loaded / said - 1:>+9.1%}{'!' if bad else ' '} {shown[0]} | {shown[1]}  "
            + " ".join(f"{key}={value}" for key, value in settings.items()),
            flush=True,
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
