"""kill -9 at 50 random moments of one long conversation: no message is lost or doubled, at most half a second of a reply."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread

import pytest

from cutaway.store.database import Database
from support.talker import REPLY

KILLS = 50
LOSS_SECONDS = 0.5


@dataclass
class Said:
    """What the killed programs said they had done."""

    sent: dict[str, str] = field(default_factory=dict)
    grown: dict[str, list[tuple[float, int]]] = field(default_factory=dict)
    """For each reply: (time, characters on screen)."""
    due: dict[str, int] = field(default_factory=dict)
    """Characters of each reply that must be on disk: all but those of the last half second."""

    def killed(self, at: float) -> None:
        for node, counts in self.grown.items():
            shown = max((count for when, count in counts if when <= at - LOSS_SECONDS), default=0)
            self.due.setdefault(node, shown)


class Talker:
    def __init__(self) -> None:
        script = Path(__file__).parents[1] / "support" / "talker.py"
        self._process = subprocess.Popen(
            [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._lines: SimpleQueue[tuple[float, str]] = SimpleQueue()
        Thread(target=self._read, daemon=True).start()
        self.wait_for("ready")

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put((time.monotonic(), line.rstrip("\n")))

    def start(self, store: Path, number: int) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{store} {number}\n")
        self._process.stdin.flush()
        return int(self.wait_for("child")[1])

    def wait_for(self, word: str) -> list[str]:
        while True:
            _, line = self._lines.get(timeout=30)
            if line.startswith(word):
                return line.split(" ")

    def said_until_gone(self, said: Said) -> None:
        while True:
            try:
                at, line = self._lines.get(timeout=30)
            except Empty:
                pytest.fail("the killed child did not end")
            match line.split(" ", 2):
                case ["gone"]:
                    return
                case ["sent", node, text]:
                    said.sent[node] = text
                case ["grew", node, count]:
                    said.grown.setdefault(node, []).append((at, int(count)))

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()


@pytest.fixture
def talker() -> Iterator[Talker]:
    made = Talker()
    yield made
    made.close()


def test_nothing_is_lost_at_fifty_random_moments(talker: Talker, tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    chance = random.Random(8)
    said = Said()
    for number in range(KILLS):
        child = talker.start(store, number)
        time.sleep(chance.uniform(0.02, 0.7))
        killed = time.monotonic()
        os.kill(child, signal.SIGKILL)
        talker.said_until_gone(said)
        said.killed(killed)
        check(store, said)
    assert len(said.sent) > KILLS / 2
    assert sum(said.due.values()) > KILLS


def check(store: Path, said: Said) -> None:
    database = Database(str(store))
    assert database._run("PRAGMA integrity_check").fetchall() == [("ok",)]
    found = {m.id: m for info in database.conversations() for m in database.messages(info.id)}
    database.close()
    for node, text in said.sent.items():
        assert found[node].message.text == text
    words = [m.message.text for m in found.values() if m.message.role == "user"]
    assert len(words) == len(set(words))
    assert all(m.status != "growing" for m in found.values())
    for node, due in said.due.items():
        kept = found[node].message.text
        assert len(kept) >= due
        assert REPLY.startswith(kept)
