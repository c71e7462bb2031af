"""Files that come into the window and go out of it: models, templates, conversations, turns."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from cutaway import places
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.ui.window import MainWindow
    from cutaway.workbench.exchanging import Form

EXPORTS: Mapping[Form, tuple[str, str]] = {
    "markdown": ("Markdown, to be read", ".md"),
    "openai": ("OpenAI JSON, this branch", ".json"),
    "jsonl": ("JSON Lines for fine-tuning, with the assistant mask", ".jsonl"),
    "cutaway": ("Cutaway, all branches", ".cutaway.json"),
}
"""What a conversation can be written as: its name, and how the file's name ends."""
RECENT = 10
"""Models that the File menu remembers."""
TEMPLATES = (".jinja", ".j2", ".jinja2")
JSON = (".json", ".jsonl")
TEMPLATE_JSON = ("tokenizer_config.json", "chat_template.json")
"""Files of a Hugging Face folder that hold templates."""


class Files:
    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self.asked: QFileDialog | None = None
        """The dialog that was opened last."""

    # -- Opening ------------------------------------------------------------------------------------

    def open_paths(self, paths: list[str]) -> None:
        """Models are loaded, templates and folders open in the template pane, JSON is a turn or conversations."""
        desk = self._window.desk
        for path in paths:
            if is_model(path):
                desk.start(desk.open_path(path))
            elif path.lower().endswith(JSON) and Path(path).name not in TEMPLATE_JSON:
                desk.start(self._open_json(Path(path)))
            else:
                self._window.open_template(path)

    async def _open_json(self, path: Path) -> None:
        await self._window.desk.opened.wait()
        if await self._window.desk.bench.is_turn_file(path):
            await self._show_turn(path)
        else:
            await self._import(path)

    def open_model(self) -> None:
        kinds = [tr("Models and templates") + " (*.gguf *.jinja *.j2 *.jinja2)", tr("All files") + " (*)"]
        self._ask(tr("Open a model or a template"), kinds, lambda path: self.open_paths([path]), str(places.models()))

    def import_conversations(self) -> None:
        kinds = ["JSON (*.json *.jsonl)", tr("All files") + " (*)"]
        self._ask(tr("Import conversations"), kinds, lambda path: self._start(self._import(Path(path))))

    async def _import(self, path: Path) -> None:
        imported = await self._window.desk.bench.import_(path)
        if imported.conversations:
            await self._window.desk.open_conversation(imported.conversations[0].id)
        words = tr("{0} conversations imported.", len(imported.conversations))
        if imported.warnings:
            words += " " + tr("{0} things were read otherwise than they were written:", len(imported.warnings))
            self._window.notice.tell(" ".join([words, *imported.warnings[:3]]))
        else:
            self._window.tell(words)

    def open_turn(self) -> None:
        self._ask(tr("Open a turn file"), ["JSON (*.json)"], lambda path: self._start(self._show_turn(Path(path))))

    async def _show_turn(self, path: Path) -> None:
        await self._window.desk.show(await self._window.desk.bench.open_turn(path))
        self._window.set_inspector(True)

    # -- Saving -------------------------------------------------------------------------------------

    def export_conversation(self, conversation: str, title: str) -> None:
        kinds = {f"{tr(name)} (*{ending})": ending for name, ending in EXPORTS.values()}
        dialog = self._ask(
            tr("Export this conversation"),
            list(kinds),
            lambda path: self._start(self._export(conversation, path, kinds[dialog.selectedNameFilter()])),
            file_name(title) + ".md",
            save=True,
        )
        dialog.filterSelected.connect(lambda kind: _end_in(dialog, kinds[kind]))

    async def _export(self, conversation: str, path: str, ending: str) -> None:
        """What the name ends in says what is written; a name that says nothing gets the ending that was chosen."""
        form = form_of(path)
        if form is None:
            form, path = form_of(ending), path + ending
        assert form is not None
        lacks = await self._window.desk.bench.export(conversation, Path(path), form)
        self._window.notice.tell(" ".join(filter(None, (tr("Saved: {0}", path), lacks))), seconds=0 if lacks else 8)

    def export_turn(self) -> None:
        turn = self._window.desk.shown
        if turn is None:
            self._window.tell(tr("Select a turn first: press one of the model's messages."))
            return
        title = tr("Save this turn as a file")
        self._ask(title, ["JSON (*.json)"], lambda path: self._start(save(path)), "turn.json", save=True)

        async def save(path: str) -> None:
            await self._window.desk.bench.export_turn(turn, Path(path))
            self._window.tell(tr("Saved: {0}", path))

    # -- Recent models --------------------------------------------------------------------------------

    def keep_recent(self, path: str) -> None:
        """The newest first; one that is loaded again moves to the front."""
        remembered = self._window.remembered
        kept = [other for other in remembered.get("recent", []) if isinstance(other, str) and other != path]
        remembered.set("recent", [path, *kept][:RECENT])

    def fill_recent(self) -> None:
        menu = self._window.recent
        menu.clear()
        for path in self._window.remembered.get("recent", []):
            action = menu.addAction(Path(path).name)
            action.setToolTip(path)
            action.setEnabled(Path(path).is_file())
            action.triggered.connect(lambda _=False, path=path: self.open_paths([path]))
        if menu.isEmpty():
            menu.addAction(tr("None yet")).setEnabled(False)

    # -- Asking -----------------------------------------------------------------------------------------

    def _ask(
        self, title: str, kinds: list[str], call: Callable[[str], object], start: str = "", *, save: bool = False
    ) -> QFileDialog:
        """The system's dialog for a file, which blocks nothing; `start` is a folder, or a name when saving."""
        dialog = self.asked = QFileDialog(self._window, title)
        dialog.setNameFilters(kinds)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile if save else QFileDialog.FileMode.ExistingFile)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave if save else QFileDialog.AcceptMode.AcceptOpen)
        if save:
            dialog.selectFile(start)
        elif start:
            dialog.setDirectory(start)
        dialog.fileSelected.connect(call)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def _start(self, work: object) -> None:
        self._window.desk.start(work)  # type: ignore[arg-type]


def is_model(path: str) -> bool:
    """Whether a path that is opened is taken for a model: whatever is no template, folder or JSON."""
    return not path.lower().endswith((*TEMPLATES, *JSON)) and not Path(path).is_dir()


def form_of(name: str) -> Form | None:
    """What a file of that name is written as; None where its ending says nothing."""
    ends = sorted(EXPORTS, key=lambda form: -len(EXPORTS[form][1]))
    return next((form for form in ends if name.lower().endswith(EXPORTS[form][1])), None)


def file_name(title: str) -> str:
    """A title as the name of a file on any system."""
    name = re.sub(r'[\\/:*?"<>|\x00-\x1f]+', " ", title).strip(" .")[:60].strip(" .")
    return name or tr("Conversation")


def _end_in(dialog: QFileDialog, ending: str) -> None:
    """The name keeps its stem when another kind of file is chosen."""
    for path in dialog.selectedFiles()[:1]:
        name = Path(path).name
        known = form_of(name)
        dialog.selectFile(name.removesuffix(EXPORTS[known][1] if known else "") + ending)
