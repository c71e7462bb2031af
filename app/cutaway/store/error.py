"""What goes wrong with the database, as sentences."""

from __future__ import annotations

import sqlite3


class StoreError(Exception):
    """The store could not do what was asked. The message says what happened, where, and what to do.

    `kind` is `full`, `readonly`, `busy`, `newer`, `damaged` or `other`; with the first three the same may work later.
    """

    def __init__(self, message: str, kind: str = "other") -> None:
        super().__init__(message)
        self.kind = kind

    @property
    def passes(self) -> bool:
        """Whether trying again later makes sense."""
        return self.kind in ("full", "readonly", "busy")


def explain(error: sqlite3.Error | OSError, path: str) -> StoreError:
    """What an error of SQLite's means for a person."""
    said = str(error)
    low = said.lower()
    if "disk is full" in low or "disk i/o" in low or "no space" in low:
        return StoreError(
            f"The disk that holds {path} is full or cannot be written ({said}). Free some space; "
            "what was not saved is kept in memory and written as soon as it can be.",
            "full",
        )
    if "readonly" in low or "read-only" in low or "permission denied" in low or "unable to open" in low:
        return StoreError(
            f"{path} cannot be written: the file or its folder is read-only or not there ({said}). "
            "Make it writable, or set CUTAWAY_HOME to a folder that is.",
            "readonly",
        )
    if "locked" in low or "busy" in low:
        return StoreError(
            f"Another program keeps {path} locked ({said}). Close it; what was not saved is tried again.", "busy"
        )
    if "malformed" in low or "not a database" in low or "corrupt" in low:
        return StoreError(f"{path} is damaged ({said}).", "damaged")
    return StoreError(f"The store {path} could not do this: {said}.", "other")
