"""`cutaway verify`: the format of a template, how it was found, and the round trip case by case."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from cutaway.chat.analysis.evidence import Probe
from cutaway.chat.analysis.published import PublishedError, published_format
from cutaway.chat.choice import Verified, verify_formats
from cutaway.chat.formats.format import Format
from cutaway.chat.shelf import FORMAT_DAY
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.limits import Budget
from cutaway.cli.desk import Desk
from cutaway.cli.main import CommandError
from cutaway.cli.named import describe_source, templates_of
from cutaway.cli.paint import visible
from cutaway.engine.template_files import ModelTemplates, TemplateFileError

VERIFY_SECONDS = 20.0
"""For all renderings together; what is not rendered by then is an error in its case."""


def describe(parser: argparse.ArgumentParser) -> None:
    describe_source(parser)
    parser.add_argument("--bos", metavar="TEXT", help="the BOS token; without it the model's, else nothing")
    parser.add_argument("--eos", metavar="TEXT", help="the EOS token; without it the model's, else nothing")
    parser.add_argument("--evidence", action="store_true", help="show each probe's two renders and their split")
    parser.add_argument("--no-jinja", action="store_true", help="refused: there is nothing to derive without Jinja")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    if arguments.no_jinja:
        raise CommandError("verify derives the format from renders of the Jinja template; leave --no-jinja out.")
    try:
        templates = templates_of(arguments)
        verified = _verified(templates, arguments)
    except TemplateFileError as error:
        raise CommandError(str(error)) from error
    except TemplateError as error:
        raise CommandError(f"The template does not compile: {error}") from error
    if arguments.json:
        print(json.dumps(answer_of(verified)))
    else:
        for line in report(verified, evidence=arguments.evidence):
            print(line)
    return 0


def _verified(templates: ModelTemplates, arguments: argparse.Namespace) -> Verified:
    template = Desk().prepare(templates.sources.choose(tools=True))
    end = time.monotonic() + VERIFY_SECONDS
    return verify_formats(
        template,
        now=FORMAT_DAY,
        bos_token=templates.bos_token if arguments.bos is None else arguments.bos,
        eos_token=templates.eos_token if arguments.eos is None else arguments.eos,
        published=_published(templates),
        budget=lambda: Budget(lambda: time.monotonic() > end),
    )


def _published(templates: ModelTemplates) -> tuple[Format, ...]:
    """The maker's own description of outputs, where one is shipped that can be read."""
    if templates.response_template is None:
        return ()
    try:
        return (published_format(templates.response_template),)
    except PublishedError as error:
        print(f"cutaway: {error} It is left out.", file=sys.stderr)
        return ()


def answer_of(verified: Verified) -> dict[str, Any]:
    """The answer as an object of plain values."""
    chosen = verified.chosen
    return {
        "format": {
            **asdict(chosen.format.modes),
            "origin": chosen.origin,
            "description": asdict(chosen.format),
            "evidence": [asdict(probe) for probe in verified.derived.evidence],
            "problems": [asdict(problem) for problem in verified.derived.problems],
            "roles": asdict(verified.derived.roles),
        },
        "cases": [asdict(case) for case in chosen.verification.cases],
        "append_only": chosen.verification.append_only,
        "sentence": chosen.verification.sentence,
        "others": [
            {
                "handler": other.format.name,
                "origin": other.origin,
                "passed": other.verification.passed,
                "failed": other.verification.failed,
            }
            for other in verified.others
        ],
        "disagreements": list(verified.disagreements),
    }


def report(verified: Verified, *, evidence: bool = False) -> Iterator[str]:
    """The same for people, line by line."""
    chosen = verified.chosen
    yield f"format    {chosen.format.name} ({chosen.origin}): {_modes(chosen.format)}"
    yield from (f"problem   {visible(problem.message)}" for problem in verified.derived.problems)
    for probe in verified.derived.evidence:
        yield f"probe     {probe.name}: {probe.question} {visible(probe.conclusion)}"
        if evidence:
            yield from _shown(probe)
    for case in chosen.verification.cases:
        yield f"case      {case.outcome.ljust(19)} {visible(case.name)}{_detail(case.detail)}"
    kept = "later turns leave earlier text as it was" if chosen.verification.append_only else "later turns change it"
    yield f"history   {kept}"
    yield from (f"disagree  {visible(sentence)}" for sentence in verified.disagreements)
    yield f"result    {chosen.verification.sentence}"


def _modes(format: Format) -> str:
    modes = format.modes
    return f"reasoning {modes.reasoning}, answer {modes.content}, tools {modes.tools}, ids {modes.call_id}"


def _detail(detail: str) -> str:
    return f": {visible(detail)}" if detail else ""


def _shown(probe: Probe) -> Iterator[str]:
    for name in ("prefix", "left_diff", "right_diff", "suffix"):
        yield f"            {name.ljust(11)} {getattr(probe, name)!r}"
