"""Saved states of conversations that are not in the KV cache now: in memory up to a budget, then on disk.

A state is worth what its prefill cost, so the one that was used longest ago goes first.
"""

from __future__ import annotations

import hashlib
import json
import logging
import struct
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path

from cutaway.engine.command import ModelSettings
from cutaway.engine.event import ModelFacts

_log = logging.getLogger(__name__)
_MAGIC = b"CUTKV001"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The part of a memory that cannot be rolled back, as it was after `length` tokens."""

    length: int
    state: bytes


@dataclass(frozen=True, slots=True)
class SavedState:
    """A conversation's cache, to be restored whole."""

    tokens: tuple[int, ...]
    state: bytes
    checkpoints: tuple[Checkpoint, ...] = ()
    exact: int | None = None
    """Leading tokens before the first that was moved; None where none was."""

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.state) + sum(len(checkpoint.state) for checkpoint in self.checkpoints) + 4 * len(self.tokens)


class StateError(Exception):
    """A saved state is there and is of no use. The message is a sentence."""


class SavedStates:
    """States by conversation. One thread uses it."""

    def __init__(
        self,
        model_key: str,
        *,
        memory_budget: int = 1 << 30,
        folder: Path | None = None,
        disk_budget: int = 4 << 30,
    ) -> None:
        self._model_key = model_key
        self._memory_budget = memory_budget
        self._disk_budget = disk_budget
        self._folder = folder
        self._states: OrderedDict[str, SavedState] = OrderedDict()

    def put(self, conversation: str, saved: SavedState) -> None:
        self._states.pop(conversation, None)
        self._states[conversation] = saved
        while len(self._states) > 0 and self.memory_used > self._memory_budget:
            name, oldest = self._states.popitem(last=False)
            self._write(name, oldest)

    def has_room(self, size: int) -> bool:
        """Whether a state of so many bytes would be kept at all: one that would not need not be copied."""
        return size <= self._memory_budget or (self._folder is not None and size <= self._disk_budget)

    def take(self, conversation: str) -> SavedState | None:
        """The state, which is no longer kept here in memory; None where there is none.

        Raises StateError where there is one that cannot be read; it is deleted.
        """
        saved = self._states.pop(conversation, None)
        return saved if saved is not None else self._read(conversation)

    def forget(self, conversation: str) -> None:
        self._states.pop(conversation, None)
        path = self._path(conversation)
        if path is not None:
            path.unlink(missing_ok=True)

    @property
    def memory_used(self) -> int:
        return sum(saved.size for saved in self._states.values())

    def flush(self) -> None:
        """Write what is in memory to disk, as far as there is a folder."""
        while self._states:
            name, saved = self._states.popitem(last=False)
            self._write(name, saved)

    def _path(self, conversation: str) -> Path | None:
        if self._folder is None:
            return None
        name = hashlib.sha256(f"{self._model_key}\0{conversation}".encode()).hexdigest()[:32]
        return self._folder / f"{name}.kv"

    def _write(self, conversation: str, saved: SavedState) -> None:
        path = self._path(conversation)
        if path is None or saved.size > self._disk_budget:
            return
        header = {
            "model": self._model_key,
            "conversation": conversation,
            "tokens": len(saved.tokens),
            "state": len(saved.state),
            "exact": saved.exact,
            "checkpoints": [(checkpoint.length, len(checkpoint.state)) for checkpoint in saved.checkpoints],
        }
        head = json.dumps(header).encode()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._make_room(saved.size)
            partial = path.with_suffix(".part")
            with partial.open("wb") as out:
                out.write(_MAGIC + struct.pack("<I", len(head)) + head)
                out.write(struct.pack(f"<{len(saved.tokens)}i", *saved.tokens))
                out.write(saved.state)
                for checkpoint in saved.checkpoints:
                    out.write(checkpoint.state)
            partial.replace(path)
        except OSError as error:
            _log.warning("a conversation's state could not be written to disk: %s", error)

    def _make_room(self, size: int) -> None:
        assert self._folder is not None
        files = sorted(self._folder.glob("*.kv"), key=lambda path: path.stat().st_mtime)
        used = sum(path.stat().st_size for path in files)
        for path in files:
            if used + size <= self._disk_budget:
                return
            used -= path.stat().st_size
            path.unlink(missing_ok=True)

    def _read(self, conversation: str) -> SavedState | None:
        path = self._path(conversation)
        if path is None or not path.is_file():
            return None
        try:
            return self._parse(path.read_bytes(), conversation)
        except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
            _log.warning("a conversation's saved state could not be read: %s", error)
            path.unlink(missing_ok=True)
            raise StateError(f"The saved state of this conversation cannot be read: {error}.") from error

    def _parse(self, data: bytes, conversation: str) -> SavedState:
        if data[:8] != _MAGIC:
            raise ValueError("not a saved state")
        (head,) = struct.unpack_from("<I", data, 8)
        header = json.loads(data[12 : 12 + head])
        if header["model"] != self._model_key or header["conversation"] != conversation:
            raise ValueError("the state of another conversation or model")
        at = 12 + head
        tokens = struct.unpack_from(f"<{header['tokens']}i", data, at)
        at += 4 * len(tokens)
        sizes = [header["state"], *(size for _, size in header["checkpoints"])]
        if at + sum(sizes) != len(data):
            raise ValueError("it is not as long as it says")
        parts = []
        for size in sizes:
            parts.append(data[at : at + size])
            at += size
        lengths = [length for length, _ in header["checkpoints"]]
        checkpoints = tuple(Checkpoint(length, part) for length, part in zip(lengths, parts[1:], strict=True))
        return SavedState(tokens, parts[0], checkpoints, header.get("exact"))


def state_key(settings: ModelSettings, facts: ModelFacts) -> str:
    """What a saved state depends on: another file, context or KV type makes it useless."""
    parts = (
        facts.path,
        facts.file_bytes,
        _changed_at(facts.path),
        facts.context,
        settings.kv_type_k,
        settings.kv_type_v,
        settings.flash_attention,
        settings.swa_full,
        settings.loras,
    )
    return "|".join(map(str, parts))


def _changed_at(path: str) -> int:
    """Nanoseconds; 0 for a file that cannot be asked."""
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0
