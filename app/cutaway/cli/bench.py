"""`cutaway bench WHAT`: hands over to the measurement's own module."""

from __future__ import annotations

import argparse
import importlib

from cutaway.cli.main import CommandError

WHAT = {
    "engine": "raw prefill and decode, and decode with sampling, statistics and events",
    "turns": "what a conversation's turns feed and reuse",
    "chat": "the chat layer at growing sizes",
    "ui": "the window's thread while it streams, opens and scrolls",
}


def describe(parser: argparse.ArgumentParser) -> None:
    subparsers = parser.add_subparsers(dest="what", required=True, metavar="{" + ",".join(WHAT) + "}")
    for what, text in WHAT.items():
        sub = subparsers.add_parser(what, help=text, description=text)
        try:
            module = importlib.import_module(f"cutaway.cli.bench_{what}")
        except ModuleNotFoundError as error:
            if error.name != f"cutaway.cli.bench_{what}":
                raise
            sub.set_defaults(measure=None)
            continue
        module.describe(sub)
        sub.set_defaults(measure=module.run)


def run(options: argparse.Namespace) -> int:
    if options.measure is None:
        raise CommandError(f"this version has no `bench {options.what}`.")
    return int(options.measure(options))
