"""What stands below single settings in the side sheet: saved system prompts, presets, costs, coverage, approvals."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QInputDialog, QLabel, QVBoxLayout, QWidget

from cutaway.ui.sentences import told
from cutaway.ui.setting_editors import BiasEditor, OfferedEditor, ToolChoiceEditor
from cutaway.ui.widgets.link import Link
from cutaway.ui.words import changed, choices, say, tr

if TYPE_CHECKING:
    from cutaway.chat.grammar.schema import Coverage
    from cutaway.ui.desk import Desk
    from cutaway.workbench.checking import Checked
    from cutaway.workbench.forecast import Forecast

PROMPTS = "system_prompts"
"""The preference that holds the saved system prompts: a text by its name."""
SHOWN = 12
"""Keywords of a schema that are told one by one."""


class PromptLibrary(QWidget):
    """System prompts kept under a name: choose one, save the present one, delete one."""

    def __init__(self, desk: Desk, current: Callable[[], str]) -> None:
        super().__init__()
        self._desk, self._current = desk, current
        row = _row(self)
        self.box = QComboBox()
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        say(self.box, "setAccessibleName", "Saved system prompts")
        self.box.activated.connect(self._choose)
        row.addWidget(self.box, 1)
        self.save = Link("Save …", self._save)
        self.delete = Link("Delete", self._delete)
        row.addWidget(self.save)
        row.addWidget(self.delete)
        changed.language.connect(self.refresh)

    def saved(self) -> dict[str, str]:
        found = self._desk.bench.preference(PROMPTS, {})
        texts = found if isinstance(found, dict) else {}
        return {name: text for name, text in texts.items() if isinstance(name, str) and isinstance(text, str)}

    def refresh(self) -> None:
        if not self._desk.opened.is_set():
            return
        saved, now = self.saved(), self._current()
        self.box.clear()
        self.box.addItem(tr("Saved prompts") if saved else tr("No saved prompts"))
        for name in sorted(saved, key=str.casefold):
            self.box.addItem(name, name)
        chosen = next((name for name, text in saved.items() if text == now and text), "")
        self.box.setCurrentIndex(max(self.box.findData(chosen), 0) if chosen else 0)
        self.box.setEnabled(bool(saved))
        self.delete.setEnabled(bool(chosen))
        self.save.setEnabled(bool(now))

    def _choose(self, index: int) -> None:
        name = self.box.itemData(index)
        self.delete.setEnabled(bool(name))
        text = self.saved().get(name) if name else None
        if text is not None:
            self._desk.start(self._desk.set("system", text, self._desk.conversation or None))

    def _save(self) -> None:
        dialog = QInputDialog(self)
        dialog.setWindowTitle(tr("Save the system prompt"))
        dialog.setLabelText(tr("Its name"))
        dialog.setTextValue(self.box.currentData() or "")
        dialog.textValueSelected.connect(self.keep)
        dialog.open()

    def keep(self, name: str) -> None:
        """Save the present system prompt under a name; one of that name is replaced."""
        if name.strip() and self._current():
            self._desk.bench.set_preference(PROMPTS, {**self.saved(), name.strip(): self._current()})
            self.refresh()

    def _delete(self) -> None:
        name = self.box.currentData()
        self._desk.bench.set_preference(PROMPTS, {k: text for k, text in self.saved().items() if k != name})
        self.refresh()


class Seeds(QWidget):
    """Takes the seed of the turn that is shown, so that it can be made again."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        row = _row(self)
        self.take = Link("Take the seed of the turn that is shown", self._take)
        row.addWidget(self.take)
        row.addStretch()

    def refresh(self) -> None:
        self.take.setEnabled(self._desk.shown is not None and self._desk.shown.seed is not None)

    def _take(self) -> None:
        shown = self._desk.shown
        if shown is not None and shown.seed is not None:
            self._desk.start(self._desk.set("sampling.seed", shown.seed, self._desk.conversation or None))


class Presets(QWidget):
    """How tokens are drawn, at once."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        row = _row(self)
        self.box = QComboBox()
        say(self.box, "setAccessibleName", "Sampling preset")
        self.box.activated.connect(self._choose)
        row.addWidget(self.box, 1)
        changed.language.connect(self.refresh)

    def refresh(self) -> None:
        from cutaway.engine.sampling import PRESETS, recommended, with_preset

        if not self._desk.opened.is_set():
            return
        facts = self._desk.bench.model.facts
        offered = dict(PRESETS)
        told = recommended(facts.metadata) if facts is not None else None
        if told is not None:
            offered = {"As the model's file recommends": told, **offered}
        now = self._desk.bench.settings(self._desk.conversation or None).sampling
        self.box.clear()
        self.box.addItem(tr("Choose a preset"))
        for name, sampling in offered.items():
            self.box.addItem(tr(name), sampling)
            if with_preset(now, sampling) == now and self.box.currentIndex() == 0:
                self.box.setCurrentIndex(self.box.count() - 1)

    def _choose(self, index: int) -> None:
        sampling = self.box.itemData(index)
        if sampling is not None:
            bench = self._desk.bench
            self._desk.start(bench.apply_sampling(sampling, conversation=self._desk.conversation or None))


class Told(QWidget):
    """A link that asks for something and the lines that answer it."""

    def __init__(
        self, start: Callable[[Coroutine[Any, Any, object]], object], ask: Callable[[], Awaitable[str]]
    ) -> None:
        super().__init__()
        self._start, self._ask = start, ask
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.link = Link(call=lambda: self._start(self.tell()))
        column.addWidget(self.link, alignment=Qt.AlignmentFlag.AlignLeft)
        self.answer = QLabel()
        self.answer.setWordWrap(True)
        self.answer.hide()
        column.addWidget(self.answer)

    async def tell(self) -> None:
        self.answer.setText(await self._ask())
        self.answer.show()

    def forget(self) -> None:
        """What was told may not hold any more."""
        self.answer.hide()


async def costs(desk: Desk, name: str, choices: Sequence[tuple[Any, str]]) -> str:
    """What the next turn would reuse and feed with each choice of a setting, given with its name."""
    if desk.bench.model.facts is None:
        return tr("Known once there is a model.")
    lines = []
    for value, title in choices:
        forecast = await desk.bench.forecast_with(desk.conversation, {name: value}, desk.views_draft())
        lines.append(f"{title}: {_cost(forecast)}")
    return "\n".join(lines)


def _cost(forecast: Forecast) -> str:
    if forecast.problem:
        return forecast.problem
    return tr("{0} tokens, {1} of them fed", f"{forecast.prompt_tokens:,}", f"{forecast.fed:,}")


async def coverage(desk: Desk) -> str:
    """What the grammar makes of the schemas in force."""
    if desk.bench.model.facts is None:
        return tr("Known once there is a model.")
    return coverage_words(await desk.bench.coverage(desk.conversation))


def coverage_words(found: Mapping[str, Sequence[Coverage]]) -> str:
    if not found:
        return tr("No schema is in force.")
    lines = []
    for name, keywords in found.items():
        loose = [one for one in keywords if one.status != "enforced"]
        title = tr("Response format") if name == "response_format" else name
        lines.append(tr("{0}: {1} of {2} keywords enforced", title, len(keywords) - len(loose), len(keywords)))
        for one in loose[:SHOWN]:
            status = tr("approximated") if one.status == "approximated" else tr("ignored")
            note = f": {told(one.note)}" if one.note else ""
            lines.append(f"· {one.path} {one.keyword}, {status}{note}")
        if len(loose) > SHOWN:
            lines.append(tr("… and {0} more", len(loose) - SHOWN))
    return "\n".join(lines)


async def offer(desk: Desk, editors: Mapping[str, QWidget]) -> None:
    """Give the editors what can be chosen: the tools there are, what the template has, what tokens write."""
    bench, here = desk.bench, desk.conversation
    settings = bench.settings(here or None)
    choice, bias, thinking = (editors[name] for name in ("tool_choice", "sampling.logit_bias", "thinking"))
    assert isinstance(choice, ToolChoiceEditor)
    assert isinstance(bias, BiasEditor)
    assert isinstance(thinking, OfferedEditor)
    choice.offer([*tool_names(settings.tools), *settings.built_ins])
    bias.text_of = bench.token_text
    bias.show_value(settings.sampling.logit_bias)
    try:
        template = await bench.template(here)
    except Exception:  # That it cannot be used is said elsewhere.
        template = None
    thinking.offer(None if template is None else [row["thinking"] for row in template.thinking_table])


def checked_words(name: str, checked: Checked) -> str:
    """What is being written comes to: the tools by name, or how much of a schema a grammar enforces."""
    lines = []
    if name == "tools":
        lines.append(tr("{0} tools: {1}", len(checked.value), ", ".join(tool_names(checked.value))))
    lines += [tr("{0} cannot be enforced: {1}", tool, told(fault)) for tool, fault in checked.faults.items()]
    if checked.coverage:
        lines.append(coverage_words(checked.coverage))
    return "\n".join(lines)


def tool_names(tools: Sequence[Mapping[str, Any]]) -> list[str]:
    """The names in definitions in the shape of the OpenAI API."""
    functions = (tool.get("function", tool) for tool in tools)
    return [str(function.get("name", "")) for function in functions if isinstance(function, Mapping)]


class Approvals(QWidget):
    """For each built-in tool: whether it is offered, and whether it may answer without being asked."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.boxes: dict[str, QComboBox] = {}
        self.offers: dict[str, QCheckBox] = {}

    def refresh(self) -> None:
        offered = self._desk.bench.settings(self._desk.conversation or None).built_ins
        for rule in self._desk.bench.approvals():
            box = self.boxes.get(rule.tool) or self._build(rule.tool)
            box.setCurrentIndex(box.findData(rule.rule))
            self.offers[rule.tool].setChecked(rule.tool in offered)

    def _build(self, tool: str) -> QComboBox:
        line = QWidget()
        row = _row(line)
        offer = self.offers[tool] = QCheckBox(tool)
        say(offer, "setToolTip", "Offered to the model")
        offer.clicked.connect(lambda _: self._offer())
        row.addWidget(offer, 1)
        box = self.boxes[tool] = QComboBox()
        choices(box, ("Ask each time", "Always run it", "Never"))
        for index, rule in enumerate(("ask", "always", "never")):
            box.setItemData(index, rule)
        say(box, "setAccessibleName", "Approval of {0}", tool)
        box.activated.connect(lambda _: self._desk.start(self._desk.bench.set_approval(tool, box.currentData())))
        row.addWidget(box)
        self._column.addWidget(line)
        return box

    def _offer(self) -> None:
        wanted = tuple(tool for tool, offer in self.offers.items() if offer.isChecked())
        self._desk.start(self._desk.set("built_ins", wanted, self._desk.conversation or None))


def _row(widget: QWidget) -> QHBoxLayout:
    row = QHBoxLayout(widget)
    row.setContentsMargins(0, 0, 0, 0)
    return row
