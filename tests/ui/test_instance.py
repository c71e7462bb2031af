"""A second start hands its paths to the first window, and a dead window's socket is nobody's."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from cutaway.ui.app import application
from cutaway.ui.instance import Listener, address, hand_over


@pytest.fixture
def where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    return address(tmp_path / "store.db")


def test_paths_are_handed_over(where: str, tmp_path: Path) -> None:
    app = application()
    opened: list[list[str]] = []
    listener = Listener(where, opened.append)
    answers: list[bool] = []
    second = threading.Thread(target=lambda: answers.append(hand_over(where, [str(tmp_path / "a.gguf")])))
    second.start()
    end = time.monotonic() + 5
    while second.is_alive() and time.monotonic() < end:
        app.processEvents()
    second.join()
    listener.close()
    assert answers == [True]
    assert opened == [[str(tmp_path / "a.gguf")]]


def test_nobody_answers_where_no_window_is(where: str) -> None:
    assert not hand_over(where, [])
    Path(where).touch()
    assert not hand_over(where, [])


def test_another_store_has_another_address(where: str, tmp_path: Path) -> None:
    assert address(tmp_path / "other.db") != where
