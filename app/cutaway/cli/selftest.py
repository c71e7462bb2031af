"""`cutaway selftest`: opens the real window, uses it with a real model, and says whether all of it worked."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutaway import places
from cutaway.cli.main import CommandError

if TYPE_CHECKING:
    from cutaway.ui.app import Program
    from cutaway.workbench.bench import Workbench

LONG = "The cat sat on the mat and looked at the rain. " * 400
"""Long enough that reading it takes a while: Stop is tried in the middle."""


def describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--screenshot", metavar="FILE", help="save a picture of the window after the second turn")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--model", metavar="GGUF", help="another model than the default one")
    parser.add_argument("--template", metavar="FILE|chatml", help="another template than the model's own")
    parser.add_argument("--scripted", action="store_true", help="use the scripted engine instead of a model")
    parser.add_argument("--visible", action="store_true", help="show the window on the display")


def run(arguments: argparse.Namespace) -> int:
    choose_platform(visible=arguments.visible)
    model = _model(arguments)
    with tempfile.TemporaryDirectory(prefix="cutaway-selftest-") as folder:
        test = SelfTest(Path(folder), model, arguments)
        test.run()
    report = {"ok": all(step.ok for step in test.steps), "steps": [asdict(step) for step in test.steps]}
    report["figures"] = test.figures
    if arguments.json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        _print(test)
    return 0 if report["ok"] else 1


def choose_platform(*, visible: bool) -> None:
    """Qt draws into memory unless a display is there and asked for."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    elsewhere = sys.platform in ("win32", "darwin")
    if not (visible and (display or elsewhere)):
        os.environ["QT_QPA_PLATFORM"] = "offscreen"


def _model(arguments: argparse.Namespace) -> Path:
    if arguments.scripted:
        return Path("demo.gguf")
    path = Path(arguments.model) if arguments.model else places.default_model()
    if path is None:
        raise CommandError(
            f"The default model {places.DEFAULT_MODEL} is not in {places.models()}. Run the set-up, or name one with --model."
        )
    if not path.is_file():
        raise CommandError(f"There is no model {path}. Name a GGUF file.")
    return path.absolute()


@dataclass(slots=True)
class Step:
    name: str
    ok: bool
    ms: float
    detail: str = ""


@dataclass(slots=True)
class SelfTest:
    folder: Path
    model: Path
    arguments: argparse.Namespace
    steps: list[Step] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    def run(self) -> None:
        from cutaway.ui.app import Program, application, event_loop
        from cutaway.ui.remembered import Remembered

        app = application()
        loop = event_loop(app)
        program = Program(self._make, Remembered(self.folder / "window.json"))
        program.window.first_paint = self._painted
        program.window.resize(1440, 900)
        program.show()
        with loop:
            loop.run_until_complete(self._all(program))

    def _make(self) -> Workbench:
        from cutaway.workbench.bench import Workbench

        if self.arguments.scripted:
            from cutaway.ui.demo import demo_backend

            return Workbench(self.folder / "store.db", backend=demo_backend)
        return Workbench(self.folder / "store.db")

    def _painted(self) -> None:
        self.figures["start_ms"] = round(1000 * (time.time() - process_start()), 1)

    async def _all(self, program: Program) -> None:
        from cutaway.ui.drive import Driver

        drive = Driver(program.window)
        turns: list[Any] = []
        plan: list[tuple[str, Callable[[], Awaitable[str]]]] = [
            ("window", lambda: self._window(drive)),
            ("load", lambda: self._load(program, drive)),
            ("first turn", lambda: self._turn(drive, turns, "Hello! Who are you?")),
            ("second turn", lambda: self._turn(drive, turns, "Say it again in five words.")),
            ("panes", lambda: self._panes(drive)),
            ("screenshot", lambda: self._screenshot(drive)),
            ("stop in decode", lambda: self._stop_decode(drive)),
            ("stop in prefill", lambda: self._stop_prefill(drive)),
            ("memory", lambda: self._memory(drive)),
            ("close", lambda: self._close(program)),
            ("reopen the store", lambda: self._reopen()),
        ]
        for name, step in plan:
            began = time.perf_counter()
            try:
                detail, ok = await step(), True
            except Exception as error:  # Every failure is a line of the report.
                detail, ok = f"{type(error).__name__}: {error}", False
            self.steps.append(Step(name, ok, round(1000 * (time.perf_counter() - began), 1), detail))
            if not ok and name in ("window", "load"):
                break
        if not program.closed.is_set():
            program.window.close()
            await program.closed.wait()

    async def _window(self, drive: Any) -> str:
        await drive.until(lambda: "start_ms" in self.figures, "the first paint")
        if not drive.window.composer.text.hasFocus():
            raise CommandError("The cursor is not in the composer.")
        return f"first paint after {self.figures['start_ms']:.0f} ms, the cursor is in the composer"

    async def _load(self, program: Program, drive: Any) -> str:
        began = time.perf_counter()
        if self.arguments.template:
            drive.window.remembered.set("template", self.arguments.template)
        await program.open(model=self.model)
        bench = drive.window.desk.bench
        await drive.until(lambda: bench.model.state in ("ready", "failed"), "a loaded model", 120)
        if bench.model.state == "failed":
            raise CommandError(bench.model.message)
        if self.arguments.template:
            await bench.set("template", self.arguments.template)
        self.figures["load_ms"] = round(1000 * (time.perf_counter() - began), 1)
        return str(bench.model.facts.name)

    async def _turn(self, drive: Any, turns: list[Any], text: str) -> str:
        bench = drive.window.desk.bench
        if not turns:
            await bench.set("max_tokens", 48)
            await bench.set("sampling.seed", 1)
        turn = await drive.ask(text)
        turns.append(turn)
        if turn.state != "done" or not turn.tokens or turn.timings is None:
            raise CommandError(f"The turn ended as {turn.state}: {turn.error or turn.finish_reason}")
        if len(turns) == 1:
            self.figures["first_token_ms"] = round(turn.timings.first_token_ms, 1)
        else:
            self.figures["decode_tok_s"] = round(turn.timings.decode_tok_s, 1)
            self.figures["turn2_reused_tokens"] = turn.timings.reused
            self.figures["turn2_fed_tokens"] = turn.timings.fed
        return f"{turn.timings.generated} tokens, first after {turn.timings.first_token_ms:.0f} ms"

    async def _panes(self, drive: Any) -> str:
        from cutaway.ui.registry import KINDS

        turn = drive.window.desk.shown
        for kind in KINDS:
            pane = await drive.pane(kind.name)
            wrong = _shows(kind.name, pane, turn)
            if wrong:
                raise CommandError(f"The {kind.name} pane {wrong}.")
        return ", ".join(kind.name for kind in KINDS)

    async def _screenshot(self, drive: Any) -> str:
        drive.window.docks.apply("prompt")
        await drive.settle()
        await asyncio.sleep(0.2)
        picture = drive.window.grab()
        if picture.isNull():
            raise CommandError("The window could not be drawn.")
        if not self.arguments.screenshot:
            return "not asked for"
        path = Path(self.arguments.screenshot).absolute()
        if not picture.save(str(path)):
            raise CommandError(f"{path} could not be written.")
        return str(path)

    async def _stop_decode(self, drive: Any) -> str:
        bench = drive.window.desk.bench
        await bench.set("max_tokens", 2000)
        if (end := bench.model.facts.eos) >= 0:
            await bench.set("sampling.logit_bias", [[end, -math.inf]])  # a story that ends at once cannot be stopped
        drive.send("Tell me a very long story.")
        await drive.until(lambda: drive.running() is not None and len(drive.running().tokens) > 5, "tokens", 30)
        return await self._stopped(drive, "stop_decode_ms")

    async def _stop_prefill(self, drive: Any) -> str:
        drive.send(LONG)
        await drive.until(lambda: drive.running() is not None and drive.running().prefilled > 0, "prefill", 30)
        return await self._stopped(drive, "stop_prefill_ms")

    async def _stopped(self, drive: Any, figure: str) -> str:
        turn = drive.running()
        state = turn.state
        drive.window.composer.button.click()
        seconds = await drive.until(lambda: drive.running() is None, "the end after Stop", 20)
        self.figures[figure] = round(1000 * seconds, 1)
        await drive.settle()
        return f"stopped in {state} after {self.figures[figure]:.0f} ms"

    async def _memory(self, drive: Any) -> str:
        import psutil

        memory = drive.window.desk.bench.model.facts.memory
        resident = psutil.Process().memory_info().rss
        beyond = resident - memory.get("weights", 0) - memory.get("kv", 0)
        self.figures["extra_memory_mb"] = round(beyond / 1e6, 1)
        return f"{resident / 1e6:.0f} MB resident"

    async def _close(self, program: Program) -> str:
        program.window.close()
        await asyncio.wait_for(program.closed.wait(), 20)
        return "closed"

    async def _reopen(self) -> str:
        bench = self._make()
        await bench.open()
        try:
            found = await bench.conversations()
            messages = await bench.messages(found[0].id)
        finally:
            await bench.close()
        if len(messages) < 8:
            raise CommandError(f"The store holds {len(messages)} messages, at least 8 were written.")
        return f"{len(messages)} messages"


def _shows(name: str, pane: Any, turn: Any) -> str:
    """What is wrong with what a pane shows of the turn; empty when nothing is."""
    if name == "prompt":
        return "" if pane.view.text == turn.prompt.text else "does not show the turn's prompt"
    if name == "tokens":
        return "" if pane.reply.rowCount() == len(turn.tokens) else "does not show every token"
    if name == "reply":
        return "" if pane.view.raw.text == turn.raw else "does not show the raw output"
    if name == "cache":
        return "" if turn.id in pane.strips_shown() else "has no strip for the turn"
    return ""


def process_start() -> float:
    """When this process began, in seconds since the epoch.

    On Linux by the boot clock: the boot's own date, which psutil adds, is rounded to a second.
    """
    if sys.platform == "linux":
        ticks = int(Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19])
        return time.time() - (time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK"))
    import psutil

    return float(psutil.Process().create_time())


def _print(test: SelfTest) -> None:
    for step in test.steps:
        print(f"{'ok  ' if step.ok else 'FAIL'}  {step.name:<18} {step.ms:>9.1f} ms  {step.detail}")
    print()
    for name, value in test.figures.items():
        print(f"{name:<22} {value:,}")
