"""A process that never rests: what `bench engine --load` puts beside the engine. It ends with its parent.

python -m cutaway.cli.busy
"""

from __future__ import annotations

import os
import sys
import threading


def main() -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.stdout.write("b")
    sys.stdout.flush()
    while True:
        pass


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
