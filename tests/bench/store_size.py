"""How fast the store is at size: `python tests/bench/store_size.py [conversations] [messages]`.

Makes a store of 5,000 conversations of 100 messages in a temporary folder (about a minute) and prints, in
milliseconds: opening it, listing the conversations, searching for a rare and for a frequent word, opening a
conversation of 2,000 messages. Medians of five.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cutaway.chat.message import Message
from cutaway.store.database import Database
from cutaway.store.record import StoredConversation, StoredMessage
from support.scripts import bench_on

WORDS = [f"w{number}" for number in range(4000)] + ["walrus"]


def fill(path: Path, conversations: int, messages: int) -> None:
    database = Database(str(path))
    chance = random.Random(1)
    sizes = [messages] * conversations + [2000]
    with database.transaction():
        for number, size in enumerate(sizes):
            name = f"c{number}"
            database.put_conversation(StoredConversation(name, f"Conversation {number}", created=1.0, updated=number))
            parent = None
            for index in range(size):
                words = chance.choices(WORDS, k=30)
                text = " ".join(["the", "common", *words])
                node = f"{name}-{index}"
                role = "user" if index % 2 == 0 else "assistant"
                database.add_message(StoredMessage(node, name, parent, Message(role, text), created=float(number)))
                parent = node
    database.close()


async def timed(call: Callable[[], Awaitable[object]]) -> float:
    took = []
    for _ in range(5):
        began = time.perf_counter()
        await call()
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


async def measure(path: Path, conversations: int) -> None:
    began = time.perf_counter()
    async with bench_on(store=path, load=False) as bench:
        await bench.conversations()
        print(f"open and list {(time.perf_counter() - began) * 1000:8.1f} ms")
        print(f"list          {await timed(bench.conversations):8.1f} ms")
        for text in ("walrus", "common", "the common w1", "w", "co", "nothing"):
            print(f"search {text!r:15} {await timed(lambda text=text: bench.search(text)):8.1f} ms")

        async def open_long() -> None:
            bench._library.forget_unused()
            assert len(await bench.messages(f"c{conversations}")) == 2000

        print(f"open 2,000    {await timed(open_long):8.1f} ms")


def main() -> None:
    conversations, messages = (*map(int, sys.argv[1:3]), 5000, 100)[:2] if len(sys.argv) > 2 else (5000, 100)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        began = time.perf_counter()
        fill(path, conversations, messages)
        print(f"filled in {time.perf_counter() - began:.1f} s, {path.stat().st_size / 1e6:.0f} MB")
        asyncio.run(measure(path, conversations))


if __name__ == "__main__":
    main()
