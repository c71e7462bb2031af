"""The side sheet: how this conversation steers the model, with what differs from the default marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout

from cutaway.ui.look.theme import SPACE
from cutaway.ui.widgets.close_button import CloseButton
from cutaway.ui.widgets.link import Link
from cutaway.ui.words import changed, say, tr

if TYPE_CHECKING:
    from cutaway.ui.desk import Desk
    from cutaway.ui.setting_form import SettingForm

WIDTH = 320


class Steering(QFrame):
    closed = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.setObjectName("sheet")
        self.setFixedWidth(WIDTH)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3 * SPACE, 2 * SPACE, SPACE, 2 * SPACE)
        row = QHBoxLayout()
        self.title = QLabel()
        row.addWidget(self.title, 1)
        row.addWidget(CloseButton("Close the settings", self.closed.emit))
        layout.addLayout(row)
        self.form: SettingForm | None = None
        self._system = ""
        changed.language.connect(self.refresh)
        self.hide()

    def showEvent(self, event: object) -> None:
        """Made when it is first seen: it has some forty editors."""
        if self.form is None:
            from cutaway.ui.setting_form import SettingForm

            self.form = SettingForm(self._change, self._reset, sift=True)
            self.form.check_with(self._check, self._desk.start)
            self._add_extras(self.form)
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self.form)
            self.keep = Link("Begin every conversation with this model so", self._keep)
            layout.addWidget(self.keep)
        self.refresh()
        self.form.search.setFocus()

    def refresh(self) -> None:
        if self.form is not None and not self.isHidden() and self._desk.opened.is_set():
            settings = self._desk.bench.list_settings(self._desk.conversation or None)
            self._system = next(one.value for one in settings if one.name == "system")
            self.form.show_settings(settings)
            self.keep.setVisible(any(one.layer == "conversation" for one in settings))
            for extra in (self.library, self.presets, self.approvals, self.seeds):
                extra.refresh()
            for told in self.told:
                told.forget()
            self._desk.start(self._offer())
            here = bool(self._desk.conversation)
            self.title.setText(
                tr("Settings of this conversation") if here else tr("What new conversations with this model begin with")
            )

    def _add_extras(self, form: SettingForm) -> None:
        from cutaway.ui.steering_extras import Approvals, Presets, PromptLibrary, Seeds, Told, costs, coverage

        desk = self._desk
        self.library = PromptLibrary(desk, lambda: self._system)
        self.presets, self.approvals, self.seeds = Presets(desk), Approvals(desk), Seeds(desk)
        self.told: list[Told] = []
        for name in ("thinking", "keep_reasoning"):
            row = form.rows[name]
            cost = Told(desk.start, lambda row=row: costs(desk, row.row.name, row.choices()))  # type: ignore[misc]
            say(cost.link, "setText", "What would each cost?")
            self.told.append(cost)
            row.add(cost)
        for name in ("response_format", "tools"):
            report = Told(desk.start, lambda: coverage(desk))
            say(report.link, "setText", "What of the schema is enforced?")
            self.told.append(report)
            form.rows[name].add(report)
        form.rows["system"].add(self.library)
        form.rows["sampling.temperature"].add(self.presets, above=True)
        form.rows["built_ins"].add(self.approvals)
        form.rows["sampling.seed"].add(self.seeds)

    async def _offer(self) -> None:
        """What can be chosen here depends on the template in force, the tools and the vocabulary."""
        from cutaway.ui.steering_extras import offer

        assert self.form is not None
        await offer(self._desk, {name: row.editor for name, row in self.form.rows.items()})

    async def _check(self, name: str, text: str) -> tuple[Any, str]:
        from cutaway.ui.steering_extras import checked_words

        checked = await self._desk.bench.check(name, text)  # type: ignore[arg-type]
        return (text, tr("The grammar is sound.")) if checked is None else (checked.value, checked_words(name, checked))

    def _keep(self) -> None:
        self._desk.start(self._desk.bench.keep_for_model(self._desk.conversation))

    def _change(self, name: str, value: Any) -> None:
        self._desk.start(self._desk.set(name, value, self._desk.conversation or None))

    def _reset(self, name: str) -> None:
        self._desk.start(self._desk.bench.reset(name, conversation=self._desk.conversation or None))
