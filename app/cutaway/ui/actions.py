"""Everything that can be done, once: menus, shortcuts, the command palette and the panes' buttons all use it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from cutaway.ui.words import say, tr


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    """Stable, e.g. `composer.focus`; also the key under which another shortcut is remembered."""
    title: str
    """English, as in a menu."""
    menu: str
    """The menu it is in; empty for none."""
    shortcut: str = ""
    checkable: bool = False
    first: bool = False
    """A line parts it from what stands above it in the menu."""
    role: QAction.MenuRole = QAction.MenuRole.NoRole
    """Where a system with one menu for the program puts it."""


COMMANDS = (
    Command("conversation.new", "New conversation", "File", "Ctrl+N"),
    Command("model.open", "Open a model or a template …", "File", "Ctrl+O", first=True),
    Command("model.load", "Choose a model and how to load it …", "File", "Ctrl+Shift+O"),
    Command("conversation.import", "Import conversations …", "File", first=True),
    Command("conversation.export", "Export this conversation …", "File", "Ctrl+E"),
    Command("turn.open", "Open a turn file …", "File", first=True),
    Command("turn.export", "Save this turn as a file …", "File"),
    Command("turn.again", "Make this turn again and compare", "File"),
    Command("model.unload", "Unload the model", "File", first=True),
    Command("settings", "Settings …", "File", "Ctrl+,", role=QAction.MenuRole.PreferencesRole),
    Command("quit", "Quit", "File", "Ctrl+Q", first=True, role=QAction.MenuRole.QuitRole),
    Command("undo", "Undo the last deletion", "Edit", "Ctrl+Shift+Z"),
    Command("message.copy", "Copy the message", "Edit", "Ctrl+Shift+C", first=True),
    Command("message.edit", "Edit the message", "Edit", "Ctrl+Shift+E"),
    Command("message.again", "Regenerate the reply", "Edit", "Ctrl+R"),
    Command("message.continue", "Continue the reply", "Edit", "Ctrl+Shift+R"),
    Command("message.branch", "Branch from here", "Edit", "Ctrl+Shift+B"),
    Command("message.fork", "New conversation from here", "Edit"),
    Command("message.delete", "Delete the message", "Edit", "Ctrl+Shift+Delete"),
    Command("version.back", "Previous version", "Edit", "Ctrl+Alt+Left", first=True),
    Command("version.forth", "Next version", "Edit", "Ctrl+Alt+Right"),
    Command("answer.now", "Answer now", "Edit", "Ctrl+Shift+A", first=True),
    Command("stop", "Stop", "Edit", "Esc"),
    Command("composer.focus", "Write a message", "Go", "Ctrl+L"),
    Command("composer.begin", "Begin the reply with given words", "Go", "Ctrl+Shift+G"),
    Command("search", "Search all conversations", "Go", "Ctrl+K"),
    Command("message.up", "Previous message", "Go", "Ctrl+Up", first=True),
    Command("message.down", "Next message", "Go", "Ctrl+Down"),
    Command("conversation.end", "End of the conversation", "Go", "Ctrl+End"),
    Command("completion", "Complete a raw text", "Go", "Ctrl+Shift+T", checkable=True, first=True),
    Command("conversation.steering", "Settings of this conversation", "View", "Ctrl+.", checkable=True),
    Command("conversation.map", "Map of branches", "View", "Ctrl+M", checkable=True),
    Command("view.sidebar", "Conversations", "View", "Ctrl+B", checkable=True),
    Command("view.inspector", "Inspector", "View", "Ctrl+I", checkable=True),
    Command("layout.chat", "Layout: Chat", "View", "Ctrl+Alt+1", first=True),
    Command("layout.prompt", "Layout: Prompt", "View", "Ctrl+Alt+2"),
    Command("layout.cache", "Layout: Cache", "View", "Ctrl+Alt+3"),
    Command("layout.template", "Layout: Template", "View", "Ctrl+Alt+4"),
    Command("layout.save", "Save this layout …", "View"),
    Command("theme.next", "Light or dark", "View", "Ctrl+Shift+L", first=True),
    Command("language.next", "English or 简体中文", "View"),
    Command("pane.prompt", "Prompt pane", "Panes", "Alt+1"),
    Command("pane.tokens", "Tokens pane", "Panes", "Alt+2"),
    Command("pane.reply", "Reply pane", "Panes", "Alt+3"),
    Command("pane.cache", "Cache pane", "Panes", "Alt+4"),
    Command("pane.template", "Template pane", "Panes", "Alt+5"),
    Command("pane.model", "Model pane", "Panes", "Alt+6"),
    Command("pane.compare", "Compare pane", "Panes", "Alt+7"),
    Command("pane.boundary", "Boundary lab", "Panes", "Alt+8"),
    Command("palette", "All commands …", "Help", "Ctrl+Shift+P"),
    Command("shortcuts", "Keyboard shortcuts", "Help", "F1"),
    Command("log.copy", "Copy diagnostics", "Help", first=True),
    Command("data.show", "Where is my data", "Help"),
    Command("about", "About Cutaway", "Help", first=True, role=QAction.MenuRole.AboutRole),
)
MENUS = ("File", "Edit", "Go", "View", "Panes", "Help")


class Actions:
    """The commands as Qt actions of one window. `call` is given a command's name."""

    def __init__(self, window: QWidget, call: Callable[[str], None], shortcuts: dict[str, str]) -> None:
        self.by_name: dict[str, QAction] = {}
        for command in COMMANDS:
            action = QAction(window)
            say(action, "setText", command.title)
            action.setCheckable(command.checkable)
            action.setMenuRole(command.role)
            action.setData(command.title)
            self.by_name[command.name] = action
            self.bind(command.name, shortcuts.get(command.name, command.shortcut))
            action.triggered.connect(lambda _=False, name=command.name: call(name))
            window.addAction(action)

    def bind(self, name: str, shortcut: str) -> None:
        self.by_name[name].setShortcut(QKeySequence(shortcut))

    def fill(self, menu: QMenu, name: str) -> None:
        """All commands of the menu with that name."""
        for command in COMMANDS:
            if command.menu == name:
                if command.first:
                    menu.addSeparator()
                menu.addAction(self.by_name[command.name])

    def clash(self, name: str, shortcut: str) -> str:
        """The title of another command that has the shortcut; empty for none."""
        wanted = QKeySequence(shortcut)
        for command in COMMANDS:
            action = self.by_name[command.name]
            if command.name != name and not wanted.isEmpty() and action.shortcut() == wanted:
                return tr(command.title)
        return ""
