"""What changes often lays out nothing else: a line's words, a pane's insides. Work for the screen comes one by one."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from cutaway.ui.app import application
from cutaway.ui.beat import LIGHT_MS, Beat
from cutaway.ui.slot import Slot
from cutaway.ui.widgets.elided import Elided


class Laying(QObject):
    """Counts how often a widget is asked to lay itself out."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__()
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.LayoutRequest
        return False


class Shown(QWidget):
    """As much of a pane as a slot needs."""

    def __init__(self) -> None:
        super().__init__()
        self.words = QLabel("one", self)
        QVBoxLayout(self).addWidget(self.words)

    def show_turn(self, turn: object) -> None:
        self.words.setText("two")


@pytest.fixture
def app() -> QApplication:
    return application()


def run(app: QApplication) -> None:
    for _ in range(3):
        app.sendPostedEvents()
        app.processEvents()


def test_new_words_in_a_line_lay_nothing_out(app: QApplication) -> None:
    outer = QWidget()
    column = QVBoxLayout(outer)
    quiet, loud = Elided("one"), QLabel("one")
    column.addWidget(quiet)
    column.addWidget(loud)
    outer.show()
    run(app)
    laying = Laying(outer)
    quiet.setText("many more words than there were before")
    run(app)
    assert laying.count == 0
    assert quiet.text() == quiet.accessibleName() == "many more words than there were before"
    loud.setText("many more words")
    run(app)
    assert laying.count > 0, "the test sees what it looks for"


def test_a_slot_keeps_the_layouts_of_its_pane_to_itself(app: QApplication) -> None:
    outer = QWidget()
    column = QVBoxLayout(outer)
    pane = Shown()
    context = SimpleNamespace(selected=SimpleNamespace(value=None))
    slot = Slot(lambda _: pane, "prompt", "Prompt", context)  # type: ignore[arg-type, return-value]
    column.addWidget(slot)
    outer.resize(300, 200)
    outer.show()
    run(app)
    assert pane.size() == slot.size()
    inside, outside = Laying(pane), Laying(outer)
    pane.words.setText("many more words than there were before")
    run(app)
    assert inside.count > 0
    assert outside.count == 0
    outer.resize(400, 300)
    run(app)
    assert pane.size() == slot.size()


def test_a_heavy_job_has_a_tick_of_its_own(app: QApplication) -> None:
    beat, done = Beat(), []

    def heavy() -> None:
        end = time.perf_counter() + 2 * LIGHT_MS / 1000
        while time.perf_counter() < end:
            pass
        done.append("heavy")

    beat.ask("heavy", heavy)
    beat.ask("next", lambda: done.append("next"))
    beat.ask("heavy", lambda: done.append("again"))
    beat._tick()
    assert done == ["heavy"]
    end = time.perf_counter() + 5
    while len(done) < 2 and time.perf_counter() < end:
        QCoreApplication.processEvents()
    assert done == ["heavy", "next"]


def test_a_job_that_fails_does_not_stop_the_others(app: QApplication) -> None:
    beat, done = Beat(), []

    def broken() -> None:
        raise ValueError("on purpose")

    beat.ask("broken", broken)
    beat.ask("whole", lambda: done.append(1))
    with pytest.raises(ValueError, match="on purpose"):
        beat._tick()
    beat._tick()
    assert done == [1]
    beat.ask("again", lambda: done.append(2))
    beat.flush()
    assert done == [1, 2]
    beat.stop()
