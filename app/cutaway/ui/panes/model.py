"""The model: what its file says, what it takes of memory, what it runs on, and how healthy its template is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QStackedLayout, QVBoxLayout, QWidget

from cutaway.chat.template.error import TemplateError
from cutaway.engine.threads import available_cores
from cutaway.ui.look.theme import SPACE
from cutaway.ui.models.memory import device_rows, forecast_of, kv_formula, megabytes, memory_rows
from cutaway.ui.pane import Context, Pane
from cutaway.ui.sentences import told
from cutaway.ui.templates.health import verify
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.widgets.sheet import Sheet
from cutaway.ui.words import changed, tr
from cutaway.workbench.change import Change, ModelChanged, TemplateChanged

if TYPE_CHECKING:
    from cutaway.chat.analysis.verification import Verification
    from cutaway.engine.command import ModelSettings
    from cutaway.engine.device import Device
    from cutaway.engine.event import ModelFacts
    from cutaway.engine.memory import Forecast
    from cutaway.workbench.turn import TemplateInfo, Turn

Row = tuple[str, str, str]
SHOWN = 300
"""Characters of a metadata value."""


class ModelPane(Pane):
    name = "model"
    title = "Model"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(
            Empty(
                "Here you will see the loaded model: its sizes and licence, the memory it takes, and what it runs on.",
                "Open a model …",
                lambda: context.do("model.open"),
            )
        )
        self._stack.addWidget(self._build())
        self._facts: ModelFacts | None = None
        self._settings: ModelSettings | None = None
        self._devices: list[Device] = []
        self._forecast: Forecast | None = None
        self._health: tuple[TemplateInfo, Verification | str] | None = None
        changed.language.connect(self._fill)

    def _build(self) -> QWidget:
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 2 * SPACE, 0, 0)
        self.head = QLabel()
        self.head.setWordWrap(True)
        self.head.setTextFormat(Qt.TextFormat.PlainText)
        font = self.head.font()
        font.setBold(True)
        self.head.setFont(font)
        self.head.setContentsMargins(2 * SPACE, 0, 2 * SPACE, SPACE)
        layout.addWidget(self.head)
        self.sheet = Sheet("Facts about the model", 3, (1, 2))
        layout.addWidget(self.sheet, 1)
        return body

    def show_turn(self, turn: Turn | None) -> None:
        self._show(self.context.bench.model.facts if self.context.is_open() else None)

    def grow(self, turn: Turn, what: object) -> None:
        if self._facts is None:
            self.show_turn(turn)

    def follow(self, change: Change) -> None:
        if isinstance(change, ModelChanged):
            self._show(change.facts if change.state == "ready" else None)
        elif isinstance(change, TemplateChanged) and self._facts is not None:
            self.context.start(self._ask_health(self._facts))

    def _show(self, facts: ModelFacts | None) -> None:
        self._stack.setCurrentIndex(1 if facts is not None else 0)
        if facts is None or facts is self._facts:
            return
        self._facts, self._forecast, self._health = facts, None, None
        self._settings = self.context.bench.model_settings(facts.path)
        self._fill()
        self.context.start(self._ask_more(facts))

    async def _ask_more(self, facts: ModelFacts) -> None:
        """What takes longer: the devices of this build, the formula, and the template's health."""
        self._devices = await self.context.bench.devices()
        forecast = await forecast_of(self.context.bench, facts)
        if facts is self._facts:
            self._forecast = forecast
            self._fill()
            await self._ask_health(facts)

    async def _ask_health(self, facts: ModelFacts) -> None:
        view = await self.context.bench.template()
        if view is None:
            return
        try:
            found: Verification | str = await verify(view)
        except TemplateError as error:
            found = told(str(error))
        if facts is self._facts:
            self._health = (view.info, found)
            self._fill()

    def _fill(self) -> None:
        facts = self._facts
        if facts is None:
            return
        self.head.setText(facts.name)
        self.sheet.clear()
        self.sheet.set_heads([tr("What"), tr("Value"), ""])
        self._group(tr("Sizes"), _sizes(facts))
        self._group(tr("Memory, by formula and in use"), memory_rows(facts, self._forecast))
        self._group(tr("Memory by device, forecast"), self._memory())
        self._group(tr("Runs on"), self._runs(facts))
        self._group(tr("Devices of this build"), [_device(device) for device in self._devices])
        self._group(tr("Template health"), self._template())
        self._group(tr("Metadata of the file"), _metadata(facts), is_open=False)

    def _group(self, title: str, rows: list[Row], *, is_open: bool = True) -> None:
        if rows:
            heading = self.sheet.heading(title)
            heading.setExpanded(is_open)
            for row in rows:
                self.sheet.put(row, heading, tones={0: "quiet"})

    def _memory(self) -> list[Row]:
        """What each device was to hold, and how far the measure is from the whole."""
        facts, forecast = self._facts, self._forecast
        if facts is None or forecast is None or self._settings is None:
            return []
        rows: list[Row] = [(device, words, "") for device, words in device_rows(forecast)]
        measured = facts.memory.get("measured", 0) + facts.memory.get("measured_gpu", 0)
        if measured and forecast.total:
            times = tr("{0} times the forecast", f"{measured / forecast.total:.2f}")
            rows.append((tr("Measured"), megabytes(measured), times))
        formula = kv_formula(facts, self._settings, forecast)
        return [*rows, (tr("Formula"), formula, "")] if formula else rows

    def _runs(self, facts: ModelFacts) -> list[Row]:
        threads = tr("{0} for tokens, {1} for prompts", facts.threads, facts.threads_batch)
        why = _why_threads(self._settings) if self._settings is not None else ""
        notes: list[Row] = [(tr("Note"), told(sentence), "") for sentence in facts.notices]
        return [(tr("Device"), facts.device, ""), (tr("Threads"), threads, why), *notes]

    def _template(self) -> list[Row]:
        if self._health is None:
            return []
        info, found = self._health
        rows: list[Row] = [
            (tr("Origin"), info.origin, info.sha256[:12]),
            (tr("Format"), info.handler or tr("none found"), ""),
        ]
        if isinstance(found, str):
            return [*rows, (tr("Fault"), found, "")]
        grows = tr("kept as it was") if found.append_only else tr("rewritten: the cache breaks")
        return [*rows, (tr("Round trip"), told(found.sentence), ""), (tr("History"), grows, "")]


def _sizes(facts: ModelFacts) -> list[Row]:
    licence = facts.metadata.get("general.license") or facts.metadata.get("general.license.name") or ""
    return [
        (tr("Architecture"), facts.architecture, ""),
        (tr("Parameters"), f"{facts.parameters / 1e6:,.0f} M", ""),
        (tr("Quantisation"), facts.quantisation, ""),
        (tr("File"), megabytes(facts.file_bytes), ""),
        (tr("Vocabulary"), tr("{0} tokens", f"{facts.vocabulary_size:,}"), ""),
        (tr("Trained context"), tr("{0} tokens", f"{facts.trained_context:,}"), ""),
        (tr("Context in use"), tr("{0} tokens", f"{facts.context:,}"), ""),
        (tr("Licence"), str(licence) or tr("not stated in the file"), ""),
        (tr("Path"), facts.path, ""),
    ]


def _why_threads(settings: ModelSettings) -> str:
    if settings.threads is not None:
        return tr("as the settings say")
    return tr("found by measuring, and again while running; of {0} cores", available_cores())


def _metadata(facts: ModelFacts) -> list[Row]:
    return [(name, str(value)[:SHOWN], "") for name, value in sorted(facts.metadata.items())]


def _device(device: Device) -> Row:
    free = tr("{0} of {1} free", megabytes(device.memory_free), megabytes(device.memory_total))
    return device.name, device.description, free if device.memory_total else ""
