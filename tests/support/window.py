"""The real window on the scripted engine, for the tests of the window and for the journeys.

A journey is an async function that is given a `Driver`; `Journey` runs it on Qt's loop with a fresh store, and
afterwards fails when the program logged a warning, Qt said something, or the window would not close.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

from cutaway.engine.scripted import Script, ScriptedBackend
from cutaway.ui import words
from cutaway.ui.app import Program, application, event_loop
from cutaway.ui.drive import Driver
from cutaway.ui.look.style import look
from cutaway.ui.remembered import Remembered

MODEL = Path("scripted.gguf")
THINKING = (
    "{%- for message in messages -%}"
    "{{- '<|im_start|>' + message.role + '\\n' -}}"
    "{%- if message.reasoning_content -%}{{- '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' -}}{%- endif -%}"
    "{{- message.content + '<|im_end|>\\n' -}}"
    "{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}"
)


class Listening(logging.Handler):
    """Keeps what the program logs as a warning or worse."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(f"{record.name}: {record.getMessage()}")


class Journey:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.expected: list[str] = []
        """Parts of log lines that this journey brings about on purpose."""

    def __call__(
        self,
        story: Callable[[Driver], Awaitable[None]],
        script: Script | None = None,
        *,
        model: Path | None = MODEL,
        size: tuple[int, int] = (1360, 860),
        real: bool = False,
        usual: bool = False,
    ) -> None:
        """`real` runs llama.cpp instead of the script; with `usual` the program opens what it opens by itself."""
        from cutaway.workbench.bench import Workbench

        ear = Listening()
        logging.getLogger("cutaway").addHandler(ear)
        app = application()
        loop = event_loop(app)
        words.choose("en")
        look.choose("light")
        played, store = script or Script(), self.folder / "store.db"
        gc.disable()

        async def whole() -> None:
            program = Program(
                lambda: Workbench(store) if real else Workbench(store, lambda: ScriptedBackend(played)),
                Remembered(self.folder / "window.json"),
            )
            program.window.resize(*size)
            program.show()
            drive = Driver(program.window)
            try:
                await program.open(model=None if usual else model or Path("none.gguf"))
                if model is not None and not usual:
                    bench = program.window.desk.bench
                    await drive.until(lambda: bench.model.state in ("ready", "failed"), "a loaded model")
                await story(drive)
            finally:
                program.window.close()
                await asyncio.wait_for(program.closed.wait(), 10)
                program.window.deleteLater()

        try:
            with loop:
                loop.run_until_complete(whole())
        finally:
            logging.getLogger("cutaway").removeHandler(ear)
            app.processEvents()
            gc.collect()  # Here, not on the engine's thread of the next journey.
            gc.enable()
        unexpected = [line for line in ear.heard if not any(part in line for part in self.expected)]
        assert not unexpected, unexpected
