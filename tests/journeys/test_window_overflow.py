"""A prompt that does not fit: the ways out before it is sent, and the cut marked in the conversation after."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from cutaway.engine.scripted import Script
from cutaway.ui.conversation.cards import NoteCard
from cutaway.ui.drive import Driver
from support.window import Journey

SCRIPT = Script(replies=("Noted.",), context=400)
LONG = "word " * 90


def notes(drive: Driver) -> list[str]:
    shown: list[QWidget] = drive.window.view.viewport().findChildren(NoteCard)
    return [note.label.text() for note in shown if note.isVisible()]


async def fill(drive: Driver) -> None:
    """Talk until the next message of that length does not fit."""
    for _ in range(8):
        drive.window.composer.set_text(LONG)
        drive.window.desk.ask_forecast(LONG)
        await drive.settle()
        if not drive.window.overflow.isHidden():
            return
        await drive.ask(LONG)
    raise AssertionError("the context never filled")


def test_the_choice_comes_before_sending_and_the_cut_is_marked(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await fill(drive)
        window = drive.window
        assert "tokens too many" in window.overflow.label.text()
        before = window.desk.shown
        window.overflow.buttons["drop"].click()
        await drive.until(lambda: window.desk.shown is not before, "the reply")
        turn = await drive.answered()
        assert turn.state == "done"
        assert turn.left_out
        assert window.overflow.isHidden()
        assert window.composer.text.toPlainText() == ""
        window.view.verticalScrollBar().setValue(0)
        await drive.settle()
        assert any("Left out" in note for note in notes(drive))

    journey(story, SCRIPT)


def test_a_turn_that_waits_for_the_choice_goes_on(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await fill(drive)
        window = drive.window
        drive.send(LONG)
        await drive.until(
            lambda: (turn := drive.running()) is not None and turn.state == "waiting", "a turn that waits"
        )
        await drive.until(lambda: window.overflow.buttons and not window.overflow.isHidden(), "the ways out")
        window.overflow.buttons["drop"].click()
        turn = await drive.answered()
        assert turn.state == "done"
        assert turn.left_out

    journey(story, SCRIPT)


def test_nothing_is_sent_when_that_is_chosen(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await fill(drive)
        count = len(drive.window.desk.nodes)
        drive.window.overflow.buttons["stop"].click()
        await drive.settle()
        assert len(drive.window.desk.nodes) == count
        assert drive.window.composer.text.toPlainText() == LONG

    journey(story, SCRIPT)
