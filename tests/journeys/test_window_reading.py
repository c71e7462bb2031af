"""Reading in the real window: what the mouse selects is what is copied, and scrolling never fights the reader."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QWidget

from cutaway.engine.scripted import Script
from cutaway.ui.conversation.code_card import CodeCard
from cutaway.ui.conversation.head_card import HeadCard
from cutaway.ui.conversation.small_cards import FoldCard
from cutaway.ui.conversation.text_card import TextCard
from cutaway.ui.drive import Driver, press
from support.window import THINKING, Journey

PARAGRAPH = "The cache keeps what was read before, and only new words are fed again. " * 4
LONG = "\n\n".join(f"Paragraph {n}. {PARAGRAPH}" for n in range(40))
SLOW = Script(replies=("<think>\n" + PARAGRAPH * 3 + "\n</think>\n\n" + LONG,), template=THINKING, token_seconds=0.002)


async def imported(drive: Driver, journey: Journey, *contents: str) -> None:
    """A conversation of these messages, the person's and the model's in turn."""
    body = [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(contents)]
    path = journey.folder / "conversation.json"
    path.write_text(json.dumps({"messages": body}), encoding="utf-8")
    done = await drive.window.desk.bench.import_(path)
    await drive.window.desk.open_conversation(done.conversations[0].id)
    await drive.settle()


def card(drive: Driver, kind: type[Any], text: str = "") -> Any:
    found = [c for c in drive.window.view.deck.cards.values() if isinstance(c, kind) and text in c.item.text]
    return min(found, key=lambda c: c.y())


def mouse(target: QWidget, kind: QEvent.Type, place: QPointF) -> None:
    button = Qt.MouseButton.LeftButton
    held = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseButtonRelease else button
    event = QMouseEvent(kind, place, target.mapToGlobal(place), button, held, Qt.KeyboardModifier.NoModifier)
    QCoreApplication.sendEvent(target, event)


def place_of(shown: TextCard, char: int) -> QPointF:
    """Where a character stands in its card, in UTF-16 units: between it and the one before."""
    block = shown.document.findBlock(char)
    line = block.layout().lineForTextPosition(char - block.position())
    x, _ = line.cursorToX(char - block.position())
    box = shown.document.documentLayout().blockBoundingRect(block)
    return QPointF(box.left() + x + 0.5, box.top() + line.y() + line.height() / 2) + shown._origin()


def drag(first: TextCard, start: int, last: TextCard, end: int) -> None:
    mouse(first, QEvent.Type.MouseButtonPress, place_of(first, start))
    target = first.mapFromGlobal(last.mapToGlobal(place_of(last, end)))
    mouse(first, QEvent.Type.MouseMove, target)
    mouse(first, QEvent.Type.MouseButtonRelease, target)


def copied(drive: Driver) -> str:
    press(drive.window.view, Qt.Key.Key_C, modifiers=Qt.KeyboardModifier.ControlModifier)
    return QGuiApplication.clipboard().text()


def test_what_the_mouse_selects_is_copied_as_it_reads(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        answer = "Yes 😀 *very* 👩‍👩‍👧 𝒳.\n\n```py\nx = '😀'\ny = 2\n```\n\nEnd."
        await imported(drive, journey, "Is it?", answer)
        text, code = card(drive, TextCard, "very"), card(drive, CodeCard)
        shown = text.text_between(0, text.length)
        assert shown == "Yes 😀 very 👩‍👩‍👧 𝒳."
        start, end = units(shown, "😀"), units(shown, " 𝒳")
        drag(text, start, text, end)
        assert copied(drive) == "😀 very 👩‍👩‍👧"
        drag(text, units(shown, "very"), code, units(code.item.text, "\ny"))
        assert copied(drive) == "very 👩‍👩‍👧 𝒳.\n\nx = '😀'"
        drag(code, 0, text, units(shown, "𝒳"))
        assert copied(drive) == "𝒳."

    journey(story)


def units(text: str, part: str) -> int:
    return len(text[: text.index(part)].encode("utf-16-le")) // 2


def test_what_is_selected_beyond_the_screen_is_copied_too(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        view = drive.window.view
        await imported(drive, journey, "First *one*", LONG, "Last **one**")
        last = card(drive, TextCard, "Last")
        drag(last, 0, last, last.length)
        view.verticalScrollBar().setValue(0)
        first = card(drive, TextCard, "First")
        mouse(first, QEvent.Type.MouseMove, place_of(first, 0))
        text = copied(drive)
        assert text.startswith("First one\n\nParagraph 0. ")
        assert text.count("Paragraph") == 40

    journey(story)


def first_line(drive: Driver) -> tuple[tuple[str, ...], int, int]:
    """What a reader at the top of the screen reads: the item, the character, and where its line stands."""
    shown = sorted((c for c in drive.window.view.deck.cards.values() if isinstance(c, TextCard)), key=lambda c: c.y())
    top = next(c for c in shown if c.y() + c.height() > 0)
    char = top.char_at(QPointF(0, max(-top.y(), 0)))
    assert top.item is not None
    return top.item.key, char, round(top.y() + top.top_of(char))


async def streaming(drive: Driver) -> None:
    drive.send("Tell me much")
    await drive.until(lambda: drive.running() is not None, "the reply")
    view = drive.window.view
    await drive.until(lambda: view.verticalScrollBar().maximum() > 2 * view.viewport().height(), "a long reply")


def test_a_reader_elsewhere_is_left_alone_while_the_reply_grows(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        view = drive.window.view
        bar = view.verticalScrollBar()
        await streaming(drive)
        assert bar.value() == bar.maximum(), "a reader at the end stays there"
        wheel = QWheelEvent(
            QPointF(50, 50), view.viewport().mapToGlobal(QPointF(50, 50)), QPoint(), QPoint(0, 480),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QCoreApplication.sendEvent(view.viewport(), wheel)
        place, value, high = first_line(drive), bar.value(), bar.maximum()
        await drive.until(lambda: bar.maximum() > high + 200, "more of the reply")
        assert (first_line(drive), bar.value()) == (place, value)
        assert view.to_end.isVisible()
        view.to_end.click()
        assert bar.value() == bar.maximum()
        assert not view.to_end.isVisible()
        high = bar.maximum()
        await drive.until(lambda: bar.maximum() > high + 100, "more of the reply")
        assert bar.value() == bar.maximum()
        await drive.window.desk.stop()
        await drive.answered()

    journey(story, SLOW)


def test_reasoning_opens_where_it_is_and_closes_above_the_reader(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Tell me much")
        view = drive.window.view
        view.verticalScrollBar().setValue(0)
        fold = card(drive, FoldCard)
        assert "tokens" in fold.button.text()
        assert " s" in fold.button.text()
        at = fold.y()
        fold.button.click()
        assert card(drive, FoldCard).y() == at, "the line that was pressed stays"
        thought = next(c for c in view.deck.cards.values() if isinstance(c, TextCard) and c.item.quiet)
        assert thought.y() > at
        bar = view.verticalScrollBar()
        bar.setValue(thought.y() + thought.height() + 300)
        place, value = first_line(drive), bar.value()
        view.toggle(fold.item.key[0], "fold")
        assert bar.value() < value, "the reasoning above is gone"
        assert first_line(drive) == place

    journey(story, Script(replies=SLOW.replies, template=THINKING))


def test_the_line_that_is_read_stays_when_the_window_is_resized(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await imported(drive, journey, "Tell me much", LONG, "More", LONG)
        view, window = drive.window.view, drive.window
        bar = view.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        key, char, at = first_line(drive)
        for width in (1100, 1000, 1300, 1360):
            window.resize(width, 800)
            await asyncio.sleep(0.02)
            shown = view.deck.cards[key]
            assert isinstance(shown, TextCard)
            assert abs(shown.y() + shown.top_of(char) - at) <= 1

    journey(story)


def test_tab_goes_down_the_conversation_and_out_of_it(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        code = "```py\nx = 1\n```"
        await imported(drive, journey, "One", code, "Two", f"{LONG}\n\n{code}")
        view = drive.window.view
        view.verticalScrollBar().setValue(0)
        view.setFocus()
        seen: list[QWidget] = []
        while len(seen) < 20:
            view.focusNextPrevChild(True)
            focused = QApplication.focusWidget()
            if focused is None or not view.isAncestorOf(focused):
                break
            seen.append(focused)
        first = seen[0]
        assert isinstance(first.parentWidget(), CodeCard)
        press(first, Qt.Key.Key_Space)
        assert QGuiApplication.clipboard().text() == "x = 1"
        assert focused is not None
        assert not view.isAncestorOf(focused)

    journey(story)


def test_a_link_says_where_it_goes_before_it_opens(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await imported(
            drive,
            journey,
            "Where?",
            "See [the <b>page</b>](https://example.com/a?b=%3Ci%3E) or ![it](http://x.org/y.png).",
        )
        shown = card(drive, TextCard, "page")
        assert shown.links() == ["https://example.com/a?b=%3Ci%3E", "http://x.org/y.png"]
        text = shown.text_between(0, shown.length)
        place = place_of(shown, text.index("page") + 1)
        mouse(shown, QEvent.Type.MouseButtonPress, place)
        mouse(shown, QEvent.Type.MouseButtonRelease, place)
        box = next(w for w in QApplication.topLevelWidgets() if isinstance(w, QMessageBox) and w.isVisible())
        assert box.informativeText() == "https://example.com/a?b=%3Ci%3E"
        assert box.textFormat() is Qt.TextFormat.PlainText
        box.reject()

    journey(story)


def test_the_menu_key_offers_the_links_of_the_current_message(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        view = drive.window.view
        await imported(drive, journey, "Where?", "See [it](https://example.com).")
        view.step(1)
        view.step(1)
        await drive.settle()
        found: list[list[str]] = []

        def look() -> None:
            menu = QApplication.activePopupWidget()
            assert isinstance(menu, QMenu)
            found.append([action.text() for action in menu.actions()])
            menu.close()

        QTimer.singleShot(0, look)
        place = view.viewport().mapToGlobal(QPoint(5, 5))
        QCoreApplication.sendEvent(view, QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), place))
        assert found == [["Copy selection", "Copy message", "Open https://example.com"]]

    journey(story)


def test_the_mouse_over_a_text_shows_what_can_be_done_with_its_message(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await imported(drive, journey, "One", "Two")
        text = card(drive, TextCard, "Two")
        head = drive.window.view.deck.cards[text.item.key[0], "head"]
        assert isinstance(head, HeadCard)
        assert not any(button.isVisible() for button in head.buttons.values())
        place = QPointF(5, 5)
        none = Qt.MouseButton.NoButton
        over = QMouseEvent(
            QEvent.Type.MouseMove, place, text.mapToGlobal(place), none, none, Qt.KeyboardModifier.NoModifier
        )
        QCoreApplication.sendEvent(text, over)
        assert head.buttons["copy"].isVisible()

    journey(story)


def test_a_megabyte_on_one_line_is_shown_and_scrolled(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await imported(drive, journey, "x" * 1_000_000, "word " * 100_000)
        view = drive.window.view
        bar = view.verticalScrollBar()
        for share in (0.0, 0.3, 0.7, 1.0):
            bar.setValue(int(bar.maximum() * share))
            assert any(c.isVisible() for c in view.deck.cards.values())

    journey(story)
