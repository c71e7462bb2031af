"""One window per store: a second start raises the first window and hands over what it was asked to open.

A socket beside the lock file in the user's run-time folder; on Windows, which has no such sockets in Python,
Qt's local server. Checked before Qt is imported, so that the second start ends at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

LONGEST = 1 << 16
WAIT = 2.0
"""Seconds that the first window has to answer."""


def address(store: Path | str) -> str:
    """Where the window of a store listens."""
    name = "cutaway-" + hashlib.sha256(str(Path(store).resolve()).encode()).hexdigest()[:16]
    if sys.platform == "win32":
        return name
    base = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    folder = base / f"cutaway-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to someone else.")
    return str(folder / name)


def hand_over(where: str, paths: Sequence[str]) -> bool:
    """Give the paths to the window that listens there; False when none does."""
    message = json.dumps({"open": [str(Path(path).absolute()) for path in paths]}).encode() + b"\n"
    if sys.platform == "win32":
        return _hand_over_windows(where, message)
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(WAIT)
            client.connect(where)
            client.sendall(message)
            return client.recv(16).startswith(b"ok")
    except OSError:
        return False


def _hand_over_windows(where: str, message: bytes) -> bool:
    from PySide6.QtNetwork import QLocalSocket

    client = QLocalSocket()
    client.connectToServer(where)
    if not client.waitForConnected(round(WAIT * 1000)):
        return False
    client.write(message)
    return client.waitForBytesWritten(round(WAIT * 1000))


class Listener:
    """Listens for second starts; `opened` is called with the paths they hand over."""

    def __init__(self, where: str, opened: Callable[[list[str]], None]) -> None:
        self._where, self._opened = where, opened
        self._server: Any = None
        self._notifier: Any = None
        if sys.platform == "win32":
            self._listen_windows()
        else:
            self._listen()

    def _listen(self) -> None:
        from PySide6.QtCore import QSocketNotifier

        with contextlib.suppress(OSError):  # Left over from a window that was killed: nobody answered there.
            os.unlink(self._where)
        server = socket.socket(socket.AF_UNIX)
        server.bind(self._where)
        server.listen(4)
        server.setblocking(False)
        self._server = server
        self._notifier = QSocketNotifier(server.fileno(), QSocketNotifier.Type.Read)
        self._notifier.activated.connect(self._accept)

    def _accept(self) -> None:
        try:
            client, _ = self._server.accept()
        except OSError:
            return
        with client:
            client.settimeout(0.2)
            try:
                message = client.recv(LONGEST)
                client.sendall(b"ok\n")
            except OSError:
                return
        self._take(message)

    def _take(self, message: bytes) -> None:
        try:
            paths = json.loads(message)["open"]
        except (ValueError, LookupError, TypeError):
            return
        if isinstance(paths, list):
            self._opened([path for path in paths if isinstance(path, str)])

    def _listen_windows(self) -> None:
        from PySide6.QtNetwork import QLocalServer

        QLocalServer.removeServer(self._where)
        server = QLocalServer()
        server.listen(self._where)

        def accept() -> None:
            client = server.nextPendingConnection()
            if client is not None and client.waitForReadyRead(200):
                self._take(bytes(client.readAll().data()))

        server.newConnection.connect(accept)
        self._server = server

    def close(self) -> None:
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._server.close()
            with contextlib.suppress(OSError):
                os.unlink(self._where)
        elif self._server is not None:
            self._server.close()
