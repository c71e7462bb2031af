"""Compares `cutaway bench engine` with `llama-bench` where that is on PATH; `compare_llama_server.py` compares turns.

    python tests/bench/compare_llama_bench.py MODEL [--pairs 5] [--prompt 512] [--generate 128] [--threads N]
        [--keep FILE]

Pairs are interleaved, so that a machine that gets warmer or busier slows both; which of the two comes
first changes from pair to pair. With `--keep` the pairs are added to a file and the medians taken over
all that it holds, so that a few can be measured at a time. Exits 1 when a ratio is below what the
project promises, 2 when there is nothing to compare with.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

Pair: TypeAlias = tuple[dict[str, float], dict[str, float]]
PROMISED = {"prefill": 0.97, "decode_raw": 0.97, "decode": 0.93}


def cutaway(*words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "cutaway.cli.main", *words, "--json"]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def bench_cutaway(options: argparse.Namespace) -> dict[str, float]:
    figures = cutaway(
        *("bench", "engine", "--model", options.model, "--prompt", str(options.prompt)),
        *("--generate", str(options.generate), "--threads", str(options.threads), "--rounds", str(options.rounds)),
    )
    return {
        "prefill": figures["prefill_tok_s"],
        "decode_raw": figures["decode_raw_tok_s"],
        "decode": figures["decode_tok_s"],
    }


def bench_llama(program: str, options: argparse.Namespace) -> dict[str, float]:
    """Medians, as ours are: the means that it prints suffer more from whatever else the machine does."""
    command = [
        *(program, "-m", options.model, "-p", str(options.prompt), "-n", str(options.generate)),
        *("-t", str(options.threads), "-r", str(options.rounds), "-o", "json"),
    ]
    rows = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    prefill = median(next(row["samples_ts"] for row in rows if row["n_gen"] == 0))
    decode = median(next(row["samples_ts"] for row in rows if row["n_prompt"] == 0))
    return {"prefill": prefill, "decode_raw": decode, "decode": decode}


def measure_pair(program: str, options: argparse.Namespace, number: int) -> Pair:
    """llama-bench's figures and ours, one directly after the other."""
    if number % 2:
        ours = bench_cutaway(options)
        return bench_llama(program, options), ours
    return bench_llama(program, options), bench_cutaway(options)


def measure_pairs(program: str, options: argparse.Namespace) -> list[Pair]:
    """So many pairs more, with those that were kept before."""
    kept = Path(options.keep) if options.keep else None
    pairs: list[Pair] = []
    if kept is not None and kept.exists():
        pairs = [tuple(json.loads(line)) for line in kept.read_text(encoding="utf-8").splitlines()]
    for _ in range(options.pairs):
        pairs.append(measure_pair(program, options, len(pairs)))
        if kept is not None:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(pairs[-1]) + "\n")
    return pairs


def compare_speed(program: str, options: argparse.Namespace) -> bool:
    """The median of the pairs' ratios, so that what slows a whole pair counts for nothing."""
    pairs = measure_pairs(program, options)
    good = True
    for name, least in PROMISED.items():
        theirs, ours = (median(pair[side][name] for pair in pairs) for side in (0, 1))
        base = (1, "decode_raw") if name == "decode" else (0, name)
        ratio = median(pair[1][name] / pair[base[0]][base[1]] for pair in pairs)
        good = good and ratio >= least
        beside = "cutaway, raw" if name == "decode" else "llama-bench"
        theirs = median(pair[1]["decode_raw"] for pair in pairs) if name == "decode" else theirs
        print(
            f"{name:<11} {beside:<12} {theirs:8.1f}   cutaway {ours:8.1f} tokens/s   ratio {ratio:.3f} "
            f"(at least {least}, {len(pairs)} pairs)"
        )
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("model")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--prompt", type=int, default=512)
    parser.add_argument("--generate", type=int, default=128)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rounds", type=int, default=5, help="of each measurement in a pair")
    parser.add_argument("--keep", metavar="FILE", help="add the pairs to this file, and judge all that it holds")
    options = parser.parse_args()
    bench = shutil.which("llama-bench")
    if bench is None:
        print("llama-bench is not on PATH, so there is nothing to compare with.")
        return 2
    return 0 if compare_speed(bench, options) else 1


if __name__ == "__main__":
    sys.exit(main())
