"""Starting child processes: our own modules, and other people's programs, from a source tree and from a frozen one.

A frozen program has no `python -m`: its own executable stands in, told by `--child` which module to run. And its
launcher may have put its own libraries in front of the system's; a foreign program must not inherit that.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Mapping, Sequence

MODULES = ("cutaway.engine.runtime_probe", "cutaway.engine.probe", "cutaway.cli.busy")
"""The modules that `--child` may run: nothing else can be started through the program's executable."""


def command(module: str, *arguments: str) -> list[str]:
    """The words that run one of `MODULES` in a fresh interpreter."""
    if module not in MODULES:
        raise ValueError(f"{module} is not among the modules that run as a child: {', '.join(MODULES)}")
    if getattr(sys, "frozen", False):
        return [sys.executable, "--child", module, *arguments]
    return [sys.executable, "-m", module, *arguments]


def run(words: Sequence[str]) -> int:
    """What `--child MODULE ...` does."""
    if not words or words[0] not in MODULES:
        return 2
    sys.argv = [words[0], *words[1:]]
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    return 0


def environment(of: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a foreign program: as the user's session had it before a bundle's launcher changed it."""
    env = dict(os.environ if of is None else of)
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        before = env.pop(f"{name}_ORIG", None)
        if before is not None:
            env[name] = before
        elif getattr(sys, "frozen", False):
            env.pop(name, None)
    return env
