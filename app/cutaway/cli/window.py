"""`cutaway [FILE]`: the window. A second start on the same store hands over to the first."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cutaway import places
from cutaway.cli.main import CommandError

if TYPE_CHECKING:
    from cutaway.workbench.bench import Workbench


def describe(parser: argparse.ArgumentParser) -> None:
    parser.prog = "cutaway"
    parser.add_argument("file", nargs="*", help="a model (.gguf), a template (.jinja) or a conversation (.json)")
    parser.add_argument("--scripted", action="store_true", help="a demonstration that needs no model")
    parser.add_argument("--visible", action="store_true", help="use the display even where none was found")


def run(arguments: argparse.Namespace) -> int:
    store: Path | str = ":memory:" if arguments.scripted else places.store()
    paths = [str(Path(path).absolute()) for path in arguments.file]
    missing = next((path for path in paths if not Path(path).exists()), None)
    if missing:
        raise CommandError(f"{missing} does not exist.")
    if not arguments.scripted:
        from cutaway.ui.instance import address, hand_over

        if hand_over(address(store), paths):
            return 0
    need_display()
    from cutaway.ui.app import run as run_window

    if arguments.scripted:
        return run_window(_demo, paths, store=f"demo-{os.getpid()}", model=Path("demo.gguf"))
    return run_window(_real, paths, store=store)


def _real() -> Workbench:
    from cutaway.workbench.bench import Workbench

    return Workbench(places.store())


def _demo() -> Workbench:
    from cutaway.ui.demo import demo_backend
    from cutaway.workbench.bench import Workbench

    return Workbench(":memory:", backend=demo_backend)


def need_display() -> None:
    """Raises CommandError where there is nothing to show a window on."""
    named = os.environ.get("QT_QPA_PLATFORM")
    unix = sys.platform not in ("win32", "darwin")
    if unix and not named and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise CommandError("There is no display to open a window on. `cutaway selftest` runs without one.")
