"""`cutaway bench ui`: how late the window's thread is while it streams, opens and scrolls."""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutaway.cli.selftest import choose_platform

if TYPE_CHECKING:
    from cutaway.ui.drive import Driver
    from cutaway.workbench.bench import Workbench
    from cutaway.workbench.turn import Turn

TOKENS_PER_SECOND = 200
CONVERSATION_TOKENS = 20_000
PROMPT_TOKENS = 128_000
MESSAGES = 2_000
PANES = ("prompt", "tokens", "reply", "cache", "template", "model", "compare", "boundary")
WORDS = [
    "the",
    "cache",
    "keeps",
    "what",
    "was",
    "read",
    "before",
    "and",
    "only",
    "the",
    "words",
    "that",
    "are",
    "new",
    "have",
    "to",
    "be",
    "fed",
    "again",
]


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
    return 0


class Measurement:
    def __init__(self, folder: Path, seconds: float) -> None:
        self.folder, self.seconds = folder, seconds
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
        long = await self._imported(desk.bench, "long", MESSAGES, 60)
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
        conversation = await self._imported(desk.bench, "tokens", 100, CONVERSATION_TOKENS // 100)
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

    # -- Opening a prompt of 128,000 tokens -------------------------------------------------------

    async def _open_prompt(self, drive: Driver) -> None:
        turn = made_turn(PROMPT_TOKENS)
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


def prose(words: int, seed: int) -> str:
    return " ".join(WORDS[(seed * 7 + index * 5) % len(WORDS)] for index in range(words))


def markdown_text(tokens: float) -> str:
    """A reply with paragraphs, lists and code, about so many words long."""
    parts: list[str] = []
    count = 0
    while count < tokens:
        seed = len(parts)
        parts.append(prose(60, seed))
        parts.append("\n".join(f"- {prose(8, seed + line)}" for line in range(4)))
        parts.append("```python\ndef f(x):\n    return x + 1  # " + prose(6, seed) + "\n```")
        count += 60 + 4 * 10 + 20
    return "\n\n".join(parts)


def made_turn(tokens: int) -> Turn:
    """A finished turn with a prompt of so many tokens, as the layers below make it."""
    from cutaway.chat.message import Message, Request
    from cutaway.chat.prompt import Origin, Prompt, Span
    from cutaway.engine.scripted import ScriptedVocabulary
    from cutaway.engine.tokens import tokenise
    from cutaway.workbench.turn import Turn

    messages: list[Message] = []
    spans: list[Span] = []
    at = 0
    while at < tokens:
        role = ("user", "assistant")[len(messages) % 2]
        content = prose(400, len(messages)) + "\n"
        source = f"messages[{len(messages)}].content"
        spans += [
            Span(f"<|im_start|>{role}\n", Origin("template", line=6, column=4)),
            Span(content, Origin("input", source, 0, len(content))),
            Span("<|im_end|>\n", Origin("template", line=10, column=4)),
        ]
        messages.append(Message(role, content))
        at += 405
    start = sum(len(span.text) for span in spans)
    spans.append(Span("<|im_start|>assistant\n", Origin("template", line=14, column=4)))
    prompt = Prompt(tuple(spans), start)
    vocabulary = ScriptedVocabulary(("<|endoftext|>", "<|im_start|>", "<|im_end|>"), ())
    made = tokenise(prompt, vocabulary)
    turn = Turn(id=f"made-{tokens}", conversation="", message="", request=Request(messages=tuple(messages)))
    turn.prompt, turn.prompt_tokens, turn.state = prompt, made, "done"
    return turn
