"""What stands in the middle of the window: what to do first, the conversation, or a raw text that is completed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStackedWidget, QWidget

from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.ui.completion import Completion
    from cutaway.ui.window import MainWindow


class Pages(QStackedWidget):
    def __init__(self, window: MainWindow, first: QWidget, conversation: QWidget) -> None:
        super().__init__()
        self._window = window
        self._first, self._conversation = first, conversation
        self.addWidget(first)
        self.addWidget(conversation)
        self.completion: Completion | None = None
        """Made when it is first asked for."""

    @property
    def completing(self) -> bool:
        return self.completion is not None and self.currentWidget() is self.completion

    def show_conversation(self, messages: bool) -> None:
        """The conversation, or what to do first where it has no messages."""
        self._turn_to(self._conversation if messages else self._first)

    def toggle_completion(self) -> None:
        """Raw text instead of the conversation, and back."""
        desk = self._window.desk
        if self.completing:
            self.show_conversation(bool(desk.nodes))
            desk.start(desk.show_newest())
            desk.start(desk.refresh_list())
            return
        page = self.completion or self._make_completion()
        self._turn_to(page)
        self._window.topbar.set_title(tr("Complete a raw text"))
        page.text.setFocus()

    def _make_completion(self) -> Completion:
        from cutaway.ui.completion import Completion

        desk, page = self._window.desk, Completion()
        self.completion = page
        self.addWidget(page)
        page.asked.connect(lambda text, control, most: desk.start(desk.complete(text, control, most)))
        page.stopped.connect(lambda: desk.start(desk.stop()))
        page.left.connect(self.toggle_completion)
        page.saved.connect(lambda: self._window.requests.call("turn.export"))
        page.prompt_wanted.connect(self._take_prompt)
        return page

    def _take_prompt(self) -> None:
        shown = self._window.desk.shown
        if self.completion is not None and shown is not None and shown.prompt is not None:
            self.completion.take_prompt(shown.prompt.text)

    def _turn_to(self, page: QWidget) -> None:
        self.setCurrentWidget(page)
        self._window.composer.setVisible(not self.completing)
        self._window.actions_.by_name["completion"].setChecked(self.completing)
