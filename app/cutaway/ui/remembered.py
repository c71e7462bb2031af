"""What the window remembers of itself before the store is open: its place, layout, theme and language.

A small JSON file in the settings folder; a damaged or missing one means the defaults.
"""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any

from cutaway import places

log = logging.getLogger(__name__)


class Remembered:
    def __init__(self, path: Path | None = None) -> None:
        self.path = path or places.config() / "window.json"
        self._values: dict[str, Any] = {}
        try:
            values = json.loads(self.path.read_text(encoding="utf-8"))
            self._values = values if isinstance(values, dict) else {}
        except (OSError, ValueError):
            pass

    def get(self, name: str, default: Any = None) -> Any:
        value = self._values.get(name, default)
        return value if default is None or isinstance(value, type(default)) else default

    def set(self, name: str, value: Any) -> None:
        if self._values.get(name) != value:
            self._values[name] = value
            self._write()

    def _write(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.path.with_suffix(".new")
            fresh.write_text(json.dumps(self._values, ensure_ascii=False), encoding="utf-8")
            os.replace(fresh, self.path)
        except OSError as error:
            log.info("the window's settings were not written: %s", error)
