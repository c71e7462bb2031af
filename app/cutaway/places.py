"""Where things are: resources, models, settings, the store, logs. In the source tree and in an installed one.

`CUTAWAY_HOME`, when set, holds everything that is written: tests and portable copies use it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import platformdirs

_APP = "cutaway"


def _home() -> Path | None:
    home = os.environ.get("CUTAWAY_HOME")
    return Path(home) if home else None


def resources() -> Path:
    """Icons, themes, translations and sample conversations: read-only."""
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle:
        return Path(bundle) / "resources"
    return Path(__file__).resolve().parents[2] / "resources"


def data() -> Path:
    """Conversations, models and what must last."""
    home = _home()
    return home / "data" if home else Path(platformdirs.user_data_dir(_APP, appauthor=False))


def config() -> Path:
    home = _home()
    return home / "config" if home else Path(platformdirs.user_config_dir(_APP, appauthor=False))


def cache() -> Path:
    """What can be made again: prepared templates, saved KV states."""
    home = _home()
    return home / "cache" if home else Path(platformdirs.user_cache_dir(_APP, appauthor=False))


def logs() -> Path:
    home = _home()
    return home / "logs" if home else Path(platformdirs.user_log_dir(_APP, appauthor=False))


def models() -> Path:
    """The user's own model folder. `CUTAWAY_MODELS` names another."""
    named = os.environ.get("CUTAWAY_MODELS")
    return Path(named) if named else data() / "models"


def store() -> Path:
    """The database of conversations."""
    return data() / "conversations.db"


def runtimes() -> Path:
    """Runtimes that were added to the bundled one, a folder each."""
    return data() / "runtimes"


def bundled_runtime() -> Path | None:
    """The llama.cpp that an installed program carries; None in a source tree, which uses the wheel's."""
    bundle = getattr(sys, "_MEIPASS", None)
    return Path(bundle) / "runtimes" / "cpu" if bundle else None


def wanted_runtime() -> Path | None:
    """The runtime that the person chose: `CUTAWAY_RUNTIME`, or the name in `config()/runtime`; None for the default."""
    named = os.environ.get("CUTAWAY_RUNTIME")
    if named:
        return Path(named)
    try:
        name = (config() / "runtime").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return runtimes() / name if name and Path(name).name == name else None


DEFAULT_MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"


def default_model() -> Path | None:
    """The model that comes with the program, where the set-up or the package put it; None when it is missing."""
    bundle = getattr(sys, "_MEIPASS", None)
    shipped = [Path(bundle).parent / "models", Path("/usr/share/cutaway/models")] if bundle else []
    for folder in (models(), *shipped):
        path = folder / DEFAULT_MODEL
        if path.is_file():
            return path
    return None
