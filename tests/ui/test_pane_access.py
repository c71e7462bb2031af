"""Every page of every pane: what can be reached has a name and a role, and everything is done by keyboard alone."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTabBar,
    QTabWidget,
    QWidget,
)

from cutaway.engine.scripted import Script
from cutaway.ui.drive import Driver, press
from cutaway.ui.text.view import TextView
from support import assets
from support.window import Journey

CALL = '<think>\nHm.\n</think>\n\n<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
SCRIPT = Script(replies=(CALL, "Sunny."), template=assets.template("Qwen-Qwen3-0.6B"))
KEYS = Qt.Key
REACHED = (QAbstractButton, QLineEdit, QComboBox, QAbstractScrollArea, QTabBar)


def reachable(pane: QWidget) -> list[QWidget]:
    return [
        widget
        for widget in pane.findChildren(QWidget)
        if isinstance(widget, REACHED)
        and widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not isinstance(widget.parent(), (QComboBox, QTabBar))
        and not widget.objectName().startswith("qt_")
        and widget.focusProxy() is None
    ]


def faults(pane: QWidget) -> list[str]:
    """Widgets without a name or a role for a screen reader."""
    found = []
    for widget in reachable(pane):
        interface = QAccessible.queryAccessibleInterface(widget)
        name = interface.text(QAccessible.Text.Name) or (
            isinstance(widget, QTabBar) and widget.parentWidget().accessibleName()
        )
        bad = interface.role() in (QAccessible.Role.NoRole, QAccessible.Role.Client)
        if not name or bad:
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}: {name!r}, {interface.role()}")
    return found


def pages(pane: QWidget) -> list[QTabWidget]:
    return [tabs for tabs in pane.findChildren(QTabWidget) if tabs.isVisible()]


def test_every_page_has_names_and_roles(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.window.desk.set("tools", "def weather(city: str) -> str", None)
        await drive.ask("Hello")
        bad: list[str] = []
        for name in drive.window.docks.slots:
            pane = await drive.pane(name)
            for tabs in pages(pane) or [QTabWidget()]:
                for index in range(max(tabs.count(), 1)):
                    tabs.setCurrentIndex(index)
                    await drive.settle()
                    bad += [f"{name}/{index}: {fault}" for fault in faults(pane)]
        assert bad == []

    journey(story, SCRIPT)


def test_a_branch_from_a_token_by_keyboard_alone(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn = await drive.ask("Hello")
        pane = await drive.pane("tokens")
        pane.table.setFocus()
        pane.table.setCurrentIndex(pane.reply.index(0, 0))
        for _ in range(4):
            press(pane.table, KEYS.Key_Down)
        assert pane.alternatives.token is turn.tokens[4]
        press(pane.table, KEYS.Key_Return)
        focused = QApplication.focusWidget() or pane.alternatives.focusWidget()
        assert focused in pane.alternatives.candidates
        press(focused, KEYS.Key_Return)
        await drive.until(lambda: drive.window.view.entries[-1].node.siblings == 2, "a second version")
        await drive.answered()

    journey(story, SCRIPT)


def test_the_texts_say_the_line_under_the_caret(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        for name in ("prompt", "reply", "template"):
            pane = await drive.pane(name)
            view: Any = next(view for view in pane.findChildren(TextView) if view.isVisible())
            press(view, KEYS.Key_Down)
            spoken = QAccessible.queryAccessibleInterface(view).text(QAccessible.Text.Description)
            assert spoken.startswith("Line 2"), (name, spoken)

    journey(story, SCRIPT)


def test_a_line_of_the_template_is_chosen_by_keyboard(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        turn = await drive.ask("Hello")
        pane = await drive.pane("template")
        await drive.until(lambda: pane.source.view.used_lines, "the lines that were used")
        line = max(pane.source.view.used_lines)
        for _ in range(line):
            press(pane.source.view, KEYS.Key_Down)
        chosen = drive.window.selected.value
        assert chosen is not None
        assert (chosen.turn, chosen.side) == (turn.id, "prompt")

    journey(story, SCRIPT)


def test_what_others_wrote_is_never_markup(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("<b>Hello</b> <img src=x>")
        for name in ("prompt", "reply", "cache", "model"):
            pane = await drive.pane(name)
            for label in pane.findChildren(QLabel):
                assert "<img" not in label.text() or label.textFormat() is Qt.TextFormat.PlainText, label.text()

    journey(story, SCRIPT)
