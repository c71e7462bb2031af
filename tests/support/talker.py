"""A program that talks without end, made to be killed: see tests/journeys/test_store_kill.py.

It reads lines from its input, a store's path and a number each. For each it forks a child that opens the store,
sends messages named with the number, and prints what it did: `sent NODE TEXT` once a message is said to be on disk,
`grew NODE CHARACTERS` whenever a reply has grown on screen. What is dear to import is imported once, before.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cutaway.engine.scripted import Script
from cutaway.workbench.change import Change, TurnChanged
from support.scripts import bench_on

REPLY = " ".join(f"word{index}" for index in range(60))


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def hear(change: Change) -> None:
    if isinstance(change, TurnChanged):
        say("grew", change.turn.message, len(change.turn.content))


async def talk(store: str, number: str) -> None:
    script = Script(replies=(REPLY,), token_seconds=0.004)
    async with bench_on(script, store, heard=hear) as bench:
        conversations = await bench.conversations()
        conversation = conversations[0].id if conversations else (await bench.create_conversation()).id
        for index in range(1000):
            text = f"message {number}.{index}"
            node = await bench.send(conversation, text)
            say("sent", node.id, text)
            await bench.settled()


def main() -> None:
    say("ready")
    for line in sys.stdin:
        store, number = line.split()
        child = os.fork()
        if child == 0:
            try:
                asyncio.run(talk(store, number))
            finally:
                os._exit(1)
        say("child", child)
        os.waitpid(child, 0)
        say("gone")


if __name__ == "__main__":
    main()
