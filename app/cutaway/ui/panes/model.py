"""The model: what its file says, what it takes of memory, what it runs on, and how healthy its template is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QLabel, QStackedLayout, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from cutaway.engine.backend import LoadError
from cutaway.engine.gguf_file import GgufError
from cutaway.engine.threads import available_cores
from cutaway.ui.look.style import look
from cutaway.ui.look.theme import SPACE
from cutaway.ui.pane import Context, Pane
from cutaway.ui.templates.health import verify
from cutaway.ui.widgets.empty import Empty
from cutaway.ui.words import changed, say, tr
from cutaway.workbench.change import Change, ModelChanged

if TYPE_CHECKING:
    from cutaway.engine.command import ModelSettings
    from cutaway.engine.event import ModelFacts
    from cutaway.engine.memory import Memory
    from cutaway.workbench.turn import Turn

Row = tuple[str, str]
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
        self._more: list[tuple[str, list[Row]]] = []
        changed.language.connect(self._fill)
        look.changed.connect(self._fill)

    def _build(self) -> QWidget:
        body = QWidget()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(0, 2 * SPACE, 0, 0)
        self.head = QLabel()
        self.head.setWordWrap(True)
        self.head.setContentsMargins(2 * SPACE, 0, 2 * SPACE, SPACE)
        layout.addWidget(self.head)
        self.tree = QTreeWidget()
        self.tree.setColumnCount(2)
        self.tree.setIndentation(12)
        self.tree.setWordWrap(True)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        say(self.tree, "setAccessibleName", "Facts about the model")
        layout.addWidget(self.tree, 1)
        return body

    def show_turn(self, turn: Turn | None) -> None:
        self._show(self.context.bench.model.facts if self.context.is_open() else None)

    def grow(self, turn: Turn, what: object) -> None:
        if self._facts is None:
            self.show_turn(turn)

    def follow(self, change: Change) -> None:
        if isinstance(change, ModelChanged):
            self._show(change.facts if change.state == "ready" else None)

    def _show(self, facts: ModelFacts | None) -> None:
        self._stack.setCurrentIndex(1 if facts is not None else 0)
        if facts is None or facts is self._facts:
            return
        self._facts, self._more = facts, []
        self._fill()
        self.context.start(self._ask_more(facts))

    async def _ask_more(self, facts: ModelFacts) -> None:
        """What takes longer: the devices of this build, and the template's health."""
        bench = self.context.bench
        devices = await bench.devices()
        settings = bench.model_settings(facts.path)
        more = [(tr("Memory, forecast and measured"), await self._forecast(facts, settings))]
        more.append((tr("Why so many threads"), [(tr("Threads"), _why_threads(settings))]))
        more += [(tr("Devices of this build"), [_device(device) for device in devices])]
        view = await bench.template()
        if view is not None:
            said = (await verify(view)).sentence
            more.append((tr("Template health"), [(view.info.handler or tr("no format"), said)]))
        if facts is self._facts:
            self._more = more
            self._fill()

    async def _forecast(self, facts: ModelFacts, settings: ModelSettings) -> list[Row]:
        """By device what loading so was to take, and what was really taken; nothing where the file cannot be read."""
        gpu = facts.device if facts.device and not facts.device.startswith("CPU") else None
        wanted = replace(settings, context=facts.context)
        try:
            made = await self.context.bench.memory_forecast(facts.path, wanted, gpu)
        except (LoadError, GgufError, OSError):
            return []
        rows = [(tr("{0}, forecast", device), _memory_words(memory)) for device, memory in made.devices.items()]
        measured = facts.memory.get("measured", 0) + facts.memory.get("measured_gpu", 0)
        if measured:
            times = f"{measured / made.total:.2f}" if made.total else "–"
            rows.append((tr("Measured, in all"), tr("{0}, {1} times the forecast", _megabytes(measured), times)))
        return rows

    def _fill(self) -> None:
        facts = self._facts
        if facts is None:
            return
        self.head.setText(f"<b>{facts.name}</b>" if "<" not in facts.name else facts.name)
        self.tree.clear()
        self.tree.setHeaderLabels([tr("What"), tr("Value")])
        for title, rows in (*_groups(facts), *self._more, (tr("Metadata of the file"), _metadata(facts))):
            self._group(title, rows)

    def _group(self, title: str, rows: list[Row]) -> None:
        if not rows:
            return
        group = QTreeWidgetItem([title])
        group.setForeground(0, QColor(look.theme.quiet))
        for name, value in rows:
            item = QTreeWidgetItem([name, value])
            item.setToolTip(1, value)
            group.addChild(item)
        self.tree.addTopLevelItem(group)
        group.setExpanded(title != tr("Metadata of the file"))


def _groups(facts: ModelFacts) -> list[tuple[str, list[Row]]]:
    licence = facts.metadata.get("general.license") or facts.metadata.get("general.license.name") or ""
    sizes = [
        (tr("Architecture"), facts.architecture),
        (tr("Parameters"), f"{facts.parameters / 1e6:,.0f} M"),
        (tr("Quantisation"), facts.quantisation),
        (tr("File"), f"{facts.file_bytes / 1e6:,.1f} MB"),
        (tr("Vocabulary"), tr("{0} tokens", f"{facts.vocabulary_size:,}")),
        (tr("Trained context"), tr("{0} tokens", f"{facts.trained_context:,}")),
        (tr("Context in use"), tr("{0} tokens", f"{facts.context:,}")),
        (tr("Licence"), str(licence) or tr("not stated in the file")),
        (tr("Path"), facts.path),
    ]
    memory = [(_memory_name(name), f"{size / 1e6:,.1f} MB") for name, size in facts.memory.items()]
    runs = [
        (tr("Device"), facts.device),
        (tr("Threads"), tr("{0} for tokens, {1} for prompts", facts.threads, facts.threads_batch)),
        *((tr("Note"), sentence) for sentence in facts.notices),
    ]
    return [(tr("Sizes"), sizes), (tr("Memory"), memory), (tr("Runs on"), runs)]


def _memory_words(memory: Memory) -> str:
    parts = (
        (tr("weights"), memory.weights),
        (tr("KV cache"), memory.kv),
        (tr("states"), memory.states),
        (tr("compute"), memory.compute),
        (tr("vocabulary"), memory.vocabulary),
    )
    listed = ", ".join(f"{name} {_megabytes(size)}" for name, size in parts if size)
    return f"{_megabytes(memory.total)} ({listed})"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


def _why_threads(settings: ModelSettings) -> str:
    if settings.threads is not None:
        return tr("as the settings say")
    return tr("measured while running, at most {0}", available_cores())


def _memory_name(name: str) -> str:
    names = {"weights": "Weights", "kv": "KV cache", "compute": "Compute buffers", "measured": "Measured, in all"}
    return tr(names.get(name, name))


def _metadata(facts: ModelFacts) -> list[Row]:
    return [(name, str(value)[:SHOWN]) for name, value in sorted(facts.metadata.items())]


def _device(device: Any) -> Row:
    name = str(getattr(device, "name", device))
    return name, str(getattr(device, "description", "") or "")
