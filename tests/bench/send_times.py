"""How long Send waits for idle work: from the click to the reply's plan, at random moments of a running prefill.

    python tests/bench/send_times.py [MODEL ...] [--tries 30] [--prompt 4096] [--busy]

Half of the tries go on in the conversation of the idle work, which has given up a reply's tail; half go to another one.
With `--busy` a process that never rests runs beside it for each core. Exits 1 when one waited more than 200 ms.
"""

from __future__ import annotations

import argparse
import contextlib
import queue
import random
import sys
import time
from statistics import median

from cutaway.cli.bench_load import Others
from cutaway.cli.engine import model_path
from cutaway.engine.command import Generate, Load, ModelSettings, Prefill
from cutaway.engine.event import Event, Failed, Finished, Loaded, LoadFailed, Planned
from cutaway.engine.llama.backend import LlamaBackend
from cutaway.engine.threads import available_cores
from cutaway.engine.worker import Worker

PROMISED_MS = 200


class Desk:
    """A worker that is made to work ahead and is then asked for a reply."""

    def __init__(self, model: str, options: argparse.Namespace) -> None:
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._random = random.Random(options.seed)
        self._options = options
        self._jobs = 0
        self.worker = Worker(LlamaBackend(), self._events.put)
        self.worker.start()
        self.worker.submit(Load(model, ModelSettings(context=options.prompt + 1024)))
        loaded = self._wait(Loaded, LoadFailed)
        assert isinstance(loaded, Loaded), loaded

    def _wait(self, *kinds: type[Event]) -> Event:
        while not isinstance(event := self._events.get(), kinds):
            pass
        return event

    def _words(self, count: int) -> list[int]:
        return [self._random.randrange(300, 1000) for _ in range(count)]

    def _reply(self, conversation: str, tokens: list[int], most: int) -> None:
        self._jobs += 1
        self.worker.submit(Generate(self._jobs, conversation, tokens, max_tokens=most, ignore_end=True))

    def send(self, number: int) -> tuple[float, bool]:
        """(milliseconds until the plan, whether the prefill was still running)."""
        began_with = self._words(64)
        self._reply("a", began_with, 24)
        self._wait(Finished, Failed)
        self._jobs += 1
        self.worker.submit(Prefill(self._jobs, "a", began_with + self._words(self._options.prompt - 64)))
        time.sleep(self._random.uniform(0, self._options.seconds))
        running = self._events.empty()
        began = time.perf_counter()
        self._reply("ab"[number % 2], began_with + self._words(8), 1)
        self._wait(Planned)
        ms = (time.perf_counter() - began) * 1000
        self._wait(Finished, Failed)
        return ms, running


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("models", nargs="*")
    parser.add_argument("--tries", type=int, default=30)
    parser.add_argument("--prompt", type=int, default=4096, help="tokens of the idle work")
    parser.add_argument("--seconds", type=float, default=1.0, help="the latest moment of Send")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", action="store_true")
    options = parser.parse_args()
    slowest = 0.0
    with Others(available_cores()) if options.busy else contextlib.nullcontext():
        for model in options.models or [model_path(None)]:
            desk = Desk(str(model), options)
            try:
                found = [desk.send(number) for number in range(options.tries)]
            finally:
                desk.worker.close()
            times = [ms for ms, _ in found]
            slowest = max(slowest, *times)
            running = sum(still for _, still in found)
            told = f"median {median(times):6.1f} ms   longest {max(times):6.1f} ms"
            print(f"{told}   {running} of {len(found)} while it ran   {model}", flush=True)
    return 0 if slowest <= PROMISED_MS else 1


if __name__ == "__main__":
    sys.exit(main())
