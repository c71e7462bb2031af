"""`cutaway bench ui`: how late the window's thread is while it streams, opens and scrolls."""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutaway.cli.bench_texts import made_turn, markdown_text, prose
from cutaway.cli.main import CommandError
from cutaway.cli.selftest import choose_platform

if TYPE_CHECKING:
    from cutaway.ui.drive import Driver
    from cutaway.workbench.bench import Workbench

TOKENS_PER_SECOND = 200
LEAST_SHARE = 0.97
"""Of the tokens asked for: with fewer of them the window was not measured under the load that it should bear."""
PANES = ("prompt", "tokens", "reply", "cache", "template", "model", "compare", "boundary")


@dataclass(frozen=True, slots=True)
class Sizes:
    """What is opened and streamed into."""

    conversation_tokens: int = 20_000
    prompt_tokens: int = 128_000
    messages: int = 2_000


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seconds", type=float, default=20.0, help="how long to stream (20)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--visible", action="store_true", help="show the window on the display")


def run(arguments: argparse.Namespace) -> int:
    choose_platform(visible=arguments.visible)
    with tempfile.TemporaryDirectory(prefix="cutaway-bench-") as folder:
        figures = Measurement(Path(folder), arguments.seconds).run()
    if arguments.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:<26} {value:,}")
    said = shortfall(figures)
    if said:
        raise CommandError(said)
    return 0


def shortfall(figures: Mapping[str, float]) -> str:
    """What was not as it was to be measured; empty where all was."""
    rate, panes = figures["streamed_tok_s"], int(figures["panes_visible"])
    if panes < len(PANES):
        return f"only {panes} of {len(PANES)} panes were visible: the figures are not those of all panes."
    if rate < LEAST_SHARE * TOKENS_PER_SECOND:
        return f"only {rate:g} of {TOKENS_PER_SECOND} tokens/s came through: the figures are those of a lesser load."
    return ""


class Measurement:
    def __init__(self, folder: Path, seconds: float, sizes: Sizes | None = None) -> None:
        self.folder, self.seconds, self.sizes = folder, seconds, sizes or Sizes()
        self.figures: dict[str, float] = {}

    def run(self) -> dict[str, float]:
        from cutaway.ui.app import Program, application, event_loop
        from cutaway.ui.drive import Driver
        from cutaway.ui.remembered import Remembered

        app = application()
        loop = event_loop(app)
        program = Program(self._make, Remembered(self.folder / "window.json"))
        program.window.resize(2400, 1350)  # Room for every pane at once.
        program.show()

        async def main() -> None:
            await program.open(model=Path("bench.gguf"))
            drive = Driver(program.window)
            await drive.until(lambda: drive.window.desk.bench.model.state == "ready", "a loaded model")
            await self._open_conversation(drive)
            await self._stream(drive)
            await self._open_prompt(drive)
            await self._switch_turns(drive)
            program.window.close()
            await program.closed.wait()

        with loop:
            loop.run_until_complete(main())
        return self.figures

    def _make(self) -> Workbench:
        from cutaway.engine.scripted import Script, ScriptedBackend
        from cutaway.workbench.bench import Workbench

        reply = markdown_text(TOKENS_PER_SECOND * (self.seconds + 10))
        script = Script(replies=(reply,), context=65_536, token_seconds=1 / TOKENS_PER_SECOND)
        return Workbench(self.folder / "store.db", backend=lambda: ScriptedBackend(script))

    # -- Opening a conversation of 2,000 messages -----------------------------------------------

    async def _open_conversation(self, drive: Driver) -> None:
        desk = drive.window.desk
        long = await self._imported(desk.bench, "long", self.sizes.messages, 60)
        await desk.new_conversation()
        await drive.settle()
        began = time.perf_counter()
        await desk.open_conversation(long)
        drive.window.view.viewport().repaint()
        self.figures["open_conversation_ms"] = _ms(began)
        frames = []
        bar = drive.window.view.verticalScrollBar()
        for step in range(240):
            at = time.perf_counter()
            bar.setValue(bar.maximum() - step * 90)
            drive.window.view.viewport().repaint()
            frames.append(_ms(at))
            await asyncio.sleep(0)
        self.figures["scroll_conversation_frame_ms_p99"] = percentile(frames, 99)

    async def _imported(self, bench: Workbench, name: str, messages: int, words: int) -> str:
        path = self.folder / f"{name}.json"
        body = [
            {"role": ("user", "assistant")[index % 2], "content": f"{index}: " + prose(words, index)}
            for index in range(messages)
        ]
        path.write_text(json.dumps({"messages": body}), encoding="utf-8")
        return (await bench.import_(path)).conversations[0].id

    # -- Streaming with every pane open ---------------------------------------------------------

    async def _stream(self, drive: Driver) -> None:
        window = drive.window
        desk = window.desk
        conversation = await self._imported(desk.bench, "tokens", 100, self.sizes.conversation_tokens // 100)
        await desk.open_conversation(conversation)
        window.docks.tile(PANES, columns=4)
        await drive.settle()
        await asyncio.sleep(0.5)
        drive.send("Go on.")
        await drive.until(lambda: drive.running() is not None, "a reply", 60)
        turn = drive.running()
        assert turn is not None
        await drive.until(lambda: len(turn.tokens) > 20, "tokens", 60)
        meter, keys = Stalls(), KeyLatency(drive)
        at, count = time.perf_counter(), len(turn.tokens)
        meter.start()
        while time.perf_counter() - at < self.seconds and drive.running() is not None:
            await asyncio.sleep(0.1)
            keys.press()
        late = meter.stop()
        rate = (len(turn.tokens) - count) / (time.perf_counter() - at)
        await desk.stop()
        await drive.answered()
        self.figures["stall_ms_p99"] = percentile(late, 99)
        self.figures["stall_ms_max"] = round(max(late, default=0.0), 1)
        self.figures["key_latency_ms_p99"] = percentile(keys.latencies, 99)
        self.figures["streamed_tok_s"] = round(rate, 1)
        self.figures["prompt_tokens"] = len(turn.prompt_tokens)
        docks = window.docks
        self.figures["panes_visible"] = sum(
            slot.isVisible() and slot.failed is None and not window.tabifiedDockWidgets(docks.docks[name])
            for name, slot in docks.slots.items()
        )
        self.figures["forecast_ms_max"] = await self._forecast(drive)

    async def _forecast(self, drive: Driver) -> float:
        """From a key press until its forecast is told, the longest of some."""
        from cutaway.workbench.change import Change, ForecastChanged

        told: list[float] = []

        def hear(change: Change) -> None:
            if isinstance(change, ForecastChanged):
                told.append(time.perf_counter())

        silence = drive.window.desk.bench.subscribe(hear)
        waits = []
        for _ in range(8):
            await asyncio.sleep(0.3)
            told.clear()
            began = time.perf_counter()
            drive.type("a")
            await drive.until(lambda: told, "a forecast")
            waits.append(round((told[0] - began) * 1000, 1))
        silence()
        return max(waits)

    # -- Opening a prompt of 128,000 tokens -------------------------------------------------------

    async def _open_prompt(self, drive: Driver) -> None:
        turn = made_turn(self.sizes.prompt_tokens)
        window = drive.window
        window.docks.show_pane("prompt")
        await drive.settle()
        began = time.perf_counter()
        for slot in window.docks.slots.values():
            slot.show_turn(turn)
        window.repaint()
        self.figures["open_prompt_ms"] = _ms(began)
        pane = await drive.pane("prompt")
        view: Any = pane.view  # type: ignore[attr-defined]
        frames = []
        for step in range(240):
            at = time.perf_counter()
            view.verticalScrollBar().setValue(step * 37)
            view.viewport().repaint()
            frames.append(_ms(at))
            await asyncio.sleep(0)
        self.figures["scroll_frame_ms_p99"] = percentile(frames, 99)
        self.figures["scroll_frame_ms_p99"] = max(
            self.figures["scroll_frame_ms_p99"], self.figures["scroll_conversation_frame_ms_p99"]
        )

    async def _switch_turns(self, drive: Driver) -> None:
        turns = drive.window.desk.branch_turns()
        times = []
        for number in range(10):
            turn = (turns or [made_turn(2000)])[-1] if number % 2 else made_turn(4000)
            began = time.perf_counter()
            drive.window.show_turn(turn, "")
            drive.window.repaint()
            times.append(_ms(began))
            await asyncio.sleep(0)
        self.figures["switch_turn_ms_max"] = max(times)


class Stalls:
    """A timer that should fire every 5 ms, and how late it came each time, in milliseconds."""

    EVERY = 5

    def __init__(self) -> None:
        from PySide6.QtCore import Qt, QTimer

        self.late: list[float] = []
        self._last = 0.0
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(self.EVERY)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self._last = time.perf_counter()
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.late.append(max((now - self._last) * 1000 - self.EVERY, 0.0))
        self._last = now

    def stop(self) -> list[float]:
        self._timer.stop()
        return self.late


class KeyLatency:
    """From a key press put into the event queue until the composer has painted it."""

    def __init__(self, drive: Driver) -> None:
        from PySide6.QtCore import QEvent, QObject

        self._box = drive.window.composer.text
        self.latencies: list[float] = []
        self._sent = 0.0
        outer = self

        class Watch(QObject):
            def eventFilter(self, watched: QObject, event: QEvent) -> bool:
                if event.type() is QEvent.Type.Paint and outer._sent:
                    outer.latencies.append(_ms(outer._sent))
                    outer._sent = 0.0
                return False

        self._watch = Watch()
        self._box.viewport().installEventFilter(self._watch)

    def press(self) -> None:
        from PySide6.QtCore import QCoreApplication, QEvent, Qt
        from PySide6.QtGui import QKeyEvent

        self._sent = time.perf_counter()
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a")
        QCoreApplication.postEvent(self._box, event)


def _ms(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 2)


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(int(len(ordered) * share / 100), len(ordered) - 1)], 2) if ordered else 0.0
