"""What a screen reader is told, and what the keyboard reaches: through Qt's own accessibility interface."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QAbstractScrollArea, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from cutaway.engine.scripted import Script
from cutaway.ui import words
from cutaway.ui.actions import COMMANDS
from cutaway.ui.drive import Driver, press
from cutaway.ui.look.style import look
from cutaway.ui.registry import KINDS
from support.window import THINKING, Journey

SCRIPT = Script(replies=("<think>\nHm.\n</think>\n\nWords and `code`.\n\n```python\nx = 1\n```\n",), template=THINKING)
SPOKEN = (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractScrollArea)
INNER = ("qt_", "ScrollLeftButton", "ScrollRightButton")


def silent(window: QWidget) -> list[str]:
    """Widgets that can be reached but have no name for a screen reader."""
    found = []
    for widget in window.findChildren(QWidget):
        inside = widget.objectName().startswith(INNER) or type(widget).__name__.startswith("QDockWidget")
        if not isinstance(widget, SPOKEN) or not widget.isVisible() or inside or type(widget) is QAbstractScrollArea:
            continue
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or type(widget.parent()).__name__ == "QComboBox":
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        if interface is None or not interface.text(QAccessible.Text.Name):
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    return found


def test_everything_that_can_be_reached_has_a_name(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        assert silent(drive.window) == []
        for kind in KINDS:
            await drive.pane(kind.name)
            assert silent(drive.window) == [], kind.name
        drive.window.sheets.toggle_steering()
        await drive.settle()
        assert silent(drive.window) == []

    journey(story, SCRIPT)


def test_roles_are_what_the_widgets_are(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        roles = {
            drive.window.composer.button: QAccessible.Role.Button,
            drive.window.composer.text: QAccessible.Role.EditableText,
            drive.window.sidebar.list: QAccessible.Role.List,
        }
        for widget, role in roles.items():
            assert QAccessible.queryAccessibleInterface(widget).role() == role

    journey(story, SCRIPT)


def test_the_prompt_says_the_line_under_the_caret(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        pane = await drive.pane("prompt")
        press(pane.view, Qt.Key.Key_Down)
        assert pane.view.accessibleDescription().startswith("Line 2, user: Hello")

    journey(story, SCRIPT)


def test_every_command_is_in_a_menu_and_in_the_palette(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        in_menus = {action.text() for menu in drive.window.menus.values() for action in menu.actions()}
        assert {words.tr(command.title) for command in COMMANDS} <= in_menus
        drive.window.requests.set_language("zh_CN")
        drive.window.actions_.by_name["palette"].trigger()
        await drive.settle()
        from cutaway.ui.palette import Palette

        palette = drive.window.findChild(Palette)
        assert palette is not None
        for asked in ("缓存面板", "cache pane"):
            palette.search.setText(asked)
            assert palette.list.count() == 1, asked
        press(palette.search, Qt.Key.Key_Return)
        await drive.settle()
        assert drive.window.docks.slots["cache"].isVisible()

    journey(story, SCRIPT)


def test_the_language_changes_everywhere_at_once(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        drive.window.requests.set_language("zh_CN")
        assert drive.window.topbar.title.text() == "新对话"
        drive.window.requests.set_language("en")
        await drive.ask("Hello")
        await drive.pane("prompt")
        drive.window.requests.set_language("zh_CN")
        await drive.settle()
        assert drive.window.menus["File"].title() == "文件"
        assert drive.window.composer.button.accessibleName() == "发送"
        assert drive.window.docks.docks["prompt"].windowTitle() == "提示词"
        assert "个 token" in drive.window.docks.slots["prompt"].pane.summary.text()
        drive.window.requests.set_language("en")
        assert drive.window.menus["File"].title() == "File"

    journey(story, SCRIPT)


def test_light_dark_and_a_larger_text(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        for choice in ("dark", "light"):
            drive.window.requests.set_theme(choice)
            await drive.settle()
            picture = drive.window.grab().toImage()
            middle = picture.pixelColor(picture.width() // 2, picture.height() // 2)
            assert (middle.lightness() < 128) == (choice == "dark")
        look.choose("light", 18.0)
        await drive.settle()
        assert drive.window.composer.text.font().pointSizeF() == 18.0
        look.choose("light", 0.0)

    journey(story, SCRIPT)


def test_a_narrow_window_is_the_conversation_alone(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        assert drive.window.docks.is_open()
        drive.window.resize(700, 600)
        await drive.settle()
        assert drive.window.width() < 900
        assert not drive.window.docks.is_open()
        assert drive.window.sidebar.isHidden()
        drive.window.actions_.by_name["view.inspector"].trigger()
        await drive.settle()
        assert drive.window.docks.is_open()
        drive.window.resize(1300, 800)
        await drive.settle()
        assert drive.window.docks.is_open()
        assert not drive.window.sidebar.isHidden()

    journey(story, SCRIPT)


def test_layouts_are_applied_and_settings_are_changed(journey: Journey) -> None:
    async def story(drive: Driver) -> None:
        await drive.ask("Hello")
        for name in ("chat", "prompt", "cache", "template"):
            drive.window.actions_.by_name[f"layout.{name}"].trigger()
            await drive.settle()
            assert drive.window.docks.is_open() == (name != "chat")
        drive.window.sheets.toggle_steering()
        await drive.settle()
        form = drive.window.steering.form
        form.search.setText("temperature")
        visible = [name for name, row in form.rows.items() if not row.isHidden()]
        assert "sampling.temperature" in visible
        assert "tools" not in visible
        form.rows["sampling.temperature"].editor.setValue(0.25)
        await drive.settle()
        conversation = drive.window.desk.conversation
        assert drive.window.desk.bench.settings(conversation).sampling.temperature == 0.25
        assert form.rows["sampling.temperature"].title.font().bold()

    journey(story, SCRIPT)
