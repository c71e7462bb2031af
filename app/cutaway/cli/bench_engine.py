"""`cutaway bench engine`: how fast the worker feeds and decodes, beside what llama-bench measures."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

from cutaway.cli import bench_load
from cutaway.cli.engine import Engine
from cutaway.cli.main import CommandError
from cutaway.engine.command import Generate, Measure, ModelSettings
from cutaway.engine.event import Finished, Measured
from cutaway.engine.sampling import Sampling

ROUNDS = 5


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", help="a GGUF file; without it the default model")
    parser.add_argument("--prompt", type=int, default=512, metavar="N", help="tokens to feed (default 512)")
    parser.add_argument("--generate", type=int, default=128, metavar="N", help="tokens to decode (default 128)")
    parser.add_argument(
        "--threads", type=int, metavar="N", help="threads for both phases; without it chosen by measuring"
    )
    parser.add_argument(
        "--flash-attention",
        choices=("auto", "on", "off"),
        default="on",
        help="llama-bench's own default is on (default on); auto is what chats use",
    )
    parser.add_argument(
        "--load",
        action="store_true",
        help="compare the adaptive thread count with fixed ones, alone and beside a busy process for each core",
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help=f"at least {ROUNDS}")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    if min(options.prompt, options.generate) < 1 or (options.threads is not None and options.threads < 1):
        raise CommandError("--prompt, --generate and --threads must be 1 or more.", status=2)
    if options.load:
        with Engine() as engine:
            return bench_load.compare(engine, options)
    settings = ModelSettings(
        threads=options.threads,
        context=max(2048, options.prompt + 64, options.generate + 64),
        flash_attention=options.flash_attention,
    )
    with Engine() as engine:
        facts = engine.load(options.model, settings)
        rounds = [_round(engine, options) for _ in range(max(ROUNDS, options.rounds) + 1)][1:]
    figures = {
        "prefill_tok_s": _median(one.prefill for one in rounds),
        "decode_raw_tok_s": _median(one.raw for one in rounds),
        "decode_tok_s": _median(one.whole for one in rounds),
        "worker_share": round(median(one.raw / one.plain for one in rounds) - 1, 4),
        "threads": rounds[-1].threads,
        "n_prompt": options.prompt,
        "n_generate": options.generate,
        "model": facts.name,
    }
    sys.stdout.write(json.dumps(figures) + "\n" if options.json else _for_people(figures))
    return 0


@dataclass(frozen=True, slots=True)
class _Round:
    """Tokens a second."""

    prefill: float
    raw: float
    """Decoding alone."""
    plain: float
    """A reply by the worker: the likeliest token, its events, no statistics."""
    whole: float
    """A reply with the default sampler chain and statistics."""
    threads: int


def _round(engine: Engine, options: argparse.Namespace) -> _Round:
    measured = engine.run(Measure(engine.job(), options.prompt, options.generate))
    assert isinstance(measured, Measured)
    return _Round(
        prefill=options.prompt / measured.prompt_ms * 1000,
        raw=options.generate / measured.generate_ms * 1000,
        plain=_reply(engine, options, Sampling(temperature=0.0, top_k=1, alternatives=0)),
        whole=_reply(engine, options, Sampling()),
        threads=measured.threads,
    )


def _reply(engine: Engine, options: argparse.Namespace, sampling: Sampling) -> float:
    command = Generate(engine.job(), "bench", (1,), sampling=sampling, max_tokens=options.generate + 1, ignore_end=True)
    finished = engine.run(command)
    assert isinstance(finished, Finished)
    return finished.timings.decode_tok_s


def _median(values: Iterable[float]) -> float:
    return round(median(values), 2)


def _for_people(figures: dict[str, Any]) -> str:
    return (
        f"{figures['model']}, {figures['threads']} threads, medians of {ROUNDS} or more rounds\n"
        f"  prefill of {figures['n_prompt']} tokens     {figures['prefill_tok_s']} tokens/s\n"
        f"  decode, raw             {figures['decode_raw_tok_s']} tokens/s\n"
        f"  decode, whole replies   {figures['decode_tok_s']} tokens/s (sampler chain, statistics, events)\n"
        f"  the worker adds         {figures['worker_share']:.1%} to bare decoding, choosing the likeliest token included\n"
    )
