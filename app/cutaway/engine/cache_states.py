"""Saved states of conversations that are not in the KV cache now: in memory up to a budget, then on disk.

A state is worth what its prefill cost, so the one that was used longest ago goes first. What is read back from disk
was written by the same llama.cpp for the same model and is whole to the last bit, or it is refused: a state that is
nearly right would give logits that are nearly right.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import shutil
import struct
import time
import zlib
from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from cutaway.engine.cache import Ledger
from cutaway.engine.command import ModelSettings
from cutaway.engine.event import ModelFacts

_log = logging.getLogger(__name__)
_MAGIC = b"CUTKV002"
_PIECE = 8 << 20
"""Bytes that are written between two looks at whether to go on."""
MOST_FILES = 256
"""Files that are kept; what each holds is known."""
SPARE = 1 << 30
"""Bytes of the disk that are left free."""
UNFINISHED_SECONDS = 600
"""A file that nobody has written to for so long will not be finished."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The part of a memory that cannot be rolled back, as it was after `length` tokens."""

    length: int
    state: bytes
    passing: bool = False
    """It serves the newest turn only."""


@dataclass(frozen=True, slots=True)
class SavedState:
    """A conversation's cache, to be restored whole."""

    tokens: Sequence[int]
    state: bytes
    checkpoints: tuple[Checkpoint, ...] = ()
    exact: int | None = None
    """Leading tokens before the first that was moved; None where none was."""
    floor: int = 1
    """The least length that the memory can be cut to without a checkpoint."""

    @property
    def size(self) -> int:
        """Bytes."""
        return len(self.state) + sum(len(checkpoint.state) for checkpoint in self.checkpoints) + 4 * len(self.tokens)

    @property
    def ledger(self) -> Ledger:
        marks = tuple(checkpoint.length for checkpoint in self.checkpoints)
        return Ledger(self.tokens, marks, self.floor, self.exact)


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
        self._on_disk = dict(self._look())

    def put(self, conversation: str, saved: SavedState) -> None:
        """Keep it in memory; `tidy` then brings memory back into its budget."""
        self._states.pop(conversation, None)
        self._states[conversation] = saved

    def tidy(self, go_on: Callable[[], bool] = lambda: True) -> None:
        """Write what is beyond the budget to disk, what was used longest ago first, for as long as `go_on` says."""
        while self._states and self.memory_used > self._memory_budget and go_on():
            name, oldest = next(iter(self._states.items()))
            if self._write(name, oldest, go_on):
                del self._states[name]

    def flush(self, go_on: Callable[[], bool] = lambda: True) -> None:
        """Write what is in memory to disk, what was used last first, as far as there is a folder and time."""
        while self._states and go_on():
            name, saved = self._states.popitem()
            self._write(name, saved, go_on)

    def has_room(self, size: int) -> bool:
        """Whether a state of so many bytes would be kept at all: one that would not need not be copied."""
        return size <= self._memory_budget or (self._folder is not None and size <= self._disk_budget)

    def ledgers(self) -> Iterator[tuple[str, Ledger]]:
        """What there is, by conversation."""
        for name, saved in self._states.items():
            yield name, saved.ledger
        for name, ledger in self._on_disk.items():
            if name not in self._states:
                yield name, ledger

    def read(self, conversation: str) -> SavedState | None:
        """The state; None where there is none (any more).

        Raises StateError where there is one that cannot be read; it is deleted.
        """
        saved = self._states.get(conversation)
        if saved is not None:
            self._states.move_to_end(conversation)
            return saved
        return self._read(conversation)

    def release(self, conversation: str) -> None:
        """It is in the cache now: memory need not hold it twice."""
        self._states.pop(conversation, None)

    def forget(self, conversation: str) -> None:
        """Nothing of it stays in memory. `forget` of this module removes its files."""
        self._states.pop(conversation, None)
        self._on_disk.pop(conversation, None)

    @property
    def memory_used(self) -> int:
        return sum(saved.size for saved in self._states.values())

    # -- On disk -------------------------------------------------------------------------------

    def _path(self, conversation: str) -> Path | None:
        if self._folder is None:
            return None
        name = hashlib.sha256(f"{self._model_key}\0{conversation}".encode()).hexdigest()[:32]
        return self._folder / f"{name}.kv"

    def _look(self) -> Iterator[tuple[str, Ledger]]:
        """Conversations whose states for this model are on disk. What is damaged is found out when it is wanted."""
        _remove_unfinished(self._folder)
        for path in _by_age(self._folder)[-MOST_FILES:]:
            try:
                with path.open("rb") as file:
                    head = _Head.read(file)
                    if head.values["model"] == self._model_key:
                        yield str(head.values["conversation"]), head.ledger(file)
            except (OSError, ValueError, KeyError, TypeError, struct.error):
                continue

    def _write(self, conversation: str, saved: SavedState, go_on: Callable[[], bool]) -> bool:
        """Answers False only where `go_on` did: a state that cannot be written is given up."""
        path = self._path(conversation)
        if path is None or not self._make_room(path, saved.size):
            return True
        partial = path.with_suffix(f".{os.getpid()}.part")
        try:
            if not _write_file(partial, _Head.of(self._model_key, conversation, saved), saved, go_on):
                partial.unlink(missing_ok=True)
                return False
            partial.replace(path)
            self._on_disk.pop(conversation, None)
            self._on_disk[conversation] = saved.ledger
        except OSError as error:
            _log.warning(
                "A conversation's state could not be written to disk, so its prompt will be fed again: %s", error
            )
            _remove(partial)
        return True

    def _make_room(self, path: Path, size: int) -> bool:
        """Whether there is room within the budget, and on a disk that keeps some free; old states go for it."""
        if size > self._disk_budget:
            return False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            spare = shutil.disk_usage(path.parent).free - SPARE - size
        except OSError as error:
            _log.warning("The folder for saved states cannot be used: %s", error)
            return False
        files = [file for file in _by_age(self._folder) if file != path]  # Its own is replaced.
        sizes = [_size(file) for file in files]
        excess = max(sum(sizes) + size - self._disk_budget, -spare, sum(sizes[: max(0, len(sizes) + 1 - MOST_FILES)]))
        if excess > sum(sizes):
            _log.info("The disk is nearly full, so a conversation's state is not written to it.")
            return False
        for file, freed in zip(files, sizes, strict=True):
            if excess <= 0:
                break
            excess -= freed
            self._forget(file)
        return True

    def _forget(self, file: Path) -> None:
        _remove(file)
        for name in [name for name in self._on_disk if self._path(name) == file]:
            del self._on_disk[name]

    def _read(self, conversation: str) -> SavedState | None:
        path = self._path(conversation)
        if path is None or conversation not in self._on_disk:
            return None
        try:
            with path.open("rb") as file:
                saved = _read_file(file, self._model_key, conversation)
            os.utime(path)
            return saved
        except FileNotFoundError:
            self._on_disk.pop(conversation)
            return None
        except (OSError, ValueError, KeyError, TypeError, struct.error) as error:
            self._forget(path)
            message = f"The saved state of a conversation cannot be used, so its prompt is fed again: {error}."
            _log.warning("%s", message)
            raise StateError(message) from error


def forget(folder: Path | None, conversation: str) -> None:
    """Remove a conversation's states, whatever model they are of."""
    for path in _by_age(folder):
        try:
            with path.open("rb") as file:
                ours = _Head.read(file).values["conversation"] == conversation
        except (OSError, ValueError, KeyError, struct.error):
            continue
        if ours:
            _remove(path)


# -- The file ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Head:
    """`CUTKV002`, the CRC-32 of all that follows, the length of the JSON, the JSON; then tokens and states."""

    values: dict[str, Any]
    text: bytes
    crc: int = 0

    @staticmethod
    def of(model_key: str, conversation: str, saved: SavedState) -> _Head:
        values = {
            "model": model_key,
            "conversation": conversation,
            "tokens": len(saved.tokens),
            "state": len(saved.state),
            "exact": saved.exact,
            "floor": saved.floor,
            "checkpoints": [(checkpoint.length, len(checkpoint.state)) for checkpoint in saved.checkpoints],
        }
        return _Head(values, json.dumps(values).encode())

    @staticmethod
    def read(file: BinaryIO) -> _Head:
        magic, crc, length = struct.unpack("<8sII", file.read(16))
        if magic != _MAGIC or length > 1 << 20:
            raise ValueError("it is no saved state")
        text = file.read(length)
        values = json.loads(text)
        if not isinstance(values, dict):
            raise ValueError("it is no saved state")
        return _Head(values, text, crc)

    def tokens(self, file: BinaryIO) -> array[int]:
        count = int(self.values["tokens"])
        if not 0 <= count < 1 << 26:
            raise ValueError("it is no saved state")
        return array("i", file.read(4 * count))

    def ledger(self, file: BinaryIO) -> Ledger:
        marks = tuple(int(length) for length, _ in self.values["checkpoints"])
        return Ledger(self.tokens(file), marks, int(self.values["floor"]), self.values["exact"])


def _write_file(path: Path, head: _Head, saved: SavedState, go_on: Callable[[], bool]) -> bool:
    parts = [head.text, array("i", saved.tokens).tobytes(), saved.state, *(one.state for one in saved.checkpoints)]
    crc = zlib.crc32(struct.pack("<I", len(head.text)))
    with path.open("wb") as out:
        out.write(struct.pack("<8sII", _MAGIC, 0, len(head.text)))
        for part in parts:
            view = memoryview(part)
            for at in range(0, len(view), _PIECE):
                if not go_on():
                    return False
                crc = zlib.crc32(view[at : at + _PIECE], crc)
                out.write(view[at : at + _PIECE])
        out.seek(8)
        out.write(struct.pack("<I", crc))
    return True


def _read_file(file: BinaryIO, model_key: str, conversation: str) -> SavedState:
    head = _Head.read(file)
    values = head.values
    if values["model"] != model_key or values["conversation"] != conversation:
        raise ValueError("it is that of another conversation or model")
    tokens = head.tokens(file)
    sizes = [int(values["state"]), *(int(size) for _, size in values["checkpoints"])]
    left = os.fstat(file.fileno()).st_size - file.tell()
    if min(sizes) < 0 or sum(sizes) != left:
        raise ValueError("it is not as long as it says")
    parts = [file.read(size) for size in sizes]
    crc = zlib.crc32(struct.pack("<I", len(head.text)))
    for part in (head.text, tokens.tobytes(), *parts):
        crc = zlib.crc32(part, crc)
    if crc != head.crc:
        raise ValueError("its bytes have changed since it was written")
    lengths = [int(length) for length, _ in values["checkpoints"]]
    checkpoints = tuple(Checkpoint(length, part) for length, part in zip(lengths, parts[1:], strict=True))
    return SavedState(tokens, parts[0], checkpoints, values["exact"], int(values["floor"]))


def _by_age(folder: Path | None) -> list[Path]:
    """The states' files, oldest first. Others may be at work in the folder: what is gone meanwhile is left out."""
    found = []
    for path in folder.glob("*.kv") if folder is not None else ():
        try:
            found.append((path.stat().st_mtime_ns, path))
        except OSError:
            continue
    return [path for _, path in sorted(found)]


def _remove_unfinished(folder: Path | None) -> None:
    """What a program that was killed had begun to write."""
    for path in folder.glob("*.part") if folder is not None else ():
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > UNFINISHED_SECONDS:
                path.unlink()


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        _log.warning("A file in the folder of saved states could not be removed: %s", error)


# -- What a state depends on -------------------------------------------------------------------------------------


def state_key(settings: ModelSettings, facts: ModelFacts) -> str:
    """What a saved state depends on: another file, llama.cpp build, device, context or KV type makes it useless."""
    parts = (
        facts.path,
        facts.file_bytes,
        _changed_at(facts.path),
        facts.runtime,
        facts.device,
        facts.context,
        settings.kv_type_k,
        settings.kv_type_v,
        settings.flash_attention,
        settings.swa_full,
        [(path, scale, _changed_at(path)) for path, scale in settings.loras],
        sorted(settings.extra.items()),
    )
    return "|".join(map(str, parts))


def _changed_at(path: str) -> int:
    """Nanoseconds; 0 for a file that cannot be asked."""
    try:
        return Path(path).stat().st_mtime_ns
    except OSError:
        return 0
