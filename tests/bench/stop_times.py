"""How long a person waits for the engine to let go of what it does, at random moments.

    python tests/bench/stop_times.py [MODEL] [--tries 30] [--prompt 4096] [--busy]

Stop in loading, prefill and decoding: from the click to the job's last event. Send while idle work runs: from the click
to the reply's plan; half of the sends go on in the conversation of the idle work, half go to another one. With `--busy`
a process that never rests runs beside it for each core. Exits 1 when something took more than 200 ms.
"""

from __future__ import annotations

import argparse
import contextlib
import queue
import random
import sys
import time
from collections.abc import Iterator
from statistics import median

from cutaway.cli.bench_load import Others
from cutaway.cli.engine import model_path
from cutaway.engine.command import Generate, Load, ModelSettings, Prefill, Unload
from cutaway.engine.event import Event, Failed, Finished, Loaded, LoadFailed, Planned, Sampled, Unloaded
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.threads import available_cores
from cutaway.engine.worker import Worker

PROMISED_MS = 200


class Stopwatch:
    """A worker whose jobs are stopped."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.worker = Worker(LlamaBackend(), self._events.put)
        self._path = str(model_path(options.model))
        self._settings = ModelSettings(context=options.prompt + 1024)
        self._random = random.Random(options.seed)
        self._prompt = [self._random.randrange(300, 1000) for _ in range(options.prompt)]
        self._jobs = 0
        self.worker.start()

    def wait(self, *kinds: type[Event]) -> Event:
        while not isinstance(event := self._events.get(), kinds):
            pass
        return event

    def load(self) -> float:
        """Seconds that it takes."""
        began = time.perf_counter()
        self.worker.submit(Load(self._path, self._settings))
        loaded = self.wait(Loaded, LoadFailed)
        assert isinstance(loaded, Loaded), loaded
        return time.perf_counter() - began

    def stop_load(self, seconds: float) -> float | None:
        """Milliseconds; None where it was loaded already."""
        self.worker.submit(Unload())
        self.wait(Unloaded)
        self.worker.submit(Load(self._path, self._settings))
        time.sleep(self._random.uniform(0, seconds))
        began = time.perf_counter()
        self.worker.cancel_load()
        ended = self.wait(Loaded, LoadFailed)
        ms = (time.perf_counter() - began) * 1000
        if isinstance(ended, LoadFailed):
            self.load()
            return ms
        return None

    def stop_prefill(self, seconds: float) -> float | None:
        job = self._submit(self._prompt)
        self.wait(Planned)
        time.sleep(self._random.uniform(0, seconds * 0.9))
        return self._stop(job)

    def stop_decode(self, seconds: float) -> float | None:
        job = self._submit(self._prompt[:16])
        self.wait(Sampled)
        time.sleep(self._random.uniform(0, seconds))
        return self._stop(job)

    def send(self, seconds: float) -> float | None:
        """Milliseconds; None where the idle work was done already. It gives up the tail of a reply."""
        beginning = self._prompt[:64]
        self._submit(beginning, "a", 24)
        self.wait(Finished, Failed)
        self._jobs += 1
        self.worker.submit(Prefill(self._jobs, "a", [*beginning, *reversed(self._prompt[64:])]))
        time.sleep(self._random.uniform(0, seconds))
        runs = self._events.empty()
        began = time.perf_counter()
        self._submit([*beginning, *self._prompt[80:88]], self._random.choice("ab"), 1)
        self.wait(Planned)
        ms = (time.perf_counter() - began) * 1000
        self.wait(Finished, Failed)
        return ms if runs else None

    def _submit(self, tokens: list[int], conversation: str = "", most: int = 512) -> int:
        self._jobs += 1
        name = conversation or f"{self._jobs}"
        self.worker.submit(Generate(self._jobs, name, tokens, max_tokens=most, ignore_end=True))
        return self._jobs

    def _stop(self, job: int) -> float | None:
        began = time.perf_counter()
        self.worker.cancel(job)
        ended = self.wait(Finished, Failed)
        assert isinstance(ended, Finished), ended
        return (time.perf_counter() - began) * 1000 if ended.reason == "cancelled" else None


def measure(options: argparse.Namespace) -> Iterator[tuple[str, list[float]]]:
    watch = Stopwatch(options)
    try:
        watch.load()
        seconds = watch.load()
        for name, stop, within in (
            ("load", watch.stop_load, seconds),
            ("prefill", watch.stop_prefill, options.seconds),
            ("decode", watch.stop_decode, options.seconds),
            ("send", watch.send, options.seconds / 2),
        ):
            times = [stop(within) for _ in range(options.tries)]
            yield name, [ms for ms in times if ms is not None]
    finally:
        watch.worker.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("model", nargs="?")
    parser.add_argument("--tries", type=int, default=30)
    parser.add_argument("--prompt", type=int, default=4096, help="tokens")
    parser.add_argument("--seconds", type=float, default=2.0, help="the latest moment")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", action="store_true")
    options = parser.parse_args()
    slowest = 0.0
    with Others(available_cores()) if options.busy else contextlib.nullcontext():
        for name, times in measure(options):
            slowest = max(slowest, *times)
            print(
                f"{name:<8} median {median(times):6.1f} ms   longest {max(times):6.1f} ms   of {len(times)}", flush=True
            )
    return 0 if slowest <= PROMISED_MS else 1


if __name__ == "__main__":
    sys.exit(main())
