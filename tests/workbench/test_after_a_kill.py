"""A process that is killed while it has a model: the next start says so, and loads it with safer settings."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from cutaway.engine.journal import SAFE_CONTEXT
from cutaway.workbench.change import Change, Problem
from support.scripts import bench_on, texts

KILLED = """
import asyncio, os, signal, sys
from cutaway.engine.scripted import ScriptedBackend
from cutaway.workbench.bench import Workbench

async def main():
    bench = Workbench(sys.argv[1], ScriptedBackend)
    await bench.open()
    await bench.load_model("big.gguf")
    await bench.model_ready()
    talk = await bench.create_conversation()
    await bench.send(talk.id, "Hello")
    await bench.settled()
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

asyncio.run(main())
"""


CALLING = """
import asyncio, os, signal, sys
from cutaway.engine.scripted import Script, ScriptedBackend
from cutaway.workbench.bench import Workbench
from cutaway.workbench.change import TurnChanged
from support.scripts import HERMES, WEATHER

REPLY = 'Let me look.\\n<tool_call>\\n{"name": "get_weather", "arguments": {"city": "' + 'Rome ' * 500

async def main():
    script = Script(replies=(REPLY,), template=HERMES, token_seconds=0.02)
    bench = Workbench(sys.argv[1], lambda: ScriptedBackend(script))
    grown = asyncio.Event()
    bench.subscribe(lambda change: isinstance(change, TurnChanged) and "city" in change.turn.raw and grown.set())
    await bench.open()
    await bench.load_model("big.gguf")
    await bench.model_ready()
    await bench.set("tools", [WEATHER])
    talk = await bench.create_conversation()
    await bench.send(talk.id, "Rain?")
    await grown.wait()
    await asyncio.sleep(0.3)
    await bench._store.read(lambda database: None)
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

asyncio.run(main())
"""


async def test_a_call_that_was_half_written_is_read_again(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    folder = str(Path(__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": folder}
    command = [sys.executable, "-c", CALLING, str(store)]
    killed = await asyncio.to_thread(subprocess.run, command, timeout=60, check=False, env=environment)
    assert killed.returncode != 0

    for _ in range(2):
        async with bench_on(store=store, load=False) as bench:
            await bench.settled()
            (talk,) = await bench.conversations()
            node = (await bench.messages(talk.id))[-1]
            assert (node.status, node.message.text) == ("stopped", "Let me look.\n")
            (written,) = node.message.tool_calls
            assert written.name == "get_weather"
            assert written.arguments.startswith('{"city": "Rome')
            turn = await bench.turn(node.id)
            assert turn is not None
            assert (turn.state, turn.finish_reason) == ("stopped", "cancelled")
            assert turn.reply is not None
            assert [call.name for call in turn.reply.calls] == ["get_weather"]


async def test_what_ran_is_said_nothing_is_lost_and_safer_settings_are_applied(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    killed = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", KILLED, str(store)], timeout=60, check=False
    )
    assert killed.returncode != 0

    heard: list[Change] = []
    async with bench_on(store=store, load=False, heard=heard.append) as bench:
        await asyncio.sleep(0.01)
        problem = next(change for change in heard if isinstance(change, Problem) and change.action == "safer-settings")
        assert "big.gguf was in use" in problem.sentence
        assert "safer settings" in problem.advice
        (talk,) = await bench.conversations()
        assert await texts(bench, talk.id) == ["user: Hello", "assistant: Hello! This is a scripted reply."]

        await bench.load_again(safely=True)
        assert (await bench.model_ready()).state == "ready"
        settings = bench.model_settings("big.gguf")
        assert (settings.use_mmap, settings.gpu_layers, settings.devices) == (False, 0, ("CPU",))
        assert settings.context == SAFE_CONTEXT

    heard.clear()
    async with bench_on(store=store, load=False, heard=heard.append) as bench:
        await asyncio.sleep(0.01)
        assert bench.left_behind is None
        assert not [change for change in heard if isinstance(change, Problem) and change.action == "safer-settings"]
