"""What is steered beside the text that is written: thinking as the template offers it, and how the reply begins."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from cutaway.ui.setting_rows import ROWS
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.ui.window import MainWindow
    from cutaway.workbench.templates import TemplateView

COMMANDS = ("composer.begin", "answer.now", "conversation.map", "conversation.steering")
THINKING = dict(next(row.choices for row in ROWS if row.name == "thinking"))


class QuickSteering:
    """Fills the composer's menu each time that it opens."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.menu = QMenu(window)
        self.menu.aboutToShow.connect(self.fill)
        self.choices: dict[str | None, QAction] = {}
        """How the model may think, by the setting's value."""
        self._group: QActionGroup | None = None
        self._asked: asyncio.Task[object] | None = None

    def fill(self) -> None:
        self.menu.clear()
        self.choices = {}
        for name in COMMANDS:
            self.menu.addAction(self._window.actions_.by_name[name])
        if self._window.desk.opened.is_set():
            self._asked = self._window.desk.start(self._offer_thinking())

    async def _offer_thinking(self) -> None:
        desk = self._window.desk
        try:
            template = await desk.bench.template(desk.conversation)
        except Exception:  # That it cannot be used is said elsewhere.
            return
        offered = _offered(template)
        if len(offered) < 2:
            return
        self.menu.addSeparator()
        self.menu.addAction(tr("Thinking")).setEnabled(False)
        group = self._group = QActionGroup(self.menu)
        now = desk.bench.settings(desk.conversation or None).thinking
        for value in (None, *offered):
            action = self.menu.addAction(_title(value))
            action.setCheckable(True)
            action.setChecked(value == now)
            action.triggered.connect(lambda _=False, value=value: self._choose(value))
            group.addAction(action)
            self.choices[value] = action
        await self._tell_costs()

    async def _tell_costs(self) -> None:
        """Beside each choice what the next turn would feed with it."""
        desk = self._window.desk
        for value, action in list(self.choices.items()):
            forecast = await desk.bench.forecast_with(desk.conversation, {"thinking": value}, desk.views_draft())
            if self.choices.get(value) is action and forecast.prompt_tokens:
                counts = f"{forecast.prompt_tokens:,}", f"{forecast.fed:,}"
                action.setText(tr("{0}: {1} tokens, {2} of them fed", _title(value), *counts))

    def _choose(self, value: str | None) -> None:
        desk = self._window.desk
        here = desk.conversation or None
        desk.start(
            desk.bench.reset("thinking", conversation=here) if value is None else desk.set("thinking", value, here)
        )


def _offered(template: TemplateView | None) -> list[str]:
    return [] if template is None else [str(row["thinking"]) for row in template.thinking_table]


def _title(value: str | None) -> str:
    return tr(THINKING[value]) if value in THINKING else str(value)
