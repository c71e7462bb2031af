"""`cutaway complete`: continues raw text, without a template."""

from __future__ import annotations

import argparse
import codecs
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

from cutaway.cli.engine import Engine
from cutaway.cli.main import CommandError
from cutaway.engine.command import Generate, ModelSettings
from cutaway.engine.event import Event, Finished, Sampled
from cutaway.engine.sampling import Sampling, recommended


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--prompt", required=True, metavar="FILE|TEXT", help="what to go on from; - reads standard input"
    )
    parser.add_argument("--model", help="a GGUF file; without it the default model")
    parser.add_argument("--max", type=int, default=128, metavar="N", help="tokens at most (default 128)")
    parser.add_argument("--seed", type=int, help="the same seed gives the same text")
    parser.add_argument("--temperature", type=float, help="0 always takes the likeliest token")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> int:
    if options.max < 1:
        raise CommandError("--max must be 1 or more.", status=2)
    text = _prompt(options.prompt)
    with Engine() as engine:
        facts = engine.load(options.model, ModelSettings(threads=options.threads))
        vocabulary = engine.worker.vocabulary
        tokens = vocabulary.encode(text, special=True)
        if vocabulary.adds_bos:
            tokens.insert(0, vocabulary.bos)
        if not tokens:
            raise CommandError("the prompt is empty; there is nothing to go on from.")
        sampling = recommended(facts.metadata) or Sampling()
        if options.temperature is not None:
            sampling = replace(sampling, temperature=options.temperature)
        voice = _Voice(quiet=options.json)
        job = engine.job()
        command = Generate(
            job, "complete", tokens, sampling=replace(sampling, seed=options.seed), max_tokens=options.max
        )
        finished = engine.run(command, voice.hear)
    assert isinstance(finished, Finished)
    voice.end()
    if options.json:
        timings = {**asdict(finished.timings), "decode_tok_s": round(finished.timings.decode_tok_s, 2)}
        answer = {"text": voice.text, "ids": voice.ids, "finish_reason": finished.reason, "timings": timings}
        sys.stdout.write(json.dumps({**answer, "seed": finished.seed}, ensure_ascii=False) + "\n")
    return 0


class _Voice:
    """Collects the text, and writes it while it comes, never half a character."""

    def __init__(self, *, quiet: bool) -> None:
        self.text = ""
        self.ids: list[int] = []
        self._quiet = quiet
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def hear(self, event: Event) -> None:
        if isinstance(event, Sampled):
            self.ids.append(event.token.id)
            if not event.token.ends:
                self._say(self._decoder.decode(event.token.piece))

    def end(self) -> None:
        self._say(self._decoder.decode(b"", final=True))
        self._say("" if self._quiet or self.text.endswith("\n") else "\n")

    def _say(self, text: str) -> None:
        self.text += text
        if not self._quiet and text:
            sys.stdout.write(text)
            sys.stdout.flush()


def _prompt(given: str) -> str:
    """Standard input, a file's text, or the words themselves. Raises CommandError."""
    if given == "-":
        return sys.stdin.read()
    try:
        path = Path(given)
        return path.read_text(encoding="utf-8") if path.is_file() else given
    except UnicodeDecodeError as error:
        raise CommandError(f"{given} is not UTF-8 text.") from error
    except (OSError, ValueError):
        return given
