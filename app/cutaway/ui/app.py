"""Start to end of the program with a window: first paint, then the store, then the model."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from cutaway import places
from cutaway.ui import logs, words
from cutaway.ui.collector import Collector
from cutaway.ui.files import is_model
from cutaway.ui.instance import Listener, address
from cutaway.ui.look.style import look
from cutaway.ui.remembered import Remembered
from cutaway.ui.sentences import told
from cutaway.ui.window import MainWindow
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.workbench.bench import Workbench

log = logging.getLogger(__name__)

SWITCH_INTERVAL = 0.001 if sys.platform == "win32" else 0.0001
"""Seconds after which a thread lets another one run Python: the window waits so long for each of its own calls.

Windows counts such waits in whole milliseconds.
"""


_NOISE = ("This plugin does not support",)
"""What Qt's offscreen platform says of itself whenever a window is shown or raised."""


def _qt_said(kind: QtMsgType, _: object, text: str) -> None:
    """Qt's own messages belong in the log."""
    if any(word in text for word in _NOISE):
        return
    levels = {QtMsgType.QtDebugMsg: logging.DEBUG, QtMsgType.QtInfoMsg: logging.INFO}
    logging.getLogger("cutaway.qt").log(levels.get(kind, logging.WARNING), "%s", text)


def application() -> QApplication:
    """The one QApplication, with our look."""
    there = QApplication.instance()
    if isinstance(there, QApplication):
        return there
    sys.setswitchinterval(SWITCH_INTERVAL)
    qInstallMessageHandler(_qt_said)
    made = QApplication(["cutaway"])
    made.setQuitOnLastWindowClosed(False)  # The store is closed first.
    made.setApplicationName("Cutaway")
    made.setDesktopFileName("cutaway")
    look.install(made)
    return made


def event_loop(app: QApplication) -> QEventLoop:
    loop = QEventLoop(app)
    asyncio.set_event_loop(loop)
    return loop


class Program:
    """One window over one workbench, on one event loop."""

    def __init__(self, make: Callable[[], Workbench], remembered: Remembered | None = None) -> None:
        """`make` is called after the first paint, on a thread: importing what it needs takes a while."""
        self.application = application()
        self.remembered = remembered or Remembered()
        words.choose(self.remembered.get("language", words.language()))
        look.choose(self.remembered.get("theme", look.choice), float(self.remembered.get("text_size", 0.0)))
        self._make = make
        self.window = MainWindow(self.remembered)
        self.window.on_close(self._close)
        self.closed = asyncio.Event()
        self.collector = Collector(lambda: self.window.composer.running)

    def show(self) -> None:
        self.window.show()
        self.window.composer.text.setFocus()

    async def open(self, paths: Sequence[str] = (), *, model: Path | None = None) -> None:
        """Open the store, then load: the model given, else the one used last, else the default."""
        try:
            bench = await asyncio.to_thread(self._make)
            await self.window.desk.open(bench, self.remembered.get("conversation", ""))
        except Exception as error:
            self.window.broke(error)
        _warm_up()
        models = [path for path in paths if is_model(path)]
        if paths:
            self.window.requests.files.open_paths([str(path) for path in paths])
        if not models:
            await self._load_usual(model)

    async def _load_usual(self, model: Path | None) -> None:
        last = self.remembered.get("model", "")
        there = bool(last) and Path(last).is_file()
        path = model or (Path(last) if there else None) or places.default_model()
        if last and not there and model is None:
            self.window.notice.tell(tr("The model used last is no longer there: {0}", last))
        if path is not None and (model is not None or not self._killed_by(path)):
            self.window.desk.start(self.window.desk.open_path(str(path)))

    def _killed_by(self, path: Path) -> bool:
        """Whether the last run was killed while it had this model: then it waits for the person's word."""
        desk = self.window.desk
        left = desk.bench.left_behind if desk.opened.is_set() else None
        return left is not None and Path(left.path) == path

    async def _close(self) -> None:
        try:
            facts = self.window.desk.bench.model.facts if self.window.desk.opened.is_set() else None
            if facts is not None:
                self.remembered.set("model", facts.path)
            await self.window.desk.close()
        finally:
            self.collector.stop()
            self.closed.set()


def _warm_up() -> None:
    """Import what the first reply will need, off the window's thread."""
    from cutaway.ui.conversation import highlight, markdown

    def work() -> None:
        markdown.warm_up()
        highlight.warm_up()
        told("-")

    threading.Thread(target=work, name="warm-up", daemon=True).start()


def run(
    make: Callable[[], Workbench],
    paths: Sequence[str],
    *,
    store: Path | str,
    model: Path | None = None,
    first_paint: Callable[[], None] | None = None,
) -> int:
    """Show the window and stay until it is closed."""
    logs.start()
    app = application()
    loop = event_loop(app)
    words.choose(words.of_system())  # What the person chose, if anything, comes before it.
    program = Program(make)
    catch(program.window)
    program.window.first_paint = first_paint
    program.show()
    listener = Listener(address(store), lambda paths: _raised(program, paths))

    async def main() -> None:
        await asyncio.sleep(0)
        await program.open(paths, model=model)
        await program.closed.wait()

    try:
        with loop:
            loop.run_until_complete(main())
    finally:
        listener.close()
    return 0


def _raised(program: Program, paths: list[str]) -> None:
    program.window.raise_up()
    if paths:
        program.window.requests.files.open_paths(paths)


def catch(window: MainWindow) -> None:
    """From now on an uncaught exception becomes a sentence with a button to copy it; the window lives on."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            window.close()
            return
        log.error("uncaught: %s", "".join(traceback.format_exception(kind, error, trace)))
        QTimer.singleShot(0, lambda: window.broke(error))

    def thread_hook(arguments: Any) -> None:
        if arguments.exc_value is not None:
            log.error("uncaught in a thread: %s", "".join(traceback.format_exception(arguments.exc_value)))

    sys.excepthook = hook
    threading.excepthook = thread_hook
