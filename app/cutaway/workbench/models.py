"""Model files that are on this machine already, wherever other programs keep theirs. Read in place, never moved."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model file found on this machine."""

    path: str
    name: str
    bytes: int
    source: str
    """Whose folder: `Cutaway`, `LM Studio`, `Ollama`, `Hugging Face`, `Jan`, `GPT4All`, or a folder's path."""
    quantisation: str = ""
    parts: int = 1
