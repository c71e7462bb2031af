"""Reads the command line and hands over to the command's module, which is imported only then.

Nothing here imports Qt or llama.cpp: `cutaway --version` must answer on a machine that lacks either's libraries.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from cutaway import __version__, child

COMMANDS = {
    "batch": "the chat layer as JSON Lines",
    "render": "print a prompt, coloured by where each character came from",
    "parse": "print how a model's output reads",
    "lint": "find faults in a chat template",
    "verify": "check that a template's format reads back what it writes",
    "complete": "continue raw text, without a template",
    "chat": "a conversation in the terminal",
    "selftest": "open the real window, use it, and say whether all of it worked",
    "bench": "measure: engine, turns, chat or ui",
}


class CommandError(Exception):
    """A command could not do what was asked. The message is a sentence for the person who sees it."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.status = status


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in COMMANDS:
        return _run(words[0], words[1:])
    if words and words[0] == "--child":
        return child.run(words[1:])
    if words and words[0] in ("--version", "-V"):
        print(f"cutaway {__version__}")
        return 0
    if words and words[0] in ("--help", "-h"):
        print(_usage())
        return 0
    if words and words[0].startswith("-") and words[0] not in ("--visible", "--scripted"):
        print(f"cutaway: {words[0]} is not an option; `cutaway --help` lists what is.", file=sys.stderr)
        return 2
    return _run("window", words)


def _run(command: str, words: Sequence[str]) -> int:
    try:
        module = importlib.import_module(f"cutaway.cli.{command}")
    except ModuleNotFoundError as error:
        if error.name != f"cutaway.cli.{command}":
            raise
        print(f"cutaway: this version has no `{command}`.", file=sys.stderr)
        return 1
    parser = argparse.ArgumentParser(prog=f"cutaway {command}", description=COMMANDS.get(command))
    module.describe(parser)
    try:
        return int(module.run(parser.parse_args(words)))
    except CommandError as error:
        print(f"cutaway: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name.ljust(width)}  {what}" for name, what in COMMANDS.items()]
    return "\n".join(
        [
            "usage: cutaway [FILE]            open the window; FILE is a model (.gguf) or a template (.jinja)",
            "       cutaway COMMAND [...]     without a window; `cutaway COMMAND --help` says more",
            "",
            *lines,
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
